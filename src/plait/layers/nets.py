"""What a net tells beside a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plait.layers.base import Layer


class HeadShare(NamedTuple):
    """A head that a word may have, and how probable it is."""

    head: int
    share: float


@dataclass(frozen=True, slots=True)
class HeadShares(Layer):
    """What a teacher was not sure of: the likeliest heads of words that have several, by number of the word, the one in
    the tree first.
    """

    name: ClassVar[str] = "shares"

    heads: Mapping[int, Sequence[HeadShare]]

    def to_json(self) -> dict[int, list[list[float]]]:
        return {word: [[head, share] for head, share in found] for word, found in self.heads.items()}

    @classmethod
    def from_json(cls, stored: Any) -> HeadShares:
        return cls(
            {
                int(word): [HeadShare(int(head), float(share)) for head, share in found]
                for word, found in stored.items()
            }
        )

    def fits(self, words: int) -> bool:
        return all(
            1 <= word <= words and all(0 <= head <= words and 0 <= share <= 1 for head, share in found)
            for word, found in self.heads.items()
        )


@dataclass(frozen=True, slots=True, eq=False)
class Vectors(Layer):
    """What a net made of the words among others: a row for each, of as many numbers as the net is wide."""

    name: ClassVar[str] = "vectors"

    rows: NDArray[np.float32]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vectors) and np.array_equal(self.rows, other.rows)

    __hash__ = None  # type: ignore[assignment]

    def to_json(self) -> list[list[float]]:
        rows: list[list[float]] = self.rows.tolist()
        return rows

    @classmethod
    def from_json(cls, stored: Any) -> Vectors:
        return cls(np.array(stored, np.float32))

    def fits(self, words: int) -> bool:
        return self.rows.ndim == 2 and len(self.rows) == words and bool(np.isfinite(self.rows).all())
