"""What the JSON interface is asked. msgspec reads a request into one of these, strictly, and describes them to others.

It is a parser in C, linear in the body, which stops at the first value that is not as declared here: so nothing is
built that nobody asked for, however deep or long it is.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated, Any, Self

import msgspec
from msgspec import Meta, Struct

from plait.errors import InputError

_SHOWN = 80  # characters of a name that is not known
_UNKNOWN = "Object contains unknown field `"
_MOST = 1_000_000
_LONG = 4 << 20

Conllu = Annotated[str, Meta(description="Sentences as CoNLL-U.", min_length=1, max_length=_LONG)]
ModelName = Annotated[
    str,
    Meta(
        description="The name of a model, or its beginning up to a dash; by default the first that can.",
        max_length=200,
    ),
]
Beam = Annotated[int, Meta(description="Width of the beam; 0: that of the model.", ge=0, le=64)]
Which = Annotated[int, Meta(description="Which sentence of the data, counted from 1.", ge=1, le=_MOST)]
System = Annotated[str, Meta(description="The transition system: swap, standard or eager.", max_length=20)]
Draw = Annotated[bool, Meta(description="Whether to draw pictures.")]
Width = Annotated[
    int,
    Meta(
        description="About how many pixels wide a row of a picture may be; 0: all words in one row.",
        ge=0,
        le=5000,
    ),
]
Seed = Annotated[int, Meta(description="Another one gives another result.", ge=0, le=2**31 - 1)]
Name = Annotated[str, Meta(max_length=200)]


class Question(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request. The docstring of a subclass is its summary for others."""

    @classmethod
    def read(cls, body: bytes) -> Self:
        """From JSON; InputError says what is wrong with it."""
        try:
            return msgspec.json.decode(body, type=cls)
        except msgspec.ValidationError as error:
            raise InputError(cls._complaint(str(error))) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            half = ", or it holds half of a character (a lone surrogate)" if b"\\ud" in body.lower() else ""
            raise InputError(f"The body must be a JSON object: {error}{half}.") from None

    @classmethod
    def _complaint(cls, said: str) -> str:
        if said.startswith(_UNKNOWN):
            name = said.removeprefix(_UNKNOWN)[:_SHOWN].partition("`")[0]
            near = get_close_matches(name, cls.__struct_fields__, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Available: {', '.join(cls.__struct_fields__)}."
            return f"No field {name!r}. {hint}"
        return f"The question does not fit: {said}."


class ParseQuestion(Question, frozen=True):
    """Parse a text: sentences, words, tags, trees, and pictures of them."""

    text: Annotated[str, Meta(description="The text.", max_length=_LONG)]
    model: ModelName = ""
    beam: Beam = 0
    draw: Draw = False
    meaning: Annotated[
        bool, Meta(description="Whether to draw deep trees and graphs of meaning too, where there are some.")
    ] = False
    width: Width = 900


class TreeQuestion(Question, frozen=True):
    """Read and draw trees, without a model."""

    conllu: Conllu
    width: Width = 900


class CompleteQuestion(Question, frozen=True):
    """Parse sentences of which tags, heads and labels may be given: those stay, what is `_` is found around them."""

    conllu: Conllu
    model: ModelName = ""
    beam: Beam = 0
    draw: Draw = False
    width: Width = 900


class CompareQuestion(Question, frozen=True):
    """What a model makes of the words of gold trees, beside them: errors, counts, pictures."""

    conllu: Conllu
    system: Annotated[
        str,
        Meta(
            description="Other trees of the same words, as CoNLL-U, instead of a model's.", max_length=_LONG
        ),
    ] = ""
    model: ModelName = ""
    beam: Beam = 0
    draw: Draw = False
    width: Width = 900


class TikzQuestion(Question, frozen=True):
    """A tree for LaTeX's package tikz-dependency."""

    conllu: Annotated[str, Meta(description="A sentence as CoNLL-U.", min_length=1, max_length=1 << 20)]
    against: Annotated[
        str,
        Meta(description="Another tree of the same words, whose arcs are drawn below.", max_length=1 << 20),
    ] = ""


class TraceQuestion(Question, frozen=True):
    """How a parser builds the tree of a sentence: steps, scores of alternatives, beam."""

    conllu: Conllu
    sentence: Which = 1
    model: ModelName = ""
    beam: Beam = 0
    alternatives: Annotated[
        int, Meta(description="How many alternatives of every step.", ge=1, le=50)
    ] = 5  # fmt: skip


class DerivationQuestion(Question, frozen=True):
    """How oracles derive the tree of a sentence, step by step."""

    conllu: Conllu
    sentence: Which = 1
    system: System = "swap"
    oracles: Annotated[
        list[Name],
        Meta(description="Names of oracles; by default that of the system.", max_length=4),
    ] = []


class LatticeQuestion(Question, frozen=True):
    """All correct derivations of the tree of a short sentence, as a picture."""

    conllu: Conllu
    sentence: Which = 1
    system: System = "swap"
    oracle: Annotated[
        str, Meta(description="Its derivations only; by default all correct ones.", max_length=20)
    ] = ""


class SayQuestion(Question, frozen=True):
    """Shuffle the words of a tree and put them into order again: domains, and the best sentences."""

    conllu: Conllu
    sentence: Which = 1
    model: ModelName = ""
    seed: Seed = 0
    nbest: Annotated[int, Meta(description="How many sentences.", ge=1, le=20)] = 5


class CircleQuestion(Question, frozen=True):
    """Take a sentence from text to its meaning and back to text."""

    text: Annotated[
        str, Meta(description="A text; its first sentence goes round.", min_length=1, max_length=1 << 16)
    ]
    model: ModelName = ""
    realizer: ModelName = ""
    width: Width = 800


class SceneQuestion(Question, frozen=True):
    """A made scene to refer to, and who can speak of it."""

    seed: Seed = 1


class ReferQuestion(Question, frozen=True):
    """Say which thing of a scene is meant, as one of the speakers would."""

    scene: Annotated[
        str,
        Meta(
            description="JSON: a target and distractors, each a table of attributes.",
            min_length=2,
            max_length=1 << 16,
        ),
    ]
    speaker: Annotated[
        str, Meta(description="Who speaks; by default the most central speaker.", max_length=200)
    ] = ""


class RulesQuestion(Question, frozen=True):
    """Check two-level rules and apply them to a graph: what fired, what did not and why, and pictures' places."""

    files: Annotated[
        list[str], Meta(description="Rule files, which are read together.", min_length=1, max_length=20)
    ]
    names: Annotated[list[str], Meta(description="Their names, for messages.", min_length=1, max_length=20)]
    graph: Annotated[
        str, Meta(description="Graphs, in the format of rule files or in JSON.", max_length=1 << 20)
    ]
    which: Annotated[
        int,
        Meta(
            description="Which of the graphs, counted from 1; the last one if there are fewer.",
            ge=1,
            le=_MOST,
        ),
    ] = 1


QUESTIONS: dict[str, type[Question]] = {
    "/api/parse": ParseQuestion,
    "/api/tree": TreeQuestion,
    "/api/complete": CompleteQuestion,
    "/api/compare": CompareQuestion,
    "/api/tikz": TikzQuestion,
    "/api/trace": TraceQuestion,
    "/api/derivation": DerivationQuestion,
    "/api/lattice": LatticeQuestion,
    "/api/say": SayQuestion,
    "/api/circle": CircleQuestion,
    "/api/scene": SceneQuestion,
    "/api/refer": ReferQuestion,
    "/api/rules": RulesQuestion,
}


def schemas() -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """By path the JSON Schema of its question, and what those refer to, by name."""
    found, named = msgspec.json.schema_components(
        QUESTIONS.values(), ref_template="#/components/schemas/{name}"
    )
    return dict(zip(QUESTIONS, found, strict=True)), named
