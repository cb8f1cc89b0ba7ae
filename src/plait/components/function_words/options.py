"""How function words are learned: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass

from plait.errors import InputError
from plait.learning.options import LearningOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionWordsOptions(LearningOptions):
    """`features` are templates by name or path. What was seen fewer than `fewest` times is never said. `step` is the
    longest step of the learner.
    """

    epochs: int = 10
    features: str = "default"
    fewest: int = 2
    bits: int = 20
    step: float = 0.05

    def __post_init__(self) -> None:
        LearningOptions.__post_init__(self)
        self._range("fewest", 1, 1000)
        self._range("bits", 10, 28)
        self._range("step", 0.000001, 1000)
        if not self.features:
            raise InputError("features must be the name of a list or of a file.")
