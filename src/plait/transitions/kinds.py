"""Transitions: a kind, and for the kinds that build an arc a label and a depth."""

from __future__ import annotations

import re
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
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True, slots=True)
class Transition:
    """One step of a derivation.

    `depth` is the place on a spine that an arc comes from, counted from the root of its tree: k in the papers.
    Where arcs join roots only it is 1.
    """

    kind: Kind
    label: str | None = None
    depth: int = 1

    @property
    def letters(self) -> str:
        """As in a derivation: the letter of the kind, and the depth if it is not 1."""
        return self.kind.value + (str(self.depth) if self.depth > 1 else "")

    def __str__(self) -> str:
        name = str(self.kind) + (str(self.depth).translate(SUBSCRIPTS) if self.depth > 1 else "")
        return name if self.label is None else f"{name}({self.label})"


def read_letters(letters: str) -> list[Transition]:
    """The transitions that a derivation such as `SSLSRSSRR2` spells."""
    if not re.fullmatch(rf"([{LETTERS}]\d*)*", letters):
        raise ValueError(f"{letters!r} is not a derivation: letters of {LETTERS}, with depths, are expected")
    return [
        Transition(Kind(letter), depth=int(depth or 1))
        for letter, depth in re.findall(rf"([{LETTERS}])(\d*)", letters)
    ]
