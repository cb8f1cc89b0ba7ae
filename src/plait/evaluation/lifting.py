"""Scores of lifted arcs, as Bohnet et al. (2012), section 5, have them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LiftingScores:
    """An arc that must be lifted and hangs from the right word counts; one that is lifted in vain, or to a wrong word,
    is an error of precision, one that is not lifted, of recall. `perfect`: sentences with all decisions right.
    """

    right: int
    wrong: int
    missed: int
    sentences: int
    perfect_sentences: int

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 0.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 0.0

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @property
    def perfect(self) -> float:
        return self.perfect_sentences / self.sentences if self.sentences else 0.0


def score_lifting(
    trees: Iterable[Sequence[int]], gold: Iterable[Sequence[int]], system: Iterable[Sequence[int]]
) -> LiftingScores:
    """The heads of trees, as they must be lifted, and as they were."""
    right = wrong = missed = sentences = perfect = 0
    for heads, wanted, found in zip(trees, gold, system, strict=True):
        sentences += 1
        perfect += list(wanted) == list(found)
        for head, target, lifted in zip(heads, wanted, found, strict=True):
            if lifted != head:
                right += lifted == target
                wrong += lifted != target
            elif target != head:
                missed += 1
    return LiftingScores(right, wrong, missed, sentences, perfect)
