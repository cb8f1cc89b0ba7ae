"""How sure the parser is: from the margin of a decision to the share of such decisions that are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_BINS = 40
CALIBRATED = {"greedy", "beam"}  # searches, whose margins are another thing each
Numbers = Sequence[float] | NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was measured on a dev set: the share of right heads at rising margins, with lines between them.

    The shares never fall (isotonic regression; Zadrozny and Elkan 2002, section 4). A decision without an
    alternative has an endless margin, which says nothing: such decisions have a share of their own.
    """

    margins: list[float]
    shares: list[float]
    endless: float

    def __post_init__(self) -> None:
        """It may come from a damaged file: ValueError or TypeError if it makes no sense."""
        margins, shares = np.asarray(self.margins, np.float64), np.asarray([*self.shares, self.endless])
        if margins.ndim != 1 or not margins.size or shares.shape != (margins.size + 1,):
            raise ValueError("the calibration has not one share for every margin")
        if not (np.isfinite(margins).all() and (np.diff(margins) >= 0).all()):
            raise ValueError("the margins of the calibration do not rise")
        if not ((shares >= 0) & (shares <= 1)).all():
            raise ValueError("a share of the calibration is not between 0 and 1")

    @classmethod
    def fit(cls, margins: Numbers, right: Sequence[bool] | NDArray[np.bool_]) -> Calibration:
        """Bins with as many decisions each. One right and one wrong decision are added to every bin, so that
        nothing is certain.
        """
        x, y = np.asarray(margins, np.float64), np.asarray(right, np.float64)
        finite = np.isfinite(x)
        endless = y[~finite]
        order = np.argsort(x[finite], kind="stable")
        x, y = x[finite][order], y[finite][order]
        pooled: list[_Bin] = []
        for part in np.array_split(np.arange(x.size), min(_BINS, max(1, x.size // 25))):
            pooled.append(_Bin(float(x[part].sum()), float(y[part].sum()), part.size))
            # Pool adjacent violators: a bin with a smaller share than the one before joins it.
            while len(pooled) > 1 and pooled[-1].share < pooled[-2].share:
                last = pooled.pop()
                pooled[-1] = pooled[-1].join(last)
        return cls(
            [round(one.margin, 4) for one in pooled],
            [round(one.share, 4) for one in pooled],
            round((float(endless.sum()) + 1) / (endless.size + 2), 4),
        )

    def confidences(self, margins: Numbers) -> list[float]:
        x = np.asarray(margins, np.float64)
        found = np.where(np.isfinite(x), np.interp(x, self.margins, self.shares), self.endless)
        return [float(share) for share in found]


@dataclass(frozen=True, slots=True)
class _Bin:
    margins: float
    right: float
    size: int

    @property
    def margin(self) -> float:
        return self.margins / max(1, self.size)

    @property
    def share(self) -> float:
        return (self.right + 1) / (self.size + 2)

    def join(self, other: _Bin) -> _Bin:
        return _Bin(self.margins + other.margins, self.right + other.right, self.size + other.size)
