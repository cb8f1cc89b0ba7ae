"""What is a tree, and how far it is from projective.

A tree is a list of heads: `heads[i]` is the head of word `i + 1`, and 0 is the artificial root. The measures
run in the native core over a batch, `TreeBatch`; the functions below them take one tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.errors import NotATreeError
from plait.sentence import Sentence

Integers = NDArray[np.int32]


class TreeBatch:
    """A batch of trees as flat arrays. Words of all trees stand one after the other in what is per word."""

    def __init__(self, trees: Iterable[Sequence[int]]) -> None:
        """Check every tree; raise `NotATreeError` with its place in the batch for the first that is none."""
        batch = list(trees)
        self.offsets = np.zeros(len(batch) + 1, dtype=np.int64)
        np.cumsum([len(heads) for heads in batch], out=self.offsets[1:])
        self.heads: Integers = np.fromiter(
            (head for heads in batch for head in heads), dtype=np.int32, count=int(self.offsets[-1])
        )
        faults = _core.first_faults(self.heads, self.offsets)
        if faults.any():
            index = int(np.flatnonzero(faults)[0])
            raise NotATreeError(f"tree {index}: {_explain(batch[index], int(faults[index]))}")

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def edge_degrees(self) -> Integers:
        """Per word: in how many pieces, not dominated by its head, the words up to its head hang together.

        Kuhlmann and Nivre (2006), section 3.3. The arc is projective exactly if this is 0.
        """
        return _core.edge_degrees(self.heads, self.offsets)

    @cached_property
    def gap_degrees(self) -> Integers:
        """Per word: the number of gaps in what it dominates (Kuhlmann and Nivre 2006, section 3.2)."""
        return _core.gap_degrees(self.heads, self.offsets)

    @cached_property
    def projective_orders(self) -> Integers:
        """Per word: its place, from 1, in the projective order (Nivre 2009, section 3.2)."""
        return _core.projective_orders(self.heads, self.offsets)

    @cached_property
    def projective_components(self) -> Integers:
        """Per word: the top of its maximal projective component (Nivre et al. 2009, section 3.2)."""
        return _core.projective_components(self.heads, self.offsets)

    @cached_property
    def crossing_pairs(self) -> NDArray[np.int64]:
        """Per tree: the number of pairs of arcs that cross, with the root at place 0."""
        return _core.crossing_pairs(self.heads, self.offsets)

    @cached_property
    def well_nested(self) -> NDArray[np.bool_]:
        """Per tree: no two disjoint subtrees interleave (Kuhlmann and Nivre 2006, section 3.4)."""
        return _core.well_nested(self.heads, self.offsets).astype(np.bool_)

    @cached_property
    def projective(self) -> NDArray[np.bool_]:
        """Per tree: every arc is projective."""
        flat: NDArray[np.bool_] = self.highest(self.edge_degrees) == 0
        return flat

    def highest(self, per_word: Integers) -> Integers:
        """Per tree: the largest of its words' numbers; 0 for a tree without words."""
        result = np.zeros(len(self), dtype=np.int32)
        filled = self.offsets[1:] > self.offsets[:-1]
        if filled.any():
            result[filled] = np.maximum.reduceat(per_word, self.offsets[:-1][filled])
        return result


def find_fault(heads: Sequence[int]) -> tuple[int, str] | None:
    """The word that keeps the heads from being a tree, and why; None if they are one."""
    offsets = np.array([0, len(heads)], dtype=np.int64)
    # A head of any size must give a message, not an overflow.
    clipped = np.array([head if 0 <= head <= len(heads) else -1 for head in heads], dtype=np.int32)
    word = int(_core.first_faults(clipped, offsets)[0])
    return (word, _explain(heads, word)) if word else None


def _explain(heads: Sequence[int], word: int) -> str:
    if not 0 <= heads[word - 1] <= len(heads):
        return f"word {word} has head {heads[word - 1]} but the sentence has {len(heads)} words."
    cycle = [word]
    while heads[cycle[-1] - 1] != word:
        cycle.append(heads[cycle[-1] - 1])
    if len(cycle) == 1:
        return f"word {word} is its own head."
    path = " → ".join(map(str, [*cycle[:8], *(["…"] if len(cycle) > 8 else []), word]))
    return f"the heads form a cycle: {path}."


def tree_of(sentence: Sentence) -> list[int]:
    """The heads of a sentence, checked; the error says what is wrong and with which word."""
    heads = sentence.tree()
    if (fault := find_fault(heads)) is not None:
        raise NotATreeError(fault[1])
    return heads


def is_projective(heads: Sequence[int]) -> bool:
    return bool(TreeBatch([heads]).projective[0])


def nonprojective_arcs(heads: Sequence[int]) -> list[tuple[int, int]]:
    """The arcs (head, dependent) with a word between them that the head does not dominate."""
    degrees = TreeBatch([heads]).edge_degrees
    return [(heads[i], i + 1) for i in np.flatnonzero(degrees).tolist()]


def projective_order(heads: Sequence[int]) -> list[int]:
    """The words in projective order."""
    return [int(i) + 1 for i in np.argsort(TreeBatch([heads]).projective_orders)]


def projective_components(heads: Sequence[int]) -> list[int]:
    """For every word the top of its maximal projective component, 0 if that hangs from the root."""
    return [int(top) for top in TreeBatch([heads]).projective_components]


def crossing_pairs(heads: Sequence[int]) -> int:
    return int(TreeBatch([heads]).crossing_pairs[0])


def gap_degree(heads: Sequence[int]) -> int:
    """The largest number of gaps in what a word dominates."""
    trees = TreeBatch([heads])
    return int(trees.highest(trees.gap_degrees)[0])


def edge_degree(heads: Sequence[int]) -> int:
    """The largest edge degree of the arcs; 0 exactly for projective trees."""
    trees = TreeBatch([heads])
    return int(trees.highest(trees.edge_degrees)[0])


def is_well_nested(heads: Sequence[int]) -> bool:
    return bool(TreeBatch([heads]).well_nested[0])
