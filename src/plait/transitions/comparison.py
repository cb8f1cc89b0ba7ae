"""The oracles of the swap system compared on a treebank (Björkelund and Nivre 2015, Table 1), and how
derivations grow with sentences (Nivre 2009, Figure 5).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import ArrayLike

from plait.transitions.batch import ambiguous, count
from plait.transitions.minimal import BUDGET
from plait.trees import TreeBatch


@dataclass(frozen=True, slots=True)
class Comparison:
    """Counts, not shares; they add with `+`."""

    sentences: int = 0
    words: int = 0
    projective: int = 0
    eager_swaps: int = 0
    lazy_swaps: int = 0
    minimal_swaps: int = 0
    unique: int = 0  # sentences with one derivation only
    over_budget: int = 0  # sentences whose minimal number of swaps is not certain

    def __add__(self, other: Comparison) -> Comparison:
        mine, others = asdict(self), asdict(other)
        return Comparison(**{name: mine[name] + others[name] for name in mine})

    @property
    def projective_share(self) -> float:
        """Percent of the sentences."""
        return 100 * self.projective / self.sentences if self.sentences else float("nan")

    @property
    def unique_share(self) -> float:
        """Percent of the sentences."""
        return 100 * self.unique / self.sentences if self.sentences else float("nan")

    @property
    def lazy_reduction(self) -> float:
        """Percent of EAGER's swaps that LAZY saves."""
        return _saved(self.eager_swaps, self.lazy_swaps)

    @property
    def minimal_reduction(self) -> float:
        """Percent of EAGER's swaps that MINIMAL saves."""
        return _saved(self.eager_swaps, self.minimal_swaps)


def _saved(before: int, after: int) -> float:
    return 100 * (before - after) / before if before else float("nan")


def compare_oracles(trees: TreeBatch, *, budget: int = BUDGET) -> Comparison:
    eager, lazy = count(trees, oracle="eager"), count(trees, oracle="lazy")
    minimal = count(trees, oracle="minimal", budget=budget)
    return Comparison(
        sentences=len(trees),
        words=len(trees.heads),
        projective=int(trees.projective.sum()),
        eager_swaps=int(eager.swaps.sum()),
        lazy_swaps=int(lazy.swaps.sum()),
        minimal_swaps=int(minimal.swaps.sum()),
        unique=int((~ambiguous(trees)).sum()),
        over_budget=int(minimal.over_budget.sum()),
    )


@dataclass(frozen=True, slots=True)
class Growth:
    """The least-squares line m = slope · n through the origin, and R², the share of variance it explains."""

    slope: float
    r_squared: float

    def __str__(self) -> str:
        return f"m = {self.slope:.2f}·n (R² = {self.r_squared:.2f})"


def fit_growth(lengths: ArrayLike, transitions: ArrayLike) -> Growth:
    """Transitions m against sentence length n."""
    n, m = np.asarray(lengths, dtype=float), np.asarray(transitions, dtype=float)
    if not n.any():
        return Growth(float("nan"), float("nan"))
    slope = float(n @ m / (n @ n))
    unexplained = float(((m - slope * n) ** 2).sum())
    variance = float(((m - m.mean()) ** 2).sum())
    return Growth(slope, 1 - unexplained / variance if variance else float(unexplained == 0))
