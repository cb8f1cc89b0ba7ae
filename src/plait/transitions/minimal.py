"""MINIMAL: the fewest swaps that respect the projective order (Björkelund and Nivre 2015, section 4.2).

The paper searches the lattice of all correct derivations. Attaching arcs as soon as possible costs no swap,
so only the states where SWAP and SHIFT are both correct need to be kept, its forks, and a state met twice
needs to be followed once.

Ties: LAZY's derivation is kept unless one with fewer swaps exists. Otherwise the search decides: forks with
fewer swaps first, among equals the one found last, at a fork SWAP before SHIFT; a fork met again keeps the
way to it that was found first unless the new one has fewer swaps; the first derivation found of those with
fewest swaps is taken.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from plait.cancel import check_cancelled
from plait.transitions.kinds import Kind
from plait.transitions.oracle import OffThePathError, Oracle
from plait.transitions.state import State
from plait.transitions.swap_oracles import _look_ahead, eager, lazy
from plait.transitions.target import Target

BUDGET = 10_000_000


class Minimal(Oracle):
    """A static oracle that knows the states of its one derivation.

    `over_budget` says that the search was cut short: the derivation may not have the fewest swaps.
    """

    def __init__(self, target: Target, budget: int = BUDGET) -> None:
        super().__init__(target)
        self.derivation, self.over_budget = minimal_derivation(target, budget)
        self._next = {}
        state = State(len(target))
        for kind in self.derivation:
            self._next[state.key()] = kind
            state.apply(kind)

    def correct(self, state: State) -> list[Kind]:
        if state.key() not in self._next:
            raise OffThePathError(f"the oracle 'minimal' has no way through {state}")
        return [self._next[state.key()]]


@dataclass(slots=True)
class Fork:
    """A state where SWAP and SHIFT are both correct, and the way to it."""

    state: State
    swaps: int
    choices: tuple[Kind, ...]  # at the forks before this one
    done: bool = False


@dataclass(slots=True)
class Search:
    """Best-first, with memory. `work` is what the budget bounds.

    Every transition tried counts 1, and remembering a fork counts 1 per node on its stack and buffer.
    """

    target: Target
    budget: int
    work: int = 0
    known: dict[tuple[object, ...], Fork] = field(default_factory=dict)
    queue: defaultdict[int, list[Fork]] = field(default_factory=lambda: defaultdict(list))

    def run(self) -> tuple[list[Kind], bool]:
        derivation = follow_lazy(self.target)
        bound = derivation.count(Kind.SWAP)
        if bound < 2:
            return derivation, False
        best: tuple[Kind, ...] | None = None
        start = State(len(self.target))
        swaps = self.advance(start)
        if not start.terminal and swaps + 1 < bound:
            self.remember(start, swaps, ())
        while self.queue and (level := min(self.queue)) + 1 < bound:
            if not self.queue[level]:
                del self.queue[level]
                continue
            fork = self.queue[level].pop()
            if fork.done or fork.swaps != level:
                continue
            fork.done = True
            for choice in (Kind.SWAP, Kind.SHIFT):
                if self.work > self.budget:
                    return self.spell(best) if best else derivation, True
                state = fork.state.copy()
                state.apply(choice)
                swaps = level + (choice is Kind.SWAP) + self.advance(state)
                if state.terminal:
                    if swaps < bound:
                        bound, best = swaps, (*fork.choices, choice)
                elif swaps + 1 < bound:
                    self.remember(state, swaps, (*fork.choices, choice))
        return self.spell(best) if best else derivation, False

    def advance(self, state: State) -> int:
        """Go on while only one transition is correct, or the budget is spent; the swaps on the way."""
        swaps = 0
        while not state.terminal and self.work <= self.budget:
            check_cancelled()
            self.work += 1
            kind = eager(state, self.target)
            if kind is Kind.SWAP:
                if self.can_shift(state):
                    break
                swaps += 1
            state.apply(kind)
        return swaps

    def can_shift(self, state: State) -> bool:
        if not state.buffer:
            return False
        found, tried = _look_ahead(state, self.target)
        self.work += tried
        return found

    def remember(self, state: State, swaps: int, choices: tuple[Kind, ...]) -> None:
        fork = self.known.get(state.key())
        if fork is None:
            self.work += len(state.stack) + len(state.buffer)
            fork = self.known[state.key()] = Fork(state, swaps, choices)
        elif swaps < fork.swaps:
            fork.swaps, fork.choices = swaps, choices
        else:
            return
        self.queue[swaps].append(fork)

    def spell(self, choices: tuple[Kind, ...]) -> list[Kind]:
        """The derivation that makes these choices at its forks."""
        remaining = list(reversed(choices))
        state = State(len(self.target))
        derivation = []
        while not state.terminal:
            kind = eager(state, self.target)
            if kind is Kind.SWAP and self.can_shift(state):
                kind = remaining.pop()
            derivation.append(kind)
            state.apply(kind)
        return derivation


def minimal_derivation(target: Target, budget: int = BUDGET) -> tuple[list[Kind], bool]:
    """The derivation with the fewest swaps, and whether the budget was too small to be sure of it."""
    return Search(target, budget).run()


def follow_lazy(target: Target) -> list[Kind]:
    state = State(len(target))
    derivation = []
    while not state.terminal:
        check_cancelled()
        derivation.append(lazy(state, target))
        state.apply(derivation[-1])
    return derivation
