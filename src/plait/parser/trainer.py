"""Passes over a treebank: what is shuffled how, and what is reported of a pass."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.parser.data import GoldTrees
from plait.parser.options import ORACLES, ParserOptions

_CHUNK = 64  # sentences between two looks at the keyboard
_BUDGET = 10_000_000  # of the oracle MINIMAL, per sentence

# The number of the epoch, how many sentences of it are done, and of how many.
Progress = Callable[[int, int, int], None]


@dataclass(frozen=True, slots=True)
class Epoch:
    """One pass over the training set. Scores are of the dev set; LAS as in CoNLL 2018, without subtypes."""

    number: int
    seconds: float
    states: int
    updates: int
    swaps: int  # in the derivations learned from
    left_out: int  # sentences the system cannot derive
    las: float | None = None
    uas: float | None = None


def best_of(epochs: list[Epoch]) -> Epoch:
    """The epoch with the highest LAS, the first of several; without a dev set the last one."""
    if epochs[-1].las is None:
        return epochs[-1]
    return max(epochs, key=lambda epoch: (epoch.las or 0.0, -epoch.number))


class Trainer:
    """Trains as many sets of weights as are mixed, each with sentences in another order; `averaged` are their mean,
    over all sentences so far (Collins 2002) and over the sets (McDonald, Hall and Mann 2010, section 3). Scores are
    sums of weights, so the mean of the weights votes like all of them together, at the price of one.
    """

    def __init__(
        self, model: _core.ParserModel, options: ParserOptions, data: GoldTrees, threads: int = 1
    ) -> None:
        self.options = options
        self.data = data
        self.epochs: list[Epoch] = []
        self._threads = threads
        self._cores = [
            _core.Trainer(
                model,
                options.bits,
                ORACLES[options.chosen_oracle],
                options.learner == "passive-aggressive",
                options.chosen_step,
                options.beam,
                options.update == "early",
                _BUDGET,
            )
            for _ in range(options.mix)
        ]

    @property
    def averaged(self) -> NDArray[np.float32]:
        total = self._cores[0].averaged()
        for core in self._cores[1:]:
            total += core.averaged()
        total /= np.float32(len(self._cores))
        return total

    @property
    def is_done(self) -> bool:
        """All epochs are run, or the last ones brought nothing better."""
        count = len(self.epochs)
        return count >= self.options.epochs or (
            count > 0 and count - best_of(self.epochs).number >= self.options.patience
        )

    def run_epoch(self, on_progress: Progress | None = None) -> Epoch:
        """One pass, in an order that depends on the seed and the number of the epoch only."""
        start = time.perf_counter()
        number = len(self.epochs) + 1
        size = len(self.data)
        orders = [self._order(number, i) for i in range(len(self._cores))]
        totals = np.zeros(4, np.int64)
        with ThreadPoolExecutor(min(self._threads, len(self._cores))) as workers:
            for first in range(0, size, _CHUNK):
                chunks = [order[first : first + _CHUNK] for order in orders]
                totals += sum(workers.map(self._learn, self._cores, chunks, repeat(number)))
                if on_progress:
                    on_progress(number, min(first + _CHUNK, size), size)
        states, updates, swaps, left_out = (totals // len(self._cores)).tolist()
        return Epoch(number, time.perf_counter() - start, states, updates, swaps, left_out)

    def _order(self, epoch: int, which: int) -> NDArray[np.int64]:
        """Of the sentences, for one of the sets of weights."""
        seed = [self.options.seed, epoch, which] if which else [self.options.seed, epoch]
        return np.random.default_rng(seed).permutation(len(self.data)).astype(np.int64)

    def _learn(self, core: _core.Trainer, order: NDArray[np.int64], epoch: int) -> NDArray[np.int64]:
        return np.array(
            core.learn(
                self.data.values,
                self.data.offsets,
                self.data.heads,
                self.data.labels,
                order,
                self.options.explore if epoch > 1 and self.options.beam == 1 else 0.0,
                self.options.seed * 1_000_003 + epoch,
            ),
            np.int64,
        )

    # What a checkpoint keeps.

    @property
    def state(self) -> tuple[NDArray[np.float32], NDArray[np.float32], int]:
        """Weights, what their mean differs by, and the number of examples."""
        weights = np.concatenate([core.weights() for core in self._cores])
        drift = np.concatenate([core.drift() for core in self._cores])
        return weights, drift, self._cores[0].examples

    def restore(
        self,
        weights: NDArray[np.float32],
        drift: NDArray[np.float32],
        examples: int,
        epochs: list[Epoch],
    ) -> None:
        count = len(self._cores)
        for core, own, own_drift in zip(
            self._cores, np.split(weights, count), np.split(drift, count), strict=True
        ):
            core.restore(own, own_drift, examples)
        self.epochs = list(epochs)
