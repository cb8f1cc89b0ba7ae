"""The tagger's template language: one feature per line, such as `W-1.lower W0.lower` or `T-1.upos W0.suffix3`.

`W0` is the word to be tagged, `W-1` and `W+1` its neighbours. Seen of a word: `form`, `lower`, `prefix1` to
`prefix9` and `suffix1` to `suffix9` (in lower case), `shape`, `kind`; `space`, whether one follows; `class`, the tags
it had in training, and `formclass`, those it had spelled exactly so; `kin1` to `kin3`, the tags of a word that
differs in the last letters only; or a column given to `fit`, such as `cluster`, or `lexicon`, the tags that a word can
have by a list, and `lexclass`, the classes of words among them. Where words have norms, all these are of the norm.
`T-1` is the tag of the word before. Seen of a tag: `upos`, `xpos`, `feats`, `feats.Case`, all as `tag`, and `fine`:
XPOS where the treebank has it, otherwise all. `bias` is a line that always holds. Comments and `for` blocks are as in
all template files (`plait.features.reading`).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plait.features.reading import BuiltIn, hint, read_lines

WORD_COLUMNS = (
    *("form", "lower", "shape", "kind", "space", "class", "formclass"),
    *(f"{side}{size}" for side in ("prefix", "suffix") for size in range(1, 10)),
    *(f"kin{ending}" for ending in range(1, 4)),
)
# Lines that name them are left out where they are not given.
OPTIONAL_COLUMNS = ("cluster", "cluster4", "cluster6", "lexicon", "lexclass")
TAG_VIEWS = ("upos", "xpos", "feats", "tag", "fine")
_ATOM = re.compile(r"([WT])(0|[+-]\d)\.(\S+)")
_LISTS = BuiltIn(resources.files("plait.components.tagger") / "lists")


@dataclass(frozen=True, slots=True)
class Atom:
    """One thing to see: a column of a word, or a view of a tag."""

    of_tag: bool
    distance: int
    attribute: str


@dataclass(frozen=True, slots=True)
class Program:
    """Templates as the core executes them; columns and views are numbered as they are listed here."""

    columns: list[str]
    views: list[str]
    atoms: NDArray[np.int32]
    joined: NDArray[np.int32]
    ends: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Templates:
    """Lists of atoms, one list per feature."""

    lines: tuple[tuple[Atom, ...], ...]
    source: str

    def compile(self) -> Program:
        columns: dict[str, int] = {}
        views: dict[str, int] = {}
        atoms: dict[tuple[int, int, int], int] = {}
        joined: list[int] = []
        ends: list[int] = []
        for line in self.lines:
            for atom in line:
                names = views if atom.of_tag else columns
                number = names.setdefault(atom.attribute, len(names))
                key = (int(atom.of_tag), atom.distance, number)
                joined.append(atoms.setdefault(key, len(atoms)))
            ends.append(len(joined))
        return Program(
            list(columns),
            list(views),
            np.array(list(atoms), np.int32).reshape(-1, 3),
            np.array(joined, np.int32),
            np.array(ends, np.int32),
        )


def built_in() -> list[str]:
    """The names of the lists that come with plait."""
    return _LISTS.names


def text_of(name_or_path: str | Path) -> str:
    """The text of a list that comes with plait, or of a file."""
    return _LISTS.find(name_or_path)[0]


def load(name_or_path: str | Path, given: Collection[str] = ()) -> Templates:
    """Templates of a list that comes with plait, or of a file."""
    text, path = _LISTS.find(name_or_path)
    return parse(text, path, given)


def parse(text: str, path: str = "", given: Collection[str] = ()) -> Templates:
    """Read the lines of a template file; `given` are the columns that come from outside. A fault is an error with
    its line and the nearest name.
    """
    absent = set(OPTIONAL_COLUMNS).difference(given)

    def read(line: str) -> tuple[Atom, ...] | None:
        atoms = tuple(_atom(word, given) for word in line.split() if word != "bias")
        return None if any(atom.attribute in absent for atom in atoms) else atoms

    return Templates(read_lines(text, path, read), text)


def _atom(word: str, given: Collection[str]) -> Atom:
    match = _ATOM.fullmatch(word)
    if not match:
        raise ValueError(
            f"{word}: a word such as W0, W-1 or W+1, or a tag such as T-1, and what is seen of it."
        )
    of_tag, distance, attribute = match[1] == "T", int(match[2]), match[3]
    if of_tag and distance >= 0:
        raise ValueError(f"{word}: only the tags to the left are known.")
    known = TAG_VIEWS if of_tag else (*WORD_COLUMNS, *OPTIONAL_COLUMNS, *given)
    if attribute not in known and not (of_tag and attribute.startswith("feats.")):
        raise ValueError(f"{word}: no attribute {attribute!r}.{hint(attribute, known)}")
    return Atom(of_tag, distance, attribute)
