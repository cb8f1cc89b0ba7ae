"""How a tagger is built and trained: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass

from plait.learning.options import LearningOptions
from plait.learning.weights import PRECISIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggerOptions(LearningOptions):
    """`features` is a list that comes with plait, or a file of templates. `step` is the longest step of the
    learner, `dropout` the share of a word's features it is learned without. A word seen at least `frequent`
    times has no other tags than it had there; another one may have, besides, any tag that at least `open_words`
    different words had. A `lexicon` is a file of possible tags of words (see `plait.features.readings`).
    """

    features: str = "default"
    bits: int = 22
    precision: str = "int8"
    hash_seed: int = 1
    step: float = 0.02
    dropout: float = 0.1
    frequent: int = 100
    open_words: int = 2
    lexicon: str = ""

    def __post_init__(self) -> None:
        LearningOptions.__post_init__(self)
        self._choose("precision", PRECISIONS)
        self._range("hash_seed", 0, 2**31 - 1)
        self._range("bits", 10, 30)
        self._range("step", 1e-6, 1000)
        self._range("dropout", 0, 0.9)
        self._range("frequent", 1, 2**31 - 1)
        self._range("open_words", 1, 2**31 - 1)
