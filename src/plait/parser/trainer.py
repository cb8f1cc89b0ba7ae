"""Passes over a treebank: what is shuffled how, and what is reported of a pass."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

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
    """Trains one set of weights; `averaged` are their mean over all sentences so far."""

    def __init__(self, model: _core.ParserModel, options: ParserOptions, data: GoldTrees) -> None:
        self.options = options
        self.data = data
        self.epochs: list[Epoch] = []
        self._core = _core.Trainer(
            model,
            options.bits,
            ORACLES[options.chosen_oracle],
            options.learner == "passive-aggressive",
            options.chosen_step,
            options.beam,
            options.update == "early",
            _BUDGET,
        )

    @property
    def averaged(self) -> NDArray[np.float32]:
        return self._core.averaged()

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
        order = (
            np.random.default_rng([self.options.seed, number]).permutation(len(self.data)).astype(np.int64)
        )
        explore = self.options.explore if number > 1 and self.options.beam == 1 else 0.0
        totals = np.zeros(4, np.int64)
        for first in range(0, len(order), _CHUNK):
            totals += self._core.learn(
                self.data.values,
                self.data.offsets,
                self.data.heads,
                self.data.labels,
                order[first : first + _CHUNK],
                explore,
                self.options.seed * 1_000_003 + number,
            )
            if on_progress:
                on_progress(number, min(first + _CHUNK, len(order)), len(order))
        states, updates, swaps, left_out = totals.tolist()
        return Epoch(number, time.perf_counter() - start, states, updates, swaps, left_out)

    # What a checkpoint keeps.

    @property
    def state(self) -> tuple[NDArray[np.float32], NDArray[np.float32], int]:
        """Weights, what their mean differs by, and the number of examples."""
        return self._core.weights(), self._core.drift(), self._core.examples

    def restore(
        self,
        weights: NDArray[np.float32],
        drift: NDArray[np.float32],
        examples: int,
        epochs: list[Epoch],
    ) -> None:
        self._core.restore(weights, drift, examples)
        self.epochs = list(epochs)
