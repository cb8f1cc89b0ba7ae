"""Passes over a treebank: what is shuffled how, and what is reported of a pass."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.parser.data import GoldTrees
from plait.parser.mixture import Mixture, Order, Progress
from plait.parser.options import ORACLES, ParserOptions

_BUDGET = 10_000_000  # of the oracle MINIMAL, per sentence


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


class Judged(Protocol):
    """What must be known of an epoch to tell which is the best."""

    @property
    def number(self) -> int: ...
    @property
    def las(self) -> float | None: ...


AnyEpoch = TypeVar("AnyEpoch", bound=Judged)


def best_of(epochs: Sequence[AnyEpoch]) -> AnyEpoch:
    """The epoch with the highest LAS, the first of several; without a dev set the last one."""
    if epochs[-1].las is None:
        return epochs[-1]
    return max(epochs, key=lambda epoch: (epoch.las or 0.0, -epoch.number))


def is_enough(epochs: Sequence[Judged], most: int, patience: int) -> bool:
    """All epochs are run, or the last ones brought nothing better."""
    count = len(epochs)
    return count >= most or (count > 0 and count - best_of(epochs).number >= patience)


class Trainer:
    """Trains as many sets of weights as are mixed; `averaged` is their mean."""

    def __init__(
        self, model: _core.ParserModel, options: ParserOptions, data: GoldTrees, threads: int = 1
    ) -> None:
        self.options = options
        self.data = data
        self.epochs: list[Epoch] = []
        self._mixture = Mixture(
            [
                _core.Trainer(
                    model,
                    options.bits,
                    ORACLES[options.chosen_oracle],
                    options.learner == "passive-aggressive",
                    options.chosen_step,
                    options.beam,
                    options.chosen_tag_beam,
                    options.update == "early",
                    _BUDGET,
                )
                for _ in range(options.mix)
            ],
            threads,
        )

    @property
    def averaged(self) -> NDArray[np.float32]:
        return self._mixture.averaged

    @property
    def is_done(self) -> bool:
        return is_enough(self.epochs, self.options.epochs, self.options.patience)

    def run_epoch(self, on_progress: Progress | None = None) -> Epoch:
        """One pass."""
        start = time.perf_counter()
        number = len(self.epochs) + 1
        states, updates, swaps, left_out = self._mixture.run_epoch(
            self.options.seed, number, len(self.data), self._learn, on_progress
        )
        return Epoch(number, time.perf_counter() - start, states, updates, swaps, left_out)

    def _learn(self, core: _core.Trainer, order: Order, epoch: int) -> tuple[int, int, int, int]:
        words = self.data.words
        return core.learn(
            words.values,
            words.offsets,
            words.starts,
            words.classes,
            self.data.heads,
            self.data.labels,
            self.data.tags,
            order,
            self.options.explore if epoch > 1 and self.options.beam == 1 else 0.0,
            self.options.seed * 1_000_003 + epoch,
        )

    # What a checkpoint keeps.

    @property
    def state(self) -> tuple[NDArray[np.float32], NDArray[np.float32], int]:
        """Weights, what their mean differs by, and the number of examples."""
        weights = np.concatenate([core.weights() for core in self._mixture.learners])
        drift = np.concatenate([core.drift() for core in self._mixture.learners])
        return weights, drift, self._mixture.learners[0].examples

    def restore(
        self,
        weights: NDArray[np.float32],
        drift: NDArray[np.float32],
        examples: int,
        epochs: list[Epoch],
    ) -> None:
        count = len(self._mixture.learners)
        for core, own, own_drift in zip(
            self._mixture.learners, np.split(weights, count), np.split(drift, count), strict=True
        ):
            core.restore(own, own_drift, examples)
        self.epochs = list(epochs)
