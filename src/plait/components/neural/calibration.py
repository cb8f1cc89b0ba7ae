"""How sure a net may be: the temperature at which the probability of a head is the share of such heads that are right
(Guo, Pleiss, Sun and Weinberger 2017, section 4.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from plait.components.neural.model import MOST_WORDS, Floats, Model
from plait.sentence import Sentence

_BINS = 15
_COLDEST, _HOTTEST = 0.2, 10.0
_ROUNDS = 40
_GOLDEN = (5**0.5 - 1) / 2
_NEVER = 1e-6  # nothing is as sure as to make an error endless
Shares = NDArray[np.float64]
Right = NDArray[np.bool_]


class Judgements:
    """What a net says of the heads it has chosen for sentences whose trees are known."""

    def __init__(self, model: Model, gold: Sequence[Sentence], *, price: float, threads: int = 1) -> None:
        gold = [sentence for sentence in gold if 0 < len(sentence) <= MOST_WORDS]
        found = np.array(model.run(gold, price=price, threads=threads).heads, np.int64)
        known = np.array([-1 if head is None else head for each in gold for head in each.heads], np.int64)
        self.right: Right = found == known
        self._tables: list[tuple[Floats, NDArray[np.int64]]] = []
        _, arcs = model.read(gold, threads=threads)
        starts = np.cumsum([0, *(len(each) * (len(each) + 1) for each in gold)]).tolist()
        words = np.cumsum([0, *map(len, gold)]).tolist()
        for (first, last), (begin, end) in zip(pairwise(starts), pairwise(words), strict=True):
            self._tables.append((arcs[first:last].reshape(end - begin, -1), found[begin:end]))

    def shares(self, temperature: float) -> Shares:
        """Of all words the probability of the chosen head."""
        parts = []
        for arcs, heads in self._tables:
            scores = arcs.astype(np.float64) / temperature
            scores -= scores.max(1, keepdims=True)
            parts.append(np.exp(scores[np.arange(len(heads)), heads]) / np.exp(scores).sum(1))
        return np.concatenate(parts)

    def temperature(self) -> float:
        """With the least loss of information about whether a head is right; by golden section over logarithms."""
        low, high = np.log(_COLDEST), np.log(_HOTTEST)
        for _ in range(_ROUNDS):
            one, two = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
            low, high = (low, two) if self._loss(np.exp(one)) < self._loss(np.exp(two)) else (one, high)
        return round(float(np.exp((low + high) / 2)), 3)

    def _loss(self, temperature: float) -> float:
        shares = np.clip(self.shares(temperature), _NEVER, 1 - _NEVER)
        return float(-np.log(np.where(self.right, shares, 1 - shares)).mean())


def calibration_error(shares: Shares, right: Right) -> float:
    """The mean distance between what is said and what is so, over bins of equal width (ECE; section 2 there)."""
    bins = np.minimum((shares * _BINS).astype(int), _BINS - 1)
    gaps = [abs(float((shares - right)[bins == number].sum())) for number in range(_BINS)]
    return sum(gaps) / max(1, len(shares))
