"""Sentences to integers: every string becomes a 32-bit hash, so a model needs no vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from plait.sentence import EMPTY, Sentence, parse_pairs

_RESERVED = 2  # 0: no such word; 1: the root
_MOST_REMEMBERED = 1 << 18  # strings per column; then start anew, so that memory stays flat


def hash_text(text: str) -> int:
    """A hash that is the same on every machine and in every run."""
    return max(crc32(text.encode("utf-8", "surrogatepass")), _RESERVED)


class _Remembered(dict[str, int]):
    """The values of a column, computed once for every string."""

    def __init__(self, compute: Callable[[str], str]) -> None:
        super().__init__()
        self.compute = compute

    def __missing__(self, text: str) -> int:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        value = self[text] = hash_text(self.compute(text))
        return value


def _column(name: str) -> tuple[str, Callable[[str], str]]:
    """The column of a sentence an attribute is computed from, and how."""
    if name.startswith("feats."):
        feature = name.removeprefix("feats.")
        return "feats", lambda cell: parse_pairs(cell).get(feature, EMPTY)
    if name.startswith("prefix"):
        size = int(name.removeprefix("prefix"))
        return "forms", lambda form: form[:size]
    if name.startswith("suffix"):
        size = int(name.removeprefix("suffix"))
        return "forms", lambda form: form[-size:]
    if name == "lower":
        return "forms", str.lower
    return {"form": "forms", "lemma": "lemmas"}.get(name, name), lambda cell: cell


class Encoder:
    """Encodes sentences for a list of columns."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.columns = list(columns)
        self._sources = []
        for name in columns:
            source, compute = _column(name)
            self._sources.append((source, _Remembered(compute)))

    def encode(self, sentences: Sequence[Sentence]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """One row per word and one column per attribute; and where each sentence begins."""
        offsets = np.zeros(len(sentences) + 1, dtype=np.int64)
        np.cumsum([len(sentence.forms) for sentence in sentences], out=offsets[1:])
        values = np.empty((int(offsets[-1]), len(self._sources)), dtype=np.uint32)
        for number, (source, remembered) in enumerate(self._sources):
            texts = chain.from_iterable(getattr(sentence, source) for sentence in sentences)
            values[:, number] = np.fromiter(map(remembered.__getitem__, texts), np.uint32, int(offsets[-1]))
        return values, offsets
