"""Addresses: places of a state by name, such as `S0`, `B1` or `S0.left1`, and as the core numbers them.

`S0` is the top of the stack, `B0` the front of the buffer; `left1` and `left2` are the outermost and the next left
dependent built so far, `right1` and `right2` likewise, `head` is the head. The template language says more
(`plait.features.templates`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BASES = {
    **{f"S{depth}": (0, depth) for depth in range(10)},
    **{f"B{depth}": (1, depth) for depth in range(10)},
    "GP": (7, 0),
    "GG": (7, 1),
    "C": (8, 0),
}
_RELATIVES = {"left1": 2, "left2": 3, "right1": 4, "right2": 5, "head": 6, "guide": 9}


class Addresses:
    """A growing list of addresses, each behind the one it is relative to."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._rows: list[tuple[int, int]] = []

    def number(self, name: str) -> int:
        """The place of an address in the list, where it is put if need be; KeyError if there is none of this name."""
        if name not in self._numbers:
            base, _, relative = name.rpartition(".")
            row = (_RELATIVES[relative], self.number(base)) if base else _BASES[name]
            self._numbers[name] = len(self._rows)
            self._rows.append(row)
        return self._numbers[name]

    def array(self) -> NDArray[np.int32]:
        """Places and their arguments."""
        return np.array(self._rows, np.int32).reshape(-1, 2)
