"""Which labels an arc may have, by the UPOS of its head and of its dependent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait.checks import Cell
from plait.learning.arcs import LabelledTrees, Labels
from plait.sentence import Sentence

_ROOT = 0


@dataclass(frozen=True, slots=True)
class SeenLabels:
    """The labels seen in a treebank (Bohnet and Nivre 2012, section 2.2).

    `rows` are direction (1: the head is on the left), classes of head and dependent, and a label by number. Class 0 is
    the root, 1 the first of the `tags`; tags that were never seen are the last class. Where no label was seen between
    two classes in a direction, there may be any.
    """

    tags: list[Cell]
    rows: list[tuple[int, int, int, int]]

    @classmethod
    def of(
        cls, trees: LabelledTrees, labels: Labels, versions: Sequence[Sequence[Sentence]], system: str
    ) -> SeenLabels:
        """From the trees of a treebank and several versions of its sentences, which may differ in their tags."""
        tags = sorted({tag for sentences in versions for sentence in sentences for tag in sentence.upos})
        number = {tag: i for i, tag in enumerate(tags, 1)}
        label_number = {name: i for i, name in enumerate(labels.names)}
        root_is_left = int(system != "eager")
        rows: set[tuple[int, int, int, int]] = set()
        for sentences in versions:
            for sentence, heads, names in zip(sentences, trees.heads, trees.labels, strict=True):
                classes = [_ROOT, *(number[tag] for tag in sentence.upos)]
                for word, (head, name) in enumerate(zip(heads, names, strict=True), 1):
                    right = int(head < word) if head else root_is_left
                    rows.add((right, classes[head], classes[word], label_number[name]))
        return cls(tags, sorted(rows))

    @property
    def size(self) -> int:
        """The number of classes."""
        return len(self.tags) + 2

    def array(self) -> NDArray[np.int32]:
        return np.array(self.rows, np.int32).reshape(-1, 4)

    def classes(self, sentences: Iterable[Sentence]) -> NDArray[np.uint16]:
        """The class of every word."""
        number = {tag: i for i, tag in enumerate(self.tags, 1)}
        unknown = len(self.tags) + 1
        return np.array(
            [number.get(tag, unknown) for sentence in sentences for tag in sentence.upos], np.uint16
        )
