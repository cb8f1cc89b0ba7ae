"""The frontier and the readable definitions are twins; what it calls correct leads to the gold tree."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from plait.transitions import ORACLES, SYSTEMS, Arcs, Frontier, Repertoire, State, Target, Transition
from plait.transitions.registry import find_oracle
from plait.trees import is_projective
from strategies import trees

LABELS = ["a", "b", "c"]
EVERY_ORACLE = [(system, oracle) for system, oracles in ORACLES.items() for oracle in oracles]


def batches(system: str) -> st.SearchStrategy[list[list[int]]]:
    tree = trees(max_size=7)
    return st.lists(
        tree.filter(is_projective) if SYSTEMS[system].projective else tree, min_size=1, max_size=4
    )


def flat(lists: Sequence[Sequence[int]]) -> NDArray[np.int32]:
    return np.array([entry for one in lists for entry in one], np.int32)


def labels_of(heads: Sequence[int], chance: random.Random) -> list[int]:
    return [chance.randrange(len(LABELS)) for _ in heads]


def choose(frontier: Frontier, mask: NDArray[np.bool_], chance: random.Random) -> NDArray[np.int64]:
    """One transition per sentence at random, of those in the mask."""
    choices = np.full(len(frontier), -1)
    for sentence in np.unique(frontier.sentences):
        rows = np.flatnonzero(frontier.sentences == sentence)
        options = [(row, number) for row in rows for number in np.flatnonzero(mask[row])]
        row, number = chance.choice(options)
        choices[row] = number
    return choices


def address(state: State, name: str) -> int:
    """A slot by the readable state."""
    base, _, relative = name.partition(".")
    row = list(reversed(state.stack)) if base[0] == "S" else list(state.buffer)
    depth = int(base[1:])
    node = row[depth] if depth < len(row) else -1
    if not relative or node == -1:
        return node
    before = relative == "left1"
    dependents = [d for head, _, d in state.arcs if head == node and (d < node) == before]
    if not dependents:
        return -1
    return min(dependents) if before else max(dependents)


@pytest.mark.parametrize(("system", "oracle"), EVERY_ORACLE)
@settings(deadline=None, max_examples=50)
@given(data=st.data())
def test_what_is_correct_leads_to_the_gold_tree(system: str, oracle: str, data: st.DataObject) -> None:
    heads = data.draw(batches(system))
    chance = random.Random(data.draw(st.integers(0, 1000)))
    labels = [labels_of(tree, chance) for tree in heads]
    frontier = Frontier(
        map(len, heads),
        Repertoire(LABELS, system=system),
        gold=Arcs(flat(heads), flat(labels)),
        oracle=oracle,
    )
    while len(frontier):
        correct = frontier.correct()
        assert (correct <= frontier.permitted).all()
        frontier.follow(choose(frontier, correct, chance))
    assert frontier.outcome.heads.tolist() == flat(heads).tolist()
    assert frontier.outcome.labels.tolist() == flat(labels).tolist()


@pytest.mark.parametrize(("system", "oracle"), EVERY_ORACLE)
@settings(deadline=None, max_examples=50)
@given(data=st.data())
def test_a_beam_knows_which_of_its_states_are_on_the_path(
    system: str, oracle: str, data: st.DataObject
) -> None:
    heads = data.draw(batches(system))
    noise = np.random.default_rng(data.draw(st.integers(0, 1000)))
    repertoire = Repertoire(LABELS, system=system)
    frontier = Frontier(map(len, heads), repertoire, gold=Arcs(flat(heads)), oracle=oracle, beam=3, best=2)
    while len(frontier):
        correct = frontier.correct()
        taught = {*zip(frontier.sentences[correct.any(1)], frontier.states[correct.any(1)], strict=True)}
        assert taught == {*zip(frontier.sentences, frontier.states, strict=True)}
        # A wrong step can never be made good again.
        frontier.advance(np.where(correct, 0, -1 - noise.random(correct.shape)))
    outcome = frontier.outcome
    assert outcome.heads[: len(flat(heads))].tolist() == flat(heads).tolist()
    assert (outcome.scores[: len(heads)] == 0).all()


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
@settings(deadline=None, max_examples=50)
@given(sizes=st.lists(st.integers(0, 6), max_size=4), seed=st.integers(0, 1000))
def test_masks_and_slots_are_those_of_the_readable_states(
    system: str, single_root: bool, sizes: list[int], seed: int
) -> None:
    chance = random.Random(seed)
    repertoire = Repertoire(LABELS, system=system, of_root=[0], of_words=[0, 1])
    slots = ["S0", "S1", "S2", "B0", "B1", "S0.left1", "S0.right1", "S1.left1", "S1.right1"]
    frontier = Frontier(sizes, repertoire, single_root=single_root, slots=slots)
    states = [State(size, system=system, single_root=single_root) for size in sizes]
    while len(frontier):
        permitted, shown = frontier.permitted, frontier.slots
        assert sorted(set(frontier.sentences.tolist())) == [
            i for i, state in enumerate(states) if not state.terminal
        ]
        for sentence in set(frontier.sentences.tolist()):
            rows = np.flatnonzero(frontier.sentences == sentence)
            state = states[sentence]
            found = {
                Transition(repertoire[number].kind, repertoire[number].label, int(frontier.depths[row]))
                for row in rows
                for number in np.flatnonzero(permitted[row])
            }
            assert found == expected(state)
            assert shown[rows[0]].tolist() == [address(state, name) for name in slots]
        choices = choose(frontier, permitted, chance)
        for row in np.flatnonzero(choices >= 0):
            chosen = repertoire[choices[row]]
            states[frontier.sentences[row]].apply(
                Transition(chosen.kind, chosen.label, int(frontier.depths[row]))
            )
        frontier.follow(choices)
    outcome = frontier.outcome
    assert outcome.heads.tolist() == [head for state in states for head in state.heads[1:]]
    assert outcome.labels.tolist() == [
        LABELS.index(label or "") for state in states for label in state.labels[1:]
    ]


def expected(state: State) -> set[Transition]:
    """What a state permits, with labels."""
    found = set()
    for transition in state.transitions():
        if not transition.kind.builds_arc:
            found.add(transition)
            continue
        for label in LABELS[:1] if head_of(state, transition) == 0 else LABELS[:2]:
            found.add(Transition(transition.kind, label, transition.depth))
    return found


def head_of(state: State, transition: Transition) -> int | None:
    twin = state.copy()
    dependent = state.dependent(transition.kind)
    assert dependent is not None
    twin.apply(transition)
    return twin.heads[dependent]


@pytest.mark.parametrize(("system", "oracle"), EVERY_ORACLE)
@settings(deadline=None, max_examples=50)
@given(data=st.data())
def test_on_the_path_correct_is_what_the_readable_oracle_says(
    system: str, oracle: str, data: st.DataObject
) -> None:
    tree = data.draw(batches(system))[0]
    chance = random.Random(data.draw(st.integers(0, 1000)))
    labels = [LABELS[number] for number in labels_of(tree, chance)]
    numbers = np.array([LABELS.index(label) for label in labels], np.int32)
    repertoire = Repertoire(LABELS, system=system)
    frontier = Frontier([len(tree)], repertoire, gold=Arcs(flat([tree]), numbers), oracle=oracle)
    state = State(len(tree), system=system)
    teacher = find_oracle(system, oracle)(Target(tree, labels))
    while len(frontier):
        correct = frontier.correct()
        found = {
            Transition(repertoire[number].kind, repertoire[number].label, int(frontier.depths[row]))
            for row, number in zip(*np.nonzero(correct), strict=True)
        }
        assert found == set(teacher.transitions(state))
        choices = choose(frontier, correct, chance)
        row = int(np.flatnonzero(choices >= 0)[0])
        chosen = repertoire[choices[row]]
        state.apply(Transition(chosen.kind, chosen.label, int(frontier.depths[row])))
        frontier.follow(choices)


@settings(deadline=None, max_examples=50)
@given(tree=trees(max_size=7, min_size=2), seed=st.integers(0, 1000))
def test_off_the_path_there_is_always_something_to_learn(tree: list[int], seed: int) -> None:
    chance = random.Random(seed)
    for system in ("swap", "spine-swap"):
        frontier = Frontier(
            [len(tree)], Repertoire(LABELS, system=system), gold=Arcs(flat([tree])), oracle="nd-all"
        )
        while len(frontier):
            correct = frontier.correct()
            assert correct.any()
            assert (correct <= frontier.permitted).all()
            frontier.follow(choose(frontier, frontier.permitted, chance))
