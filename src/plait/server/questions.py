"""What the JSON interface is asked: every request a dataclass, checked strictly, and described to others."""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches
from typing import Any, ClassVar, TypeVar, get_type_hints

from plait.errors import InputError

Asked = TypeVar("Asked", bound="Question")

_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_MOST_BESIDES = 1 << 12  # bytes

_KINDS: dict[Any, tuple[str, str, dict[str, Any]]] = {
    str: ("text", "string", {}),
    int: ("a whole number", "integer", {}),
    bool: ("true or false", "boolean", {}),
    list[str]: ("a list of texts", "array", {"items": {"type": "string"}}),
}


def _about(text: str, low: int | None, high: int | None) -> dict[str, Any]:
    """What is known of a field: a description and bounds, of its value, or for texts and lists of its length."""
    return {"text": text, "low": low, "high": high}


def _told(text: str, default: Any = MISSING, low: int | None = None, high: int | None = None) -> Any:
    return field(default=default, metadata=_about(text, low, high))


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A request. Subclasses are dataclasses whose fields are made by `_told`."""

    summary: ClassVar[str] = ""

    @classmethod
    def read(cls: type[Asked], body: bytes) -> Asked:
        """From JSON; InputError says what is wrong with it."""
        try:
            # Besides texts a question is short; millions of lists or numbers would be read in one go.
            if len(_TEXT.sub(b"", body)) > _MOST_BESIDES:
                raise ValueError
            values = json.loads(body)
        except (ValueError, RecursionError):
            raise InputError("The body must be a JSON object.") from None
        if not isinstance(values, dict):
            raise InputError("The body must be a JSON object.")
        known = {each.name: each for each in fields(cls)}
        kinds = get_type_hints(cls)
        for name, value in values.items():
            if name not in known:
                near = get_close_matches(name[:80], known, n=1)
                hint = f"Did you mean {near[0]!r}?" if near else f"Available: {', '.join(known)}."
                raise InputError(f"No field {name[:80]!r}. {hint}")
            _check(name, value, kinds[name], known[name].metadata)
        for name, each in known.items():
            if name not in values and each.default is MISSING and each.default_factory is MISSING:
                raise InputError(f"The field {name!r} is missing.")
        return cls(**values)

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """The same in the words of JSON Schema."""
        kinds = get_type_hints(cls)
        properties: dict[str, Any] = {}
        required = []
        for each in fields(cls):
            _, kind, more = _KINDS[kinds[each.name]]
            names = {"integer": ("minimum", "maximum"), "array": ("minItems", "maxItems")}
            low, high = names.get(kind, ("minLength", "maxLength"))
            entry = {"type": kind, "description": each.metadata["text"], **more}
            for bound, name in (each.metadata["low"], low), (each.metadata["high"], high):
                if bound is not None:
                    entry[name] = bound
            if each.default is not MISSING:
                entry["default"] = each.default
            elif each.default_factory is not MISSING:
                entry["default"] = each.default_factory()
            else:
                required.append(each.name)
            properties[each.name] = entry
        return {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }


def _check(name: str, value: Any, kind: Any, metadata: Any) -> None:
    described = _KINDS[kind][0]
    if kind == list[str]:
        fits = isinstance(value, list) and all(isinstance(each, str) for each in value)
    else:
        fits = type(value) is kind
    if not fits:
        raise InputError(f"The field {name!r} must be {described}.")
    if kind is not int and kind is not bool and not all(map(_is_writable, [value] if kind is str else value)):
        raise InputError(f"The field {name!r} holds half of a character (a lone surrogate).")
    size = value if kind is int else len(value) if kind is not bool else 0
    low, high = metadata["low"], metadata["high"]
    if (low is not None and size < low) or (high is not None and size > high):
        of = "" if kind is int else "length of the "
        raise InputError(f"The {of}field {name!r} must be from {low or 0:,} to {high:,}, not {size:,}.")


def _is_writable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


_CONLLU = "Sentences as CoNLL-U."
_MODEL = "The name of a model, or its beginning up to a dash; by default the first."
_BEAM = "Width of the beam; 0: that of the model."
_SENTENCE = "Which sentence of the data, counted from 1."
_SYSTEM = "The transition system: swap, standard or eager."
_MOST = 1_000_000
_WIDTH = "About how many pixels wide a row of a picture may be; 0: all words in one row."


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseQuestion(Question):
    summary: ClassVar[str] = "Parse a text: sentences, words, tags, trees, and pictures of them."

    text: str = _told("The text.", low=0, high=4 << 20)
    model: str = _told(_MODEL, "", high=200)
    beam: int = _told(_BEAM, 0, 0, 64)
    draw: bool = _told("Whether to draw the trees.", False)
    meaning: bool = _told(
        "Whether to draw deep trees and graphs of meaning too, where there are some.", False
    )
    width: int = _told(_WIDTH, 900, 0, 5000)


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeQuestion(Question):
    summary: ClassVar[str] = "Read and draw trees, without a model."

    conllu: str = _told(_CONLLU, low=1, high=4 << 20)
    width: int = _told(_WIDTH, 900, 0, 5000)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompleteQuestion(Question):
    summary: ClassVar[str] = (
        "Parse sentences of which tags, heads and labels may be given: those stay, and the rest is found around them."
    )

    conllu: str = _told("Sentences as CoNLL-U; what is `_` is to be found.", low=1, high=4 << 20)
    model: str = _told(_MODEL, "", high=200)
    beam: int = _told(_BEAM, 0, 0, 64)
    draw: bool = _told("Whether to draw the trees.", False)
    width: int = _told(_WIDTH, 900, 0, 5000)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareQuestion(Question):
    summary: ClassVar[str] = (
        "What a model makes of the words of gold trees, beside them: errors, counts, pictures."
    )

    conllu: str = _told("Gold trees as CoNLL-U.", low=1, high=4 << 20)
    system: str = _told("Other trees of the same words, as CoNLL-U, instead of a model's.", "", high=4 << 20)
    model: str = _told(_MODEL, "", high=200)
    beam: int = _told(_BEAM, 0, 0, 64)
    draw: bool = _told("Whether to draw the differences.", False)
    width: int = _told(_WIDTH, 900, 0, 5000)


@dataclass(frozen=True, slots=True, kw_only=True)
class TikzQuestion(Question):
    summary: ClassVar[str] = "A tree for LaTeX's package tikz-dependency."

    conllu: str = _told("A sentence as CoNLL-U.", low=1, high=1 << 20)
    against: str = _told("Another tree of the same words, whose arcs are drawn below.", "", high=1 << 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceQuestion(Question):
    summary: ClassVar[str] = (
        "How a parser builds the tree of a sentence: steps, scores of alternatives, beam."
    )

    conllu: str = _told("Sentences as CoNLL-U; their words and tags are used.", low=1, high=4 << 20)
    sentence: int = _told(_SENTENCE, 1, 1, _MOST)
    model: str = _told(_MODEL, "", high=200)
    beam: int = _told(_BEAM, 0, 0, 64)
    alternatives: int = _told("How many alternatives of every step.", 5, 1, 50)


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivationQuestion(Question):
    summary: ClassVar[str] = "How oracles derive the tree of a sentence, step by step."

    conllu: str = _told(_CONLLU, low=1, high=4 << 20)
    sentence: int = _told(_SENTENCE, 1, 1, _MOST)
    system: str = _told(_SYSTEM, "swap", high=20)
    oracles: list[str] = field(
        default_factory=list, metadata=_about("Names of oracles; by default that of the system.", 0, 4)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LatticeQuestion(Question):
    summary: ClassVar[str] = "All correct derivations of the tree of a short sentence, as a picture."

    conllu: str = _told(_CONLLU, low=1, high=4 << 20)
    sentence: int = _told(_SENTENCE, 1, 1, _MOST)
    system: str = _told(_SYSTEM, "swap", high=20)
    oracle: str = _told("Its derivations only; by default all correct ones.", "", high=20)


@dataclass(frozen=True, slots=True, kw_only=True)
class SayQuestion(Question):
    summary: ClassVar[str] = (
        "Shuffle the words of a tree and put them into order again: domains, and the best sentences."
    )

    conllu: str = _told("Sentences as CoNLL-U; order and forms are not looked at.", low=1, high=4 << 20)
    sentence: int = _told(_SENTENCE, 1, 1, _MOST)
    model: str = _told("The name of a model that has an order; by default the first such.", "", high=200)
    seed: int = _told("Of the shuffled order.", 0, 0, 2**31 - 1)
    nbest: int = _told("How many sentences.", 5, 1, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class CircleQuestion(Question):
    summary: ClassVar[str] = "Take a sentence from text to its meaning and back to text."

    text: str = _told("A text; its first sentence goes round.", low=1, high=1 << 16)
    model: str = _told("The name of a model that finds trees and roles; by default the first.", "", high=200)
    realizer: str = _told(
        "The name of a model that makes text of graphs; by default the first.", "", high=200
    )
    width: int = _told(_WIDTH, 800, 0, 5000)


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneQuestion(Question):
    summary: ClassVar[str] = "A made scene to refer to, and who can speak of it."

    seed: int = _told("Another one gives another scene.", 1, 0, 2**31 - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferQuestion(Question):
    summary: ClassVar[str] = "Say which thing of a scene is meant, as one of the speakers would."

    scene: str = _told("JSON: a target and distractors, each a table of attributes.", low=2, high=1 << 16)
    speaker: str = _told("Who speaks; by default the most central speaker.", "", high=200)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesQuestion(Question):
    summary: ClassVar[str] = (
        "Check two-level rules and apply them to a graph: what fired, what did not and why, and pictures' places."
    )

    files: list[str] = field(metadata=_about("Rule files, which are read together.", 1, 20))
    names: list[str] = field(metadata=_about("Their names, for messages.", 1, 20))
    graph: str = _told("Graphs, in the format of rule files or in JSON.", low=0, high=1 << 20)
    which: int = _told("Which of the graphs, counted from 1; the last one if there are fewer.", 1, 1, _MOST)
