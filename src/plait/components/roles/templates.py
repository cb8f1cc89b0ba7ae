"""Templates for predicates and roles (Bohnet 2009, Table 5): what is seen of a predicate `p` and a word `a`.

A list is a file. A line in brackets names the steps that the lines below it are for: `[predicates]`, `[arguments]`,
`[roles]`, `[sets]` and `[senses]`, several with commas between. Every other line is a feature; comments and `for`
blocks are as in all template files (`plait.features.reading`).

- `p.lemma`, `a.xpos`: a column of a word; `a+1.lemma`, `p-2.lemma` of one beside it. Relatives go between: `parent`,
  `lmc` and `rmc` (left-most and right-most child), `lms` and `rms` (left-most and right-most child of the parent),
  `left` and `right` (the next sibling), `child(case)`, the first child with a label: `a.child(case).lemma`.
- `p.listed`: whether a list of frames has the word as a predicate with such a tag, with another, or not at all.
- `p.children.deprel`: the labels of all children in order, and which of them follow the word (sub-cat).
- `direction` (left, equal, right), `distance` (words between, binned), `family`, `path` (ups and downs), `path.length`,
  `path.xpos`, `path.deprel`: of `a` as seen from `p`.
- `p.sense`, where senses are chosen before.
- For roles: `previous` is the role before this one, `used` the core roles that there are already.
- For predicates and senses: `c` is each child of `p`, for senses and sets `r` each argument, with `r.role`: one feature
  for each.
- For sets: `sequence`, all roles in the order of their words, and `core`, the core ones alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import resources

import numpy as np

from plait import _core
from plait.errors import FormatError, Problem
from plait.features.encoding import hash_text
from plait.features.reading import BuiltIn, hint, read_lines
from plait.features.templates import check_column

STEPS = ("predicates", "arguments", "roles", "sets", "senses")
LISTS = BuiltIn(resources.files("plait.components.roles") / "lists")
LABEL, LISTED = "deprel", "listed"
_BASES = {"p": 0, "a": 1, "c": 2, "r": 3}
_RELATIVES = {"parent": 1, "lmc": 2, "rmc": 3, "lms": 4, "rms": 5, "left": 6, "right": 7}
_OFFSET, _CHILD = 0, 8
_MOST_STEPS = 3
_COLUMN, _CHILDREN = 0, 1
_BARE = {
    **{"direction": 2, "distance": 3, "path": 4, "path.length": 5, "family": 7, "previous": 8, "used": 9},
    **{"p.sense": 10, "r.role": 11, "sequence": 12, "core": 13},
}
_ALONG, _ROLE = 6, 11
_WORD = re.compile(r"([pacr])([+-]\d)?((?:\.[\w:()-]+)*?)(\.children)?\.(feats\.[A-Za-z\[\]]+|\w+)")
_RELATIVE = re.compile(r"child\(([^()\s]+)\)|(\w+)")
# Which names say something in which step.
_KNOWN = {
    "predicates": {"c"},
    "arguments": {"a", "p.sense", "direction", "distance", "path", "family"},
    "roles": {"a", "p.sense", "direction", "distance", "path", "family", "previous", "used"},
    "sets": {"r", "p.sense", "sequence", "core"},
    "senses": {"c", "r", "sequence", "core"},
}

Address = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoleAtom:
    """One thing to see; an `attribute` is the name of a column."""

    sight: int
    address: Address = ()
    attribute: str = ""


Lines = tuple[tuple[RoleAtom, ...], ...]
_DYNAMIC = {_BARE["previous"], _BARE["used"]}


@dataclass(frozen=True, slots=True)
class RoleTemplates:
    """Lists of atoms, one list per feature, by step; and the text they were read from."""

    lists: Mapping[str, Lines]
    source: str

    @property
    def columns(self) -> list[str]:
        """The columns of words that are looked at: that of labels first, whether words are listed last."""
        atoms = (atom for lines in self.lists.values() for line in lines for atom in line)
        names = dict.fromkeys([LABEL, *(atom.attribute for atom in atoms if atom.attribute)])
        return sorted(names, key=LISTED.__eq__)

    @property
    def sees_senses(self) -> bool:
        """Whether arguments or roles look at the sense."""
        lines = [*self.lists["arguments"], *self.lists["roles"], *self.lists["sets"]]
        return any(atom.sight == _BARE["p.sense"] for line in lines for atom in line)

    def compile(self, step: str, columns: list[str], seed: int) -> _core.RoleProgram:
        return self._program(self.lists[step], columns, seed, step)

    def compile_roles(
        self, columns: list[str], seed: int
    ) -> tuple[_core.RoleProgram, _core.RoleProgram, _core.RoleProgram]:
        """The lines that see nothing of other roles, those that do, and those of sets."""
        lines = self.lists["roles"]
        joint = tuple(line for line in lines if any(atom.sight in _DYNAMIC for atom in line))
        plain = tuple(line for line in lines if line not in joint)
        return (
            self._program(plain, columns, seed, "roles"),
            self._program(joint, columns, seed + 1, "roles"),
            self._program(self.lists["sets"], columns, seed, "sets"),
        )

    def _along(self, step: str) -> list[str]:
        """The columns that paths are seen with, in a step and those that share its paths."""
        names = ("roles", "sets") if step in ("roles", "sets") else (step,)
        atoms = (atom for name in names for line in self.lists[name] for atom in line)
        return list(dict.fromkeys(atom.attribute for atom in atoms if atom.sight == _ALONG))

    def _program(self, lines: Lines, columns: list[str], seed: int, step: str) -> _core.RoleProgram:
        along = self._along(step)
        addresses: dict[Address, int] = {}
        atoms: dict[tuple[int, int, int], int] = {}
        joined, ends = [], []
        for line in lines:
            for atom in line:
                place = addresses.setdefault(atom.address, len(addresses)) if atom.address else -1
                names = along if atom.sight == _ALONG else columns
                argument = names.index(atom.attribute) if atom.attribute else 0
                joined.append(atoms.setdefault((atom.sight, place, argument), len(atoms)))
            ends.append(len(joined))
        return _core.RoleProgram(
            np.array([_padded(each) for each in addresses], np.int64).reshape(-1, 7),
            np.array(list(atoms), np.int32).reshape(-1, 3),
            np.array(joined, np.int32),
            np.array(ends, np.int32),
            np.array([columns.index(name) for name in along], np.int32),
            (STEPS.index(step) << 32) + (seed << 16),
        )


def load(name_or_path: str) -> RoleTemplates:
    """One of the lists that come with plait, or a file."""
    return parse(*LISTS.find(name_or_path))


def parse(text: str, path: str = "templates") -> RoleTemplates:
    """Read a list; a fault is an error with its line and the nearest name."""
    return RoleTemplates(
        {step: read_lines(part, path, partial(_atoms, step)) for step, part in _parts(text, path).items()},
        text,
    )


def _parts(text: str, path: str) -> dict[str, str]:
    """The text of every step; lines of others are left empty, so that their numbers stay."""
    lines = text.split("\n")
    found = {step: [""] * len(lines) for step in STEPS}
    current: list[str] = []
    for number, line in enumerate(lines):
        content = line.split("#")[0].strip()
        if content.startswith("["):
            current = [name.strip() for name in content.strip("[]").split(",")]
            for name in current:
                if name not in STEPS:
                    raise FormatError(Problem(f"no step {name!r}.{hint(name, STEPS)}", path, number + 1))
        elif content and not current:
            raise FormatError(
                Problem("a line in brackets must say which step this is for: [arguments].", path, number + 1)
            )
        else:
            for name in current:
                found[name][number] = line
    for step, part in found.items():
        if not any(line.split("#")[0].strip() for line in part):
            raise FormatError(Problem(f"there are no templates for the step {step!r}: [{step}].", path))
    return {step: "\n".join(part) for step, part in found.items()}


def _atoms(step: str, line: str) -> tuple[RoleAtom, ...]:
    return tuple(_atom(step, word) for word in line.split())


def _atom(step: str, word: str) -> RoleAtom:
    known = _KNOWN[step]
    if word in _BARE:
        base = word.split(".")[0] if word not in known else word
        if word not in known and base not in known:
            raise ValueError(f"{word}: nothing is known of this in the step {step!r}.")
        return RoleAtom(_BARE[word], (_BASES["r"],) if _BARE[word] == _ROLE else ())
    if word.startswith("path."):
        column = word.removeprefix("path.")
        if "path" not in known:
            raise ValueError(f"{word}: nothing is known of this in the step {step!r}.")
        _check(column, word)
        return RoleAtom(_ALONG, (), column)
    match = _WORD.fullmatch(word)
    if match is None:
        raise ValueError(
            f"{word}: no address of a word; they begin with p, a, c or r, such as a+1.lemma.{hint(word, _BARE)}"
        )
    base, offset, relatives, children, column = match.groups()
    if base != "p" and base not in known:
        raise ValueError(f"{word}: there is no {base!r} in the step {step!r}.")
    _check(column, word)
    steps: list[int] = [_OFFSET, int(offset)] if offset else []
    for name in relatives.split(".")[1:]:
        steps += _relative(name, word)
    if len(steps) > 2 * _MOST_STEPS:
        raise ValueError(f"{word}: {_MOST_STEPS} relatives in a row are the most.")
    return RoleAtom(_CHILDREN if children else _COLUMN, (_BASES[base], *steps), column)


def _relative(name: str, word: str) -> tuple[int, int]:
    match = _RELATIVE.fullmatch(name)
    if match and match[1]:
        return _CHILD, hash_text(match[1])
    if name not in _RELATIVES:
        raise ValueError(f"{word}: no relative {name!r}.{hint(name, [*_RELATIVES, 'child(case)'])}")
    return _RELATIVES[name], 0


def _check(column: str, word: str) -> None:
    if column not in (LABEL, LISTED):
        check_column(column, word, [LABEL, LISTED])


def _padded(address: Iterable[int]) -> list[int]:
    return [*address, *[-1] * 7][:7]
