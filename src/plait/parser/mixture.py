"""Several sets of weights learned side by side, and their mean (McDonald, Hall and Mann 2010, section 3).

Each set sees the sentences in another order. Scores are sums of weights, so the mean of the weights votes like all of
them together, at the price of one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

_CHUNK = 64  # sentences between two looks at the keyboard

Order = NDArray[np.int64]
# The number of the epoch, how many sentences of it are done, and of how many.
Progress = Callable[[int, int, int], None]


class Learner(Protocol):
    """Weights that learn, in the core."""

    def averaged(self) -> NDArray[np.float32]: ...


AnyLearner = TypeVar("AnyLearner", bound=Learner)


class Mixture(Generic[AnyLearner]):
    """Learners that differ in nothing but the order of what they see; so many `threads` run them."""

    def __init__(self, learners: Sequence[AnyLearner], threads: int) -> None:
        self.learners = learners
        self._threads = threads

    @property
    def averaged(self) -> NDArray[np.float32]:
        """The mean over all sentences so far, and over the learners."""
        total = self.learners[0].averaged()
        for learner in self.learners[1:]:
            total += learner.averaged()
        total /= np.float32(len(self.learners))
        return total

    def run_epoch(
        self,
        seed: int,
        number: int,
        size: int,
        learn: Callable[[AnyLearner, Order, int], tuple[int, ...]],
        on_progress: Progress | None,
    ) -> list[int]:
        """One pass over so many sentences; what `learn` reports of its chunks, summed up, the mean over learners."""
        orders = [epoch_order(seed, number, size, which) for which in range(len(self.learners))]
        totals = np.zeros(1, np.int64)
        with ThreadPoolExecutor(min(self._threads, len(self.learners))) as workers:
            for first in range(0, size, _CHUNK):
                chunks = [order[first : first + _CHUNK] for order in orders]
                reports = workers.map(learn, self.learners, chunks, repeat(number))
                totals = totals + np.sum(list(reports), axis=0, dtype=np.int64)
                if on_progress:
                    on_progress(number, min(first + _CHUNK, size), size)
        found: list[int] = (totals // len(self.learners)).tolist()
        return found


def epoch_order(seed: int, number: int, size: int, which: int = 0) -> Order:
    """Depends only on the seed, the number of the epoch and which of the learners it is for."""
    numbers = [seed, number, which] if which else [seed, number]
    return np.random.default_rng(numbers).permutation(size).astype(np.int64)
