"""Parsing around what is already known: some heads and labels are given and stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plait.learning.arcs import Indices, Labels
from plait.sentence import EMPTY, Sentence
from plait.trees import find_fault


@dataclass(frozen=True, slots=True)
class GivenArcs:
    """Heads and labels of all words of a batch, -1 where nothing is given."""

    heads: Indices
    labels: Indices

    @classmethod
    def of(cls, sentences: Sequence[Sentence], inventory: Labels) -> GivenArcs:
        number = {name: i for i, name in enumerate(inventory.names)}
        heads, labels = [], []
        for sentence in sentences:
            for head, label in zip(sentence.heads, sentence.deprels, strict=True):
                heads.append(-1 if head is None else head)
                labels.append(-1 if head is None or label == EMPTY else number.get(label, -1))
        return cls(np.array(heads, np.int32), np.array(labels, np.int32))


def mend(
    heads: list[int], labels: list[str], sentence: Sentence, inventory: Labels, single_root: bool
) -> tuple[list[int], list[str]]:
    """The parser's tree with every given arc in it.

    Search prefers given arcs but can be led into a dead end, and a projective system cannot build crossing
    ones. Then words that are not given move: those on a cycle, and roots too many, go under the first root.
    """
    tree, names = list(heads), list(labels)
    free = [head is None for head in sentence.heads]
    for i, head in enumerate(sentence.heads):
        if head is not None:
            tree[i] = head
    root = _root(tree, free)
    tree[root - 1] = 0
    while (fault := find_fault(tree)) is not None:
        word = fault[0]
        while not free[word - 1]:
            word = tree[word - 1]
        tree[word - 1] = root
    if single_root:
        for i, head in enumerate(tree):
            if head == 0 and i + 1 != root and free[i]:
                tree[i] = root
    for i, head in enumerate(tree):
        if (head == 0) != (heads[i] == 0):  # a label of the root belongs to the root
            names[i] = inventory.word_name if head else inventory.root_name
        if sentence.heads[i] is not None and sentence.deprels[i] != EMPTY:
            names[i] = sentence.deprels[i]
    return tree, names


def _root(tree: list[int], free: list[bool]) -> int:
    """The word to hang others from: a given root, one the parser chose, or the first word that may be one."""
    roots = [word for word, head in enumerate(tree, 1) if head == 0]
    given = [word for word in roots if not free[word - 1]]
    return (given or roots or [free.index(True) + 1])[0]
