"""How a tokenizer is trained: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass

from plait.learning.options import LearningOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenizerOptions(LearningOptions):
    """`longest` is the number of tokens after which a sentence is ended at the most likely place; `step` is the
    longest step of the passive-aggressive learner; the table of weights has 2 to the power of `bits` cells. So many
    `tables` learn in different orders, and their mean is taken: which one is the best on a dev set is mostly chance.
    """

    patience: int = 10  # late epochs are often the best
    bits: int = 20
    tables: int = 4
    step: float = 0.02
    longest: int = 1000

    def __post_init__(self) -> None:
        LearningOptions.__post_init__(self)
        self._range("bits", 10, 30)
        self._range("tables", 1, 64)
        self._range("step", 0, 1000)
        self._range("longest", 1, 1_000_000)
