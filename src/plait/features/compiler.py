"""Templates to integers: what the core executes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plait import _core
from plait.features.templates import GUIDE_HEADS, OF_CANDIDATE, Atom, Templates

_BASES = {
    **{f"S{depth}": (0, depth) for depth in range(10)},
    **{f"B{depth}": (1, depth) for depth in range(10)},
    "GP": (7, 0),
    "GG": (7, 1),
    "C": (8, 0),
}
_APART = 1 << 40  # beyond all seeds: the same line in two programs is not the same feature
_RELATIVES = {"left1": 2, "left2": 3, "right1": 4, "right2": 5, "head": 6, "guide": 9}
_SIGHTS = {
    "deprel": 1,
    "nleft": 2,
    "nright": 3,
    "leftlabels": 4,
    "rightlabels": 5,
    "distance": 6,
    "inorder": 7,
    "depth": 8,
    "guided": 9,
    "guide.side": 10,
    "guide.waiting": 11,
}


def compile_templates(templates: Templates, seed: int = 0) -> _core.FeatureProgram:
    """The program of a list of templates, but for those of candidates; columns are numbered as
    `templates.columns` lists them.
    """
    return _compile(templates.of_states, templates.columns, seed)


def compile_candidates(templates: Templates, seed: int = 0) -> _core.FeatureProgram:
    """The program of the templates of candidates, which see two columns more."""
    return _compile(templates.of_candidates, [*templates.columns, *OF_CANDIDATE], seed + _APART)


def _compile(lines: Sequence[Sequence[Atom]], names: Sequence[str], seed: int) -> _core.FeatureProgram:
    columns = {name: number for number, name in enumerate(names)}
    addresses: dict[str, int] = {}
    address_rows: list[tuple[int, int]] = []

    def address(name: str) -> int:
        if name not in addresses:
            base, _, relative = name.rpartition(".")
            row = (_RELATIVES[relative], address(base)) if base else _BASES[name]
            addresses[name] = len(address_rows)
            address_rows.append(row)
        return addresses[name]

    atoms: dict[tuple[int, int, int], int] = {}
    joined: list[int] = []
    ends: list[int] = []
    for line in lines:
        for atom in line:
            sight = _SIGHTS.get(atom.attribute, 0)
            argument = address(atom.other) if atom.other else columns.get(atom.attribute, 0)
            key = (sight, address(atom.address), argument)
            joined.append(atoms.setdefault(key, len(atoms)))
        ends.append(len(joined))
    return _core.FeatureProgram(
        np.array(address_rows, dtype=np.int32).reshape(-1, 2),
        np.array(list(atoms), dtype=np.int32).reshape(-1, 3),
        np.array(joined, dtype=np.int32),
        np.array(ends, dtype=np.int32),
        columns.get(GUIDE_HEADS, -1),
        seed,
    )
