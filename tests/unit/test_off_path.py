"""What a parser learns in states from which the gold tree cannot be reached, against all ways to go on."""

from __future__ import annotations

import numpy as np
import pytest

from enumeration import all_trees
from plait.transitions import Arcs, Frontier, Repertoire

SHIFT, LEFT, RIGHT = 0, 2, 3
State = tuple[tuple[int, ...], int]  # the stack, and the first word of the buffer


def _after(state: State, heads: tuple[int, ...]) -> dict[int, tuple[State, int]]:
    """What may come next but SWAP, with a single root: the state, and whether a wrong arc came."""
    stack, first = state
    following: dict[int, tuple[State, int]] = {}
    if first <= len(heads):
        following[SHIFT] = ((*stack, first), first + 1), 0
    if len(stack) > 1:
        *rest, below, top = stack
        arcs = {LEFT: (below, top)} if below else {}
        if below or first > len(heads):
            arcs[RIGHT] = (top, below)
        for arc, (word, head) in arcs.items():
            following[arc] = ((*rest, head), first), int(heads[word - 1] != head)
    return following


def _least(state: State, heads: tuple[int, ...]) -> int:
    following = _after(state, heads)
    return min((lost + _least(after, heads) for after, lost in following.values()), default=0)


@pytest.mark.parametrize("heads", [heads for size in (3, 4) for heads in all_trees(size, single_root=True)])
def test_off_the_path_that_is_right_which_loses_least(heads: tuple[int, ...]) -> None:
    """Against all ways to go on without SWAP, from every state off the path."""
    gold = Arcs(np.array(heads, np.int32), np.zeros(len(heads), np.int32))
    reached = 0

    def visit(state: State, choices: tuple[int, ...], lost: int) -> None:
        nonlocal reached
        following = _after(state, heads)
        if following and lost + _least(state, heads):
            states = Frontier([len(heads)], Repertoire(["x"]), gold=gold, oracle="lazy", single_root=True)
            for choice in choices:
                states.follow(np.array([choice]))
            costs = {kind: more + _least(after, heads) for kind, (after, more) in following.items()}
            expected = {kind for kind, cost in costs.items() if cost == min(costs.values())}
            assert set(np.flatnonzero(states.correct()[0]).tolist()) == expected
            reached += 1
        for kind, (after, more) in following.items():
            visit(after, (*choices, kind), lost + more)

    visit(((0,), 1), (), 0)
    assert reached
