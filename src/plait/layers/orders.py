"""Words in another order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from plait.layers.base import Layer


@dataclass(frozen=True, slots=True)
class LiftedTree(Layer):
    """Heads, some of them further up than in the tree: a projective order can say it (Bohnet et al. 2012)."""

    name: ClassVar[str] = "lifted"

    heads: Sequence[int]

    def to_json(self) -> Sequence[int]:
        return list(self.heads)

    @classmethod
    def from_json(cls, stored: Any) -> LiftedTree:
        return cls([int(head) for head in stored])

    def fits(self, words: int) -> bool:
        return len(self.heads) == words and all(0 <= head <= words for head in self.heads)


class WordOrder(NamedTuple):
    """The words of a sentence by their numbers, in another order; scores compare orders of one sentence only."""

    words: Sequence[int]
    score: float


@dataclass(frozen=True, slots=True)
class WordOrders(Layer):
    """The best orders of the words that differ, the best first, where several were asked for."""

    name: ClassVar[str] = "orders"

    orders: tuple[WordOrder, ...]

    def __iter__(self) -> Iterator[WordOrder]:
        return iter(self.orders)

    def to_json(self) -> list[list[Any]]:
        return [[list(order.words), order.score] for order in self.orders]

    @classmethod
    def from_json(cls, stored: Any) -> WordOrders:
        return cls(tuple(WordOrder([int(word) for word in words], float(score)) for words, score in stored))

    def fits(self, words: int) -> bool:
        return all(sorted(order.words) == list(range(1, words + 1)) for order in self.orders)


@dataclass(frozen=True, slots=True)
class Fluency(Layer):
    """How likely the words are in their order: the logarithm of their probability."""

    name: ClassVar[str] = "fluency"

    score: float

    def to_json(self) -> float:
        return self.score

    @classmethod
    def from_json(cls, stored: Any) -> Fluency:
        return cls(float(stored))

    def fits(self, words: int) -> bool:  # noqa: ARG002
        return True
