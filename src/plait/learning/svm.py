"""Linear support vector machines over bags of named features, one against the rest (Fan et al. 2008, LIBLINEAR).

The loss is the squared hinge with a squared penalty, in the primal, by L-BFGS (Liu and Nocedal 1989): numpy is enough,
and the same bags give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from plait.checks import vector
from plait.features.encoding import hash_text
from plait.learning.tensors import Tensors
from plait.learning.weights import require_finite

Bag = Mapping[str, float]
Matrix = NDArray[np.float64]
Gradient = Callable[[Matrix], tuple[float, Matrix]]
_MEMORY = 8  # steps that L-BFGS remembers


class LinearSVM:
    """Classes and their weights. Features are kept by the hash of their name: a model has no need for the names."""

    def __init__(
        self, classes: Sequence[str], hashes: NDArray[np.uint32], weights: NDArray[np.float32]
    ) -> None:
        """ValueError if it does not fit together."""
        if weights.shape != (len(hashes), len(classes)) or not np.isfinite(weights).all():
            raise ValueError("the weights of a classifier do not fit")
        self.classes = list(classes)
        self._hashes, self._weights = hashes, weights
        self._rows = {each: row for row, each in enumerate(hashes.tolist())}

    @classmethod
    def fit(
        cls,
        bags: Sequence[Bag],
        right: Sequence[Collection[str]],
        *,
        cost: float = 1.0,
        iterations: int = 100,
        ratios: bool = False,
    ) -> LinearSVM:
        """`right` are the classes of every bag: one, several or none. With `ratios`, what speaks for or against a class
        by its counts is dearer to it (Wang and Manning 2012, NBSVM).
        """
        classes = sorted({name for names in right for name in names})
        hashes = np.array(sorted({hash_text(name) for bag in bags for name in bag}), np.uint32)
        model = cls(classes, hashes, np.zeros((len(hashes), len(classes)), np.float32))
        if not classes or not len(hashes):
            return model
        sides = np.array([[1.0 if name in names else -1.0 for name in classes] for names in right])
        starts, columns, values = model._encoded(bags)
        rows = np.repeat(np.arange(len(bags)), np.diff(starts))
        scale: Matrix | float = _ratios(sides[rows], columns, np.abs(values), len(hashes)) if ratios else 1.0

        def gradient(weights: Matrix) -> tuple[float, Matrix]:
            short = np.maximum(0, 1 - sides * _sums(values[:, None] * (scale * weights)[columns], starts))
            back = -2 * cost * (short * sides)[rows] * values[:, None]
            slopes = [np.bincount(columns, each, len(hashes)) for each in back.T]
            loss = cost * float((short**2).sum()) + float((weights**2).sum()) / 2
            return loss, scale * np.stack(slopes, axis=1) + weights

        free = minimize(gradient, np.zeros((len(hashes), len(classes))), iterations)
        found = (scale * free).astype(np.float32)
        require_finite(found)
        return cls(classes, hashes, found)

    def scores(self, bags: Sequence[Bag]) -> Matrix:
        """A row per bag, a column per class: above 0 speaks for it."""
        starts, columns, values = self._encoded(bags)
        return _sums(values[:, None] * self._weights[columns], starts)

    def best(self, bag: Bag) -> str:
        """The class with the highest score; empty if there is none."""
        return self.classes[int(self.scores([bag])[0].argmax())] if self.classes else ""

    def pack(self) -> Tensors:
        return {"hashes": self._hashes, "weights": self._weights.ravel()}

    @classmethod
    def unpack(cls, classes: Sequence[str], tensors: Tensors) -> LinearSVM:
        hashes = vector(tensors["hashes"], np.uint32, "hashes")
        weights = vector(tensors["weights"], np.float32, "weights")
        if len(weights) != len(hashes) * len(classes):
            raise ValueError("the weights of a classifier do not fit")
        return cls(classes, hashes, weights.reshape(len(hashes), len(classes)))

    def _encoded(self, bags: Sequence[Bag]) -> tuple[NDArray[np.int64], NDArray[np.int64], Matrix]:
        """Where every bag begins; rows of weights; values. Features that were never seen are left out."""
        starts, columns, values = [0], [], []
        for bag in bags:
            for name, value in bag.items():
                row = self._rows.get(hash_text(name))
                if row is not None:
                    columns.append(row)
                    values.append(value)
            starts.append(len(columns))
        return np.array(starts), np.array(columns, np.int64), np.array(values, np.float64)


def _sums(entries: Matrix, starts: NDArray[np.int64]) -> Matrix:
    """Entries added up from each start to the next."""
    totals = np.vstack([np.zeros((1, entries.shape[1])), np.cumsum(entries, axis=0)])
    found: Matrix = totals[starts[1:]] - totals[starts[:-1]]
    return found


def _ratios(sides: Matrix, columns: NDArray[np.int64], values: Matrix, size: int) -> Matrix:
    """Half of one, and half of the logarithm of how much more often a feature is on one side of a class."""
    found = []
    for side in sides.T:
        inside, outside = (1 + np.bincount(columns, values * (side == sign), size) for sign in (1, -1))
        found.append(0.5 + 0.5 * np.abs(np.log(inside / inside.sum()) - np.log(outside / outside.sum())))
    return np.stack(found, axis=1)


def minimize(gradient: Gradient, start: Matrix, iterations: int, tolerance: float = 1e-4) -> Matrix:
    """L-BFGS with a step that is halved until the loss falls enough; it ends when the slope is nearly flat."""
    point = start
    loss, slope = gradient(point)
    flat = tolerance * max(1.0, float(np.linalg.norm(slope)))
    moves: list[tuple[Matrix, Matrix, float]] = []
    for _ in range(iterations):
        if float(np.linalg.norm(slope)) <= flat:
            break
        direction = _direction(slope, moves)
        fall = float((direction * slope).sum())
        step = 1.0 if moves else 1.0 / float(np.linalg.norm(slope))
        while True:
            there = point + step * direction
            new_loss, new_slope = gradient(there)
            if new_loss <= loss + 1e-4 * step * fall or step < 1e-10:
                break
            step /= 2
        move, change = there - point, new_slope - slope
        bend = float((move * change).sum())
        if bend > 1e-12:
            moves = [*moves, (move, change, bend)][-_MEMORY:]
        point, loss, slope = there, new_loss, new_slope
    return point


def _direction(slope: Matrix, moves: Sequence[tuple[Matrix, Matrix, float]]) -> Matrix:
    found = -slope
    shares = []
    for move, change, bend in reversed(moves):
        share = float((move * found).sum()) / bend
        shares.append(share)
        found = found - share * change
    if moves:
        _, change, bend = moves[-1]
        found = found * (bend / float((change * change).sum()))
    for (move, change, bend), share in zip(moves, reversed(shares), strict=True):
        found = found + (share - float((change * found).sum()) / bend) * move
    return found
