"""Templates for chains over columns with names: one feature per line, such as `W0.word` or `W-1.word W0.tag`.

`W0` is the position itself, `W-1` and `W+2` its neighbours; after the point stands the name of a column. A line with
`T-1` sees the label before too, as `T-1 W0.tag`; the pair of labels alone always counts. `bias` is a line that always
holds. Comments and `for` blocks are as in all template files (`plait.features.reading`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from plait.errors import InputError
from plait.features.columns import BIAS
from plait.features.reading import hint, read_lines

BEFORE = "T-1"
MOST_DISTANCE = 9
_ATOM = re.compile(r"W(0|[+-]\d)\.(\S+)")


@dataclass(frozen=True, slots=True, order=True)
class ChainAtom:
    """A column at a distance."""

    distance: int
    column: str

    def __str__(self) -> str:
        return f"W{self.distance:+d}.{self.column}" if self.distance else f"W0.{self.column}"


@dataclass(frozen=True, slots=True)
class ChainTemplates:
    """Lists of atoms: those of features of a label, and those of features of a pair of labels."""

    lines: tuple[tuple[ChainAtom, ...], ...]
    pair_lines: tuple[tuple[ChainAtom, ...], ...]
    source: str

    @classmethod
    def parse(cls, text: str, path: str, columns: Collection[str] | None = None) -> ChainTemplates:
        """FormatError with the line of what is wrong; with `columns`, others are unknown."""

        def read(line: str) -> tuple[ChainAtom | str, ...]:
            words = list(dict.fromkeys(line.split()))
            marks: list[ChainAtom | str] = [BEFORE] if BEFORE in words else []
            return (*marks, *(_atom(word, columns) for word in words if word not in (BEFORE, BIAS)))

        lines, pairs = [], []
        for found in read_lines(text, path, read):
            atoms = tuple(atom for atom in found if isinstance(atom, ChainAtom))
            if found[:1] != (BEFORE,):
                lines.append(atoms)
            elif atoms:  # the pair alone is always there
                pairs.append(atoms)
        return cls(tuple(lines), tuple(pairs), text)

    @property
    def columns(self) -> list[str]:
        """All that are looked at."""
        return list(dict.fromkeys(atom.column for line in self.lines + self.pair_lines for atom in line))

    def features(self, columns: Mapping[str, Sequence[str]]) -> list[list[str]]:
        """The names of the features of every position: for `Chain.fit` and its like."""
        return _expand(self.lines, columns)

    def pairs(self, columns: Mapping[str, Sequence[str]]) -> list[list[str]]:
        """The same for those that see pairs of labels."""
        return _expand(self.pair_lines, columns)


def _atom(word: str, columns: Collection[str] | None) -> ChainAtom:
    found = _ATOM.fullmatch(word)
    if not found:
        raise ValueError(
            f"{word!r} is not understood: W0.COLUMN, W-1.COLUMN, {BEFORE} or {BIAS} is expected."
        )
    if columns is not None and found[2] not in columns:
        raise ValueError(f"{word}: no column {found[2]!r}.{hint(found[2], columns)}")
    return ChainAtom(int(found[1]), found[2])


def _expand(lines: Sequence[Sequence[ChainAtom]], columns: Mapping[str, Sequence[str]]) -> list[list[str]]:
    lengths = {len(column) for column in columns.values()}
    if len(lengths) > 1:
        raise InputError("The columns of a sequence must be of one length.")
    length = next(iter(lengths), 0)
    found: list[list[str]] = [[] for _ in range(length)]
    for line in lines:
        name = " ".join(map(str, line)) or BIAS
        seen = [_shifted(columns[atom.column], atom.distance) for atom in line]
        for position in range(length):
            values = "|".join(column[position] for column in seen)
            found[position].append(f"{name}={values}")
    return found


def _shifted(column: Sequence[str], distance: int) -> list[str]:
    """The column as seen from each position; beyond the ends stands how far beyond."""
    length = len(column)
    return [
        column[at] if 0 <= at < length else f"^{-at}" if at < 0 else f"${at - length + 1}"
        for at in range(distance, length + distance)
    ]
