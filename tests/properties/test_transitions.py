"""The readable definitions and the core are twins: on random trees, on and off the correct paths."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exhaustive import MostArcs, MostArcsEager
from plait import _core
from plait.transitions import (
    SYSTEMS,
    Kind,
    State,
    Target,
    Transition,
    derivations,
    derive,
    losses,
    replay,
    spell,
)
from plait.transitions.costs import best_kinds, loss
from plait.transitions.eager_oracles import EagerDynamic
from plait.transitions.registry import ORACLES, find_oracle
from plait.transitions.spine_oracles import spine_costs
from plait.transitions.table import ORACLE_CODES, SYSTEM_FACTS
from plait.trees import is_projective, projective_components, projective_order
from strategies import trees

projective_trees = trees(max_size=8).filter(is_projective)
STATES = [(system, single_root) for system in SYSTEMS for single_root in (False, True)]


class Walk:
    """A state in both twins, moved on by the same transitions."""

    def __init__(self, size: int, system: str, single_root: bool = False) -> None:
        self.slow = State(size, system=system, single_root=single_root)
        self.fast = _core.State(size, SYSTEM_FACTS[system].code, single_root)

    def apply(self, kind: Kind, label: int = 0, depth: int = 1) -> None:
        self.slow.apply(Transition(kind, str(label), depth))
        self.fast.apply(kind.code, label, depth)

    def check(self) -> None:
        slow, fast = self.slow, self.fast
        assert (fast.stack, fast.buffer) == (slow.stack, list(slow.buffer))
        assert fast.terminal == slow.terminal
        assert [kind for kind in Kind if fast.permits(kind.code)] == [
            kind for kind in Kind if slow.permits(kind)
        ]
        for kind in Kind:
            for depth in range(len(slow.heads) + 2):
                assert fast.permits(kind.code, depth) == slow.permits(kind, depth)
        for node in range(len(slow.heads)):
            assert fast.node(node) == expected_node(slow, node)


def expected_node(state: State, node: int) -> tuple[int, ...]:
    """What the core counts as arcs are built, counted from the arcs."""
    arcs = [(dependent, int(label or 0)) for head, label, dependent in state.arcs if head == node]
    left = sorted(arc for arc in arcs if arc[0] < node)
    right = sorted((arc for arc in arcs if arc[0] > node), reverse=True)
    outer = [[dependent for dependent, _ in side[:2]] + [-1, -1] for side in (left, right)]
    labels = [sum({1 << label % 64 for _, label in side}) for side in (left, right)]
    head, label = state.heads[node], state.labels[node]
    own = (-1, -1) if head is None else (head, int(label or 0))
    return (*own, *outer[0][:2], *outer[1][:2], len(left), len(right), *labels)


def walk_at_random(draw: st.DrawFn, walk: Walk) -> Iterator[State]:
    """States of a random derivation, from the start to the last before its end."""
    while not walk.slow.terminal:
        yield walk.slow
        transition = draw(st.sampled_from(walk.slow.transitions()))
        walk.apply(transition.kind, draw(st.integers(0, 70)), transition.depth)


@pytest.mark.parametrize(("system", "single_root"), STATES)
@given(data=st.data(), size=st.integers(1, 9))
def test_random_derivations_end_in_a_tree(
    system: str, single_root: bool, data: st.DataObject, size: int
) -> None:
    walk = Walk(size, system, single_root)
    for state in walk_at_random(data.draw, walk):
        walk.check()
        assert state.permitted(), "never stuck"
    walk.check()
    heads = [head for head in walk.slow.heads[1:] if head is not None]
    assert len(heads) == size
    Target(heads)  # checks that it is a tree
    if single_root:
        assert heads.count(0) == 1


@given(trees())
def test_order_and_components_are_those_of_the_core(heads: list[int]) -> None:
    target = Target(heads)
    assert sorted(range(1, len(heads) + 1), key=target.order.__getitem__) == projective_order(heads)
    assert target.component[1:] == projective_components(heads)
    assert target.projective == is_projective(heads)


@pytest.mark.parametrize("system", ORACLES)
@settings(max_examples=200)
@given(data=st.data())
def test_derivations_are_the_same_and_build_the_tree(system: str, data: st.DataObject) -> None:
    heads = data.draw(projective_trees if SYSTEMS[system].projective else trees(max_size=10))
    for oracle in ORACLES[system]:
        letters = spell(derive(heads, system=system, oracle=oracle))
        assert derivations([heads], system=system, oracle=oracle)[0] == letters
        assert replay(letters, len(heads), system=system).heads[1:] == heads


@pytest.mark.parametrize("system", ["swap", "standard", "spine", "spine-swap"])
@settings(max_examples=200)
@given(data=st.data())
def test_every_way_through_a_non_deterministic_oracle_builds_the_tree(
    system: str, data: st.DataObject
) -> None:
    heads = data.draw(projective_trees if SYSTEMS[system].projective else trees())
    teacher = _core.Teacher(np.array(heads, dtype=np.int32))
    oracle = data.draw(st.sampled_from([name for name in ORACLES[system] if name.startswith("nd-")]))
    readable = find_oracle(system, oracle)(Target(heads))
    walk = Walk(len(heads), system)
    while not walk.slow.terminal:
        correct = readable.transitions(walk.slow)
        assert {(one.kind.code, one.depth) for one in correct} == set(
            teacher.correct_arcs(walk.fast, ORACLE_CODES[oracle])
        )
        if oracle == "nd-all" and system == "swap":
            assert set(best_kinds(walk.slow, readable.target)) == set(readable.correct(walk.slow))
        chosen = data.draw(st.sampled_from(correct))
        walk.apply(chosen.kind, depth=chosen.depth)
    assert walk.slow.heads[1:] == heads


@given(heads=trees(max_size=9), single_root=st.booleans(), data=st.data())
def test_losses_are_the_same_in_any_state(heads: list[int], single_root: bool, data: st.DataObject) -> None:
    target, teacher = Target(heads), _core.Teacher(np.array(heads, dtype=np.int32))
    walk = Walk(len(heads), "swap", single_root)
    for state in walk_at_random(data.draw, walk):
        after = {kind.code: (bound.at_least, bound.at_most) for kind, bound in losses(state, target).items()}
        assert teacher.losses(walk.fast) == after
        now = loss(state, target)
        assert teacher.loss(walk.fast) == (now.at_least, now.at_most)
        assert teacher.best(walk.fast) == sorted(kind.code for kind in best_kinds(state, target))
        assert now.at_least <= min(least for least, _ in after.values())
    wrong = sum(found != gold for found, gold in zip(walk.slow.heads[1:], heads, strict=True))
    assert teacher.loss(walk.fast) == (wrong, wrong)


@pytest.mark.parametrize("system", ["spine", "spine-swap"])
@settings(deadline=None)
@given(data=st.data(), single_root=st.booleans())
def test_costs_off_the_path_are_the_same_in_spine_systems(
    system: str, single_root: bool, data: st.DataObject
) -> None:
    heads = data.draw(projective_trees if SYSTEMS[system].projective else trees(max_size=9))
    target, teacher = Target(heads), _core.Teacher(np.array(heads, dtype=np.int32))
    walk = Walk(len(heads), system, single_root)
    for state in walk_at_random(data.draw, walk):
        costs = {
            (transition.kind.code, transition.depth): cost
            for transition, cost in spine_costs(state, target).items()
        }
        assert {(kind, depth): cost for kind, depth, cost in teacher.spine_costs(walk.fast)} == costs


@settings(max_examples=60, deadline=None)
@given(heads=trees(max_size=6), data=st.data())
def test_losses_bound_what_exhaustive_search_finds(heads: list[int], data: st.DataObject) -> None:
    target, best = Target(heads), MostArcs(heads)
    walk = Walk(len(heads), "swap")
    for state in walk_at_random(data.draw, walk):
        built = sum(target.heads[dependent] == head for head, _, dependent in state.arcs)
        lost = len(heads) - built - best.most(tuple(state.stack), tuple(state.buffer))
        bound = loss(state, target)
        assert bound.at_least <= lost <= bound.at_most


@settings(max_examples=100, deadline=None)
@given(heads=trees(max_size=6).filter(is_projective), data=st.data())
def test_arc_eager_costs_are_those_of_exhaustive_search(heads: list[int], data: st.DataObject) -> None:
    oracle, best = EagerDynamic(Target(heads)), MostArcsEager(heads)
    teacher = _core.Teacher(np.array(heads, dtype=np.int32))

    def reachable(state: State) -> int:
        headed = frozenset(word for word in range(1, len(heads) + 1) if state.heads[word] is not None)
        built = sum(oracle.target.heads[dependent] == head for head, _, dependent in state.arcs)
        return built + best.most(tuple(state.stack), tuple(state.buffer), headed)

    walk = Walk(len(heads), "eager")
    for state in walk_at_random(data.draw, walk):
        costs = oracle.costs(state)
        assert teacher.eager_costs(walk.fast) == {kind.code: cost for kind, cost in costs.items()}
        assert set(teacher.correct(walk.fast, ORACLE_CODES["dynamic"])) == {
            kind.code for kind in oracle.correct(state)
        }
        for kind, cost in costs.items():
            after = state.copy()
            after.apply(kind)
            assert cost == reachable(state) - reachable(after)
        assert min(costs.values()) == 0
