"""Forward selection of templates (Ballesteros and Bohnet 2014, section 3), as the prose has it; Figure 2's order too.

1. Backward check: a template of the default set without which the score stays equal or rises is dropped; the least
   useful are tried first. (Begun with all, this is backward elimination.)
2. Forward: every other template in turn; it is kept if the score rises by more than the threshold, and otherwise
   rejected for good. With the order `best` (Figure 2) every round tries all of them and keeps the best, until none
   is good enough.

The order `rank`, which is not in the paper, tries no single template: the default set is filled up with others by rank,
up to a size, or until it scores more than the whole list and the threshold (a negative one, such as -0.05). The order
`eliminate` goes the other way, and is in `elimination`.

Figure 2 adds the threshold on the wrong side, so that a larger one would keep more; the tables of the paper show the
opposite, and so does this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from plait.experiments.selection.lines import Lines
from plait.experiments.selection.race import Chosen, Gain, Race
from plait.experiments.selection.relatives import Relatives

ORDERS = ("once", "best", "rank", "eliminate")
_TENTHS = 10
_REMEMBERED = 12  # decisions by which the next ones are guessed


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a template. `score` and `size` are of the set after it."""

    action: str  # begin, stay, drop, keep, reject, skip; measure
    line: int  # -1: of a whole set
    gain: Gain | None
    score: float
    size: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """How to decide."""

    threshold: float = 0.0
    order: str = "once"
    prune: bool = True
    cautious: bool = False
    size: int | None = None  # of the result; for the orders `rank` and `eliminate`


OnDecision = Callable[[Decision, int], None]  # and how many are to come at most


@dataclass
class Search:
    """One selection: `chosen` is the set so far."""

    lines: Lines
    race: Race
    rules: Rules
    jobs: int = 1
    on_decision: OnDecision = lambda decision, left: None  # noqa: ARG005
    chosen: Chosen = frozenset()
    order: Sequence[int] = ()
    rejected: set[int] = field(default_factory=set)
    decisions: list[Decision] = field(default_factory=list)

    def run(self, default: Sequence[int], order: Sequence[int]) -> Chosen:
        """Begin with `default`; try the other lines in this order, most useful first."""
        self.order = order
        if self.rules.order == "rank":
            self._fill_up(default, order)
            return self.chosen
        relatives = Relatives(self.lines)
        self.chosen = frozenset(default)
        self._note(Decision("begin", -1, None, self.race.score(self.chosen), len(default)), len(order))
        self._walk([number for number in reversed(order) if number in self.chosen], self._removal, len(order))
        rest = [number for number in order if number not in default]
        if self.rules.order == "best":
            self._take_best(rest)
        else:
            if self.rules.prune:
                rest = relatives.tags_first(rest)
            self._walk(rest, self._addition, len(rest), relatives if self.rules.prune else None)
        return self.chosen

    def _walk(
        self,
        waiting: Sequence[int],
        move: Callable[[int], Chosen],
        total: int,
        relatives: Relatives | None = None,
    ) -> None:
        """Every line in turn. Several are tried at a time against the same set; those after the first that changes
        it are tried again, so that the result is the same as with one at a time.
        """
        waiting = list(waiting)
        done = 0
        while waiting:
            ahead = [number for number in waiting if not self._hindered(relatives, number)][: self._depth]
            sets = [move(number) for number in ahead]
            fresh = [each for each in sets if not self.race.same(self.chosen, each) and self._allowed(each)]
            at_once = max(1, self.jobs // max(1, len(fresh)))
            gains = iter(self.race.gains(self.chosen, fresh, at_once=at_once))
            found = {
                number: next(gains) if each in fresh else None
                for number, each in zip(ahead, sets, strict=True)
            }
            for number in list(waiting):
                hindered = self._hindered(relatives, number)
                if not hindered and number not in found:
                    break
                waiting.remove(number)
                done += 1
                before = self.chosen
                self._note(self._decide(number, move(number), found.get(number), hindered), total - done)
                if self.chosen != before:
                    break

    def _decide(self, number: int, candidate: Chosen, gain: Gain | None, hindered: Sequence[int]) -> Decision:
        removal = number in self.chosen
        score, size = self._last
        if hindered:
            self.rejected.add(number)
            names = ", ".join(str(self.lines[each]) for each in hindered)
            return Decision("skip", number, None, score, size, f"without {names}")
        if gain is None and removal:
            if not self._allowed(candidate):
                return Decision("stay", number, None, score, size, "the last one of its list")
            return self._take("drop", number, candidate, score, "says nothing that others do not")
        if gain is None:
            self.rejected.add(number)
            return Decision("skip", number, None, score, size, "says nothing that others do not")
        if removal:
            if gain.points < 0:
                return Decision("stay", number, gain, score, size)
            return self._take("drop", number, candidate, gain.score, "", gain)
        if gain.convinces(self.rules.threshold, cautious=self.rules.cautious):
            return self._take("keep", number, candidate, gain.score, "", gain)
        self.rejected.add(number)
        return Decision("reject", number, gain, score, size)

    def _take(
        self, action: str, number: int, candidate: Chosen, score: float, reason: str, gain: Gain | None = None
    ) -> Decision:
        self.chosen = candidate
        if action == "drop":
            self.rejected.add(number)
        return Decision(action, number, gain, score, len(candidate), reason)

    def _take_best(self, waiting: Sequence[int]) -> None:
        """Figure 2: rounds, each of all that are left."""
        waiting = list(waiting)
        while waiting:
            fresh = [i for i in waiting if not self.race.same(self.chosen, self._addition(i))]
            gains = self.race.gains(self.chosen, [self._addition(number) for number in fresh])
            found = dict(zip(fresh, gains, strict=True))
            best = max(fresh, key=lambda number: (found[number].points, -number), default=-1)
            if best < 0 or not found[best].convinces(self.rules.threshold, cautious=self.rules.cautious):
                for number in waiting:
                    self._note(
                        self._decide_rejected(number, found.get(number)),
                        len(waiting) - waiting.index(number) - 1,
                    )
                return
            waiting.remove(best)
            decision = self._take("keep", best, self._addition(best), found[best].score, "", found[best])
            self._note(decision, len(waiting))

    def _fill_up(self, default: Sequence[int], order: Sequence[int]) -> None:
        """As few as are enough: tenths less at a time, then halving what lies between too many and too few."""
        self.chosen = frozenset(order)
        whole = self.race.score(self.chosen)
        differing: list[int] = []
        for number in [*default, *order]:
            if not self.race.same(frozenset(differing), frozenset([*differing, number])):
                differing.append(number)
        least = len([number for number in default if number in differing])
        self._note(Decision("begin", -1, None, whole, len(differing)), 0)

        def is_enough(size: int) -> bool:
            first = frozenset(differing[:size])
            score = self.race.score(first) if self._allowed(first) else float("-inf")
            self._note(Decision("measure", -1, None, score, size), 0)
            if score > whole + self.rules.threshold:
                self.chosen = first
            return self.chosen == first

        enough = len(differing)
        if self.rules.size is not None:
            enough = max(least, min(enough, self.rules.size))
        else:
            step = max(1, (enough - least) // _TENTHS)
            while enough - step >= max(1, least) and is_enough(enough - step):
                enough -= step
            too_few = max(least - 1, enough - step, 0)
            while enough - too_few > max(1, step // 8):
                middle = (enough + too_few) // 2
                enough, too_few = (middle, too_few) if is_enough(middle) else (enough, middle)
        self.chosen = frozenset(differing[:enough])
        score = self.race.score(self.chosen)
        for number in order:
            action = "keep" if number in self.chosen else "reject"
            reason = "" if number in differing else "says nothing that others do not"
            self._note(Decision(action, number, None, score, enough, reason), 0)

    def _decide_rejected(self, number: int, gain: Gain | None) -> Decision:
        self.rejected.add(number)
        return Decision("reject", number, gain, *self._last)

    def _addition(self, number: int) -> Chosen:
        return self.chosen | {number}

    def _removal(self, number: int) -> Chosen:
        return self.chosen - {number}

    def _allowed(self, chosen: Chosen) -> bool:
        """Every list must keep a template."""
        return {self.lines[number].file for number in chosen} == set(self.lines.files)

    def _hindered(self, relatives: Relatives | None, number: int) -> Sequence[int]:
        return relatives.hinder(number, self.rejected) if relatives else ()

    @property
    def _last(self) -> tuple[float, int]:
        return self.decisions[-1].score, self.decisions[-1].size

    @property
    def _depth(self) -> int:
        """How many to try at a time: no more than are likely to be decided before the set changes."""
        recent = [decision.action for decision in self.decisions[-_REMEMBERED:]]
        changes = sum(action in ("keep", "drop") for action in recent)
        return max(1, min(self.jobs, round((len(recent) + 2) / (changes + 1))))

    def _note(self, decision: Decision, left: int) -> None:
        self.decisions.append(decision)
        self.on_decision(decision, left)
