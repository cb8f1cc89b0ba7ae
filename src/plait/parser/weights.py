"""Learned weights made small: steps of one 127th, and a list of those that matter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import _core

_CLIPS = (1.0, 0.8, 0.65, 0.5, 0.4, 0.3)
_SAMPLE = 1 << 20


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
        """int8. The few largest weights are cut off where that makes the sum of squared errors smallest."""
        largest = float(np.abs(table).max())
        if largest == 0:
            return cls(np.zeros(table.shape, np.int8), 1.0)
        filled = table[table != 0]
        sample = filled[:: max(1, filled.size // _SAMPLE)]
        steps = [clip * largest / 127 for clip in _CLIPS]
        step = min(
            steps, key=lambda size: float(((_round(sample, size) * np.float32(size) - sample) ** 2).sum())
        )
        return cls(_round(table, step), step)

    def pruned(self, least: int) -> PackedWeights:
        """Without the weights of fewer steps than `least`."""
        return PackedWeights(
            np.where(np.abs(self.table) < least, np.int8(0), self.table).astype(np.int8), self.step
        )

    def to_core(self, bits: int, width: int) -> _core.Weights | _core.CompactWeights:
        if self.step:
            return _core.CompactWeights(bits, width, self.step, self.table)
        return _core.Weights(bits, width, self.table)

    def tensors(self) -> dict[str, NDArray[np.generic]]:
        """What to write: the table, or, if most of it is empty, which cells are filled and with what."""
        if self.step and np.count_nonzero(self.table) < self.table.size // 2:
            return {"filled": np.packbits(self.table != 0), "weights": self.table[self.table != 0]}
        return {"weights": self.table}

    @classmethod
    def from_tensors(cls, tensors: dict[str, NDArray[np.generic]], cells: int, step: float) -> PackedWeights:
        """The table that was written; ValueError if the pieces do not fit together."""
        weights = tensors["weights"]
        wanted = np.int8 if step else np.float32
        if weights.dtype != wanted or weights.ndim != 1:
            raise ValueError("the weights have another type")
        if "filled" in tensors:
            filled = np.unpackbits(tensors["filled"].astype(np.uint8, casting="safe"))[:cells].astype(bool)
            table = np.zeros(cells, wanted)
            if filled.size != cells or int(filled.sum()) != weights.size:
                raise ValueError("the weights do not fit the table")
            table[filled] = weights
            return cls(table, step)
        if weights.size != cells:
            raise ValueError("the weights do not fit the table")
        return cls(weights, step)


def _round(table: NDArray[np.float32], step: float) -> NDArray[np.int8]:
    return np.clip(np.rint(table / np.float32(step)), -127, 127).astype(np.int8)
