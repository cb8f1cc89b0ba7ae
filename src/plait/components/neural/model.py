"""Nets as they are used: the classes they know by name, their words, and their arrays in the core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait import _core, checks
from plait.cancel import Cancel
from plait.components.neural.corpus import Classes
from plait.components.neural.kernel import chosen_kernel
from plait.components.neural.lemmas import Lemmas
from plait.components.neural.pieces import MOST_PIECES, Pieces
from plait.components.neural.shape import EncoderFacts, NetShape
from plait.components.neural.swap import SwapHead
from plait.components.neural.words import Letters, Spelling, Words, spelling_of
from plait.features.encoding import seen_words
from plait.features.full_forms import FullForms
from plait.features.texts import pack_texts, unpack_texts
from plait.sentence import Sentence

_MOST_CACHED = 1 << 16  # forms, of about 200 bytes each
_NOTHING = -1
MOST_WORDS = 1024  # of sentences that are read at once
_WORDS, _LETTERS, _PIECES = "words", "letters", "pieces"
Arrays = dict[str, NDArray[Any]]
Floats = NDArray[np.float32]
Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Trees:
    """One tree of every sentence: heads and labels of all words, and a score each, -inf where there is no tree."""

    heads: list[int]
    labels: list[int]
    scores: list[float]


@dataclass(frozen=True, slots=True)
class Found:
    """Of all words of a batch, one after the other; tags have a column for each of upos, xpos, feats, script. Trees are
    first the best ones, then the second best ...
    """

    trees: list[Trees]
    tags: list[list[int]]
    scripts: Numbers = field(compare=False)  # a row for every word: the best ones, then -1
    probabilities: list[float]  # of the heads of the best trees
    vectors: Floats = field(compare=False)  # of words, if they are wanted

    @property
    def heads(self) -> list[int]:
        return self.trees[0].heads

    @property
    def labels(self) -> list[int]:
        return self.trees[0].labels


class Net:
    """One net; ValueError if its arrays do not fit together. `letters` are those of a net that spells by characters,
    `pieces` those of a pretrained encoder.
    """

    def __init__(
        self,
        shape: NetShape,
        words: Words,
        tensors: Arrays,
        letters: Letters | None = None,
        pieces: Sequence[str] = (),
    ) -> None:
        self.shape = shape
        self.words = words
        self.letters = letters
        self.tensors = tensors
        self.pieces = None if shape.encoder is None else pieces_of(shape.encoder, pieces)
        self.core = _core.NeuralNet(tensors, kernel=chosen_kernel(), **_for_core(shape))
        if len(tensors.get("encoder.words", ())) != len(pieces):
            raise ValueError("the net has another number of pieces")
        if self.core.words != len(words.forms):
            raise ValueError("the net has another number of words")
        self._spelling: Spelling = spelling_of(shape.spelling, self.core.parts, letters)
        self._rows: dict[str, bytes] = {}

    @classmethod
    def of(
        cls, shape: NetShape, forms: Sequence[str], letters: str, tensors: Arrays, pieces: Sequence[str] = ()
    ) -> Net:
        """From what training leaves. Without words and letters that no model can keep and no treebank has: control
        characters that were seen in raw text.
        """
        if not isinstance(forms, list) or len(forms) != len(tensors["embed.words"]):
            raise ValueError("the net has another number of words")
        kept = [0, *(number for number, form in enumerate(forms) if number and checks.is_cell(form))]
        arrays = tensors | _chosen(tensors, "embed.words", kept)
        own = Letters.of(letters) if shape.spelling == "characters" else None
        if own is not None:
            arrays |= _chosen(tensors, "embed.letters", own.rows(letters))
        return cls(shape, Words([forms[number] for number in kept]), arrays, own, pieces)

    @classmethod
    def unpack(cls, shape: NetShape, tensors: Arrays) -> Net:
        """From what `pack` gave."""
        arrays = dict(tensors)
        words = Words(["", *unpack_texts(arrays.pop(_WORDS))])
        letters = Letters(unpack_texts(arrays.pop(_LETTERS))) if _LETTERS in arrays else None
        pieces = unpack_texts(arrays.pop(_PIECES)) if _PIECES in arrays else ()
        return cls(shape, words, arrays, letters, pieces)

    def pack(self) -> Arrays:
        letters = {} if self.letters is None else {_LETTERS: pack_texts(self.letters.known)}
        pieces = {} if self.pieces is None else {_PIECES: pack_texts(self.pieces.forms)}
        return self.tensors | {_WORDS: pack_texts(self.words.forms[1:])} | letters | pieces

    def rows(self, forms: Sequence[str]) -> NDArray[np.int32]:
        """What the net sees of forms: the number of each, those of its parts, and those of its pieces."""
        return np.frombuffer(b"".join(map(self._row, forms)), np.int32).reshape(-1, self._width)

    @property
    def _width(self) -> int:
        return 1 + self._spelling.width + (0 if self.pieces is None else MOST_PIECES)

    def _row(self, form: str) -> bytes:
        """Kept, since hashing parts takes longer than the net."""
        found = self._rows.get(form)
        if found is None:
            row = np.full(self._width, _NOTHING, np.int32)
            parts = self._spelling.parts(form)
            row[0] = self.words.numbers.get(form.lower(), 0)
            row[1 : len(parts) + 1] = parts
            if self.pieces is not None:
                cut = self.pieces.cut(form)
                first = self._width - MOST_PIECES
                row[first : first + len(cut)] = cut
            found = row.tobytes()
            if len(self._rows) >= _MOST_CACHED:
                self._rows.clear()
            self._rows[form] = found
        return found


class Model:
    """Nets that judge together. ValueError if they are not nets with these classes. There may be a head that builds
    trees by transitions. Scores of heads are divided by the `temperature`: then they are as sure as they are right.
    With a lexicon of `full_forms`, lemmas are among those that it gives.
    """

    def __init__(
        self,
        classes: Classes,
        nets: Sequence[Net],
        swap: SwapHead | None = None,
        temperature: float = 1.0,
        full_forms: FullForms | None = None,
    ) -> None:
        self.classes = classes
        self.nets = list(nets)
        sizes = classes.sizes()
        labels = sizes.pop("label")
        for net in self.nets:
            if net.core.labels != labels or net.core.tags != list(sizes.values()):
                raise ValueError("the net has another number of classes")
        self._core = _core.NeuralNets([net.core for net in self.nets])
        self.swap = swap
        self.temperature = temperature
        if swap is not None and swap.core.width != self.width:
            raise ValueError("the swap head is of another net")
        if not 0.01 <= temperature <= 100:
            raise ValueError("the temperature is out of range")
        self.full_forms = full_forms
        self.lemmas = Lemmas(classes.script, full_forms)

    def changed(
        self,
        *,
        swap: SwapHead | None = None,
        temperature: float | None = None,
        full_forms: FullForms | None = None,
    ) -> Model:
        """The same nets with another head, temperature or lexicon."""
        return Model(
            self.classes,
            self.nets,
            swap or self.swap,
            temperature or self.temperature,
            full_forms or self.full_forms,
        )

    @cached_property
    def label_numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.classes.label)}

    @property
    def width(self) -> int:
        """Of the vectors of words of the first net, which the head looks at."""
        return self._core.first_width

    def run(
        self,
        sentences: Sequence[Sentence],
        *,
        price: float,
        beam: int | None = None,
        best: int = 1,
        keep_heads: bool = False,
        threads: int = 1,
        cancel: Cancel | None = None,
        vectors: bool = False,
    ) -> Found:
        """By spanning trees, or with a `beam` by the transitions of the head. At most `best` trees per sentence."""
        given: Numbers | None = None
        if keep_heads:
            heads = (head for sentence in sentences for head in sentence.heads)
            given = np.array([_NOTHING if head is None else head for head in heads], np.int32)
        head = None if beam is None or self.swap is None else self.swap.core
        heads_found, labels, tags, probabilities, found, scores, scripts = self._core.run(
            *self._encode(sentences),
            given,
            price,
            threads,
            cancel,
            vectors,
            best,
            self.temperature,
            head,
            beam or 1,
        )
        ranks = (each.reshape(best, -1).tolist() for each in (heads_found, labels, scores))
        return Found(
            [Trees(*each) for each in zip(*ranks, strict=True)],
            np.transpose(tags).tolist(),
            scripts,
            probabilities.tolist(),
            found,
        )

    def read(self, sentences: Sequence[Sentence], *, threads: int = 1) -> tuple[Floats, Floats]:
        """Vectors of all words, and the scores of the n + 1 heads of every word of a sentence of n words."""
        return self._core.read(*self._encode(sentences), threads)

    def label(self, sentence: Sentence, heads: Numbers, cancel: Cancel | None = None) -> Floats:
        """Logarithms of the probabilities of the labels of all words under the heads of every row."""
        types, words, _ = self._encode([sentence])
        logits = self._core.label(types, words, heads, cancel)
        logits = logits - logits.max(1, keepdims=True)
        found: Floats = logits - np.log(np.exp(logits).sum(1, keepdims=True))
        return found.reshape(*heads.shape, -1)

    def _encode(self, sentences: Sequence[Sentence]) -> tuple[list[Numbers], Numbers, NDArray[np.int64]]:
        """What each net sees of word types, the types of all words, and where sentences begin and end."""
        types: dict[str, int] = {}
        words: list[int] = []
        ends = [0]
        for sentence in sentences:
            words += [types.setdefault(form, len(types)) for form in seen_words(sentence)]
            ends.append(len(words))
        forms = list(types)
        rows = [net.rows(forms) for net in self.nets]
        return rows, np.array(words, np.int32), np.array(ends, np.int64)


def pieces_of(facts: EncoderFacts, forms: Sequence[str]) -> Pieces:
    how = {each.name: getattr(facts, each.name) for each in fields(Pieces) if each.name != "forms"}
    return Pieces(forms, **how)


def _for_core(shape: NetShape) -> dict[str, Any]:
    facts = shape.encoder
    known = None if facts is None else (facts.heads, facts.begin, facts.end, facts.epsilon)
    return asdict(shape) | {"encoder": known}


def _chosen(tensors: Arrays, name: str, rows: list[int]) -> Arrays:
    return {each: tensors[each][rows] for each in (name, name + ".scale")}
