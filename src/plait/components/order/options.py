"""How orders are learned: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass

from plait.errors import InputError
from plait.learning.options import LearningOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderOptions(LearningOptions):
    """`features` are templates by name or path. `beam` is how many partial orders of a domain are kept, `step` the
    longest step of the learner, and `mix` how many tables are learned side by side, whose mean is kept.
    """

    epochs: int = 8
    features: str = "default"
    beam: int = 20
    bits: int = 22
    step: float = 0.1
    mix: int = 2

    def __post_init__(self) -> None:
        LearningOptions.__post_init__(self)
        self._range("beam", 1, 4096)
        self._range("bits", 10, 28)
        self._range("step", 0.000001, 1000)
        self._range("mix", 1, 64)
        if not self.features:
            raise InputError("features must be the name of a list or of a file.")
