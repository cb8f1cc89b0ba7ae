"""How n-grams are counted: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass

from plait.components.ngrams.counting import MOST
from plait.learning.options import LearningOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramOptions(LearningOptions):
    """N-grams of up to `order` words. `raw` is a file with more text: a treebank, or words between spaces, a sentence
    per line, as `plait tokenize --to horizontal` writes it. Words seen `fewest_words` times are known, n-grams of three
    and more words kept if they were seen `fewest` times; 0 means 1, and with raw text 2.

    A realizer adds `weight` times the logarithm of the probability to the score of an order, and looks at so many
    `candidates`.
    """

    epochs: int = 1
    order: int = 5
    raw: str = ""
    fewest_words: int = 0
    fewest: int = 0
    weight: float = 0.1
    candidates: int = 20

    def __post_init__(self) -> None:
        LearningOptions.__post_init__(self)
        self._range("order", 1, MOST)
        self._range("fewest_words", 0, 1_000_000)
        self._range("fewest", 0, 1_000_000)
        self._range("weight", 0, 1000)
        self._range("candidates", 1, 4096)
