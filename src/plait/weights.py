"""Learned weights made small: steps of one 127th, and a list of those that matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from plait import _core

_CLIP = 0.8  # of the largest weight; on English dev this cost 0.1 LAS, 0.4 cost 0.3
_LARGEST = 1e9
Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, slots=True)
class PackedWeights:
    """A table of weights as a model keeps it: float32, or int8 with the size of a step."""

    table: NDArray[np.float32] | NDArray[np.int8]
    step: float = 0.0

    @classmethod
    def exact(cls, table: NDArray[np.float32]) -> PackedWeights:
        return cls(table)

    @classmethod
    def rounded(cls, table: NDArray[np.float32]) -> PackedWeights:
        """int8. The few weights beyond the largest step are cut off: they are the most used ones, so fewer are
        than would make the squared error smallest.
        """
        step = _CLIP * float(np.abs(table).max()) / 127
        return cls(_round(table, step), step) if step else cls(np.zeros(table.shape, np.int8), 1.0)

    def pruned(self, least: int) -> PackedWeights:
        """Without the weights of fewer steps than `least`."""
        return PackedWeights(
            np.where(np.abs(self.table) < least, np.int8(0), self.table).astype(np.int8), self.step
        )

    def to_core(self, bits: int, width: int) -> _core.Weights | _core.CompactWeights:
        if self.step:
            return _core.CompactWeights(bits, width, self.step, self.table.astype(np.int8, copy=False))
        return _core.Weights(bits, width, self.table.astype(np.float32, copy=False))

    def tensors(self) -> dict[str, NDArray[np.generic]]:
        """What to write: the table, or, if most of it is empty, which cells are filled and with what."""
        if self.step and np.count_nonzero(self.table) < self.table.size // 2:
            return {"filled": np.packbits(self.table != 0), "weights": self.table[self.table != 0]}
        return {"weights": self.table}

    @classmethod
    def from_tensors(cls, tensors: dict[str, NDArray[np.generic]], cells: int, step: float) -> PackedWeights:
        """The table that was written; ValueError if the pieces do not fit together."""
        if not 0 <= step < _LARGEST:  # true for NaN too
            raise ValueError("the step is not a number, or too large")
        if step:
            return cls(_spread(_flat(tensors["weights"], np.int8), tensors.get("filled"), cells), step)
        weights = _flat(tensors["weights"], np.float32)
        if weights.size != cells or not (np.abs(weights) < _LARGEST).all():  # false for NaN too
            raise ValueError("the weights do not fit the table, or one is not a number")
        return cls(weights)


def _flat(tensor: NDArray[np.generic], kind: type[Number]) -> NDArray[Number]:
    if tensor.dtype != kind or tensor.ndim != 1:
        raise ValueError("the weights have another type")
    return tensor.astype(kind, copy=False)


def _spread(weights: NDArray[np.int8], filled: NDArray[np.generic] | None, cells: int) -> NDArray[np.int8]:
    """A table of so many cells, with the weights in those that are marked as filled."""
    table = weights if filled is None else _core.spread(_flat(filled, np.uint8), weights, cells)
    if table.size != cells:
        raise ValueError("the weights do not fit the table")
    return table


def _round(table: NDArray[np.float32], step: float) -> NDArray[np.int8]:
    steps: NDArray[np.float32] = np.clip(np.rint(table / np.float32(step)), -127, 127)
    return steps.astype(np.int8)
