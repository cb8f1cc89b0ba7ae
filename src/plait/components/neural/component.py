"""Tags, lemmas and trees in one pass of a neural net."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from plait import checks, folders
from plait.checks import Cell, Name
from plait.components.neural.corpus import Classes
from plait.components.neural.model import Found, Model
from plait.components.neural.options import NeuralOptions
from plait.components.neural.words import Words
from plait.errors import InputError
from plait.features.texts import pack_texts, unpack_texts
from plait.layers import Parse
from plait.learning import store
from plait.learning.attachment import attach, tell_confidence
from plait.learning.component import Component
from plait.learning.flow import apply, batches
from plait.learning.given import checked
from plait.learning.learner import Learner
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.store import Tensors
from plait.sentence import EMPTY, Sentence

_WORDS = "words"
_MOST_WEIGHTS = 1 << 30  # bytes


@dataclass(frozen=True, slots=True)
class NeuralFacts:
    """Beside the arrays of the net and its words: what its classes are called."""

    upos: list[Name]
    xpos: list[Name]
    feats: list[Name]
    script: list[Cell]
    label: list[Name]
    tag_layer: int


class Neural(Component[Model]):
    """A recurrent net with attention reads the words and writes UPOS, XPOS, FEATS, lemmas and the tree: the best one
    with a single root, in which arcs that cross pay a price. Confidence is the probability of a head.
    """

    kind = "neural"
    title = "A neural tagger and parser"
    topics = ("dependency-parsing", "part-of-speech-tagging", "lemmatization")
    usual_name = "neural"
    Options = NeuralOptions
    Facts = NeuralFacts
    requires = frozenset({"tokens"})
    provides = frozenset({"tags", "lemmas", "tree"})
    accepts = frozenset({"confidence", "keep_heads", "keep_tags"})

    def check(self, lessons: Lessons) -> None:  # noqa: ARG002
        raise InputError("A neural component is trained apart, with the extra plait[train].")

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> Learner[Model] | None:  # noqa: ARG002
        self.check(lessons)
        return None

    @classmethod
    def from_export(cls, folder: str | Path, **options: float) -> Self:
        """From `net.json` and `weights.safetensors`, as training leaves them. Nothing in them is executed."""
        component = cls(**options)
        with store.understanding(str(folder)):
            about = checks.parse_json(folders.read_file(Path(folder) / "net.json", checks.MOST_JSON))
            weights = folders.read_file(Path(folder) / "weights.safetensors", _MOST_WEIGHTS)
            facts = checks.record(
                NeuralFacts, about["classes"] | {"tag_layer": about["shape"]["tag_layer"]}, "the classes"
            )
            component.unpack(facts, _with_words(store.read_tensors(weights), about["words"]))
        return component

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        """With several threads one of them is Python's own, which reads and writes."""
        model, in_core = self.state, max(1, request.threads - 1)
        if request.keep_heads:
            sentences = checked(sentences)

        def work(batch: list[Sentence]) -> Found:
            return model.run(
                batch,
                price=self.options.crossing_price,
                keep_heads=request.keep_heads,
                threads=in_core,
                cancel=request.cancel,
            )

        for batch, found in apply(work, batches(sentences, 1, in_core), overlap=request.threads > 1):
            start = 0
            for sentence in batch:
                end = start + len(sentence)
                _put_tags(sentence, model, found, slice(start, end), keep=request.keep_tags)
                _put_tree(sentence, model, found, slice(start, end), keep=request.keep_heads)
                if request.confidence:
                    tell_confidence(sentence, found.probabilities[start:end])
                start = end
                yield sentence

    def pack(self) -> tuple[NeuralFacts, Tensors]:
        model = self.state
        known = model.classes
        facts = NeuralFacts(known.upos, known.xpos, known.feats, known.script, known.label, model.tag_layer)
        return facts, model.tensors | {_WORDS: pack_texts(model.words.forms[1:])}

    def unpack(self, facts: NeuralFacts, tensors: Tensors) -> None:
        classes = Classes(facts.upos, facts.xpos, facts.feats, facts.script, facts.label)
        arrays = dict(tensors)
        words = Words(["", *unpack_texts(arrays.pop(_WORDS))])
        self._state = Model(classes, words, arrays, facts.tag_layer)

    def method(self) -> str:
        return (
            "A recurrent net with attention, in 8 bits; a spanning tree with one root, in which crossing arcs "
            f"pay {self.options.crossing_price:g}."
        )


def _with_words(tensors: Tensors, words: Sequence[str]) -> Tensors:
    """Without those that no model can keep, and no treebank has: control characters that were seen in raw text."""
    if not isinstance(words, list) or len(words) != len(tensors["embed.words"]):
        raise ValueError("the net has another number of words")
    kept = [0, *(number for number, word in enumerate(words) if number and checks.is_cell(word))]
    rows = {name: tensors[name][kept] for name in ("embed.words", "embed.words.scale")}
    return tensors | rows | {_WORDS: pack_texts(words[number] for number in kept[1:])}


def _put_tags(sentence: Sentence, model: Model, found: Found, place: slice, *, keep: bool) -> None:
    """A word that has one of UPOS, XPOS and FEATS keeps all of them if tags are kept, and a lemma stays."""
    known = model.classes
    upos, xpos, feats, script = (column[place] for column in found.tags)
    tags = [
        [known.upos[number] for number in upos],
        [known.xpos[number] for number in xpos],
        [known.feats[number] for number in feats],
    ]
    lemmas = [model.lemma(form, number) for form, number in zip(sentence.forms, script, strict=True)]
    if keep:
        given = (sentence.upos, sentence.xpos, sentence.feats)
        kept = [any(value != EMPTY for value in values) for values in zip(*given, strict=True)]
        tags = [
            [old if stays else new for stays, old, new in zip(kept, before, after, strict=True)]
            for before, after in zip(given, tags, strict=True)
        ]
        lemmas = [new if old == EMPTY else old for old, new in zip(sentence.lemmas, lemmas, strict=True)]
    sentence.upos, sentence.xpos, sentence.feats = tags
    sentence.lemmas = lemmas


def _put_tree(sentence: Sentence, model: Model, found: Found, place: slice, *, keep: bool) -> None:
    heads = found.heads[place]
    labels = [model.classes.label[number] for number in found.labels[place]]
    if keep:
        given = zip(sentence.heads, sentence.deprels, labels, strict=True)
        labels = [new if head is None or old == EMPTY else old for head, old, new in given]
    attach(sentence, Parse(heads, labels, 0.0))
