"""States stepped by hand, the systems' tables, names and messages."""

from pathlib import Path

import pytest

import plait
from plait import NotATreeError, PlaitError, Sentence
from plait.transitions import (
    IllegalTransitionError,
    Kind,
    NotDerivableError,
    State,
    Target,
    Transition,
    UnknownNameError,
    derivations,
    derive,
    find_oracle,
    replay,
)
from plait.transitions.page import systems_page

AFTER = Sentence(
    forms=["That", "'s", "what", "they", "'re", "after"],
    heads=[2, 0, 6, 5, 2, 5],
    deprels=["nsubj", "root", "obj", "nsubj", "ccomp", "case"],
)


def test_a_state_is_stepped_by_hand() -> None:
    state = State(["A", "likes", "B"])
    assert str(state) == "[ROOT₀] [A₁ likes₂ B₃] {}"
    assert state.permitted() == [Kind.SHIFT]
    state.apply(Kind.SHIFT)
    state.apply(Kind.SHIFT)
    assert state.permitted() == [Kind.LEFT_ARC, Kind.RIGHT_ARC, Kind.SWAP, Kind.SHIFT]
    state.apply(Transition(Kind.LEFT_ARC, "nsubj"))
    assert list(state.arcs) == [(2, "nsubj", 1)]
    assert str(state) == "[ROOT₀ likes₂] [B₃] {2→1}"
    assert not state.terminal


def test_a_copy_is_a_state_of_its_own() -> None:
    state = State(3)
    twin = state.copy()
    assert twin == state
    twin.apply(Kind.SHIFT)
    assert twin != state
    assert (state.stack, list(state.buffer)) == ([0], [1, 2, 3])


def test_an_illegal_transition_says_where_and_what_is_permitted() -> None:
    state = replay("SS", ["A", "likes", "B"])
    state.apply(Kind.SWAP)
    state.apply(Kind.SHIFT)
    with pytest.raises(IllegalTransitionError) as caught:
        state.apply(Kind.SWAP)
    assert isinstance(caught.value, PlaitError)
    assert str(caught.value) == (
        "SWAP is not permitted in [ROOT₀ likes₂ A₁] [B₃] {}. Permitted: LEFT-ARC, RIGHT-ARC, SHIFT."
    )
    assert caught.value.state == state
    assert state.stack == [0, 2, 1], "an illegal transition changes nothing"


def test_nothing_is_permitted_at_the_end() -> None:
    with pytest.raises(IllegalTransitionError, match="nothing: the derivation is at its end"):
        replay("SRS", 1)


@pytest.mark.parametrize("system", ["swap", "standard", "eager"])
def test_a_transition_of_another_system_is_illegal(system: str) -> None:
    stranger = Kind.SWAP if system != "swap" else Kind.REDUCE
    with pytest.raises(IllegalTransitionError):
        State(2, system=system).apply(stranger)


def test_single_root_lets_the_root_wait() -> None:
    state = replay("S", 2, single_root=True)
    assert state.permitted() == [Kind.SHIFT]
    state.apply(Kind.SHIFT)
    assert state.permitted() == [Kind.LEFT_ARC, Kind.RIGHT_ARC, Kind.SWAP]
    state.apply(Kind.RIGHT_ARC)
    assert state.permitted() == [Kind.RIGHT_ARC]


def test_a_derivation_shows_the_state_before_each_transition() -> None:
    steps = list(plait.derive(AFTER, system="swap", oracle="lazy"))
    assert [str(step) for step in steps[6:9]] == [
        "[ROOT₀ 's₂ what₃ they₄ 're₅] [after₆] {2→1} LEFT-ARC(nsubj)",
        "[ROOT₀ 's₂ what₃ 're₅] [after₆] {2→1, 5→4} SWAP",
        "[ROOT₀ 's₂ 're₅] [what₃ after₆] {2→1, 5→4} SHIFT",
    ]
    last = steps[-1].state.copy()
    last.apply(steps[-1].transition)
    assert last.terminal
    assert last.heads[1:] == AFTER.heads
    assert last.labels[1:] == AFTER.deprels


def test_steps_know_what_else_is_correct() -> None:
    choices = [set(step.correct) for step in derive([2, 0, 2], oracle="nd-all") if len(step.correct) > 1]
    assert choices == [{Kind.LEFT_ARC, Kind.SHIFT}]


def test_long_lists_are_shortened_when_printed() -> None:
    state = replay("S" * 8, 20)
    assert str(state) == "[ROOT₀ … 5 6 7 8] [9 10 11 12 … 20] {}"


def test_an_unknown_oracle_is_named_with_those_there_are() -> None:
    message = "No oracle 'dynamic' for system 'swap'. Available: eager, lazy, minimal, nd-swap, nd-all."
    with pytest.raises(UnknownNameError) as caught:
        derive([0], oracle="dynamic")
    assert str(caught.value) == message
    with pytest.raises(UnknownNameError) as caught:
        derivations([[0]], oracle="dynamic")
    assert str(caught.value) == message


def test_an_unknown_system_is_named_with_those_there_are() -> None:
    for function in (derive, derivations, State):
        with pytest.raises(UnknownNameError) as caught:
            function([0], system="arc")  # type: ignore[operator]
        assert (
            str(caught.value)
            == "No transition system 'arc'. Available: swap, standard, eager, spine, spine-swap."
        )


def test_what_is_no_tree_has_no_derivation() -> None:
    with pytest.raises(NotATreeError, match="cycle"):
        derive([2, 1])
    with pytest.raises(NotATreeError, match="tree 1"):
        derivations([[0], [2, 1]])
    with pytest.raises(NotATreeError, match="word 2 has no head"):
        derive(Sentence(forms=["a", "b"], heads=[0, None]))


@pytest.mark.parametrize("system", ["standard", "eager"])
def test_projective_systems_refuse_crossing_arcs(system: str) -> None:
    with pytest.raises(NotDerivableError, match="not projective"):
        derive(AFTER, system=system)
    with pytest.raises(NotDerivableError, match="tree 1 is not projective"):
        derivations([[0], AFTER], system=system)


@pytest.mark.parametrize("system", ["swap", "standard", "eager"])
def test_single_root_refuses_several(system: str) -> None:
    with pytest.raises(NotDerivableError, match="several words hang from the root"):
        derive([0, 0], system=system, single_root=True)
    with pytest.raises(NotDerivableError, match="in tree 1 several words"):
        derivations([[0], [0, 0]], system=system, single_root=True)


def test_labels_and_heads_must_fit() -> None:
    with pytest.raises(ValueError, match="2 heads but 1 labels"):
        Target([0, 1], ["root"])


def test_a_sentence_without_words_has_the_empty_derivation() -> None:
    assert list(derive([])) == []
    assert list(derivations([[]])) == [""]


def test_derivations_are_a_sequence_of_letters() -> None:
    batch = derivations([[2, 0, 2], [0]], oracle="eager")
    assert (batch[0], batch[-1], len(batch)) == ("SSLSRR", "SR", 2)
    with pytest.raises(IndexError):
        batch[2]


def test_every_oracle_is_found_by_name() -> None:
    for system, default in (("swap", "lazy"), ("standard", "static"), ("eager", "static")):
        assert find_oracle(system) is find_oracle(system, default)


def test_the_page_of_the_systems_is_current() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "systems.md"
    assert page.read_text(encoding="utf-8") == systems_page(), (
        "python -m plait.transitions.page > docs/systems.md"
    )
