"""All trees over a few words, and the score of one by the definition: what the charts are held against."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.trees import find_fault, is_projective


def all_trees(words: int, *, single_root: bool) -> Iterator[tuple[int, ...]]:
    """Every projective tree as its heads."""
    for heads in product(range(words + 1), repeat=words):
        if find_fault(list(heads)) is not None or (single_root and heads.count(0) != 1):
            continue
        if is_projective(list(heads)):
            yield heads


@dataclass(frozen=True)
class DenseScores:
    """Scores by head, dependent, other word (0: none; not in `first`) and label; and which labels may be used."""

    first: NDArray[np.float32]
    sibling: NDArray[np.float32]
    inner: NDArray[np.float32]
    outer: NDArray[np.float32]
    allowed: NDArray[np.uint8]

    @classmethod
    def random(cls, words: int, labels: int, seed: int) -> DenseScores:
        chance = np.random.default_rng(seed)
        two = (words + 1, words + 1, labels)
        three = (words + 1, *two)
        first, *others = (chance.normal(size=size).astype(np.float32) for size in (two, three, three, three))
        return cls(first, *others, np.ones(two, np.uint8))

    @property
    def words(self) -> int:
        return len(self.first) - 1

    @property
    def labels(self) -> int:
        return int(self.first.shape[-1])

    def arc(self, heads: tuple[int, ...], word: int) -> NDArray[np.float64]:
        """The scores of the arc to a word by label, with the words around it; Bohnet (2010), section 3."""
        head = heads[word - 1]
        children = [
            [other for other, above in enumerate(heads, 1) if above == node] for node in range(len(heads) + 1)
        ]
        low, high = min(head, word), max(head, word)
        siblings = [child for child in children[head] if low < child < high]
        inner = [child for child in children[word] if low < child < high]
        outer = [child for child in children[word] if (child > word if word > head else child < word)]
        sibling = min(siblings, key=lambda child: abs(child - word), default=0)
        inmost = max(inner, key=lambda child: abs(child - word), default=0)
        outmost = max(outer, key=lambda child: abs(child - word), default=0)
        total = self.first[head, word].astype(np.float64)
        total = total + self.sibling[head, word, sibling] + self.inner[head, word, inmost]
        total = total + self.outer[head, word, outmost]
        return np.where(self.allowed[head, word] > 0, total, -np.inf)

    def best(self, heads: tuple[int, ...]) -> float:
        """With the best labels: they do not see each other."""
        return sum(float(self.arc(heads, word).max()) for word in range(1, len(heads) + 1))

    def of(self, heads: tuple[int, ...], labels: tuple[int, ...]) -> float:
        return sum(float(self.arc(heads, word)[label]) for word, label in enumerate(labels, 1))

    def search(
        self, *, single_root: bool, threshold: float = float("inf"), first_order: bool = False
    ) -> tuple[tuple[int, ...], tuple[int, ...], float, int]:
        """What the core finds: heads, labels, score, and moves of the rearrangement."""
        arrays = (self.first, self.sibling, self.inner, self.outer, self.allowed)
        heads, labels, score, moves = _core.search_trees(
            self.words, *(array.ravel() for array in arrays), single_root, threshold, first_order
        )
        return tuple(heads.tolist()), tuple(labels.tolist()), score, moves
