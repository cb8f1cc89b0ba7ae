"""Sentences as arrays: one number per word and column, one sentence after the other."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait.components.lemmatizer.scripts import EditScript

Numbers = NDArray[np.integer[Any]]
COLUMNS = ("upos", "xpos", "feats", "script")
NOT_LEARNED = -1
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
    def of(cls, sentences: Iterable[Any], fewest_scripts: int = 2) -> Classes:
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


def scripts_of(sentence: Any) -> list[str]:
    pairs = zip(sentence.forms, sentence.lemmas, strict=True)
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
    def of(cls, sentences: Sequence[Any], classes: Classes) -> Corpus:
        """From annotated sentences; what is not among the classes is not learned."""
        plain = cls.of_forms(sentence.forms for sentence in sentences)
        columns: dict[str, list[list[str]]] = {
            "label": [sentence.deprels for sentence in sentences],
            "upos": [sentence.upos for sentence in sentences],
            "xpos": [sentence.xpos for sentence in sentences],
            "feats": [sentence.feats for sentence in sentences],
            "script": [scripts_of(sentence) for sentence in sentences],
        }
        found: dict[str, Any] = {}
        for name, rows in columns.items():
            numbers = {value: number for number, value in enumerate(getattr(classes, name))}
            flat = [numbers.get(value, NOT_LEARNED) for row in rows for value in row]
            found[name] = np.array(flat, np.int16)
        heads = np.array([head for sentence in sentences for head in sentence.heads], np.int16)[:, None]
        return replace(plain, heads=heads, shares=np.ones(heads.shape, np.float16), **found)

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
