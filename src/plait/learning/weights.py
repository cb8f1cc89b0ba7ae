"""Learned weights made small: steps of one 127th, and a list of those that matter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.checks import vector
from plait.errors import InputError

_CLIP = 0.8  # of the largest weight; on English dev this cost 0.1 LAS, 0.4 cost 0.3
_LARGEST = 1e9
PRECISIONS = ("int8", "float32")


@dataclass(frozen=True, slots=True)
class PackedWeights:
    """A table of weights as a model keeps it: float32, or int8 in steps of a `unit`."""

    table: NDArray[np.float32] | NDArray[np.int8]
    unit: float = 0.0

    @classmethod
    def of(cls, table: NDArray[np.float32], precision: str) -> PackedWeights:
        return cls.exact(table) if precision == "float32" else cls.rounded(table)

    @classmethod
    def exact(cls, table: NDArray[np.float32]) -> PackedWeights:
        require_finite(table)
        return cls(table)

    @classmethod
    def rounded(cls, table: NDArray[np.float32]) -> PackedWeights:
        """int8. The few weights beyond the largest step are cut off: they are the most used ones, so fewer are
        than would make the squared error smallest.
        """
        require_finite(table)
        unit = _CLIP * float(np.abs(table).max()) / 127
        return cls(_round(table, unit), unit) if unit else cls(np.zeros(table.shape, np.int8), 1.0)

    def pruned(self, least: int) -> PackedWeights:
        """Without the weights of fewer steps than `least`."""
        return PackedWeights(
            np.where(np.abs(self.table) < least, np.int8(0), self.table).astype(np.int8), self.unit
        )

    def to_core(self, bits: int, width: int) -> _core.Weights | _core.CompactWeights:
        if self.unit:
            return _core.CompactWeights(bits, width, self.unit, self.table.astype(np.int8, copy=False))
        return _core.Weights(bits, width, self.table.astype(np.float32, copy=False))

    def tensors(self) -> dict[str, NDArray[np.generic]]:
        """What to write: the table, or, if most of it is empty, which cells are filled and with what."""
        if self.unit and np.count_nonzero(self.table) < self.table.size // 2:
            return {"filled": np.packbits(self.table != 0), "weights": self.table[self.table != 0]}
        return {"weights": self.table}

    @classmethod
    def from_tensors(cls, tensors: dict[str, NDArray[np.generic]], cells: int, unit: float) -> PackedWeights:
        """The table that was written; ValueError if the pieces do not fit together."""
        if not 0 <= unit < _LARGEST:  # true for NaN too
            raise ValueError("the unit is not a number, or too large")
        if unit:
            return cls(
                _spread(vector(tensors["weights"], np.int8, "weights"), tensors.get("filled"), cells), unit
            )
        weights = vector(tensors["weights"], np.float32, "weights")
        if weights.size != cells or not (np.abs(weights) < _LARGEST).all():  # false for NaN too
            raise ValueError("the weights do not fit the table, or one is not a number")
        return cls(weights)


def require_finite(weights: NDArray[np.float32]) -> None:
    """InputError if a learner has lost itself: such weights are worth nothing, and no model can keep them."""
    if not (np.abs(weights) < _LARGEST).all():  # false for NaN too
        raise InputError("The weights are not finite any more, or too large: a smaller step helps.")


def _spread(weights: NDArray[np.int8], filled: NDArray[np.generic] | None, cells: int) -> NDArray[np.int8]:
    """A table of so many cells, with the weights in those that are marked as filled."""
    table = weights if filled is None else _core.spread(vector(filled, np.uint8, "filled"), weights, cells)
    if table.size != cells:
        raise ValueError("the weights do not fit the table")
    return table


def _round(table: NDArray[np.float32], step: float) -> NDArray[np.int8]:
    steps: NDArray[np.float32] = np.clip(np.rint(table / np.float32(step)), -127, 127)
    return steps.astype(np.int8)
