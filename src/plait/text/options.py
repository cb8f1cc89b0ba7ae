"""How a tokenizer is trained: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypedDict

from plait.options import Options


class Settings(TypedDict, total=False):
    """The options by name, for what takes them as keywords; their meaning and defaults: `TokenizerOptions`."""

    epochs: int
    seed: int
    bits: int
    step: float
    longest: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenizerOptions(Options):
    """`longest` is the number of tokens after which a sentence is ended at the most likely place; `step` is the
    longest step of the passive-aggressive learner; the table of weights has 2 to the power of `bits` cells.
    """

    table: ClassVar[str] = "tokenizer"

    epochs: int = 10
    seed: int = 1
    bits: int = 20
    step: float = 0.02
    longest: int = 1000

    def __post_init__(self) -> None:
        self._range("epochs", 1, 10_000)
        self._range("seed", 0, 2**31 - 1)
        self._range("bits", 10, 30)
        self._range("step", 0, 1000)
        self._range("longest", 1, 1_000_000)
