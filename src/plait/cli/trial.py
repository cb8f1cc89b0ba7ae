"""A model at work, once: what can be loaded may still fail when it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from plait import formats
from plait.errors import InputError, PlaitError, excerpt
from plait.formats.grec import MAIN_SUBJECT, Expression, MentionText, Reference
from plait.generation import Realizer
from plait.generation.mentions import MentionFiller
from plait.generation.mentions.options import NEG
from plait.generation.refer import made
from plait.generation.refer.model import Referrer
from plait.layers import Argument, DeepNode, DeepTree, Frame, Frames
from plait.learning import store
from plait.learning.request import Request
from plait.pipeline import Pipeline
from plait.sentence import Sentence

# Models that are no pipelines, by their kind: each has `load` and options, and its manifest an origin or `about`.
OTHERS = {
    "mentions": "plait.generation.mentions.filler:MentionFiller",
    "refer": "plait.generation.refer.model:Referrer",
}
_TEXT = "The dog saw a cat today. Mr. Smith's bird didn't sing!"
_WORDS = 200  # that a model knows by name
_PIECE = 20  # of them in a sentence
_WISHES: dict[str, Any] = {"beam": 2, "nbest": 2}  # others are true or false
_STARTS = {"order": "tree", "function_words": "deep", "graph2tree": "graph"}


def load_any(place: Path) -> Any:
    """A model of whatever kind; what is wrong with it is an InputError that names it."""
    kind = str(store.read_manifest(place).get("kind"))
    if kind not in OTHERS:
        return Pipeline.load(place.absolute())
    module, _, name = OTHERS[kind].partition(":")
    return getattr(import_module(module), name).load(place.absolute())


def try_out(place: Path) -> None:
    """Load a model and let it do all that it can, on a few words. Whatever fails is an InputError that names it."""
    model = load_any(place)
    try:
        _USES[type(model)](model)
    except PlaitError as error:
        raise InputError(f"{place}: the model cannot be used: {error}") from None
    except Exception as error:
        what = excerpt(f"{type(error).__name__}: {error}")
        raise InputError(f"{place}: the model is damaged: using it fails with {what}.") from None


def _use_pipeline(pipeline: Pipeline) -> None:
    if pipeline.giving("tokens"):
        pipeline(_TEXT)
    given = [_sentence(), *_known(pipeline)]
    working = pipeline.working()
    wishes = sorted({wish for component in working for wish in component.able()})
    for request in (Request(), *(replace(Request(), **{wish: _WISHES.get(wish, True)}) for wish in wishes)):
        _write(pipeline.annotate((each.copy() for each in given), request))
    if pipeline.giving("order"):
        realizer, kinds = Realizer(pipeline), {each.kind for each in working}
        for start in [start for kind, start in _STARTS.items() if kind in kinds]:
            for best in realizer.best([_sentence()], 2, start=start):
                _write(each.sentence for each in best)


def _write(sentences: Iterable[Sentence]) -> None:
    written = list(sentences)
    for format in ("jsonl", "conllu"):
        formats.to_text(written, format)


def _sentence() -> Sentence:
    """One with all that a component may begin with."""
    sentence = Sentence(
        forms=["The", "dog", "saw", "a", "cat", "today", "."],
        lemmas=["the", "dog", "see", "a", "cat", "today", "."],
        upos=["DET", "NOUN", "VERB", "DET", "NOUN", "ADV", "PUNCT"],
        xpos=["DT", "NN", "VBD", "DT", "NN", "RB", "."],
        feats=["Definite=Def", "Number=Sing", "Tense=Past", "Definite=Ind", "Number=Sing", "_", "_"],
        heads=[2, 3, 0, 5, 3, 3, 3],
        deprels=["det", "nsubj", "root", "det", "obj", "advmod", "punct"],
    )
    sentence.put(Frames((Frame(3, "see.01", (Argument(2, "A0"), Argument(5, "A1"))),)))
    nodes = (
        DeepNode(2, (1, 2), "dog", "NN", "definiteness=DEF", 2, "I"),
        DeepNode(3, (3,), "see", "VBD", "tense=PAST", 0, "ROOT"),
        DeepNode(5, (4, 5), "cat", "NN", "definiteness=INDEF", 2, "II"),
    )
    sentence.put(DeepTree(nodes))
    return sentence


def _known(pipeline: Pipeline) -> Iterator[Sentence]:
    """Words that the components know by name, in chains."""
    words = (word for component in pipeline.components.values() for word in component.words())
    known = list(islice(words, _WORDS))
    for first in range(0, len(known), _PIECE):
        forms = known[first : first + _PIECE]
        size = len(forms)
        yield Sentence(
            forms=forms,
            lemmas=list(forms),
            upos=["NOUN"] * size,
            heads=list(range(size)),
            deprels=["root", *["dep"] * (size - 1)],
        )


def _use_referrer(referrer: Referrer) -> None:
    for speaker in (None, *referrer.speakers):
        referrer.refer(made.make_scene(Random(1)), speaker)


def _use_filler(filler: MentionFiller) -> None:
    filler.tell()
    for text in filler.fill([_mentions(several=filler.options.task == NEG)]):
        text.text.encode()


def _mentions(*, several: bool) -> MentionText:
    def say(type: str, case: str, head: str, text: str) -> Expression:
        return Expression(type, {"CASE": case, "HEAD": head, "ENTITY": MAIN_SUBJECT}, (text,))

    listed = [say("name", "plain", "nominal", "Anna Miller"), say("pronoun", "nominative", "pronoun", "she")]
    listed.append(Expression("empty", {"ENTITY": MAIN_SUBJECT}, ("_",)))
    slots = [
        Reference(
            MAIN_SUBJECT,
            {
                "ID": f"1.{number}",
                "MENTION": str(number),
                "SEMCAT": "person",
                "SYNCAT": "np-subj",
                "SYNFUNC": "subj",
            },
            list(listed),
        )
        for number in range(1, 4)
    ]
    pieces: list[str | Reference] = [
        slots[0],
        " was a cook. ",
        slots[1],
        " wrote books and ",
        slots[2],
        " sang.",
    ]
    return MentionText({"ID": "1"}, "Anna Miller", [pieces], list(listed) if several else None)


_USES: dict[type, Callable[[Any], None]] = {
    Pipeline: _use_pipeline,
    Referrer: _use_referrer,
    MentionFiller: _use_filler,
}
