"""Derivations of many trees at once, by the core."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.cancel import Cancel
from plait.sentence import Sentence
from plait.transitions.kinds import LETTERS
from plait.transitions.minimal import BUDGET
from plait.transitions.oracle import NotDerivableError
from plait.transitions.registry import oracle_name
from plait.transitions.systems import find_system
from plait.transitions.table import ORACLE_CODES, SYSTEM_FACTS
from plait.trees import TreeBatch

# The numbers by which the core knows systems and oracles.

_LETTERS = np.frombuffer(LETTERS.encode(), dtype=np.uint8)

Batch = TreeBatch | Iterable[Sentence | Sequence[int]]


@dataclass(frozen=True, slots=True)
class Derivations:
    """The derivations of a batch of trees; as a sequence, their letters.

    `kinds` holds the kinds of all of them as the core numbers them (S, L, R, W, D from 0), and the derivation
    of tree `i` is `kinds[bounds[i]:bounds[i + 1]]`; `depths` likewise. `over_budget` marks searches that were
    cut short.
    """

    kinds: NDArray[np.uint8]
    depths: NDArray[np.int32]
    bounds: NDArray[np.int64]
    over_budget: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.over_budget)

    def __getitem__(self, index: int) -> str:
        if not -len(self) <= index < len(self):
            raise IndexError(f"no derivation {index}: there are {len(self)}")
        index %= len(self)
        span = slice(self.bounds[index], self.bounds[index + 1])
        letters = _LETTERS[self.kinds[span]].tobytes().decode()
        depths = self.depths[span]
        if (depths <= 1).all():
            return letters
        return "".join(
            letter + (str(depth) if depth > 1 else "")
            for letter, depth in zip(letters, depths.tolist(), strict=True)
        )

    def __iter__(self) -> Iterator[str]:
        return (self[index] for index in range(len(self)))


@dataclass(frozen=True, slots=True)
class Counts:
    """Per tree: transitions and swaps of its derivation, and whether the search for it was cut short."""

    transitions: NDArray[np.int64]
    swaps: NDArray[np.int64]
    over_budget: NDArray[np.bool_]


def derivations(
    trees: Batch,
    *,
    system: str = "swap",
    oracle: str | None = None,
    single_root: bool = False,
    budget: int = BUDGET,
    cancel: Cancel | None = None,
) -> Derivations:
    """The derivation of every tree; `budget` bounds the search of MINIMAL (see there)."""
    batch, codes = _prepare(trees, system, oracle, single_root)
    kinds, depths, bounds, over = _core.derive(
        batch.heads, batch.offsets, *codes, single_root, budget, cancel
    )
    return Derivations(kinds, depths, bounds, over.astype(np.bool_))


def count(
    trees: Batch,
    *,
    system: str = "swap",
    oracle: str | None = None,
    single_root: bool = False,
    budget: int = BUDGET,
    cancel: Cancel | None = None,
) -> Counts:
    """How long the derivations are, without keeping them."""
    batch, codes = _prepare(trees, system, oracle, single_root)
    transitions, swaps, over = _core.count_transitions(
        batch.heads, batch.offsets, *codes, single_root, budget, cancel
    )
    return Counts(transitions, swaps, over.astype(np.bool_))


def ambiguous(
    trees: Batch, *, system: str = "swap", single_root: bool = False, cancel: Cancel | None = None
) -> NDArray[np.bool_]:
    """Per tree: whether it has more than one derivation that respects the projective order (ND-ALL)."""
    batch, (code, _) = _prepare(trees, system, "nd-all", single_root)
    return _core.ambiguous(batch.heads, batch.offsets, code, single_root, cancel).astype(np.bool_)


def rebuild(
    derivations: Derivations, offsets: NDArray[np.int64], *, system: str = "swap", single_root: bool = False
) -> NDArray[np.int32]:
    """The heads that the derivations build, for sentences whose words begin at these offsets."""
    code = SYSTEM_FACTS[find_system(system).name].code
    return _core.replay(derivations.kinds, derivations.depths, derivations.bounds, offsets, code, single_root)


def _prepare(
    trees: Batch, system: str, oracle: str | None, single_root: bool
) -> tuple[TreeBatch, tuple[int, int]]:
    codes = SYSTEM_FACTS[find_system(system).name].code, ORACLE_CODES[oracle_name(system, oracle)]
    batch = trees if isinstance(trees, TreeBatch) else TreeBatch(_heads(tree) for tree in trees)
    if find_system(system).projective and not batch.projective.all():
        first = int(np.flatnonzero(~batch.projective)[0])
        raise NotDerivableError(
            f"tree {first} is not projective, and the system '{system}' derives projective trees only"
        )
    if single_root:
        roots = np.zeros(len(batch.heads) + 1, dtype=np.int64)
        np.cumsum(batch.heads == 0, out=roots[1:])
        several = np.flatnonzero(np.diff(roots[batch.offsets]) > 1)
        if several.size:
            raise NotDerivableError(
                f"in tree {several[0]} several words hang from the root: not with single_root"
            )
    return batch, codes


def _heads(tree: Sentence | Sequence[int]) -> Sequence[int]:
    return tree.tree() if isinstance(tree, Sentence) else tree
