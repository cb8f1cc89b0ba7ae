"""The template language: one feature per line, such as `S0.form S1.upos B0.upos`.

An address is a place on the stack (S0 is its top) or in the buffer (B0 is its front), or a relative of one:
`S0.left1` and `S0.left2` are the outermost and the next left dependent built so far, `right1`, `right2`
likewise, `head` the head. What is seen there is an attribute: a column of the word (`form`, `lower`, `lemma`,
`upos`, `xpos`, `feats`, `feats.Case`, `prefix1`-`prefix5`, `suffix1`-`suffix5`; where there are clusters of words,
`cluster` and its beginnings `cluster4`, `cluster6`; where words have norms, all these are of the norm, `written` is
the form as it stands and `norm` the norm if it is another) or something built so far (`deprel`;
`nleft`, `nright` and, joined, `valency`; `leftlabels`, `rightlabels` and, joined, `labels`). `S1~S0.distance`
and `S1~S0.inorder` see two places; bare `distance` means the two that the system's arcs join. `bias` is a
line that always holds.

A parser with a guide also sees the tree that the guide has built: the relative `guide` is a word's head there, as in
`S0.guide.upos`; `S0.guide.deprel` is the label of S0 there, `S0.guide.side` on which side that head stands and whether
it is still in the buffer, `S0.guide.waiting` how many dependents of S0 there are still in the buffer;
`S1~S0.guided` tells which of the two is the head of the other there, if one is.

In the spine systems every arc has a view of its own (Sartorio, Satta and Nivre 2013, Table 1): S1 and S0 are the
two words it would join. If its head is deeper down a spine, the nodes above the head come next on that side: as
S2, S3 ... before the rest of the stack, or as B0, B1 ... before the buffer. `GP` is the head of the head and `GG`
the head of that; bare `depth` is the place of the head on its spine.

Where tags are chosen while parsing, `C` is B0 with the tag that SHIFT would give to it; only columns are seen there.
Bare `rank` is the place of this tag among those that the word may have, bare `margin` by how much the tagger likes the
best one more; `featsrank` and `featsmargin` are the same of its features, among those that the word may have with this
tag. Lines with any of these are about SHIFT only.

Comments and `for` blocks are as in all template files (`plait.features.reading`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from plait.errors import InputError
from plait.features.reading import BuiltIn, hint, read_lines

RELATIVES = ("left1", "left2", "right1", "right2", "head", "guide")
_BUILT = {
    "deprel": ("deprel",),
    "nleft": ("nleft",),
    "nright": ("nright",),
    "valency": ("nleft", "nright"),
    "leftlabels": ("leftlabels",),
    "rightlabels": ("rightlabels",),
    "labels": ("leftlabels", "rightlabels"),
}
_PAIRS = ("distance", "inorder", "guided")
# Of the guide's tree: its heads are a column of positions, which the core follows; its labels one like others.
GUIDE_HEADS, GUIDE_LABELS = "guide.head", "guide.deprel"
_FOLLOWED = ("guide.side", "guide.waiting", "guided")
_SPINES = ("spine", "spine-swap")
COLUMNS = (
    *("form", "lower", "norm", "written", "lemma", "upos", "xpos", "feats"),
    *(f"{side}{size}" for side in ("prefix", "suffix") for size in range(1, 6)),
    *("cluster", "cluster4", "cluster6"),
)
_BASE = re.compile(r"[SB][0-9]")
_ABOVE = ("GP", "GG")
CANDIDATE = "C"
OF_CANDIDATE = ("rank", "margin", "featsrank", "featsmargin")
_FEATURE = re.compile(r"feats\.(\S+)")
_OF_GUIDE = re.compile(r"guide\.(deprel|side|waiting)$")
_MOST_DEPTH = 9
_MOST_RELATIVES = 16
_LISTS = BuiltIn(resources.files("plait.features") / "lists")
_MORE = BuiltIn(_LISTS.folder / "more")


@dataclass(frozen=True, slots=True)
class Atom:
    """One thing to see: an attribute at an address, or between two."""

    address: str
    attribute: str
    other: str = ""


@dataclass(frozen=True, slots=True)
class Templates:
    """Lists of atoms, one list per feature."""

    lines: tuple[tuple[Atom, ...], ...]
    source: str

    def without(self, columns: Iterable[str]) -> Templates:
        """The templates as they are where these columns say nothing: their atoms are left out, and lines that
        thereby become the same stand once.
        """
        silent = set(columns)
        lines: dict[tuple[Atom, ...], None] = {}
        for line in self.lines:
            rest = tuple(atom for atom in line if atom.attribute not in silent)
            if rest or not line:
                lines[rest] = None
        return replace(self, lines=tuple(lines))

    @property
    def columns(self) -> list[str]:
        """The columns of words that are looked at, in order of first use."""
        found: dict[str, None] = {}
        for line in self.lines:
            for atom in line:
                if _follows_guide(atom):
                    found[GUIDE_HEADS] = None
                if not (
                    atom.attribute in _BUILT
                    or atom.attribute in (*_PAIRS, *_FOLLOWED, "depth", *OF_CANDIDATE)
                ):
                    found[atom.attribute] = None
        return list(found)

    @property
    def is_guided(self) -> bool:
        """Whether they look at a guide's tree."""
        return any(name in (GUIDE_HEADS, GUIDE_LABELS) for name in self.columns)

    @property
    def of_states(self) -> tuple[tuple[Atom, ...], ...]:
        """The lines that all transitions share."""
        return tuple(line for line in self.lines if not _sees_candidate(line))

    @property
    def of_candidates(self) -> tuple[tuple[Atom, ...], ...]:
        """The lines about a tag that SHIFT may give."""
        return tuple(line for line in self.lines if _sees_candidate(line))


def _sees_candidate(line: tuple[Atom, ...]) -> bool:
    return any(atom.address == CANDIDATE for atom in line)


def built_in() -> list[str]:
    """The names of the lists that come with plait."""
    return _LISTS.names


def text_of(name_or_path: str | Path) -> str:
    """The text of a list that comes with plait, or of a file."""
    return _LISTS.find(name_or_path)[0]


def load(
    name_or_path: str | Path,
    *,
    system: str = "swap",
    clusters: bool = False,
    guided: bool = False,
    joint: bool = False,
) -> Templates:
    """Templates of a list that comes with plait, or of a file. With `clusters`, templates that look at clusters of
    words are added, with `guided` some that look at a guide's tree, and with `joint` those for choosing tags, unless
    there are some already.
    """
    text, path = _LISTS.find(name_or_path)
    templates = parse(text, path, system=system, joint=joint)
    more = []
    if clusters and not any(name.startswith("cluster") for name in templates.columns):
        more.append("clusters")
    if templates.is_guided and not guided:
        raise InputError(
            f"{name_or_path}: the templates look at a guide's tree, but the parser is not guided."
        )
    if guided and not templates.is_guided:
        more.append("guide-eager" if system == "eager" else "guide")
    if joint and not templates.of_candidates:
        more.append("joint")
    for name in more:
        source = f"{templates.source.rstrip()}\n\n{_MORE.text(name)}"
        templates = parse(source, str(name_or_path), system=system, joint=joint)
    return templates


def parse(text: str, path: str = "", *, system: str = "swap", joint: bool = False) -> Templates:
    """Read the lines of a template file; a fault is an error with its line and the nearest name."""
    pair = ("S0", "B0") if system == "eager" else ("S1", "S0")

    def read(line: str) -> tuple[Atom, ...]:
        atoms = tuple(atom for word in line.split() for atom in _atoms(word, pair, system))
        if _sees_candidate(atoms) and not joint:
            raise ValueError(f"{line}: C, ranks and margins are for parsers that choose tags (joint).")
        return atoms

    return Templates(read_lines(text, path, read), text)


def _atoms(word: str, pair: tuple[str, str], system: str) -> Iterator[Atom]:
    if word == "bias":
        return
    if word == "depth":
        _require_spines(word, system)
        yield Atom("S0", "depth")
        return
    if word in _PAIRS:
        yield Atom(pair[0], word, pair[1])
        return
    if word in OF_CANDIDATE:
        yield Atom(CANDIDATE, word)
        return
    place, _, rest = word.partition("~")
    if rest:
        other, _, attribute = rest.rpartition(".")
        if attribute not in _PAIRS:
            raise ValueError(
                f"{word}: between two places there are only distance, inorder and guided, not {attribute!r}."
            )
        yield Atom(_address(place, word, system), attribute, _address(other, word, system))
        return
    feature = _FEATURE.search(word) or _OF_GUIDE.search(word)
    address, _, attribute = (word[: feature.start() - 1], "", feature[0]) if feature else word.rpartition(".")
    if address == CANDIDATE and (feature or attribute in COLUMNS):
        yield Atom(CANDIDATE, attribute)
        return
    if attribute in _BUILT:
        for part in _BUILT[attribute]:
            yield Atom(_address(address, word, system), part)
        return
    if not feature:
        check_column(attribute, word, (*_BUILT, *_PAIRS))
    yield Atom(_address(address, word, system), attribute)


def check_column(name: str, word: str, others: Iterable[str] = ()) -> None:
    """ValueError if words have no such column; `others` might have been meant."""
    if name not in COLUMNS and not _FEATURE.fullmatch(name):
        raise ValueError(f"{word}: no attribute {name!r}.{hint(name, [*COLUMNS, *others])}")


def _address(address: str, word: str, system: str) -> str:
    base, *relatives = address.split(".")
    if base in _ABOVE:
        _require_spines(word, system)
    elif not _BASE.fullmatch(base):
        raise ValueError(
            f"{word}: no address {base!r}; addresses begin with S0 to S{_MOST_DEPTH} or B0 to B{_MOST_DEPTH}."
        )
    if len(relatives) > _MOST_RELATIVES:
        raise ValueError(f"{base} has {len(relatives)} relatives in a row; {_MOST_RELATIVES} are the most.")
    for relative in relatives:
        if relative not in RELATIVES:
            raise ValueError(f"{word}: no relative {relative!r}.{hint(relative, RELATIVES)}")
        if relative == "head" and system not in ("eager", *_SPINES):
            raise ValueError(f"{word}: in the system {system!r} words of stack and buffer have no head yet.")
    return address


def _require_spines(word: str, system: str) -> None:
    if system not in _SPINES:
        raise ValueError(f"{word}: in the system {system!r} all arcs come from roots, not from below one.")


def _follows_guide(atom: Atom) -> bool:
    return atom.attribute in _FOLLOWED or any(
        "guide" in place.split(".") for place in (atom.address, atom.other)
    )
