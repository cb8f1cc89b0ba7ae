"""How a lemmatizer is trained: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypedDict

from plait.options import Options


class Settings(TypedDict, total=False):
    """The options by name; their meaning and defaults: `LemmatizerOptions`."""

    epochs: int
    patience: int
    seed: int
    bits: int
    step: float
    mistagged: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LemmatizerOptions(Options):
    """`mistagged` is the share of words that are learned with wrong or missing tags too: taggers err, and a known
    word should then keep its lemma. `step` is the longest step of the learner.
    """

    table: ClassVar[str] = "lemmatizer"

    epochs: int = 6
    patience: int = 3
    seed: int = 1
    bits: int = 20
    step: float = 0.01
    mistagged: float = 0.1

    def __post_init__(self) -> None:
        self._range("epochs", 1, 10_000)
        self._range("patience", 1, 10_000)
        self._range("seed", 0, 2**31 - 1)
        self._range("bits", 10, 30)
        self._range("step", 0.000001, 1000)
        self._range("mistagged", 0, 1)
