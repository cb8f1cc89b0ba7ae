"""How a net makes trees of its scores: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass

from plait.learning.options import Options


@dataclass(frozen=True, slots=True, kw_only=True)
class NeuralOptions(Options):
    """An arc that crosses others must be better by `crossing_price` (a difference of logarithms) than what else there
    is: without a price a spanning tree crosses too freely.
    """

    crossing_price: float = 1.5

    def __post_init__(self) -> None:
        self._range("crossing_price", 0, 1000)
