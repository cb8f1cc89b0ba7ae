"""The oracles of the spine systems (Sartorio, Satta and Nivre 2013, section 4.2), and costs off the path.

In a state of `spine` from which the tree can be derived, an arc is correct if it is a gold arc, and SHIFT
unless the top tree must be attached now (Lemma 1). With SWAP the first half no longer holds: a gold arc may
close a node whose dependents still have to be brought there, so what it closes is looked at too; and whether
a SHIFT is correct is found by trial, as in Björkelund and Nivre (2015), Algorithm 2.
"""

from __future__ import annotations

from typing import ClassVar

from plait.transitions.kinds import Kind, Transition
from plait.transitions.oracle import Oracle, require_projective
from plait.transitions.state import State
from plait.transitions.target import Target


def gold_arc(state: State, target: Target) -> Transition | None:
    """The gold arc among those that the state permits: there is at most one."""
    for transition in state.transitions():
        dependent = state.dependent(transition.kind)
        if dependent is not None and arc_head(state, transition) == target.heads[dependent]:
            return transition
    return None


def arc_head(state: State, arc: Transition) -> int:
    return state.heads_of(arc.kind)[arc.depth - 1]


def closed_by(state: State, arc: Transition) -> list[tuple[int, Kind]]:
    """The nodes that take no more dependents once an arc is built, each with the kind of arc it loses: those
    below the head on its spine, and the spine of the attached tree that then lies inside.
    """
    inner_kind = Kind.RIGHT_ARC if arc.kind is Kind.LEFT_ARC else Kind.LEFT_ARC
    attached = state.stack[-2] if arc.kind is Kind.LEFT_ARC else state.stack[-1]
    inner = state.spines[attached][1 if arc.kind is Kind.LEFT_ARC else 0]
    below = state.heads_of(arc.kind)[arc.depth :]
    return [*((node, arc.kind) for node in below), *((node, inner_kind) for node in inner)]


def must_attach_now(state: State, target: Target) -> bool:
    """Lemma 1 (ii): the head of the top tree is on the stack, and its right spine needs nothing more."""
    left, right = state.spines[state.stack[-1]]
    if left[0] == 0 or target.heads[left[0]] in state.buffer:
        return False
    return not any(dependent in state.buffer for node in right for dependent in target.dependents[node])


class SpineStatic(Oracle):
    """Arcs as soon as possible: arc-standard + spine in the paper's Table 2."""

    def __init__(self, target: Target) -> None:
        require_projective(target, "spine")
        super().__init__(target)

    def correct(self, state: State) -> list[Kind]:
        return [transition.kind for transition in self.transitions(state)]

    def transitions(self, state: State) -> list[Transition]:
        arc = gold_arc(state, self.target)
        return [self.labelled(arc.kind, state, arc.depth) if arc else Transition(Kind.SHIFT)]


class SpineAll(SpineStatic):
    """Lemma 1: everything that leads to the tree, which lets a parser wait for the easy decisions."""

    static: ClassVar[bool] = False

    def transitions(self, state: State) -> list[Transition]:
        first = super().transitions(state)
        may_wait = first[0].kind is not Kind.SHIFT and state.buffer
        if may_wait and not must_attach_now(state, self.target):
            return [*first, Transition(Kind.SHIFT)]
        return first


class SpineSwapStatic(Oracle):
    """Arcs as soon as nothing is closed too early, swaps as soon as the projective order says so."""

    def correct(self, state: State) -> list[Kind]:
        return [transition.kind for transition in self.transitions(state)]

    def transitions(self, state: State) -> list[Transition]:
        arc = gold_arc(state, self.target)
        if arc and self._is_safe(state, arc):
            return [self.labelled(arc.kind, state, arc.depth)]
        order = self.target.order
        swaps = state.permits(Kind.SWAP) and order[state.stack[-1]] < order[state.stack[-2]]
        return [Transition(Kind.SWAP if swaps else Kind.SHIFT)]

    def _is_safe(self, state: State, arc: Transition) -> bool:
        return not any(
            (dependent < node) == (kind is Kind.LEFT_ARC)
            and state.heads[dependent] is None
            and dependent != state.dependent(arc.kind)
            for node, kind in closed_by(state, arc)
            for dependent in self.target.dependents[node]
        )


class SpineSwapAll(SpineSwapStatic):
    """Everything that leads to the tree, by swaps that respect its projective order."""

    static: ClassVar[bool] = False

    def transitions(self, state: State) -> list[Transition]:
        first = super().transitions(state)
        if first[0].kind is not Kind.SHIFT and self._can_shift(state):
            return [*first, Transition(Kind.SHIFT)]
        return first

    def _can_shift(self, state: State) -> bool:
        if not state.buffer:
            return False
        state = state.copy()
        state.apply(Kind.SHIFT)
        while len(state.stack) > 2 or not state.buffer:
            if state.terminal:
                return True
            (kind_and_depth,) = super().transitions(state)
            if kind_and_depth.kind is Kind.SHIFT and not state.buffer:
                return False
            state.apply(kind_and_depth)
        return True


def spine_costs(state: State, target: Target) -> dict[Transition, int]:
    """For all that a state permits but SWAP: how many gold arcs become unreachable that could each be reached
    before, as if every arc were alone.

    That is a lower bound of what is lost: the system is not arc-decomposable. One correction is made: SHIFT
    costs 1 where Lemma 1 calls it wrong. So where the tree can be derived, the correct transitions are those
    without cost.
    """
    place = {node: number for number, node in enumerate((*state.stack, *state.buffer))}

    def tree_of(node: int) -> int:
        while (head := state.heads[node]) is not None:
            node = head
        return node

    def is_before(one: int, other: int) -> bool:
        return place[one] < place[tree_of(other)]

    def reachable(dependent: int) -> bool:
        head = target.heads[dependent]
        if head is None or state.heads[dependent] is not None or tree_of(head) == dependent:
            return False
        left, right = state.spines[tree_of(head)]
        return head in (left if is_before(dependent, head) else right)

    def waiting(node: int, kind: Kind) -> set[int]:
        return {
            dependent
            for dependent in target.dependents[node]
            if state.heads[dependent] is None
            and dependent != tree_of(node)
            and is_before(dependent, node) == (kind is Kind.LEFT_ARC)
        }

    def cost(transition: Transition) -> int:
        dependent = state.dependent(transition.kind)
        if dependent is None:
            top = state.stack[-1]
            head = target.heads[top]
            if head is None or place[tree_of(head)] > place[top] or not reachable(top):
                return 0
            return int(not any(waiting(node, Kind.RIGHT_ARC) for node in state.spines[top][1]))
        lost = {word for node, kind in closed_by(state, transition) for word in waiting(node, kind)}
        if reachable(dependent) and target.heads[dependent] != arc_head(state, transition):
            lost.add(dependent)
        return len(lost)

    return {
        transition: cost(transition) for transition in state.transitions() if transition.kind is not Kind.SWAP
    }
