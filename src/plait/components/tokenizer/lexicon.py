"""Which words are usually capitalized: what tells the first word of a sentence from a name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import _core

_FOLDS = 10
_TOGETHER = 5  # lessons in a row that are in one fold, because they repeat their words


@dataclass(frozen=True, slots=True, eq=False)
class WordKinds:
    """A small number for every word, by the hash of its lower-case form."""

    hashes: NDArray[np.uint32]
    kinds: NDArray[np.uint8]

    def to_core(self) -> _core.Lexicon:
        return _core.Lexicon(self.hashes, self.kinds)


def learn_kinds(trainer: _core.TokenizerTrainer) -> tuple[WordKinds, list[WordKinds], NDArray[np.int64]]:
    """The kinds of all words; then, for training, kinds that leave out one fold each, and the folds of the
    lessons: none may learn from kinds that it has itself decided, or unknown words would have none.
    """
    hashes, cases, lessons = trainer.words()
    words, numbers = np.unique(hashes, return_inverse=True)
    folds = np.arange(len(trainer), dtype=np.int64) // _TOGETHER % _FOLDS
    counts = np.zeros((_FOLDS, 3, len(words)), np.int64)
    np.add.at(counts, (folds[lessons], cases, numbers), 1)
    total = counts.sum(0)
    return _kinds(words, total), [_kinds(words, total - fold) for fold in counts], folds


def _kinds(words: NDArray[np.uint32], counts: NDArray[np.int64]) -> WordKinds:
    """From how often a word is in lower case, capitalized, and capitalized as the first of a sentence."""
    lower, capitalized, first = counts
    inner = lower + capitalized
    share = capitalized / np.maximum(inner, 1)
    case = np.select([inner == 0, share == 0, share < 0.2, share < 0.8, share < 1], [0, 1, 2, 3, 4], 5)
    frequency = np.select([inner <= 1, inner < 5], [0, 1], 2)
    place = np.select([first == 0, first < capitalized], [0, 1], 2)
    seen = counts.sum(0) > 0
    return WordKinds(words[seen], (1 + (case * 3 + frequency) * 3 + place)[seen].astype(np.uint8))
