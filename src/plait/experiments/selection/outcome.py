"""A whole selection, from a plan to what was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from plait.errors import InputError
from plait.experiments.selection.bench import Plan
from plait.experiments.selection.elimination import Elimination
from plait.experiments.selection.laboratory import Workers
from plait.experiments.selection.lines import Lines
from plait.experiments.selection.race import Chosen, Race
from plait.experiments.selection.search import Decision, OnDecision, Rules, Search

RANKINGS = ("states", "alone", "file")


@dataclass(frozen=True, slots=True)
class Settings:
    """How to choose; none of it changes what a trial gives."""

    rules: Rules
    ranking: str = "states"
    shuffles: int = 5
    confidence: float = 0.975


@dataclass(frozen=True)
class Outcome:
    """What was chosen, and how that came."""

    plan: Plan
    order: Sequence[int]  # in which lines were tried: those of the beginning too
    chosen: Chosen
    decisions: Sequence[Decision]
    whole_score: float
    interrupted: bool = False

    @property
    def score(self) -> float:
        """Of what was chosen, when it was chosen."""
        return self.decisions[-1].score

    @property
    def lines(self) -> Lines:
        return self.plan.lines

    @property
    def name(self) -> str:
        """Of the score."""
        return self.plan.score.upper()

    @property
    def treebanks(self) -> str:
        return ", ".join(Path(path).name for path in self.plan.treebanks)

    @cached_property
    def _ranks(self) -> dict[int, int]:
        return {number: rank for rank, number in enumerate(self.order, 1)}

    def rank(self, number: int) -> int:
        return self._ranks[number]

    @cached_property
    def _last(self) -> dict[int, Decision]:
        return {decision.line: decision for decision in self.decisions}

    def last(self, number: int) -> Decision | None:
        """What was decided of a line in the end."""
        return self._last.get(number)


def select(
    plan: Plan,
    default: Sequence[int],
    settings: Settings,
    workers: Workers,
    *,
    jobs: int,
    on_decision: OnDecision,
) -> Outcome:
    """Choose templates; `default` are the numbers of those to begin with. An interrupt ends it with what is chosen so
    far, once there is something.
    """
    race = Race(
        workers,
        shuffles=settings.shuffles,
        threshold=settings.rules.threshold,
        confidence=settings.confidence,
    )
    search: Search | Elimination
    if settings.rules.order == "eliminate":
        search = Elimination(plan.lines, workers, race, settings.rules, on_decision)
        run = search.run
    else:
        order = _order(plan, default, settings, workers)
        race.score(frozenset(range(len(plan.lines))))
        search = Search(plan.lines, race, settings.rules, jobs, on_decision)
        run = partial(search.run, default, order)
    interrupted = False
    try:
        run()
    except KeyboardInterrupt:
        if not search.decisions:
            raise
        interrupted = True
    whole = race.score(frozenset(range(len(plan.lines))))
    return Outcome(plan, search.order, search.chosen, search.decisions, whole, interrupted)


def _order(plan: Plan, default: Sequence[int], settings: Settings, workers: Workers) -> list[int]:
    """Most useful first; among equals as in the file."""
    numbers = list(range(len(plan.lines)))
    if settings.ranking == "states":
        if not plan.cached:
            raise InputError("Only templates of greedy parsers with a static oracle can be ranked by states.")
        worth = workers.rank(settings.shuffles)
        return sorted(numbers, key=lambda number: -worth[number])
    if settings.ranking == "alone":
        base = frozenset(default)
        others = [number for number in numbers if number not in base]
        single = Race(workers, shuffles=1, threshold=0, confidence=1)
        gains = single.gains(base, [base | {number} for number in others])
        points = {number: gain.points for number, gain in zip(others, gains, strict=True)}
        return [*default, *sorted(others, key=lambda number: -points[number])]
    return numbers
