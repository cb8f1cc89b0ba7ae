"""Sentences to integers: every string becomes a 32-bit hash, so a model needs no vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from threading import Lock
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from plait.errors import InputError
from plait.features.templates import GUIDE_HEADS
from plait.sentence import EMPTY, Sentence, parse_pairs

_RESERVED = 2  # 0: no such word; 1: the root
_MOST_REMEMBERED = 1 << 17  # words; then start anew, so that memory stays flat
_MOST_CHARACTERS = 1 << 24  # of them; or some very long ones would fill the memory


def hash_text(text: str) -> int:
    """A hash that is the same on every machine and in every run."""
    return max(crc32(text.encode("utf-8", "surrogatepass")), _RESERVED)


# Further columns by name: a string for every form; forms that are not there have `_`.
Tables = Mapping[str, Mapping[str, str]]


def _column(name: str, tables: Tables) -> tuple[str, Callable[[str], str]]:
    """The column of a sentence an attribute is computed from, and how."""
    if name in tables:
        table = tables[name]
        return "forms", lambda form: table.get(form, EMPTY)
    if name.startswith("cluster"):
        raise InputError(f"The templates look at {name!r}, but there are no clusters of words.")
    if name.startswith("feats."):
        feature = name.removeprefix("feats.")
        return "feats", lambda cell: parse_pairs(cell).get(feature, EMPTY)
    if name.startswith("prefix"):
        size = int(name.removeprefix("prefix"))
        return "forms", lambda form: form[:size]
    if name.startswith("suffix"):
        size = int(name.removeprefix("suffix"))
        return "forms", lambda form: form[-size:]
    if name == "guide.deprel":
        return "deprels", lambda cell: cell
    if name == "lower":
        return "forms", str.lower
    return {"form": "forms", "lemma": "lemmas"}.get(name, name), lambda cell: cell


class Encoder:
    """Encodes sentences for a list of columns. A word seen before costs one look into a dictionary.

    Threads may share one: they take turns, since what one of them learns all of them know.
    """

    def __init__(self, columns: Sequence[str], tables: Tables | None = None) -> None:
        self.columns = list(columns) or ["form"]  # the core counts words by their rows
        # Positions are no property of a word, so they are not remembered with it.
        self._heads = self.columns.index(GUIDE_HEADS) if GUIDE_HEADS in self.columns else None
        self._computed = [
            _column("form" if name == GUIDE_HEADS else name, tables or {}) for name in self.columns
        ]
        self._sources = sorted({source for source, _ in self._computed})
        self._turn = Lock()
        self._forget()

    def encode(self, sentences: Sequence[Sentence]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """One row per word and one column per attribute; and where each sentence begins."""
        offsets = np.zeros(len(sentences) + 1, dtype=np.int64)
        np.cumsum([len(sentence.forms) for sentence in sentences], out=offsets[1:])
        columns = (chain.from_iterable(map(attrgetter(source), sentences)) for source in self._sources)
        with self._turn:
            if len(self._numbers) > _MOST_REMEMBERED or self._characters > _MOST_CHARACTERS:
                self._forget()
            words = map(self._numbers.__getitem__, zip(*columns, strict=True))
            numbers = np.fromiter(words, np.int64, int(offsets[-1]))
            values = self._rows[numbers]
        if self._heads is not None:
            heads = chain.from_iterable(sentence.tree() for sentence in sentences)
            values[:, self._heads] = np.fromiter(heads, np.uint32, len(values))
        return values, offsets

    def _forget(self) -> None:
        self._numbers = _Numbers(self._add)
        self._rows = np.empty((1024, len(self.columns)), np.uint32)
        self._characters = 0

    def _add(self, word: tuple[str, ...]) -> int:
        """The number of the row for a new word."""
        number = len(self._numbers)
        if number == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
        self._characters += sum(map(len, word))
        texts = dict(zip(self._sources, word, strict=True))
        self._rows[number] = [hash_text(compute(texts[source])) for source, compute in self._computed]
        return number


class _Numbers(dict[tuple[str, ...], int]):
    """Words by number; a new one gets the next."""

    def __init__(self, add: Callable[[tuple[str, ...]], int]) -> None:
        super().__init__()
        self._add = add

    def __missing__(self, word: tuple[str, ...]) -> int:
        number = self[word] = self._add(word)
        return number


def silent_columns(
    sentences: Sequence[Sentence], columns: Sequence[str], tables: Tables | None = None
) -> list[str]:
    """The columns that have the same value for all words, such as an empty XPOS."""
    values, _ = Encoder(columns, tables).encode(sentences)
    return [name for number, name in enumerate(columns) if (values[:, number] == values[0, number]).all()]
