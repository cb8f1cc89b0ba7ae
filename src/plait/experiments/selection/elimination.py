"""Recursive elimination: begin with all templates, leave out the least useful, learn anew (Guyon et al. 2002, with what
`worth` tells in the place of single weights).

Forward selection makes hundreds of choices by differences that are smaller than their noise. Here every round makes a
single measurement, of all templates beside each other, by the loss in all states of the treebank that were not learned
from; and the parser learns as it will when it is used.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from plait.experiments.selection.laboratory import Workers
from plait.experiments.selection.lines import Lines
from plait.experiments.selection.race import Chosen, Race
from plait.experiments.selection.search import Decision, OnDecision, Rules

_STAYING = 0.85  # of the templates, from round to round
_TOO_FEW = 2  # rounds after another that score less than the whole list, and end it


@dataclass
class Elimination:
    """`chosen` is the set that scores best so far, the smaller one of equals; with a threshold below 0, the smallest
    that scores so much less at most. With a size, the last set. `order` has all lines, most useful first: those that
    went last.
    """

    lines: Lines
    workers: Workers
    race: Race
    rules: Rules
    on_decision: OnDecision = lambda decision, left: None  # noqa: ARG005
    chosen: Chosen = frozenset()
    gone: list[int] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)

    def run(self) -> Chosen:
        rest = self._differing()
        self.chosen = frozenset(rest)
        self.gone = [number for number in reversed(range(len(self.lines))) if number not in self.chosen]
        worth = self.workers.weigh(rest, self.race.shuffles)
        whole = best = score = self.race.score(self.chosen)
        least = self.rules.size or 1
        self._note(Decision("begin", -1, None, whole, len(rest)), _rounds_left(len(rest), least))
        missed = 0
        while len(rest) > least and missed < _TOO_FEW:
            size = max(least, min(len(rest) - 1, int(len(rest) * _STAYING)))
            left_out = [rest[place] for place in worth.least_useful(len(rest) - size)]
            rest = [number for number in rest if number not in left_out]
            self.gone += left_out
            worth = self.workers.weigh(rest, self.race.shuffles)
            now = self.race.score(frozenset(rest))
            best = max(best, now)
            missed = 0 if now >= whole or self.rules.size else missed + 1
            if now >= best + self.rules.threshold or self.rules.size:
                self.chosen, score = frozenset(rest), now
            self._note(Decision("measure", -1, None, now, len(rest)), _rounds_left(len(rest), least))
        self.gone += [rest[place] for place in worth.least_useful(len(rest))]
        for number in self.order:
            action = "keep" if number in self.chosen else "reject"
            self._note(Decision(action, number, None, score, len(self.chosen)), 0)
        return self.chosen

    @property
    def order(self) -> list[int]:
        gone = set(self.gone)
        return [*(number for number in range(len(self.lines)) if number not in gone), *reversed(self.gone)]

    def _differing(self) -> list[int]:
        """Lines that say something that no line before them says, on some treebank."""
        differing: list[int] = []
        for number in range(len(self.lines)):
            if not self.race.same(frozenset(differing), frozenset([*differing, number])):
                differing.append(number)
        return differing

    def _note(self, decision: Decision, left: int) -> None:
        self.decisions.append(decision)
        self.on_decision(decision, left)


def _rounds_left(size: int, least: int) -> int:
    """At most, in rounds of this size: a round takes the longer the more templates there are."""
    return round(max(0, size - least) / size * _STAYING / (1 - _STAYING))
