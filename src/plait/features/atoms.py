"""Template lists whose atoms are a place and what is seen there: read, and numbered for the core in one way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Atom:
    """One thing to see: of a word in a place, or a fact, which has none."""

    place: str
    attribute: str


class Joined(NamedTuple):
    """The atoms of a list, each once, as pairs of numbers; those of all lines in a row, and where each line ends."""

    atoms: Numbers
    lines: Numbers
    ends: Numbers


@dataclass(frozen=True, slots=True)
class AtomTemplates:
    """Lists of atoms, one list per feature, and the text they were read from."""

    lines: tuple[tuple[Atom, ...], ...]
    source: str

    def columns_after(self, known: Sequence[str]) -> list[str]:
        """Columns of words that are looked at: those that are always known, then single features."""
        seen = (atom.attribute for line in self.lines for atom in line if atom.place)
        return list(dict.fromkeys([*known, *(name for name in seen if name.startswith("feats."))]))

    def joined(self, number: Callable[[Atom], tuple[int, int]]) -> Joined:
        """The list as the core takes it; `number` gives place and attribute of an atom."""
        atoms: dict[tuple[int, int], int] = {}
        row: list[int] = []
        ends: list[int] = []
        for line in self.lines:
            row += [atoms.setdefault(number(atom), len(atoms)) for atom in line]
            ends.append(len(row))
        pairs = np.array(list(atoms), np.int32).reshape(-1, 2)
        return Joined(pairs, np.array(row, np.int32), np.array(ends, np.int32))
