"""A net as it is used: the classes it knows by name, its words, and its arrays in the core."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.cancel import Cancel
from plait.components.lemmatizer.scripts import EditScript
from plait.components.neural.corpus import Classes
from plait.components.neural.words import MOST_GRAMS, Words, grams
from plait.sentence import Sentence

KERNEL = "PLAIT_KERNEL"  # an environment variable: vnni, avx2 or plain, for tests
_MOST_CACHED = 1 << 16  # forms, of about 200 bytes each
_NOTHING = -1
Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Found:
    """Of all words of a batch, one after the other; tags have a column for each of upos, xpos, feats, script."""

    heads: list[int]
    labels: list[int]
    tags: list[list[int]]
    probabilities: list[float]


class Model:
    """ValueError if the arrays are not those of a net with these classes and words."""

    def __init__(
        self, classes: Classes, words: Words, tensors: dict[str, NDArray[Any]], tag_layer: int
    ) -> None:
        self.classes = classes
        self.words = words
        self.tensors = tensors
        self.tag_layer = tag_layer
        self._net = _core.NeuralNet(tensors, tag_layer, os.environ.get(KERNEL, ""))
        sizes = classes.sizes()
        if self._net.labels != sizes.pop("label") or self._net.tags != list(sizes.values()):
            raise ValueError("the net has another number of classes")
        if self._net.words != len(words.forms):
            raise ValueError("the net has another number of words")
        self._scripts = [EditScript.parse(script) for script in classes.script]
        self._rows: dict[str, bytes] = {}
        self.lemma = lru_cache(_MOST_CACHED)(self._lemma)

    @cached_property
    def label_numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.classes.label)}

    def run(
        self,
        sentences: Sequence[Sentence],
        *,
        price: float,
        keep_heads: bool = False,
        threads: int = 1,
        cancel: Cancel | None = None,
    ) -> Found:
        types: dict[str, int] = {}
        words: list[int] = []
        ends = [0]
        for sentence in sentences:
            words += [types.setdefault(form, len(types)) for form in sentence.forms]
            ends.append(len(words))
        given: Numbers | None = None
        if keep_heads:
            heads = (head for sentence in sentences for head in sentence.heads)
            given = np.array([_NOTHING if head is None else head for head in heads], np.int32)
        rows = np.frombuffer(b"".join(map(self._row, types)), np.int32).reshape(-1, MOST_GRAMS + 1)
        found = self._net.run(
            rows, np.array(words, np.int32), np.array(ends, np.int64), given, price, threads, cancel
        )
        heads_found, labels, tags, probabilities = found
        return Found(
            heads_found.tolist(), labels.tolist(), np.transpose(tags).tolist(), probabilities.tolist()
        )

    def _row(self, form: str) -> bytes:
        """What the net sees of a form: its number and those of its parts. Hashing them takes longer than the net."""
        found = self._rows.get(form)
        if found is None:
            row = np.full(MOST_GRAMS + 1, _NOTHING, np.int32)
            parts = grams(form, self._net.parts)
            row[0] = self.words.numbers.get(form.lower(), 0)
            row[1 : len(parts) + 1] = parts
            found = row.tobytes()
            if len(self._rows) >= _MOST_CACHED:
                self._rows.clear()
            self._rows[form] = found
        return found

    def _lemma(self, form: str, script: int) -> str:
        """A script may find too little to cut from, or leave nothing: then the form."""
        return self._scripts[script].apply(form) or form
