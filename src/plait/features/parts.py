"""Templates for parts of a tree: an arc with up to two more words (Bohnet 2010, Table 4; Bohnet and Kuhn 2012).

`H` is the head, `D` its dependent, `X` and `Y` are the others; `H+1` and `H-1` are the words after and before one.
What is seen there is a column of the word, as in the templates of transitions. Bare `distance` is between head and
dependent, `between.upos` sees the tags of all words between them, and where there is a guide, `guided` tells whether it
has the arc too, `D.guide.deprel` its label of the dependent. `H.feats*D.feats` is a feature for every feature of the
head with every one of the dependent, such as `Case=Nom` with `Number=Sing` (Bohnet 2010, Table 4, 41 and 74 to 76);
`H~D.agree.Case` tells whether they have none, one or several cases in common, and bare `agree.Case` means these two.

The lists are apart by the number of words: `first` (two), `sibling` and `grandchild` (three), `third` (four); those
with `-context` (of four words `-beside`) look at neighbours too, those with `-crossed` at products of features, with
`-agreement` at what two words share, those with `-clusters` at clusters of words. `heads` is the short list by which
possible heads are ranked.

Lists of one's own are files with these names, such as `sibling.txt`: a folder of them, or one alone. What is not there
is as it comes with plait. Comments and `for` blocks are as in all template files (`plait.features.reading`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import resources
from pathlib import Path

import numpy as np

from plait import _core
from plait.errors import FormatError, InputError, Problem
from plait.features.morphology import set_columns
from plait.features.reading import BuiltIn, hint, read_file, read_lines
from plait.features.templates import GUIDE_HEADS, GUIDE_LABELS, check_column

LISTS = ("first", "sibling", "grandchild", "third")
# Which lists are added to those of plain words.
_ADDED = {
    "agreement": ("context", "crossed", "agreement"),
    "context": ("context",),
    "crossed": ("context", "crossed"),
    "plain": (),
}
BUILT_IN = tuple(_ADDED)
USUAL = "crossed"
_HEADS = "heads"
_NODES = {"first": "HD", "sibling": "HDX", "grandchild": "HDX", "third": "HDXY"}
_OFFSETS = {"": 0, "+1": 1, "-1": -1}
_LISTS = BuiltIn(resources.files("plait.features") / "lists" / "parts")
_COLUMN, _DISTANCE, _BETWEEN, _GUIDED, _PRODUCT, _AGREEMENT, _OUTSIDE = range(7)
_SETS = (_PRODUCT, _AGREEMENT)


@dataclass(frozen=True, slots=True)
class PartAtom:
    """One thing to see of a part. Of a distance, `attribute` is empty; that and some others see an `other` node too."""

    sight: int
    node: int
    offset: int
    attribute: str
    other: int = 0

    @property
    def columns(self) -> list[str]:
        """Of words: those of a set are several."""
        if self.sight in _SETS:
            return set_columns(self.attribute)
        return [self.attribute] if self.attribute else []


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
            # Where a set is empty everywhere, so is its first column; and a product of nothing says nothing.
            kept = [
                line
                for line in lines
                if not any(atom.sight == _PRODUCT and atom.columns[0] in silent for atom in line)
            ]
            rest = (tuple(atom for atom in line if silent.isdisjoint(atom.columns[:1])) for line in kept)
            lists[name] = tuple(dict.fromkeys(line for line in rest if line))
        return replace(self, lists=lists)

    def apart(self) -> PartTemplates:
        """The same, but what looks at a neighbour says nothing where that is itself a word of the part."""
        lists = {
            name: tuple(tuple(map(_outside, line)) for line in lines) for name, lines in self.lists.items()
        }
        return replace(self, lists=lists)

    @property
    def columns(self) -> list[str]:
        """The columns of words that are looked at, in order of first use."""
        atoms = (atom for lines in self.lists.values() for line in lines for atom in line)
        return list(dict.fromkeys(name for atom in atoms for name in atom.columns))

    @property
    def is_guided(self) -> bool:
        """Whether they look at a guide's tree."""
        return any(name in (GUIDE_HEADS, GUIDE_LABELS) for name in self.columns)

    def compile(self, columns: list[str], seed: int) -> _core.PartProgram:
        """What the core executes, for words with these columns."""
        atoms: dict[tuple[int, ...], int] = {}
        joined: list[int] = []
        ends: list[int] = []
        lists: list[int] = []
        places = {column: place for place, column in enumerate(columns)}
        for name in LISTS:
            for line in self.lists.get(name, ()):
                for atom in line:
                    own = [places[column] for column in atom.columns] or [0]
                    assert own == list(range(own[0], own[0] + len(own))), "a set is a run of columns"
                    key = (atom.sight, atom.node, atom.offset, own[0], atom.other, len(own))
                    joined.append(atoms.setdefault(key, len(atoms)))
                ends.append(len(joined))
            lists.append(len(ends))
        return _core.PartProgram(
            np.array(list(atoms), np.int32).reshape(-1, 6),
            np.array(joined, np.int32),
            np.array(ends, np.int32),
            np.array(lists, np.int32),
            seed,
        )


def load(
    lists: Collection[str],
    features: str = USUAL,
    *,
    clusters: bool = False,
    guided: bool = False,
    more: Collection[str] = (),
) -> PartTemplates:
    """These lists, of the `features` that come with plait or of the user's own files. With `clusters`, templates that
    look at clusters of words are added, and with `guided` some that look at a guide's tree, unless there are some
    already. `more` are files to be added to lists that are not the user's own, such as `third-beside`.
    """
    own = _own(features, [name for name in LISTS if name in lists])
    sources, paths = {}, {}
    for name in LISTS:
        if name in own:
            sources[name], paths[name] = own[name]
        elif name in lists:
            usual = (f"{name}-{each}" for each in _ADDED.get(features, _ADDED[USUAL]))
            files = [name, *(file for file in usual if file in _LISTS.names)]
            sources[name] = "\n".join(map(_LISTS.text, files))
    templates = parse(sources, paths)
    _check_guide(templates, features, guided=guided)
    added = [file for file in more if _list_of(file) not in own]
    if clusters and not any(name.startswith("cluster") for name in templates.columns):
        added.append("first-clusters")
    if guided and not templates.is_guided:
        added.append("first-guide")
    longer = {
        name: "\n".join([text, *(_LISTS.text(file) for file in added if _list_of(file) == name)])
        for name, text in sources.items()
    }
    return parse(longer, paths) if longer != sources else templates


def load_ranking(lists: Collection[str], features: str = USUAL, *, guided: bool = False) -> PartTemplates:
    """The short list for the first look at possible heads; the `features` may have others of these `lists` too."""
    own = _own(features, [name for name in LISTS if name in lists])
    text, path = own.get(_HEADS, (_LISTS.text(_HEADS), _HEADS))
    templates = parse({"first": text}, {"first": path})
    _check_guide(templates, features, guided=guided)
    if guided and not templates.is_guided:
        return parse({"first": f"{text.rstrip()}\nguided\n"}, {"first": path})
    return templates


def parse(sources: Mapping[str, str], paths: Mapping[str, str] | None = None) -> PartTemplates:
    """Read lists of templates; a fault is an error with its file, its line and the nearest name."""
    lists = {}
    for name, text in sources.items():
        if name not in LISTS:
            raise FormatError(Problem(f"no list {name!r} of parts; there are {', '.join(LISTS)}."))
        path = (paths or {}).get(name, name)
        lists[name] = read_lines(text, path, partial(_atoms, _NODES[name]))
        between = sorted({atom.attribute for line in lists[name] for atom in line if atom.sight == _BETWEEN})
        if len(between) > 1:
            raise FormatError(
                Problem(f"only one column can be seen between words, not {' and '.join(between)}.", path)
            )
    return PartTemplates(lists, dict(sources))


def _own(features: str, lists: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The user's own lists by name: of each the text and the path."""
    if features in BUILT_IN:
        return {}
    path = Path(features)
    files = sorted(path.glob("*.txt")) if path.is_dir() else [path]
    if not files:
        raise InputError(f"{features}: no file in this folder ends in .txt.")
    own = {file.stem: (read_file(file, BUILT_IN), str(file)) for file in files}
    known = (*lists, _HEADS)
    for name, (_, file) in own.items():
        if name not in known:
            raise InputError(f"{file}: no list {name!r} of parts.{hint(name, known)}")
    return own


def _list_of(file: str) -> str:
    """The list that a file such as `sibling-clusters` adds to."""
    return file.partition("-")[0]


def _outside(atom: PartAtom) -> PartAtom:
    return replace(atom, sight=_OUTSIDE) if atom.sight == _COLUMN and atom.offset else atom


def _check_guide(templates: PartTemplates, features: str, *, guided: bool) -> None:
    if templates.is_guided and not guided:
        raise InputError(f"{features}: the templates look at a guide's tree, but the parser is not guided.")


def _atoms(nodes: str, line: str) -> tuple[PartAtom, ...]:
    return tuple(_atom(word, nodes) for word in line.split())


def _atom(word: str, nodes: str) -> PartAtom:
    if word == "distance":
        return PartAtom(_DISTANCE, 0, 0, "", 1)
    if word == "guided":
        return PartAtom(_GUIDED, 1, 0, GUIDE_HEADS)
    if "*" in word:
        return _product(word, nodes)
    address, _, attribute = word.partition(".")
    if address == "agree":
        address, attribute = "H~D", f"agree.{attribute}"
    if "~" in address:
        return _agreement(address, attribute, word, nodes)
    if attribute != GUIDE_LABELS:
        check_column(attribute, word)
    if address == "between":
        return PartAtom(_BETWEEN, 0, 0, attribute)
    if address[:1] not in nodes or address[1:] not in _OFFSETS:
        raise ValueError(
            f"{word}: no address {address!r}; there are {', '.join(nodes)}, H+1, H-1 ..., between."
        )
    return PartAtom(_COLUMN, nodes.index(address[0]), _OFFSETS[address[1:]], attribute)


def _product(word: str, nodes: str) -> PartAtom:
    """Such as `H.feats*D.feats`."""
    one, _, other = word.partition("*")
    (first, _, column), (second, _, again) = one.partition("."), other.partition(".")
    if column != "feats" or again != "feats":
        raise ValueError(f"{word}: products are of features, such as H.feats*D.feats.")
    return PartAtom(_PRODUCT, _node(first, word, nodes), 0, column, _node(second, word, nodes))


def _agreement(address: str, attribute: str, word: str, nodes: str) -> PartAtom:
    """Such as `H~D.agree.Case`."""
    one, _, other = address.partition("~")
    kind, _, feature = attribute.partition(".")
    if kind != "agree" or not feature:
        raise ValueError(f"{word}: between two words there is only the agreement of a feature: agree.Case.")
    return PartAtom(_AGREEMENT, _node(one, word, nodes), 0, f"feats.{feature}", _node(other, word, nodes))


def _node(address: str, word: str, nodes: str) -> int:
    if len(address) != 1 or address not in nodes:
        raise ValueError(f"{word}: no word {address!r}; there are {', '.join(nodes)}.")
    return nodes.index(address)
