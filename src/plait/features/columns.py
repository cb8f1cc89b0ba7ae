"""Templates over columns that have names and nothing else: one feature per line, such as `lemma suffix2`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.features.reading import read_lines

BIAS = "bias"  # a line that always holds
_NOTHING = np.zeros(0, np.int32)
Places = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class ColumnTemplates:
    """Lists of columns, one list per feature."""

    lines: tuple[tuple[str, ...], ...]
    source: str

    @classmethod
    def parse(cls, text: str, path: str, require_known: Callable[[str], None]) -> ColumnTemplates:
        """`require_known` raises ValueError for a name that no column has; the error then gets its line."""

        def read(line: str) -> tuple[str, ...]:
            names = tuple(dict.fromkeys(name for name in line.split() if name != BIAS))
            for name in names:
                require_known(name)
            return names

        # `a b` and `b a` see the same.
        lines = {tuple(sorted(line)): line for line in read_lines(text, path, read)}
        return cls(tuple(lines.values()), text)

    @property
    def columns(self) -> list[str]:
        """All that are looked at."""
        return list(dict.fromkeys(name for line in self.lines for name in line))

    def compile(self, seed: int) -> _core.ClassifierProgram:
        columns = self.columns
        return _core.ClassifierProgram(*join(self.lines, columns), _NOTHING, _NOTHING, len(columns), seed)


def join(lines: Iterable[Sequence[str]], columns: Sequence[str]) -> tuple[Places, Places]:
    """The places of the columns of all features one after the other, and where each feature ends."""
    places = [[columns.index(name) for name in line] for line in lines]
    ends = np.cumsum([len(line) for line in places], dtype=np.int32)
    return np.array([place for line in places for place in line], np.int32), ends
