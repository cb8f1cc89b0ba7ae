"""How a lemmatizer is trained: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass

from plait.learning.options import LearningOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class LemmatizerOptions(LearningOptions):
    """`mistagged` is the share of words that are learned with wrong or missing tags too: taggers err, and a known
    word should then keep its lemma. `step` is the longest step of the learner. A `lexicon` is a file of full forms, or
    several with commas between their names.
    """

    epochs: int = 6
    bits: int = 20
    step: float = 0.01
    mistagged: float = 0.1
    lexicon: str = ""

    def __post_init__(self) -> None:
        LearningOptions.__post_init__(self)
        self._range("bits", 10, 30)
        self._range("step", 0.000001, 1000)
        self._range("mistagged", 0, 1)
