"""The template language of growing trees: one feature of an edge and its label per line, such as `dist S.lemma dir`.

`S` is the head and `T` the dependent of an edge that may be in the tree. Seen of a node: `lemma`, `upos`, `xpos`,
`feats`, `feats.Case`; and of the graph `in` and `out`, the labels of its in-going and out-going edges, each once
(*bags*), `around`, its edges with the tags at their other ends, and `degree`, how many there are.

Of the shortest way between the two in the graph: `dist`, its length; `path`, the labels on it; `dir`, whether it goes
down, up, or both; `tags`, those of the nodes between; `more`, whether another way is as short. `bias` is a line that
sees the label alone. The root of the tree counts as a node without a way to any. Comments and `for` blocks are as in
all template files (`plait.features.reading`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np

from plait import _core
from plait.features.reading import BuiltIn, hint, read_lines

COLUMNS = ("lemma", "upos", "xpos", "feats")  # those that the core knows come first
_SHAPES = ("in", "out", "around", "degree")
_WAY = ("dist", "path", "dir", "tags", "more")
_PLACES = ("S", "T")
_ATOM = re.compile(r"([A-Z])\.(\S+)")
_LISTS = BuiltIn(resources.files("plait.components.graph2tree") / "lists")


@dataclass(frozen=True, slots=True)
class Atom:
    """One thing to see: of a node, or, without a place, of the way."""

    place: str
    attribute: str


@dataclass(frozen=True, slots=True)
class Templates:
    """Lists of atoms, one list per feature."""

    lines: tuple[tuple[Atom, ...], ...]
    source: str

    @property
    def columns(self) -> list[str]:
        seen = (atom.attribute for line in self.lines for atom in line)
        return list(dict.fromkeys([*COLUMNS, *(name for name in seen if name.startswith("feats."))]))

    def compile(self, seed: int) -> _core.GrowProgram:
        """What the core executes."""
        known = [*self.columns, *_SHAPES]
        atoms: dict[tuple[int, int], int] = {}
        joined: list[int] = []
        ends: list[int] = []
        for line in self.lines:
            for atom in line:
                names: Sequence[str] = known if atom.place else _WAY
                place = _PLACES.index(atom.place) if atom.place else len(_PLACES)
                key = (place, names.index(atom.attribute))
                joined.append(atoms.setdefault(key, len(atoms)))
            ends.append(len(joined))
        return _core.GrowProgram(
            len(self.columns),
            np.array(list(atoms), np.int32).reshape(-1, 2),
            np.array(joined, np.int32),
            np.array(ends, np.int32),
            seed,
        )


def built_in() -> list[str]:
    """The names of the lists that come with plait."""
    return _LISTS.names


def load(name_or_path: str | Path) -> Templates:
    """Templates of a list that comes with plait, or of a file."""
    text, path = _LISTS.find(name_or_path)
    return parse(text, path)


def parse(text: str, path: str = "") -> Templates:
    """Read the lines of a template file. A fault is an error with its line and the nearest name."""
    return Templates(read_lines(text, path, _line), text)


def _line(line: str) -> tuple[Atom, ...]:
    return tuple(_atom(word) for word in line.split() if word != "bias")


def _atom(word: str) -> Atom:
    if word in _WAY:
        return Atom("", word)
    match = _ATOM.fullmatch(word)
    if not match or match[1] not in _PLACES:
        raise ValueError(f"{word}: S or T and what is seen of it, or one of {', '.join(_WAY)}.")
    place, attribute = match[1], match[2]
    known = (*COLUMNS, *_SHAPES)
    if attribute not in known and not attribute.startswith("feats."):
        raise ValueError(f"{word}: no attribute {attribute!r}.{hint(attribute, known)}")
    return Atom(place, attribute)
