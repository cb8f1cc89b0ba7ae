"""Passes until enough, the best one kept, going on where a run was interrupted: the same for all that learns."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from plait.learning.checkpoint import Checkpoint, digest
from plait.learning.learner import Learner, Weights
from plait.learning.weights import require_finite

if TYPE_CHECKING:
    from pathlib import Path

    from plait.learning.options import LearningOptions
    from plait.learning.watch import Watch

State = TypeVar("State")


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
        found = Checkpoint.load(checkpoint, options, data)
        found.restore(learner, checkpoint)
        epochs, best = [Epoch(**each) for each in found.epochs], found.best
    try:
        while not _is_enough(learner, epochs, options):
            start = time.perf_counter()
            number = len(epochs) + 1
            counts = learner.run_epoch(number, watch.on_progress, threads)
            seconds = time.perf_counter() - start
            weights = learner.weights()
            require_finite(weights)
            scores = learner.score(learner.build(weights)) if learner.judged else {}
            epochs.append(Epoch(number, seconds, counts, scores))
            if _best(learner, epochs) is epochs[-1]:
                best = weights
            if checkpoint and best is not None:
                Checkpoint.of(learner, best, epochs, options, data).save(checkpoint)
            watch.on_epoch(epochs[-1])
    except KeyboardInterrupt:
        if best is None:
            raise
        interrupted = True
    assert best is not None
    chosen = _best(learner, epochs)
    state, scores = learner.finish(learner.build(best), chosen.scores)
    return Outcome(state, scores, epochs, chosen.number, interrupted)


def _best(learner: Learner[State], epochs: Sequence[Epoch]) -> Epoch:
    """The epoch with the best score, the first of several; without a dev set the last one."""
    if not learner.judged:
        return epochs[-1]
    return max(epochs, key=lambda epoch: (learner.rank(epoch.scores), -epoch.number))


def _is_enough(learner: Learner[State], epochs: Sequence[Epoch], options: LearningOptions) -> bool:
    """All epochs are run, or the last ones brought nothing better."""
    count = len(epochs)
    return count >= options.epochs or (
        count > 0 and count - _best(learner, epochs).number >= options.patience
    )
