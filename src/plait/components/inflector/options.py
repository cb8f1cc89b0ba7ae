"""How forms are learned: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass

from plait.learning.options import LearningOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class InflectorOptions(LearningOptions):
    """`step` is the longest step of the learner; scripts that fewer than `least` lemmas with a tag share are not
    learned. A `lexicon` is a file of full forms, or several with commas between their names: it knows forms that the
    treebank does not have, and its endings decide how unknown lemmas are inflected.
    """

    epochs: int = 5
    bits: int = 21
    step: float = 0.02
    least: int = 2
    lexicon: str = ""

    def __post_init__(self) -> None:
        LearningOptions.__post_init__(self)
        self._range("bits", 10, 28)
        self._range("step", 0.000001, 1000)
        self._range("least", 1, 1000)
