"""Templates for parts of a tree: an arc with up to two more words (Bohnet 2010, Table 4; Bohnet and Kuhn 2012).

`H` is the head, `D` its dependent, `X` and `Y` are the others; `H+1` and `H-1` are the words after and before one.
What is seen there is a column of the word, as in the templates of transitions. Bare `distance` is between head and
dependent, `between.upos` sees the tags of all words between them, and where there is a guide, `guided` tells whether it
has the arc too, `D.guide.deprel` its label of the dependent. The lists are apart by the number of words:
`first` (two), `sibling` and `grandchild` (three), `third` (four); those with `-context` look at neighbours too,
the one with `-clusters` at clusters of words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from importlib import resources

import numpy as np

from plait import _core
from plait.errors import FormatError, Problem
from plait.features.templates import GUIDE_HEADS, GUIDE_LABELS, check_column, unroll

LISTS = ("first", "sibling", "grandchild", "third")
CONTEXT = "-context"
CLUSTERS = "-clusters"
_GUIDE = "-guide"
_NODES = {"first": "HD", "sibling": "HDX", "grandchild": "HDX", "third": "HDXY"}
_OFFSETS = {"": 0, "+1": 1, "-1": -1}
_FOLDER = resources.files("plait.features") / "lists" / "parts"
_COLUMN, _DISTANCE, _BETWEEN, _GUIDED = range(4)


@dataclass(frozen=True, slots=True)
class PartAtom:
    """One thing to see of a part. Of a distance, `attribute` is empty."""

    sight: int
    node: int
    offset: int
    attribute: str


@dataclass(frozen=True, slots=True)
class PartTemplates:
    """Lists of atoms, one list per feature, by the list they stand in."""

    lists: Mapping[str, tuple[tuple[PartAtom, ...], ...]]
    sources: Mapping[str, str]

    def without(self, columns: Iterable[str]) -> PartTemplates:
        """The templates as they are where these columns say nothing."""
        silent = set(columns)
        lists = {}
        for name, lines in self.lists.items():
            rest = (tuple(atom for atom in line if atom.attribute not in silent) for line in lines)
            lists[name] = tuple(dict.fromkeys(line for line in rest if line))
        return replace(self, lists=lists)

    @property
    def columns(self) -> list[str]:
        """The columns of words that are looked at, in order of first use."""
        atoms = (atom for lines in self.lists.values() for line in lines for atom in line)
        return list(dict.fromkeys(atom.attribute for atom in atoms if atom.attribute))

    def compile(self, columns: list[str], seed: int) -> _core.PartProgram:
        """What the core executes, for words with these columns."""
        atoms: dict[tuple[int, int, int, int], int] = {}
        joined: list[int] = []
        ends: list[int] = []
        lists: list[int] = []
        for name in LISTS:
            for line in self.lists.get(name, ()):
                for atom in line:
                    argument = columns.index(atom.attribute) if atom.attribute else 1
                    key = (atom.sight, atom.node, atom.offset, argument)
                    joined.append(atoms.setdefault(key, len(atoms)))
                ends.append(len(joined))
            lists.append(len(ends))
        return _core.PartProgram(
            np.array(list(atoms), np.int32).reshape(-1, 4),
            np.array(joined, np.int32),
            np.array(ends, np.int32),
            np.array(lists, np.int32),
            seed,
        )


def load(
    lists: Collection[str], *, context: bool, clusters: bool = False, guided: bool = False
) -> PartTemplates:
    """The lists that come with plait; with `context`, also those that look at neighbours, with `clusters`, the one
    that looks at clusters of words, and with `guided` the one that looks at the tree of a guide.
    """
    sources = {}
    for name in LISTS:
        if name in lists:
            files = [name, name + CONTEXT] if context and name != "third" else [name]
            files += [name + CLUSTERS] if clusters and name == "first" else []
            files += [name + _GUIDE] if guided and name == "first" else []
            sources[name] = "\n".join((_FOLDER / f"{file}.txt").read_text(encoding="utf-8") for file in files)
    return parse(sources)


def load_ranking(*, guided: bool = False) -> PartTemplates:
    """The short list for the first look at possible heads."""
    text = (_FOLDER / "heads.txt").read_text(encoding="utf-8")
    return parse({"first": f"{text.rstrip()}\nguided\n" if guided else text})


def parse(sources: Mapping[str, str]) -> PartTemplates:
    """Read lists of templates; a fault is an error with its line and the nearest name."""
    lists = {}
    for name, text in sources.items():
        if name not in LISTS:
            raise FormatError(Problem(f"no list {name!r} of parts; there are {', '.join(LISTS)}."))
        lines: dict[tuple[PartAtom, ...], None] = {}
        for number, line in unroll(text, name):
            try:
                lines[tuple(_atom(word, _NODES[name]) for word in line.split())] = None
            except ValueError as fault:
                raise FormatError(Problem(str(fault), name, number)) from None
        lists[name] = tuple(lines)
    return PartTemplates(lists, dict(sources))


def _atom(word: str, nodes: str) -> PartAtom:
    if word == "distance":
        return PartAtom(_DISTANCE, 0, 0, "")
    if word == "guided":
        return PartAtom(_GUIDED, 1, 0, GUIDE_HEADS)
    address, _, attribute = word.partition(".")
    if attribute != GUIDE_LABELS:
        check_column(attribute, word)
    if address == "between":
        return PartAtom(_BETWEEN, 0, 0, attribute)
    if address[:1] not in nodes or address[1:] not in _OFFSETS:
        raise ValueError(
            f"{word}: no address {address!r}; there are {', '.join(nodes)}, H+1, H-1 ..., between."
        )
    return PartAtom(_COLUMN, nodes.index(address[0]), _OFFSETS[address[1:]], attribute)
