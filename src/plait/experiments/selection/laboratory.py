"""Where trials are made: in processes of their own, several at a time; what is finished is in the journal."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from types import TracebackType
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from plait.errors import PlaitError
from plait.experiments.processes import serve_parent, starting
from plait.experiments.selection.bench import Benches, Plan
from plait.experiments.selection.journal import Journal
from plait.experiments.selection.race import Chosen, Rights, Trial
from plait.experiments.selection.worth import Worth

Key = TypeVar("Key")
Result = TypeVar("Result")

_benches: Benches  # of a process that works


class Workers:
    """A laboratory. Its processes keep their treebanks from trial to trial."""

    def __init__(self, plan: Plan, journal: Journal, jobs: int) -> None:
        self._journal = journal
        self._benches = Benches(plan)
        self._places = range(len(plan.treebanks))
        self.treebanks = len(plan.treebanks)
        self._pool: ProcessPoolExecutor | None = None
        if jobs > 1:
            self._pool = ProcessPoolExecutor(
                jobs, mp_context=get_context("spawn"), initializer=_begin, initargs=(plan,)
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool:
            self._pool.shutdown(wait=True, cancel_futures=True)
        self._journal.close()

    def words(self, treebank: int, shuffle: int) -> NDArray[np.float64]:
        return self._benches[treebank].words(shuffle)

    def seen(self, treebank: int, chosen: Chosen) -> tuple[int, ...]:
        lines = self._benches[treebank].seen_lines
        return tuple(sorted({lines[number] for number in chosen} - {-1}))

    def measure(self, trials: Sequence[Trial]) -> list[Rights]:
        done = self._journal.trials
        new = list(dict.fromkeys(trial for trial in trials if trial not in done))
        if self._pool is None:
            for trial in new:
                self._journal.put(trial, self._benches.measure(trial))
        else:
            with starting():
                tasks = {self._pool.submit(_measure, trial): trial for trial in new}
            for trial, rights in _finished(tasks):
                self._journal.put(trial, rights)
        return [done[trial] for trial in trials]

    def weigh(self, chosen: Sequence[int], shuffles: int) -> Worth:
        """What each of these lines is worth beside the others, as the mean over treebanks and shuffles."""
        wanted = [
            Trial(place, self.seen(place, frozenset(chosen)), shuffle)
            for place in self._places
            for shuffle in range(1, shuffles + 1)
        ]
        done = self._journal.worths
        new = [trial for trial in wanted if trial not in done]
        if self._pool is None:
            for trial in new:
                self._keep(trial, *self._benches.weigh(trial))
        else:
            with starting():
                tasks = {self._pool.submit(_weigh, trial): trial for trial in new}
            for trial, found in _finished(tasks):
                self._keep(trial, *found)
        total = Worth.none(len(chosen))
        for trial in wanted:
            lines = self._benches[trial.treebank].seen_lines
            places = {number: place for place, number in enumerate(trial.chosen)}
            total += done[trial].spread([places.get(lines[number], -1) for number in chosen])
        return total / len(wanted)

    def _keep(self, trial: Trial, rights: Rights, worth: Worth) -> None:
        if trial not in self._journal.trials:
            self._journal.put(trial, rights)
        self._journal.put_worth(trial, worth)

    def rank(self, shuffles: int) -> list[float]:
        """For every line, what it is worth to a parser that learned with all, as the mean over treebanks and
        shuffles.
        """
        done = self._journal.rankings
        wanted = [(place, shuffle) for place in self._places for shuffle in range(1, shuffles + 1)]
        new = [each for each in wanted if each not in done]
        if self._pool is None:
            for place, shuffle in new:
                self._journal.put_ranking(place, shuffle, self._benches[place].rank(shuffle))
        else:
            with starting():
                tasks = {self._pool.submit(_rank, *each): each for each in new}
            for each, ranking in _finished(tasks):
                self._journal.put_ranking(*each, ranking)
        return [sum(worths) / len(worths) for worths in zip(*(done[each] for each in wanted), strict=True)]


def _finished(tasks: Mapping[Future[Result], Key]) -> Iterator[tuple[Key, Result]]:
    """As they finish; what goes wrong, or an interrupt, ends the others that have not begun."""
    try:
        for task in as_completed(tasks):
            yield tasks[task], task.result()
    except BrokenProcessPool:
        raise PlaitError(
            "A process of the selection ended without a word; was there too little memory?"
        ) from None
    finally:
        for task in tasks:
            task.cancel()


def _begin(plan: Plan) -> None:
    """In a process of its own."""
    global _benches
    serve_parent()
    os.environ["OMP_NUM_THREADS"] = "1"
    _benches = Benches(plan)


def _measure(trial: Trial) -> Rights:
    return _benches.measure(trial)


def _rank(place: int, shuffle: int) -> list[float]:
    return _benches[place].rank(shuffle)


def _weigh(trial: Trial) -> tuple[Rights, Worth]:
    return _benches.weigh(trial)
