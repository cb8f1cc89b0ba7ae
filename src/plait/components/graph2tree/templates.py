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
from importlib import resources
from pathlib import Path

from plait import _core
from plait.features.atoms import Atom, AtomTemplates
from plait.features.reading import BuiltIn, hint, read_lines

COLUMNS = ("lemma", "upos", "xpos", "feats")  # those that the core knows come first
_SHAPES = ("in", "out", "around", "degree")
_WAY = ("dist", "path", "dir", "tags", "more")
_PLACES = ("S", "T")
_ATOM = re.compile(r"([A-Z])\.(\S+)")
_LISTS = BuiltIn(resources.files("plait.components.graph2tree") / "lists")


class Templates(AtomTemplates):
    """Lists of atoms, one list per feature."""

    @property
    def columns(self) -> list[str]:
        return self.columns_after(COLUMNS)

    def compile(self, seed: int) -> _core.GrowProgram:
        """What the core executes."""
        known = [*self.columns, *_SHAPES]

        def number(atom: Atom) -> tuple[int, int]:
            if not atom.place:
                return len(_PLACES), _WAY.index(atom.attribute)
            return _PLACES.index(atom.place), known.index(atom.attribute)

        return _core.GrowProgram(len(self.columns), *self.joined(number), seed)


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
