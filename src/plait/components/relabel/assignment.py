"""The best labels of the children of one head, some of them at most once: an integer linear program.

Seeker et al. (2010), section 3.6: with x[d, l] = 1 if child d has label l, the sum of x[d, l] times
the score of l for d is to be as great as can be, while every child has one label, and of all children at most one has a
label that may stand once. Beyond the paper, such a label may stand again for a `price`, so that what the parser found
is left alone where every way out of it is worse than that.
"""

from __future__ import annotations

import math
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


def assign(scores: NDArray[np.floating], once: Iterable[int], price: float = math.inf) -> list[int] | None:
    """The number of the label of every child (row); none if there are too few labels for that."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    children, labels = scores.shape
    if not children:
        return []
    unique = list(once)
    size = children * labels
    # After the choices come, label by label, how often it stands beyond once.
    every = np.zeros((children, size + len(unique)))
    every[:, :size] = np.kron(np.eye(children), np.ones(labels))
    limits = [LinearConstraint(every, 1, 1)]
    if unique:
        limited = np.zeros((len(unique), size + len(unique)))
        for row, label in enumerate(unique):
            limited[row, label:size:labels] = 1
            limited[row, size + row] = -1
        limits.append(LinearConstraint(limited, -np.inf, 1))
    most = np.concatenate([np.ones(size), np.full(len(unique), children if math.isfinite(price) else 0)])
    costs = np.concatenate([-scores.ravel(), np.full(len(unique), price if math.isfinite(price) else 0)])
    found = milp(costs, constraints=limits, integrality=1, bounds=Bounds(0, most))
    if found.x is None:
        return None
    chosen: list[int] = found.x[:size].reshape(children, labels).argmax(axis=1).tolist()
    return chosen
