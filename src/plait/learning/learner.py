"""What learns, one pass after another; a component makes one when it prepares to learn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from typing import ClassVar, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

Order = NDArray[np.int64]
Weights = NDArray[np.float32]
Tensors = dict[str, NDArray[np.generic]]
# The number of the epoch, how many examples of it are done, and of how many.
Progress = Callable[[int, int, int], None]

State = TypeVar("State")


class Learner(ABC, Generic[State]):
    """Weights that learn. `State` is what a component keeps of them: all that annotating needs."""

    metric: ClassVar[str]  # the score by which epochs are compared
    judged: bool = False  # whether there is a dev set, and the last epoch worth judging
    may_change: ClassVar[tuple[str, ...]] = ("epochs", "patience")  # options, when a training is resumed

    @property
    def finished(self) -> bool:
        """Whether there is nothing more to learn, however many epochs are left."""
        return False

    @abstractmethod
    def run_epoch(self, number: int, on_progress: Progress, threads: int) -> dict[str, int]:
        """One pass, and what is counted of it."""

    @abstractmethod
    def weights(self) -> Weights:
        """What has been learned so far."""

    @abstractmethod
    def build(self, weights: Weights) -> State:
        """What annotates, with such weights."""

    def score(self, state: State) -> dict[str, float]:  # noqa: ARG002
        """On the dev set, in percent."""
        return {}

    def rank(self, scores: dict[str, float]) -> tuple[float, ...]:
        """The greater, the better."""
        return (scores[self.metric],)

    def finish(self, state: State, scores: dict[str, float]) -> tuple[State, dict[str, float]]:
        """What else is chosen on the dev set, once the best epoch is known."""
        return state, scores

    # What a checkpoint keeps.

    @abstractmethod
    def data(self) -> Iterable[NDArray[np.generic] | str]:
        """All that the result depends on, beside the options: only what is the same can be resumed."""

    @abstractmethod
    def tensors(self) -> Tensors: ...

    @abstractmethod
    def restore(self, tensors: Tensors) -> None:
        """Go on from what `tensors` gave; ValueError, KeyError or TypeError if it does not fit."""


class CoreLearner(Protocol):
    """A table of weights that learns, in the core; it averages them over all examples."""

    @property
    def examples(self) -> int: ...
    def averaged(self) -> Weights: ...
    def weights(self) -> Weights: ...
    def drift(self) -> Weights: ...
    def restore(self, weights: Weights, drift: Weights, examples: int) -> None: ...


Core = TypeVar("Core", bound=CoreLearner)


class TableLearner(Learner[State], Generic[Core, State]):
    """Several tables learned side by side, and their mean (McDonald, Hall and Mann 2010, section 3).

    Each sees the examples in another order. Scores are sums of weights, so the mean of the weights votes like all of
    them together, at the price of one.
    """

    counted: ClassVar[tuple[str, ...]]  # the names of what `learn` gives
    chunk: ClassVar[int] = 64  # examples between two looks at the keyboard

    def __init__(self, cores: Sequence[Core], size: int, seed: int) -> None:
        self.cores = cores
        self.size = size  # examples
        self._seed = seed

    @abstractmethod
    def learn(self, core: Core, order: Order, epoch: int) -> tuple[int, ...]:
        """From some examples, in this order."""

    def weights(self) -> Weights:
        total = self.cores[0].averaged()
        for core in self.cores[1:]:
            total += core.averaged()
        total /= np.float32(len(self.cores))
        return total

    def run_epoch(self, number: int, on_progress: Progress, threads: int) -> dict[str, int]:
        """Counts are the mean over the tables; so many `threads` run them."""
        orders = [epoch_order(self._seed, number, self.size, which) for which in range(len(self.cores))]
        totals = np.zeros(len(self.counted), np.int64)
        with ThreadPoolExecutor(min(threads, len(self.cores))) as workers:
            for first in range(0, self.size, self.chunk):
                chunks = [order[first : first + self.chunk] for order in orders]
                reports = workers.map(self.learn, self.cores, chunks, repeat(number))
                totals = totals + np.sum(list(reports), axis=0, dtype=np.int64)
                on_progress(number, min(first + self.chunk, self.size), self.size)
        means: list[int] = (totals // len(self.cores)).tolist()
        return dict(zip(self.counted, means, strict=True))

    def tensors(self) -> Tensors:
        return {
            "weights": np.concatenate([core.weights() for core in self.cores]),
            "drift": np.concatenate([core.drift() for core in self.cores]),
            "examples": np.array([core.examples for core in self.cores], np.int64),
        }

    def restore(self, tensors: Tensors) -> None:
        ends = np.cumsum([len(core.weights()) for core in self.cores])[:-1]
        tables = [
            np.split(tensors[name].astype(np.float32, copy=False), ends) for name in ("weights", "drift")
        ]
        examples = tensors["examples"].tolist()
        for core, weights, drift, seen in zip(self.cores, *tables, examples, strict=True):
            if not (np.isfinite(weights).all() and np.isfinite(drift).all()):
                raise ValueError("a weight is not a number")
            core.restore(weights, drift, seen)


def epoch_order(seed: int, number: int, size: int, which: int = 0) -> Order:
    """Depends only on the seed, the number of the epoch and which of the tables it is for."""
    numbers = [seed, number, which] if which else [seed, number]
    return np.random.default_rng(numbers).permutation(size).astype(np.int64)
