"""Which labels arcs may have: those seen between words with the same tags, in the same direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from plait.checks import vector
from plait.features.encoding import hash_text
from plait.learning.arcs import LabelledTrees, Labels
from plait.learning.seen_labels import SeenLabels
from plait.sentence import Sentence

_MOST_TAGS = 1024


@dataclass(frozen=True, slots=True)
class LabelTable:
    """`tags` are hashes, in order; `seen` is by tag of the head (last: the root), tag of the dependent, leftward or
    rightward, and label.
    """

    tags: NDArray[np.uint32]
    seen: NDArray[np.uint8]

    @classmethod
    def of(cls, sentences: Sequence[Sentence], trees: LabelledTrees, labels: Labels) -> LabelTable:
        counted = SeenLabels.of(trees, labels, [sentences], "swap")
        hashes = [hash_text(name) for name in counted.tags]
        tags = np.unique(np.array(hashes, np.uint32))
        _check_size(len(tags))
        place = [len(tags), *(int(np.searchsorted(tags, np.uint32(each))) for each in hashes)]
        seen = np.zeros((len(tags) + 1, len(tags), 2, len(labels)), np.uint8)
        for rightward, head, dependent, label in counted.rows:
            seen[place[head], place[dependent], rightward, label] = 1
        return cls(tags, seen)

    def tensors(self) -> dict[str, NDArray[np.generic]]:
        return {"tags": self.tags, "seen": np.packbits(self.seen)}

    @classmethod
    def from_tensors(cls, tensors: dict[str, NDArray[np.generic]], labels: int) -> LabelTable:
        """ValueError if the pieces do not fit together."""
        tags, seen = vector(tensors["tags"], np.uint32, "tags"), vector(tensors["seen"], np.uint8, "seen")
        _check_size(len(tags))
        shape = (len(tags) + 1, len(tags), 2, labels)
        size = prod(shape)
        if seen.size != (size + 7) // 8:
            raise ValueError("the filter of labels does not fit")
        return cls(tags, np.unpackbits(seen, count=size).reshape(shape))


def _check_size(tags: int) -> None:
    """What a filter takes grows with the square of the tags."""
    if tags > _MOST_TAGS:
        raise ValueError(f"there are {tags:,} different UPOS tags; a graph-based parser takes {_MOST_TAGS:,}")
