"""What templates are worth to a parser that learned with them, beside each other.

Every template has a scale, 1 as it was learned and 0 where it is not looked at. The loss in states that were not
learned from, as a function of the scales, is taken for a bowl: its slope and bend tell what it costs to leave templates
out if the others may make up for them. This is the optimal brain surgeon (Hassibi and Stork 1993, section 2), with
templates in the place of single weights. Of two templates that say the same, each alone costs nothing, and both
together do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

SHARPNESS = 3.0  # of the loss: a lead of 1, which the learner wants, is right by 95 %
RIVALS = 4
MARGIN = 1.5  # states with a greater lead are as good as right
# Of scales, in the middle bend of a template: others make up for one that goes, but not at any price.
STIFFNESS = 0.1

Rows = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Worth:
    """How the loss changes with the scales of templates: `slope` has a number for each, `bend` one for each two."""

    slope: NDArray[np.float64]
    bend: NDArray[np.float64]

    @classmethod
    def none(cls, templates: int) -> Worth:
        return cls(np.zeros(templates), np.zeros((templates, templates)))

    @classmethod
    def of_shares(cls, rows: Rows, states: NDArray[np.int64]) -> Worth:
        """`rows` has what each template adds to the lead over a rival, for all rivals of a state one after the
        other; the loss of a state is log(1 + the sum of exp(-lead)).
        """
        if not len(rows):
            return cls.none(rows.shape[1])
        firsts = np.flatnonzero(np.r_[True, states[1:] != states[:-1]])
        rivals = np.diff(np.r_[firsts, len(states)])
        against = np.exp(-SHARPNESS * np.clip(rows.sum(axis=1, dtype=np.float64), -10, None))
        share = against / np.repeat(1 + np.add.reduceat(against, firsts), rivals)
        weighed = SHARPNESS * share[:, None] * rows
        of_states = np.add.reduceat(weighed, firsts, axis=0)
        bend = SHARPNESS * rows.T @ weighed - of_states.T @ of_states
        return cls(-of_states.sum(axis=0), (bend + bend.T) / 2)

    def __add__(self, other: Worth) -> Worth:
        return Worth(self.slope + other.slope, self.bend + other.bend)

    def __truediv__(self, number: float) -> Worth:
        return Worth(self.slope / number, self.bend / number)

    def spread(self, places: Sequence[int]) -> Worth:
        """Of a longer list, whose templates are at these places of this one; -1 says nothing. Several at one place see
        the same and have a part of its share each.
        """
        counts = np.bincount([place for place in places if place >= 0], minlength=len(self.slope))
        parts = np.zeros((len(places), len(self.slope)))
        for number, place in enumerate(places):
            if place >= 0:
                parts[number, place] = 1 / counts[place]
        return Worth(parts @ self.slope, parts @ self.bend @ parts.T)

    def least_useful(self, count: int) -> list[int]:
        """So many templates whose absence costs least, one after the other: each time the others find the scales that
        are best without it. One whose best scale is below 0 goes before all that are worth something.
        """
        size = len(self.slope)
        middle = float(np.diag(self.bend).mean()) or 1.0
        give = np.linalg.inv(self.bend + STIFFNESS * middle * np.eye(size))
        scales = 1 - give @ self.slope
        there = np.ones(size, bool)
        gone = []
        for _ in range(min(count, size)):
            costs = np.where(there, scales * np.abs(scales) / (2 * np.diag(give)), np.inf)
            least = int(np.argmin(costs))
            gone.append(least)
            there[least] = False
            column = give[:, least] / give[least, least]
            scales = scales - column * scales[least]
            give = give - np.outer(column, give[least])
            give[least, :] = give[:, least] = 0
            give[least, least] = 1
        return gone
