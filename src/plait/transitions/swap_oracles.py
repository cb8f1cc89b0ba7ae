"""The oracles of the swap system; those without swaps serve arc-standard too.

EAGER is Nivre (2009), Figure 4. LAZY is Nivre, Kuhlmann and Hall (2009), section 3.2: the later paraphrase in
Björkelund and Nivre (2015), section 3, taken literally, is EAGER. ND-ALL and ND-SW are 2015, section 4.1.
MINIMAL has a file of its own.
"""

from __future__ import annotations

from typing import ClassVar

from plait.transitions.kinds import Kind
from plait.transitions.oracle import Oracle, require_projective
from plait.transitions.state import State
from plait.transitions.target import Target


def complete(state: State, target: Target, node: int) -> bool:
    """Whether a node has collected all its dependents."""
    return all(state.heads[dependent] == node for dependent in target.dependents[node])


def can_left_arc(state: State, target: Target) -> bool:
    if len(state.stack) < 2:
        return False
    i, j = state.stack[-2:]
    return target.heads[i] == j and complete(state, target, i)


def can_right_arc(state: State, target: Target) -> bool:
    if len(state.stack) < 2:
        return False
    i, j = state.stack[-2:]
    return target.heads[j] == i and complete(state, target, j)


def can_swap(state: State, target: Target) -> bool:
    """Whether stack(0) precedes stack(1) in the projective order; only words in sentence order can swap."""
    return state.permits(Kind.SWAP) and target.order[state.stack[-1]] < target.order[state.stack[-2]]


def eager(state: State, target: Target) -> Kind:
    """2009, Figure 4; the generic oracle of 2015, Algorithm 1."""
    if can_left_arc(state, target):
        return Kind.LEFT_ARC
    if can_right_arc(state, target):
        return Kind.RIGHT_ARC
    if can_swap(state, target):
        return Kind.SWAP
    return Kind.SHIFT


def lazy(state: State, target: Target) -> Kind:
    """As EAGER, but a swap waits while stack(0) and buffer(0) are of one maximal projective component."""
    kind = eager(state, target)
    if kind is Kind.SWAP and state.buffer:
        top, front = state.stack[-1], state.buffer[0]
        if target.component[top] == target.component[front]:
            return Kind.SHIFT
    return kind


def can_shift(state: State, target: Target) -> bool:
    """2015, Algorithm 2: does EAGER, after a SHIFT, still find its way to the gold tree?

    With only the root and one word on the stack it does (there, footnote 2).
    """
    return bool(state.buffer) and _look_ahead(state, target)[0]


def _look_ahead(state: State, target: Target) -> tuple[bool, int]:
    """The answer, and how many transitions were tried after the SHIFT."""
    state = state.copy()
    state.apply(Kind.SHIFT)
    tried = 0
    while len(state.stack) > 2 or not state.buffer:
        if state.terminal:
            break
        tried += 1
        kind = eager(state, target)
        if kind is Kind.SHIFT and not state.buffer:
            return False, tried
        state.apply(kind)
    return True, tried


class Eager(Oracle):
    """Swaps as soon as the projective order says so."""

    def correct(self, state: State) -> list[Kind]:
        return [eager(state, self.target)]


class Lazy(Oracle):
    """Builds what it can before it swaps."""

    def correct(self, state: State) -> list[Kind]:
        return [lazy(state, self.target)]


class NonDeterministicSwap(Oracle):
    """ND-SW: arcs as soon as possible; where a SWAP is due, a SHIFT is as good if it leads to the tree."""

    static: ClassVar[bool] = False

    def correct(self, state: State) -> list[Kind]:
        kind = eager(state, self.target)
        competes = kind is Kind.SWAP and can_shift(state, self.target)
        return [kind, Kind.SHIFT] if competes else [kind]


class NonDeterministicAll(Oracle):
    """ND-ALL: every transition after which the tree can still be derived."""

    static: ClassVar[bool] = False

    def correct(self, state: State) -> list[Kind]:
        kind = eager(state, self.target)
        competes = kind is not Kind.SHIFT and can_shift(state, self.target)
        return [kind, Kind.SHIFT] if competes else [kind]


class StandardStatic(Eager):
    """Arc-standard: EAGER on projective trees, where no swap is ever due."""

    def __init__(self, target: Target) -> None:
        require_projective(target, "standard")
        super().__init__(target)


class StandardAll(NonDeterministicAll):
    """Arc-standard with its spurious ambiguity: a LEFT-ARC may wait while stack(0) dominates buffer(0)."""

    def __init__(self, target: Target) -> None:
        require_projective(target, "standard")
        super().__init__(target)

    def correct(self, state: State) -> list[Kind]:
        kind = eager(state, self.target)
        competes = (
            kind is Kind.LEFT_ARC
            and bool(state.buffer)
            and self.target.dominates(state.stack[-1], state.buffer[0])
        )
        return [kind, Kind.SHIFT] if competes else [kind]
