"""The swap head of a net as it is used: its arrays, and derivations in words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.components.neural.kernel import chosen_kernel
from plait.transitions.frontier import SLOTS as PLACES

PREFIX = "swap."  # of the names of its arrays
SLOTS = len(PLACES)
FEATURES = _core.SWAP_FEATURES
LABELS = ("_",)  # real ones are chosen by the net when the tree is there
KINDS = 4
_STEPS = 127


class SwapHead:
    """ValueError if the arrays do not fit together."""

    def __init__(self, tensors: dict[str, NDArray[Any]]) -> None:
        self.tensors = tensors
        self.core = _core.SwapHead(tensors, chosen_kernel())


def tensors_of(
    slots: NDArray[np.float32],
    arcs: NDArray[np.float32],
    outside: NDArray[np.float32],
    bias: NDArray[np.float32],
    out: NDArray[np.float32],
    out_bias: NDArray[np.float32],
) -> dict[str, NDArray[Any]]:
    """As the core wants them; the large matrix, slots × width × hidden, in 8 bits by row of the hidden units."""
    rows = np.ascontiguousarray(slots.transpose(0, 2, 1)).reshape(-1, slots.shape[1])
    scales = np.maximum(np.abs(rows).max(1), np.float32(1e-12)) / np.float32(_STEPS)
    found: dict[str, NDArray[Any]] = {
        "slots": np.rint(rows / scales[:, None]).astype(np.int8),
        "slots.scale": scales.astype(np.float32),
        "arcs": arcs,
        "outside": outside,
        "b": bias,
        "out_w": out,
        "out_b": out_bias,
    }
    return {PREFIX + name: np.ascontiguousarray(array) for name, array in found.items()}
