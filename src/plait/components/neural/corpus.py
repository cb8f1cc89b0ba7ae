"""Sentences as arrays: one number per word and column, one sentence after the other."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait.features.encoding import norms_of, seen_words
from plait.features.scripts import EditScript
from plait.layers import HeadShare, HeadShares
from plait.sentence import Sentence
from plait.trees import tree_of

Numbers = NDArray[np.integer[Any]]
COLUMNS = ("upos", "xpos", "feats", "script")
NOT_LEARNED = -1
FEW_HEADS = 4  # of a word, that a teacher may think of
_EMPTY = "_"


@dataclass(frozen=True, slots=True)
class Classes:
    """What a word may get, by column; numbers are places in these lists."""

    upos: list[str]
    xpos: list[str]
    feats: list[str]
    script: list[str]
    label: list[str]

    @classmethod
    def of(cls, sentences: Iterable[Sentence], fewest_scripts: int = 2) -> Classes:
        """All that occur, but of lemma scripts only those that occur so often."""
        counts: list[Counter[str]] = [Counter() for _ in fields(cls)]
        for sentence in sentences:
            columns = (sentence.upos, sentence.xpos, sentence.feats, scripts_of(sentence), sentence.deprels)
            for counter, column in zip(counts, columns, strict=True):
                counter.update(column)
        counts[3] = Counter({name: count for name, count in counts[3].items() if count >= fewest_scripts})
        counts[3].setdefault(str(EditScript("keep")), 1)
        return cls(*(sorted(counter, key=lambda name: (-counter[name], name)) for counter in counts))

    def sizes(self) -> dict[str, int]:
        return {each.name: len(getattr(self, each.name)) for each in fields(self)}


def scripts_of(sentence: Sentence) -> list[str]:
    pairs = zip(norms_of(sentence), sentence.lemmas, strict=True)
    return [
        str(EditScript("keep") if lemma == _EMPTY else EditScript.of(form, lemma)) for form, lemma in pairs
    ]


@dataclass(frozen=True)
class Corpus:
    """`types` has each form once, `ids` the number of the form of every word. `heads` has one or several heads for
    every word, the likeliest first, and `shares` the probability of each: what a teacher is not sure of, a student
    need not be. Columns that nobody knows are empty.
    """

    types: list[str]
    ids: Numbers
    offsets: Numbers
    heads: Numbers = field(default_factory=lambda: np.zeros((0, 1), np.int16))
    shares: NDArray[np.floating[Any]] = field(default_factory=lambda: np.zeros((0, 1), np.float16))
    label: Numbers = field(default_factory=lambda: np.zeros(0, np.int16))
    upos: Numbers = field(default_factory=lambda: np.zeros(0, np.int16))
    xpos: Numbers = field(default_factory=lambda: np.zeros(0, np.int16))
    feats: Numbers = field(default_factory=lambda: np.zeros(0, np.int16))
    script: Numbers = field(default_factory=lambda: np.zeros(0, np.int16))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Numbers:
        return np.diff(self.offsets)

    @property
    def labelled(self) -> bool:
        return len(self.label) == len(self.ids)

    @classmethod
    def of_forms(cls, sentences: Iterable[Sequence[str]]) -> Corpus:
        numbers: dict[str, int] = {}
        ids: list[int] = []
        offsets = [0]
        for forms in sentences:
            ids.extend(numbers.setdefault(form, len(numbers)) for form in forms)
            offsets.append(len(ids))
        return cls(list(numbers), np.array(ids, np.int32), np.array(offsets, np.int64))

    @classmethod
    def of(cls, sentences: Iterable[Sentence], classes: Classes) -> Corpus:
        """From annotated sentences, in one pass; what is not among the classes is not learned."""
        numbers: dict[str, int] = {}
        known = [
            {value: number for number, value in enumerate(getattr(classes, name))}
            for name in (*COLUMNS, "label")
        ]
        ids, offsets, heads, shares = array("i"), array("q", [0]), array("h"), array("f")
        columns = [array("h") for _ in known]
        for sentence in sentences:
            ids.extend(numbers.setdefault(form, len(numbers)) for form in seen_words(sentence))
            offsets.append(len(ids))
            cells = (sentence.upos, sentence.xpos, sentence.feats, scripts_of(sentence), sentence.deprels)
            for column, names, values in zip(columns, known, cells, strict=True):
                column.extend(names.get(value, NOT_LEARNED) for value in values)
            unsure = sentence.find(HeadShares)
            for word, head in enumerate(tree_of(sentence), 1):
                found = unsure.heads.get(word) if unsure else None
                likely = (found or [HeadShare(head, 1.0)])[:FEW_HEADS]
                rest = FEW_HEADS - len(likely)
                heads.extend([each.head for each in likely] + [0] * rest)
                shares.extend([each.share for each in likely] + [0.0] * rest)
        rows = np.array(heads, np.int16).reshape(-1, FEW_HEADS)
        parts = np.array(shares, np.float16).reshape(-1, FEW_HEADS)
        width = 1 + int(np.max(np.nonzero(parts.any(0))[0], initial=0))
        return cls(
            list(numbers),
            np.array(ids, np.int32),
            np.array(offsets, np.int64),
            rows[:, :width],
            parts[:, :width],
            **{
                name: np.array(column, np.int16)
                for name, column in zip((*COLUMNS, "label"), columns, strict=True)
            },
        )

    def arrays(self) -> list[NDArray[Any]]:
        """All but the forms."""
        return [getattr(self, each.name) for each in fields(self) if each.name != "types"]

    def counts(self) -> Counter[str]:
        """How often each form occurs."""
        times = np.bincount(self.ids, minlength=len(self.types)).tolist()
        return Counter(dict(zip(self.types, times, strict=True)))

    def forms(self, number: int) -> list[str]:
        first, last = self.offsets[number], self.offsets[number + 1]
        return [self.types[each] for each in self.ids[first:last].tolist()]

    def join(self, other: Corpus) -> Corpus:
        """Both, this one first."""
        numbers = {form: number for number, form in enumerate(self.types)}
        renamed = np.array([numbers.setdefault(form, len(numbers)) for form in other.types], np.int32)
        width = max(self.heads.shape[1], other.heads.shape[1])
        columns = {
            name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in (*COLUMNS, "label")
        }
        return Corpus(
            list(numbers),
            np.concatenate([self.ids, renamed[other.ids]]),
            np.concatenate([self.offsets, other.offsets[1:] + self.offsets[-1]]),
            np.concatenate([_widened(self.heads, width), _widened(other.heads, width)]),
            np.concatenate([_widened(self.shares, width), _widened(other.shares, width)]),
            **columns,
        )

    def save(self, path: Path) -> None:
        arrays = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "types"}
        text = np.frombuffer(json.dumps(self.types).encode(), np.uint8)
        np.savez(path, types=text, **arrays)

    @classmethod
    def load(cls, path: Path) -> Corpus:
        with np.load(path, allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files}
        return cls(json.loads(arrays.pop("types").tobytes()), **arrays)


def _widened(rows: NDArray[Any], width: int) -> NDArray[Any]:
    return np.pad(rows, ((0, 0), (0, width - rows.shape[1])))
