"""The best labels of the children of one head, some of them at most once: an integer linear program.

Seeker et al. (2010), section 3.6, after Klenner (2007): with x[d, l] = 1 if child d has label l, the sum of x[d, l] times
the score of l for d is to be as great as can be, while every child has one label, and of all children at most one has a
label that may stand once.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from plait.errors import InputError


def require_solver() -> None:
    """InputError if there is none."""
    try:
        from scipy import optimize  # noqa: F401
    except ImportError:
        raise InputError("Labels are given anew with scipy: pip install 'plait[research]'.") from None


def assign(scores: NDArray[np.floating], once: Iterable[int]) -> list[int] | None:
    """The number of the label of every child (row); none if there are too few labels for that."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    children, labels = scores.shape
    if not children:
        return []
    one_each = np.kron(np.eye(children), np.ones(labels))
    limits = [LinearConstraint(one_each, 1, 1)]
    unique = list(once)
    if unique:
        at_most_one = np.zeros((len(unique), children * labels))
        for row, label in enumerate(unique):
            at_most_one[row, label::labels] = 1
        limits.append(LinearConstraint(at_most_one, 0, 1))
    found = milp(-scores.ravel().astype(float), constraints=limits, integrality=1, bounds=Bounds(0, 1))
    if found.x is None:
        return None
    chosen: list[int] = found.x.reshape(children, labels).argmax(axis=1).tolist()
    return chosen
