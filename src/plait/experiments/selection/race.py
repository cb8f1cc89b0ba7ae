"""Is a set of templates better than another? Trials one after the other, until the answer is clear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from plait.evaluation.resampling import resampled

Rights = NDArray[np.float64]  # by sentence, how much of it is right, in words
Chosen = frozenset[int]
_SAMPLES = 500


@dataclass(frozen=True, slots=True, order=True)
class Trial:
    """A parser with these templates, trained once: on which treebank, and from which shuffle of it."""

    treebank: int
    chosen: tuple[int, ...]
    shuffle: int


class Laboratory(Protocol):
    """Where trials are made, several at a time, and remembered."""

    @property
    def treebanks(self) -> int:
        """How many there are."""

    def words(self, treebank: int, shuffle: int) -> NDArray[np.float64]:
        """How many every sentence of the dev part has."""

    def measure(self, trials: Sequence[Trial]) -> list[Rights]: ...

    def seen(self, treebank: int, chosen: Chosen) -> tuple[int, ...]:
        """What these templates are on a treebank: the same for sets that see the same there."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What a set has more than another, in points of the score: the mean of so many shuffles, and how they spread."""

    points: float
    spread: float
    shuffles: int
    score: float

    def convinces(self, threshold: float, *, cautious: bool) -> bool:
        return self.points > threshold + (self.spread / sqrt(self.shuffles) if cautious else 0)


class Race:
    """Candidates against a base, shuffle after shuffle; whoever is clearly worse is not trained again.

    A candidate leaves the race when the upper bound of its gain, by a paired bootstrap over the sentences of the dev
    parts, is below the threshold; `confidence` is how sure the bound is (1: nobody leaves).
    """

    def __init__(self, laboratory: Laboratory, *, shuffles: int, threshold: float, confidence: float) -> None:
        self._laboratory = laboratory
        self.shuffles = shuffles
        self.threshold = threshold
        self._confidence = confidence

    def score(self, chosen: Chosen) -> float:
        """The mean over all shuffles and treebanks, in percent."""
        scores = self._scores([chosen], range(1, self.shuffles + 1))
        return float(np.mean(scores[0]))

    def gains(self, base: Chosen, candidates: Sequence[Chosen], *, at_once: int = 1) -> list[Gain]:
        """Of every candidate; `at_once` shuffles are trained at a time, which changes nothing but the time."""
        alive = list(range(len(candidates)))
        gains: dict[int, Gain] = {}
        for shuffle in range(1, self.shuffles + 1):
            if not alive:
                break
            if (shuffle - 1) % at_once == 0:
                ahead = range(shuffle, min(shuffle + at_once, self.shuffles + 1))
                self._scores([base, *(candidates[i] for i in alive)], ahead)
            for i in list(alive):
                gains[i], bound = self._gain(base, candidates[i], shuffle)
                if bound < self.threshold:
                    alive.remove(i)
        return [gains[i] for i in range(len(candidates))]

    def same(self, base: Chosen, other: Chosen) -> bool:
        """Whether two sets see the same on all treebanks."""
        seen = self._laboratory.seen
        return all(seen(place, base) == seen(place, other) for place in range(self._laboratory.treebanks))

    def _gain(self, base: Chosen, candidate: Chosen, shuffles: int) -> tuple[Gain, float]:
        numbers = range(1, shuffles + 1)
        mine, theirs = (self._scores([chosen], numbers)[0] for chosen in (candidate, base))
        differences = mine - theirs
        spread = float(differences.std(ddof=1)) if shuffles > 1 else 0.0
        gain = Gain(float(differences.mean()), spread, shuffles, float(mine.mean()))
        return gain, self._bound(base, candidate, shuffles)

    def _bound(self, base: Chosen, candidate: Chosen, shuffles: int) -> float:
        if self._confidence >= 1 or shuffles == self.shuffles:
            return np.inf
        laboratory = self._laboratory
        numbers = range(1, shuffles + 1)
        total = np.zeros(_SAMPLES)
        for place in range(laboratory.treebanks):
            mine, theirs = (
                np.concatenate(laboratory.measure(self._trials(place, chosen, numbers)))
                for chosen in (candidate, base)
            )
            words = np.concatenate([laboratory.words(place, shuffle) for shuffle in numbers])
            sums = np.concatenate(
                list(resampled(np.stack([mine - theirs, words], axis=1), _SAMPLES, seed=place))
            )
            total += 100 * sums[:, 0] / np.maximum(sums[:, 1], 1)
        return float(np.quantile(total / laboratory.treebanks, self._confidence))

    def _scores(self, sets: Sequence[Chosen], shuffles: range) -> NDArray[np.float64]:
        """A row per set, a column per shuffle; all that is new is trained at once."""
        laboratory = self._laboratory
        places = range(laboratory.treebanks)
        trials = [
            trial for chosen in sets for place in places for trial in self._trials(place, chosen, shuffles)
        ]
        rights = iter(laboratory.measure(trials))
        scores = np.zeros((len(sets), len(shuffles)))
        for row in scores:
            for place in places:
                for column, shuffle in enumerate(shuffles):
                    row[column] += 100 * next(rights).sum() / laboratory.words(place, shuffle).sum()
        return scores / len(places)

    def _trials(self, place: int, chosen: Chosen, shuffles: range) -> list[Trial]:
        seen = self._laboratory.seen(place, chosen)
        return [Trial(place, seen, shuffle) for shuffle in shuffles]
