"""Which labels arcs may have: those seen between words with the same tags, in the same direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait.features.encoding import hash_text
from plait.parser.data import Labels, Trees
from plait.parser.filter import LabelFilter as SeenLabels
from plait.sentence import Sentence


@dataclass(frozen=True, slots=True)
class LabelFilter:
    """`tags` are hashes, in order; `seen` is by tag of the head (last: the root), tag of the dependent, leftward or
    rightward, and label.
    """

    tags: NDArray[np.uint32]
    seen: NDArray[np.uint8]

    @classmethod
    def of(cls, sentences: Sequence[Sentence], trees: Trees, labels: Labels) -> LabelFilter:
        counted = SeenLabels.of(trees, labels, [sentences], "swap")
        hashes = [hash_text(name) for name in counted.tags]
        tags = np.unique(np.array(hashes, np.uint32))
        place = [len(tags), *(int(np.searchsorted(tags, np.uint32(each))) for each in hashes)]
        seen = np.zeros((len(tags) + 1, len(tags), 2, len(labels)), np.uint8)
        for rightward, head, dependent, label in counted.rows:
            seen[place[head], place[dependent], rightward, label] = 1
        return cls(tags, seen)

    def tensors(self) -> dict[str, NDArray[np.generic]]:
        return {"tags": self.tags, "seen": np.packbits(self.seen)}

    @classmethod
    def from_tensors(cls, tensors: dict[str, NDArray[np.generic]], labels: int) -> LabelFilter:
        """ValueError if the pieces do not fit together."""
        tags, seen = tensors["tags"], tensors["seen"]
        if tags.dtype != np.uint32 or tags.ndim != 1 or seen.dtype != np.uint8 or seen.ndim != 1:
            raise ValueError("the filter of labels has another type")
        shape = (len(tags) + 1, len(tags), 2, labels)
        size = int(np.prod(shape))
        if seen.size != (size + 7) // 8:
            raise ValueError("the filter of labels does not fit")
        flags = np.unpackbits(seen.astype(np.uint8, copy=False), count=size).reshape(shape)
        return cls(tags.astype(np.uint32, copy=False), flags)
