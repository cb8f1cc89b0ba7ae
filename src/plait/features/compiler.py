"""Templates to integers: what the core executes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plait import _core
from plait.features.templates import GUIDE_HEADS, OF_CANDIDATE, Atom, Templates
from plait.transitions.addresses import Addresses

_APART = 1 << 40  # beyond all seeds: the same line in two programs is not the same feature
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


def compile_templates(
    templates: Templates, seed: int = 0, chosen: Sequence[int] | None = None
) -> _core.FeatureProgram:
    """The program of a list of templates, but for those of candidates; columns are numbered as
    `templates.columns` lists them. With `chosen`, only these lines are looked at; their features are those they have
    in the whole list.
    """
    lines = templates.of_states
    if chosen is None:
        return _compile(lines, templates.columns, seed)
    return _compile([lines[number] for number in chosen], templates.columns, seed, chosen)


def compile_candidates(templates: Templates, seed: int = 0) -> _core.FeatureProgram:
    """The program of the templates of candidates, which see two columns more."""
    return _compile(templates.of_candidates, [*templates.columns, *OF_CANDIDATE], seed + _APART)


def _compile(
    lines: Sequence[Sequence[Atom]],
    names: Sequence[str],
    seed: int,
    numbers: Sequence[int] | None = None,
) -> _core.FeatureProgram:
    columns = {name: number for number, name in enumerate(names)}
    addresses = Addresses()
    atoms: dict[tuple[int, int, int], int] = {}
    joined: list[int] = []
    ends: list[int] = []
    for line in lines:
        for atom in line:
            sight = _SIGHTS.get(atom.attribute, 0)
            argument = addresses.number(atom.other) if atom.other else columns.get(atom.attribute, 0)
            key = (sight, addresses.number(atom.address), argument)
            joined.append(atoms.setdefault(key, len(atoms)))
        ends.append(len(joined))
    return _core.FeatureProgram(
        addresses.array(),
        np.array(list(atoms), dtype=np.int32).reshape(-1, 3),
        np.array(joined, dtype=np.int32),
        np.array(ends, dtype=np.int32),
        columns.get(GUIDE_HEADS, -1),
        seed,
        None if numbers is None else np.array(numbers, dtype=np.int32),
    )
