"""Passes until enough, the best one kept, going on where a run was interrupted: the same for all that learns."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from plait.learning.checkpoint import Checkpoint, digest
from plait.learning.learner import Learner, Weights
from plait.learning.weights import require_finite
from plait.log import logger

if TYPE_CHECKING:
    from pathlib import Path

    from plait.learning.options import LearningOptions
    from plait.learning.watch import Watch

State = TypeVar("State")

_QUICK = 0.3  # seconds that a checkpoint may take after every epoch
_SELDOM = 20  # times as long must pass after one that takes longer


@dataclass(frozen=True, slots=True)
class Epoch:
    """One pass over the training set: what was counted, and the scores of the dev set after it, if there is one."""

    number: int
    seconds: float
    counts: dict[str, int]
    scores: dict[str, float]


@dataclass(frozen=True, slots=True)
class Outcome(Generic[State]):
    """What a training gave."""

    state: State
    scores: dict[str, float]
    history: list[Epoch]
    best: int  # the number of the epoch that is kept
    interrupted: bool


def run(
    learner: Learner[State],
    options: LearningOptions,
    *,
    watch: Watch,
    threads: int = 1,
    checkpoint: Path | None = None,
    resume: bool = False,
) -> Outcome[State]:
    """Until all epochs are run or there is nothing better for a while. An interrupt (Ctrl-C) ends it too, once there is
    an epoch to keep. With `checkpoint`, a file, every epoch is kept there, and `resume` goes on from the last one, if
    there is one: the result is the same as without the interruption.
    """
    epochs: list[Epoch] = []
    best: Weights | None = None
    interrupted = False
    data = digest(*learner.data()) if checkpoint else ""
    if resume and checkpoint and checkpoint.exists():
        found = Checkpoint.load(checkpoint, options, data, learner.may_change)
        found.restore(learner, checkpoint)
        epochs, best = [Epoch(**each) for each in found.epochs], found.best
    keeper = _Keeper(learner, options, data, checkpoint, len(epochs)) if checkpoint else None
    between = False  # two epochs: only then is the learner in a state to go on from
    try:
        while not _is_enough(learner, epochs, options):
            start = time.perf_counter()
            between = False
            number = len(epochs) + 1
            counts = learner.run_epoch(number, watch.on_progress, threads)
            seconds = time.perf_counter() - start
            weights = learner.weights()
            require_finite(weights)
            scores = learner.score(learner.build(weights)) if learner.judged else {}
            epochs.append(Epoch(number, seconds, counts, scores))
            if _best(learner, epochs) is epochs[-1]:
                best = weights
            between = True
            if keeper and keeper.is_due():
                keeper.keep(best, epochs)
            watch.on_epoch(epochs[-1])
            logger.info("epoch %d, %.1f s: %s", number, seconds, scores or counts)
        if keeper and best is not None and not keeper.has(epochs):
            keeper.keep(best, epochs)
    except KeyboardInterrupt:
        if best is None:
            raise
        interrupted = True
        if keeper and between:
            keeper.keep(best, epochs)
    assert best is not None
    chosen = _best(learner, epochs)
    state, scores = learner.finish(learner.build(best), chosen.scores)
    return Outcome(state, scores, epochs, chosen.number, interrupted)


class _Keeper(Generic[State]):
    """Writes checkpoints: of every epoch, but where that takes long, so seldom that it does not matter."""

    def __init__(
        self, learner: Learner[State], options: LearningOptions, data: str, path: Path, kept: int
    ) -> None:
        self._learner, self._options, self._data, self._path = learner, options, data, path
        self._kept = kept
        self._cost = self._last = 0.0

    def is_due(self) -> bool:
        return self._cost < _QUICK or time.perf_counter() - self._last > _SELDOM * self._cost

    def has(self, epochs: Sequence[Epoch]) -> bool:
        return self._kept == len(epochs)

    def keep(self, best: Weights | None, epochs: Sequence[Epoch]) -> None:
        assert best is not None
        start = time.perf_counter()
        Checkpoint.of(self._learner, best, epochs, self._options, self._data).save(self._path)
        self._kept = len(epochs)
        self._last = time.perf_counter()
        self._cost = self._last - start


def _best(learner: Learner[State], epochs: Sequence[Epoch]) -> Epoch:
    """The epoch with the best score, the first of several; while there is no score, the last one."""
    judged = [epoch for epoch in epochs if epoch.scores]
    if not judged:
        return epochs[-1]
    return max(judged, key=lambda epoch: (learner.rank(epoch.scores), -epoch.number))


def _is_enough(learner: Learner[State], epochs: Sequence[Epoch], options: LearningOptions) -> bool:
    """All epochs are run, or the last ones brought nothing better."""
    count = len(epochs)
    if count >= options.epochs or learner.finished:
        return True
    return count > 0 and count - _best(learner, epochs).number >= options.patience
