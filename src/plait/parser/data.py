"""Sentences as the arrays the core learns from and parses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait.errors import FormatError, InputError, NotATreeError, Problem
from plait.features.encoding import Encoder
from plait.lifting import projectivize
from plait.sentence import Sentence
from plait.trees import is_projective, tree_of

Indices = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of a treebank: what arcs they stand on, by number."""

    names: list[str]
    left: list[int]  # on arcs to a word on the left of its head
    right: list[int]
    of_root: list[int]
    of_words: list[int]

    def __len__(self) -> int:
        return len(self.names)


@dataclass(frozen=True, slots=True)
class GoldTrees:
    """Heads and labels of all words of a treebank, and the words themselves."""

    values: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    heads: Indices
    labels: Indices

    def __len__(self) -> int:
        return len(self.offsets) - 1


@dataclass(frozen=True, slots=True)
class Trees:
    """Checked heads and labels of sentences, lifted if asked."""

    heads: list[list[int]]
    labels: list[list[str]]

    @classmethod
    def of(cls, sentences: Sequence[Sentence], path: str, encoding: str = "") -> Trees:
        heads, labels = [], []
        for sentence in sentences:
            try:
                tree = tree_of(sentence)
            except NotATreeError as error:
                raise FormatError(Problem(str(error), path, sentence.line, sentence.sent_id)) from None
            if encoding and not is_projective(tree):
                tree, names = projectivize(tree, sentence.deprels, encoding)
            else:
                names = sentence.deprels
            heads.append(tree)
            labels.append(names)
        if not heads:
            raise InputError(f"{path or 'the treebank'}: there is no sentence to learn from.")
        return cls(heads, labels)

    def inventory(self) -> Labels:
        """The labels, with the places they were seen in. After a swap an arc may run against the order of its
        words, so a label seen on one side only is kept for both where the other side would have none.
        """
        names = sorted({label for labels in self.labels for label in labels})
        number = {name: i for i, name in enumerate(names)}
        seen: dict[str, set[int]] = {"left": set(), "right": set(), "root": set(), "words": set()}
        for heads, labels in zip(self.heads, self.labels, strict=True):
            for word, (head, label) in enumerate(zip(heads, labels, strict=True), 1):
                seen["left" if head > word else "right"].add(number[label])
                seen["words" if head else "root"].add(number[label])
        return Labels(
            names,
            sorted(seen["left"]),
            sorted(seen["right"]),
            sorted(seen["root"]),
            sorted(seen["words"]),
        )

    def has_single_roots(self) -> bool:
        return all(heads.count(0) == 1 for heads in self.heads)

    def encode(self, sentences: Sequence[Sentence], encoder: Encoder, inventory: Labels) -> GoldTrees:
        """Labels that are not in the inventory (they can stand in a dev set) become -1."""
        values, offsets = encoder.encode(sentences)
        number = {name: i for i, name in enumerate(inventory.names)}
        size = int(offsets[-1])
        heads = np.fromiter((head for tree in self.heads for head in tree), np.int32, size)
        labels = np.fromiter((number.get(name, -1) for tree in self.labels for name in tree), np.int32, size)
        return GoldTrees(values, offsets, heads, labels)


def flags(numbers: list[int], size: int) -> NDArray[np.uint8]:
    result = np.zeros(size, np.uint8)
    result[numbers] = 1
    return result
