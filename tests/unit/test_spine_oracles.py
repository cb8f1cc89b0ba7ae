"""The spine systems and their oracles: the paper's example, enumerated derivations, all small trees."""

from __future__ import annotations

from math import comb
from random import Random

import numpy as np
import pytest

from exhaustive import all_trees
from exhaustive_spine import CorrectPlaces, MostSpineArcs, Place, spine_moves, start
from plait import _core
from plait.transitions import (
    IllegalTransitionError,
    Kind,
    NotDerivableError,
    State,
    Target,
    Transition,
    build_lattice,
    derivations,
    derive,
    find_oracle,
    replay,
    spell,
)
from plait.transitions.kinds import read_letters
from plait.transitions.spine_oracles import spine_costs
from plait.transitions.table import ORACLE_CODES, SYSTEM_FACTS
from plait.trees import is_projective

TELESCOPES = [2, 0, 2, 2, 4]  # She saw stars with telescopes
# With the root last; the sheet has them without the arc from the root.
DERIVATIONS = {
    "SSSRSSRRL",
    "SSSRSRSR2L",
    "SSSRSRLSR2",
    "SSSRLSSRR",
    "SSSRLSRSR2",
    "SSLSRSSRR",
    "SSLSRSRSR2",
}


def ways(heads: list[int], system: str = "spine", *, single_root: bool = False) -> set[str]:
    """The letters of all derivations, by following every correct transition."""
    teacher = find_oracle(system, "nd-all")(Target(heads))
    found = set()
    pending = [(State(len(heads), system=system, single_root=single_root), "")]
    while pending:
        state, letters = pending.pop()
        if state.terminal:
            found.add(letters)
            continue
        for transition in teacher.transitions(state):
            after = state.copy()
            after.apply(transition)
            pending.append((after, letters + transition.letters))
    return found


def test_the_enumerated_derivations() -> None:
    assert ways(TELESCOPES, single_root=True) == {f"{letters}R" for letters in DERIVATIONS}
    assert len(ways(TELESCOPES)) == 16
    assert len(ways([2, 0, 2, 3, 4], single_root=True)) == 14


def test_both_attachments_are_open_when_all_has_been_read() -> None:
    state = replay(
        "SSLSRSSR", ["She", "saw", "stars", "with", "telescopes"], system="spine", single_root=True
    )
    assert str(state) == "[ROOT₀ saw₂ with₄] [] {2→1, 2→3, 4→5}"
    assert state.spines[2] == ((2, 1), (2, 3))
    heads = {}
    for transition in state.transitions():
        if transition.kind is Kind.RIGHT_ARC:
            after = state.copy()
            after.apply(transition)
            heads[transition.letters] = after.heads[4]
    assert heads == {"R": 2, "R2": 3}


def test_what_a_spine_does_not_reach_is_an_error() -> None:
    state = replay("SSLSRSSR", 5, system="spine")
    message = r"RIGHT-ARC₃ is not permitted in .* Permitted: LEFT-ARC, RIGHT-ARC, RIGHT-ARC₂\."
    with pytest.raises(IllegalTransitionError, match=message):
        state.apply(Transition(Kind.RIGHT_ARC, depth=3))
    with pytest.raises(IllegalTransitionError, match="LEFT-ARC₂ is not permitted"):
        replay("SSL2", 2, system="standard")
    with pytest.raises(NotDerivableError, match="'spine' derives projective trees only"):
        derive([3, 4, 0, 3], system="spine")
    with pytest.raises(ValueError, match="'SX' is not a derivation"):
        read_letters("SX")
    core = _core.State(2, SYSTEM_FACTS["spine"].code, False)
    for kind, depth in (Kind.SHIFT, 2), (Kind.SHIFT, 0), (Kind.LEFT_ARC, 2):
        assert not core.permits(kind.code, depth)


def test_the_two_halves_alone() -> None:
    assert spell(derive(TELESCOPES, system="spine", oracle="static", single_root=True)) == "SSLSRSRSR2R"
    # Arcs from roots only are those of arc-standard.
    for heads in all_trees(5):
        if is_projective(heads):
            roots_only = {letters for letters in ways(heads) if letters.isalpha()}
            assert roots_only == ways(heads, "standard")


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6])
def test_a_chain_has_most_derivations(size: int) -> None:
    catalan = comb(2 * size, size) // (size + 1)
    assert build_lattice(list(range(size)), system="spine").derivations == catalan


class Twins:
    """The states of both twins at the correct places of a tree."""

    def __init__(self, heads: list[int], system: str, single_root: bool) -> None:
        self.correct = CorrectPlaces(heads, swaps=system == "spine-swap", single_root=single_root)
        self.slow = {self.correct.start: State(len(heads), system=system, single_root=single_root)}
        self.fast = {self.correct.start: _core.State(len(heads), SYSTEM_FACTS[system].code, single_root)}

    def move(self, place: Place, letters: str, after: Place) -> None:
        (transition,) = read_letters(letters)
        self.slow[after] = self.slow[place].copy()
        self.slow[after].apply(transition)
        assert tuple(self.slow[after].spines[root] for root in self.slow[after].stack) == after.stack
        self.fast[after] = self.fast[place].copy()
        self.fast[after].apply(transition.kind.code, depth=transition.depth)


def check_tree(heads: list[int], system: str, single_root: bool = False) -> tuple[int, int]:
    """The oracle against enumeration, in every correct state. Returns how many gold arcs there are, and how
    many of them destroy the tree.
    """
    twins = Twins(heads, system, single_root)
    teacher = _core.Teacher(np.array(heads, dtype=np.int32))
    readable = find_oracle(system, "nd-all")(target := Target(heads))
    arcs = wrong = 0
    for place, moves in twins.correct:
        expected = {move.letters for move in moves}
        assert len(expected) <= 2
        slow, fast = twins.slow[place], twins.fast[place]
        assert {transition.letters for transition in readable.transitions(slow)} == expected
        pairs = {(one.kind.code, one.depth) for letters in expected for one in read_letters(letters)}
        assert set(teacher.correct_arcs(fast, ORACLE_CODES["nd-all"])) == pairs
        if system == "spine":
            free = {one.letters for one, cost in spine_costs(slow, target).items() if cost == 0}
            assert free == expected
        gold = {move.letters for move in twins.correct.gold_moves(place) if move.arc}
        arcs += len(gold)
        wrong += len(gold - expected)
        for move in moves:
            twins.move(place, move.letters, move.after)
    return arcs, wrong


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_lemma_1_is_what_enumeration_finds(size: int, single_root: bool) -> None:
    for heads in all_trees(size):
        if is_projective(heads) and not (single_root and heads.count(0) > 1):
            _, wrong = check_tree(heads, "spine", single_root)
            assert wrong == 0, "every gold arc is correct"


@pytest.mark.parametrize(("size", "arcs", "wrong"), [(2, 8, 0), (3, 80, 2), (4, 1_035, 43), (5, 17_018, 854)])
def test_with_swaps_some_gold_arcs_destroy_the_tree(size: int, arcs: int, wrong: int) -> None:
    counts = [check_tree(heads, "spine-swap") for heads in all_trees(size)]
    assert tuple(map(sum, zip(*counts, strict=True))) == (arcs, wrong)


@pytest.mark.parametrize("size", [3, 4])
def test_with_swaps_and_one_root(size: int) -> None:
    for heads in all_trees(size):
        if heads.count(0) == 1:
            check_tree(heads, "spine-swap", single_root=True)


@pytest.mark.parametrize(("sides", "arcs", "wrong", "swaps"), [(True, 1_035, 43, 83), (False, 1_298, 42, 81)])
def test_words_may_not_be_carried_around_a_tree(sides: bool, arcs: int, wrong: int, swaps: int) -> None:
    """That would save swaps, but attach right dependents by LEFT-ARC."""
    found = [0, 0, 0]
    for heads in all_trees(4):
        correct = CorrectPlaces(heads, swaps=True, sides=sides)
        found[2] += correct.fewest_swaps()
        for place, moves in correct:
            gold = {move.letters for move in correct.gold_moves(place) if move.arc}
            found[0] += len(gold)
            found[1] += len(gold - {move.letters for move in moves})
    assert found == [arcs, wrong, swaps]


def test_with_swaps_every_tree_is_derived() -> None:
    trees = [heads for size in range(1, 6) for heads in all_trees(size)]
    for oracle in "static", "nd-all":
        found = derivations(trees, system="spine-swap", oracle=oracle)
        for heads, letters in zip(trees, found, strict=True):
            assert replay(letters, len(heads), system="spine-swap").heads[1:] == heads


def test_costs_off_the_path_against_enumeration() -> None:
    """The sum over arcs is no exact loss, but among the transitions it calls cheapest one is always best."""
    states = best = 0
    for heads in all_trees(4):
        if not is_projective(heads):
            continue
        target, most = Target(heads), MostSpineArcs(heads)
        pending = [(start(len(heads)), State(len(heads), system="spine"))]
        seen = set()
        while pending:
            place, state = pending.pop()
            if place.final or (place, tuple(state.heads)) in seen:
                continue
            seen.add((place, tuple(state.heads)))
            now = most.most(place)
            costs = {one.letters: cost for one, cost in spine_costs(state, target).items()}
            lost = {}
            for move in spine_moves(place, swaps=False):
                built = move.arc is not None and heads[move.arc[1] - 1] == move.arc[0]
                lost[move.letters] = now - built - most.most(move.after)
                after = state.copy()
                after.apply(*read_letters(move.letters))
                pending.append((move.after, after))
            assert costs.keys() == lost.keys()
            states += 1
            least = min(costs.values())
            best += any(cost == least and lost[letters] == 0 for letters, cost in costs.items())
    assert states == best == 7_040


@pytest.mark.parametrize("system", ["spine", "spine-swap"])
def test_oracles_end_in_any_state(system: str) -> None:
    """Off their paths they promise nothing, but neither hang nor crash."""
    random = Random(3)
    trees = [heads for heads in all_trees(5) if is_projective(heads) or system == "spine-swap"]
    for heads in random.sample(trees, 200):
        teacher, target = _core.Teacher(np.array(heads, dtype=np.int32)), Target(heads)
        slow, fast = State(5, system=system), _core.State(5, SYSTEM_FACTS[system].code, False)
        while not slow.terminal:
            for oracle in "static", "nd-all":
                pairs = {
                    (one.kind.code, one.depth)
                    for one in find_oracle(system, oracle)(target).transitions(slow)
                }
                assert set(teacher.correct_arcs(fast, ORACLE_CODES[oracle])) == pairs
            transition = random.choice(slow.transitions())
            slow.apply(transition)
            fast.apply(transition.kind.code, depth=transition.depth)
