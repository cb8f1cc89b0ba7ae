"""The oracles of the arc-eager system: static (Nivre 2003) and dynamic (Goldberg and Nivre 2012, 2013).

The dynamic oracle gives every permitted transition a cost: how many gold arcs can no longer be built after it
that could be before. It holds in every state, also after errors, for projective gold trees.
"""

from __future__ import annotations

from typing import ClassVar

from plait.transitions.kinds import Kind
from plait.transitions.oracle import Oracle, require_projective
from plait.transitions.state import State
from plait.transitions.target import Target


class EagerStatic(Oracle):
    """Arcs as soon as possible; REDUCE only when something below the top is to be joined to the front."""

    def __init__(self, target: Target) -> None:
        require_projective(target, "eager")
        super().__init__(target)

    def correct(self, state: State) -> list[Kind]:
        heads, front = self.target.heads, state.buffer[0]
        if state.stack:
            top = state.stack[-1]
            if heads[top] == front and state.heads[top] is None:
                return [Kind.LEFT_ARC]
            if heads[front] == top:
                return [Kind.RIGHT_ARC]
            waiting = any(heads[node] == front or heads[front] == node for node in state.stack[:-1])
            if state.heads[top] is not None and (waiting or front == 0):
                return [Kind.REDUCE]
        return [Kind.SHIFT]


class EagerDynamic(Oracle):
    """Correct is what costs least, in any state."""

    static: ClassVar[bool] = False

    def __init__(self, target: Target) -> None:
        require_projective(target, "eager")
        super().__init__(target)

    def correct(self, state: State) -> list[Kind]:
        costs = self.costs(state)
        least = min(costs.values())
        return [kind for kind, cost in costs.items() if cost == least]

    def costs(self, state: State) -> dict[Kind, int]:
        """Goldberg and Nivre (2013), section 4.1: the gold arcs that each permitted transition gives up."""
        return {kind: self._cost(kind, state) for kind in state.permitted()}

    def _cost(self, kind: Kind, state: State) -> int:
        heads, front = self.target.heads, state.buffer[0]
        later = [node for node in state.buffer if node != front]
        waiting = [node for node in state.stack if heads[node] == front and state.heads[node] is None]
        if kind is Kind.SHIFT:
            return len(waiting) + int(heads[front] in state.stack)
        top = state.stack[-1]
        if kind is Kind.RIGHT_ARC:
            other_heads = {*state.stack, *later} - {top}
            return len(waiting) + int(heads[front] in other_heads)
        dependents_ahead = [node for node in state.buffer if heads[node] == top]
        if kind is Kind.LEFT_ARC:
            return len(dependents_ahead) + int(heads[top] in later)
        return len(dependents_ahead)
