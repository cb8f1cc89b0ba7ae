"""Words as they would stand in edited text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from plait.layers.base import Layer, is_text


@dataclass(frozen=True, slots=True)
class Norms(Layer):
    """A norm for every word: *you* beside *u*. Features look at it in place of the form, which stays as it is."""

    name: ClassVar[str] = "norms"

    words: Sequence[str]

    def to_json(self) -> list[str]:
        return list(self.words)

    @classmethod
    def from_json(cls, stored: Any) -> Norms:
        if not isinstance(stored, list) or not all(map(is_text, stored)):
            raise ValueError("norms are texts")
        return cls(tuple(stored))

    def fits(self, words: int) -> bool:
        return len(self.words) == words
