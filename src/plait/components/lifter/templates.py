"""The template language of lifting: one feature per line, such as `W.deprel P.deprel` or `S.lemma W.upos`.

`W` is a word, `P` its head, `GP`, `GGP` and `GGGP` those above; `CH` are its children, `S` its siblings, `UN` its
uncles (children of `GP` but `P`), `GC` its grandchildren, `NE` its nephews, `CO` its cousins. A line with one of these
relations is a feature for each of its words; a line has at most one of them.

Seen of a word: `lemma`, `upos`, `xpos`, `feats`, `feats.Case`, `deprel`; `marks` and `asks` as in the templates of
orders; of a single word also two real numbers, `size`, how many words are below it, and `share`, of all. `bias` is a
line that always holds. Comments and `for` blocks are as in all template files (`plait.features.reading`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

import numpy as np

from plait import _core
from plait.features.atoms import Atom, AtomTemplates
from plait.features.encoding import hash_text
from plait.features.reading import BuiltIn, hint, read_lines
from plait.learning.unordered import ASKING, COLUMNS, MARKING, SHAPES

_SINGLE = ("W", "P", "GP", "GGP", "GGGP")
_SEVERAL = ("CH", "S", "UN", "GC", "NE", "CO")
_PLACES = (*_SINGLE, *_SEVERAL)
_SEEN_SHAPES = ("marks", "asks")
_SIZES = ("size", "share")
_ATOM = re.compile(r"([A-Z]+)\.(\S+)")
_LISTS = BuiltIn(resources.files("plait.components.lifter") / "lists")


class Templates(AtomTemplates):
    """Lists of atoms, one list per feature."""

    @property
    def columns(self) -> list[str]:
        return self.columns_after(COLUMNS)

    def compile(self, seed: int) -> _core.LiftProgram:
        """What the core executes."""
        columns = self.columns
        found = self.joined(lambda atom: (_PLACES.index(atom.place), _number(atom.attribute, columns)))
        return _core.LiftProgram(
            len(columns),
            *found,
            np.array([hash_text(tag) for tag in MARKING], np.uint32),
            np.array([hash_text(kind) for kind in ASKING], np.uint32),
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


def _number(attribute: str, columns: Sequence[str]) -> int:
    if attribute in _SIZES:
        return len(columns) + len(SHAPES) + _SIZES.index(attribute)
    return [*columns, *SHAPES].index(attribute)


def _line(line: str) -> tuple[Atom, ...]:
    atoms = tuple(_atom(word) for word in line.split() if word != "bias")
    relations = {atom.place for atom in atoms if atom.place in _SEVERAL}
    if len(relations) > 1:
        raise ValueError(
            f"{' and '.join(sorted(relations))} are both several words: a line has one such relation."
        )
    sizes = [atom for atom in atoms if atom.attribute in _SIZES]
    if len(sizes) > 1 or (sizes and relations):
        raise ValueError("a line has one real number, of a single word.")
    return atoms


def _atom(word: str) -> Atom:
    match = _ATOM.fullmatch(word)
    if not match or match[1] not in _PLACES:
        raise ValueError(f"{word}: one of {', '.join(_PLACES)} and what is seen of it.")
    place, attribute = match[1], match[2]
    known = (*COLUMNS, *_SEEN_SHAPES, *_SIZES)
    if attribute not in known and not attribute.startswith("feats."):
        raise ValueError(f"{word}: no attribute {attribute!r}.{hint(attribute, known)}")
    return Atom(place, attribute)
