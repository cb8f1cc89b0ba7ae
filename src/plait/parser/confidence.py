"""How sure the parser is: from the margin of a decision to the share of such decisions that are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_ROUNDS = 30


def _flatten(margins: Sequence[float]) -> NDArray[np.float64]:
    """Learning asks for a margin of 1; more than a few times that says nothing more. (A decision without an
    alternative has an endless one.)
    """
    return np.clip(np.asarray(margins, np.float64), 0, 5)


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic curve over the margin (Platt 1999), fitted on a dev set."""

    slope: float = 1.0
    offset: float = 0.0

    @classmethod
    def fit(cls, margins: Sequence[float], right: Sequence[bool]) -> Calibration:
        """Maximum likelihood by Newton's method, with one right and one wrong decision added so that the
        curve stays finite.
        """
        x = _flatten([*margins, 0.0, 0.0])
        y = np.array([*right, True, False], np.float64)
        inputs = np.stack([x, np.ones_like(x)], 1)
        found = np.array([0.1, 0.0])
        for _ in range(_ROUNDS):
            p = 1 / (1 + np.exp(-np.clip(inputs @ found, -30, 30)))
            curvature = (inputs * (p * (1 - p) + 1e-9)[:, None]).T @ inputs + 1e-6 * np.eye(2)
            found = found + np.clip(np.linalg.solve(curvature, inputs.T @ (y - p)), -1, 1)
        return cls(max(float(found[0]), 0.0), float(found[1]))

    def confidences(self, margins: Sequence[float]) -> list[float]:
        inputs = np.clip(self.slope * _flatten(margins) + self.offset, -30, 30)
        return [float(share) for share in 1 / (1 + np.exp(-inputs))]
