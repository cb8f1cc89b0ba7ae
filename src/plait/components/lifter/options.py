"""How lifting is learned and done: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass

from plait.errors import InputError
from plait.learning.options import LearningOptions

SEARCHES = ("greedy", "beam", "bi-beam", "oracle", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class LifterOptions(LearningOptions):
    """`search` is greedy, by a `beam`, or by two beams that visit words of the same depth in opposite orders; for
    comparison there are `oracle`, which lifts by the order that the words have, and `none`. `step` is that of the
    learner.
    """

    epochs: int = 12
    features: str = "default"
    search: str = "greedy"
    beam: int = 20
    bits: int = 20
    step: float = 0.02

    def __post_init__(self) -> None:
        LearningOptions.__post_init__(self)
        self._choose("search", SEARCHES)
        self._range("beam", 1, 4096)
        self._range("bits", 10, 28)
        self._range("step", 0.000001, 1000)
        if not self.features:
            raise InputError("features must be the name of a list or of a file.")
