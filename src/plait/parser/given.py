"""Parsing around what is already known: some heads and labels are given and stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plait.errors import FormatError, InputError, Problem
from plait.parser.data import Indices, Labels
from plait.sentence import EMPTY, Sentence
from plait.trees import find_fault


@dataclass(frozen=True, slots=True)
class GivenArcs:
    """Heads and labels of all words of a batch, -1 where nothing is given."""

    heads: Indices
    labels: Indices

    @classmethod
    def of(cls, sentences: Sequence[Sentence], inventory: Labels, encoding: str = "") -> GivenArcs:
        if encoding:
            raise InputError(
                "Heads cannot be kept by a pseudo-projective parser: its arcs are moved afterwards."
            )
        number = {name: i for i, name in enumerate(inventory.names)}
        heads, labels = [], []
        for sentence in sentences:
            # Words without a head hang from the root for this check: only the given arcs can form a cycle.
            fault = find_fault([head or 0 for head in sentence.heads])
            if fault is not None:
                raise FormatError(
                    Problem(f"the given heads: {fault[1]}", "", sentence.line, sentence.sent_id)
                )
            for head, label in zip(sentence.heads, sentence.deprels, strict=True):
                heads.append(-1 if head is None else head)
                labels.append(-1 if head is None or label == EMPTY else number.get(label, -1))
        return cls(np.array(heads, np.int32), np.array(labels, np.int32))


def mend(
    heads: list[int], labels: list[str], sentence: Sentence, single_root: bool
) -> tuple[list[int], list[str]]:
    """The parser's tree with every given arc in it. Search prefers given arcs but can be led into a dead end;
    then words that are not given move: those on a cycle, and roots too many, go under the first root.
    """
    tree, names = list(heads), list(labels)
    free = [head is None for head in sentence.heads]
    for i, (head, label) in enumerate(zip(sentence.heads, sentence.deprels, strict=True)):
        if head is not None:
            tree[i] = head
            if label != EMPTY:
                names[i] = label
    root = _root(tree, free)
    while (fault := find_fault(tree)) is not None:
        word = fault[0]
        while not free[word - 1]:
            word = tree[word - 1]
        tree[word - 1] = 0 if word == root else root
    if single_root:
        for i, head in enumerate(tree):
            if head == 0 and i + 1 != root and free[i]:
                tree[i] = root
    return tree, names


def _root(tree: list[int], free: list[bool]) -> int:
    """The word to hang others from: a given root, one the parser chose, or the first word that may be one."""
    roots = [word for word, head in enumerate(tree, 1) if head == 0]
    for word in roots:
        if not free[word - 1]:
            return word
    if roots:
        return roots[0]
    word = next(word for word, is_free in enumerate(free, 1) if is_free)
    tree[word - 1] = 0
    return word
