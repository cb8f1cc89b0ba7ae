"""Transitions: a kind, and for the kinds that build an arc a label."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What a transition does. The value is its letter in a derivation."""

    SHIFT = "S"
    LEFT_ARC = "L"
    RIGHT_ARC = "R"
    SWAP = "W"
    REDUCE = "D"

    @property
    def code(self) -> int:
        """The number that stands for this kind in the core."""
        return LETTERS.index(self.value)

    @property
    def builds_arc(self) -> bool:
        return self in (Kind.LEFT_ARC, Kind.RIGHT_ARC)

    def __str__(self) -> str:
        return self.name.replace("_", "-")


LETTERS = "".join(kind.value for kind in Kind)


@dataclass(frozen=True, slots=True)
class Transition:
    """One step of a derivation."""

    kind: Kind
    label: str | None = None

    def __str__(self) -> str:
        return str(self.kind) if self.label is None else f"{self.kind}({self.label})"
