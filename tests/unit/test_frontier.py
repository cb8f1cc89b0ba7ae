"""The frontier: scores from elsewhere lead to the same trees as the search that asks for them itself."""

from __future__ import annotations

import doctest
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from plait import InputError, Sentence, TransitionParser
from plait.components.transition.model import Batch, Found, Model, Search
from plait.transitions import Arcs, Frontier, Outcome, Repertoire, UnknownNameError, frontier
from toy import quick_parser, toy

PARSERS: dict[str, dict[str, object]] = {
    "swap": {"beam": 4, "epochs": 2},
    "standard": {"system": "standard", "epochs": 2},
    "eager": {"system": "eager", "epochs": 2},
    "spine": {"system": "spine", "epochs": 2},
    "spine-swap": {"system": "spine-swap", "epochs": 2},
    "completion": {"beam": 4, "completion": "2a,2b,3a", "epochs": 2},
    "filtered": {"filter_labels": True, "epochs": 2},
    "several roots": {"single_root": "no", "epochs": 2},
}


@pytest.fixture(scope="module", params=PARSERS)
def model(request: pytest.FixtureRequest) -> Model:
    options = PARSERS[request.param]
    crossing = options.get("system", "swap") in ("swap", "spine-swap")
    # Few examples: a parser that is never wrong would hide differences.
    return quick_parser(**options).fit(toy(12, crossing=crossing)).state


def frontier_of(model: Model, batch: Batch, beam: int = 1, best: int = 1) -> Frontier:
    given = batch.given
    return Frontier(
        np.diff(batch.words.offsets),
        model.setup.repertoire,
        single_root=model.setup.single_root,
        beam=beam,
        best=best,
        given=Arcs(given.heads, given.labels) if given else None,
        classes=batch.words.classes,
    )


def run(states: Frontier, score: Callable[[Frontier], NDArray[np.floating]]) -> Outcome:
    while len(states):
        states.advance(score(states))
    return states.outcome


def check_equal(outcome: Outcome, found: Found) -> None:
    assert outcome.heads.tolist() == found.heads.tolist()
    assert outcome.labels.tolist() == found.labels.tolist()
    assert outcome.margins.tolist() == found.margins.tolist()
    assert outcome.scores.tolist() == found.scores.tolist()


@pytest.mark.parametrize(("beam", "best"), [(1, 1), (4, 1), (4, 3), (1, 3)])
@pytest.mark.parametrize("keep_heads", [False, True], ids=["free", "given"])
def test_the_kernel_s_own_scores_give_its_own_trees(
    model: Model, beam: int, best: int, keep_heads: bool
) -> None:
    sentences = [*toy(20, seed=5), Sentence(forms=[])]
    for sentence in sentences[:-1]:
        sentence.heads = [None if word % 2 else 1 for word in range(1, len(sentence) + 1)]
        sentence.heads[1] = 3
    batch = model.setup.encode(sentences, keep_heads=keep_heads)
    found = model.search(batch, Search(beam, best))
    outcome = run(frontier_of(model, batch, beam, best), lambda states: model.score(batch, states))
    check_equal(outcome, found)
    assert len(set(found.heads.tolist())) > 3


def test_sentences_drop_out_when_they_are_finished() -> None:
    states = Frontier([1, 3, 0], Repertoire(["x"]))
    assert states.sentences.tolist() == [0, 1]
    zeros = np.zeros(len(states.repertoire))
    states.advance(np.array([zeros, zeros]))
    states.follow(np.array([3, 0]))  # RIGHT-ARC ends the first
    assert states.sentences.tolist() == [1]
    assert states.outcome.heads.tolist() == [0, -1, -1, -1]
    assert states.outcome.scores.tolist() == [0.0, -np.inf, -np.inf]
    assert list(states.outcome.derivations) == ["SR", "", ""]
    assert not len(Frontier([], Repertoire(["x"])))


def test_scores_that_were_masked_elsewhere_are_welcome() -> None:
    states = Frontier([4], Repertoire(["x"]), beam=3)
    outcome = run(states, lambda at: np.where(at.permitted, 0.0, -np.inf))
    assert (outcome.heads >= 0).all()


def test_rows_name_states_and_slots() -> None:
    states = Frontier([3], Repertoire(["x", "y"]), slots=["B0", "S0", "S0.left1.head"], beam=4)
    for _ in range(3):
        states.advance(np.zeros((len(states), len(states.repertoire))))
    assert states.states.tolist() == [0, 1, 2, 3]
    assert states.depths.tolist() == [1] * 4
    assert sorted(states.slots.tolist()) == [[-1, 3, -1], [3, 1, -1], [3, 2, 2], [3, 2, 2]]
    assert str(states.repertoire[3]) == "LEFT-ARC(y)"


def test_a_repertoire_is_numbered_as_the_core_does() -> None:
    eager = Repertoire(["a", "b"], system="eager", left=[1], right=[0, 1], of_root=[1])
    assert [str(eager[number]) for number in range(len(eager))] == [
        "SHIFT",
        "REDUCE",
        "LEFT-ARC(b)",
        "RIGHT-ARC(a)",
        "RIGHT-ARC(b)",
    ]
    assert len(eager.core) == len(eager)


class TestRefused:
    def states(self, **options: object) -> Frontier:
        return Frontier([2, 2], Repertoire(["x"]), **options)  # type: ignore[arg-type]

    def test_scores_of_another_shape(self) -> None:
        with pytest.raises(ValueError, match="scores are 2 x 3 where rows and transitions are 2 x 4"):
            self.states().advance(np.zeros((2, 3)))

    @pytest.mark.parametrize("score", [np.nan, np.inf])
    def test_scores_that_are_no_numbers(self, score: float) -> None:
        scores = np.zeros((2, 4))
        scores[1, 2] = score
        with pytest.raises(ValueError, match="row 1 has a score that is not a number"):
            self.states().advance(scores)

    @pytest.mark.parametrize(
        ("choices", "message"),
        [
            ([0, 2], "row 1: transition 2 is not permitted"),
            ([0, 99], "row 1: transition 99 is not permitted"),
            ([0, -1], "sentence 1: no transition is chosen"),
            ([0], "one choice per row"),
        ],
    )
    def test_choices_and_then_nothing_has_moved(self, choices: list[int], message: str) -> None:
        states = self.states()
        with pytest.raises(ValueError, match=message):
            states.follow(np.array(choices))
        assert states.slots[:, 0].tolist() == [0, 0]

    def test_choices_for_a_beam(self) -> None:
        with pytest.raises(ValueError, match="a beam follows scores"):
            self.states(beam=2).follow(np.array([0, 0]))

    @pytest.mark.parametrize("slot", ["S99", "S0.middle", "C", "S0.guide", "nothing"])
    def test_slots_that_are_none(self, slot: str) -> None:
        with pytest.raises((InputError, ValueError), match="place"):
            self.states(slots=["S0", slot])

    def test_labels_with_which_a_search_gets_stuck(self) -> None:
        for lists in ({"left": []}, {"right": []}, {"of_root": []}, {"of_words": []}):
            with pytest.raises(ValueError, match="stuck"):
                Frontier([2], Repertoire(["x"], **lists))  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="no such label"):
            Repertoire(["x"], left=[1])

    def test_correctness_without_gold(self) -> None:
        with pytest.raises(ValueError, match="without gold trees"):
            self.states().correct()

    def test_gold_that_is_no_tree_or_not_derivable(self) -> None:
        with pytest.raises(InputError, match="tree 1 is not a tree"):
            self.states(gold=Arcs(np.array([0, 1, 2, 1], np.int32)))
        with pytest.raises(InputError, match="tree 0 is not derivable in this system"):
            self.states(gold=Arcs(np.array([0, 0, 0, 1], np.int32)), single_root=True)
        with pytest.raises(UnknownNameError, match="No oracle 'dynamic'"):
            self.states(gold=Arcs(np.array([0, 1, 0, 1], np.int32)), oracle="dynamic")

    def test_heads_outside_the_sentence(self) -> None:
        with pytest.raises(ValueError, match="not in the sentence"):
            self.states(given=Arcs(np.array([0, 3, -1, -1], np.int32)))
        with pytest.raises(ValueError, match="given arcs differ"):
            self.states(given=Arcs(np.array([0], np.int32)))

    def test_a_parser_that_chooses_tags(self) -> None:
        joint: TransitionParser = quick_parser(joint=True, beam=2, epochs=1)
        joint.fit(toy(5))
        model = joint.state
        batch = model.setup.encode(toy(2))
        with pytest.raises(ValueError, match="chooses tags, which a frontier does not"):
            model.score(batch, frontier_of(model, batch))

    def test_a_parser_of_other_sentences(self) -> None:
        model = quick_parser(epochs=1).fit(toy(5)).state
        batch = model.setup.encode(toy(2))
        with pytest.raises(ValueError, match="other sentences"):
            model.score(batch, Frontier([1], model.setup.repertoire))


def test_the_example() -> None:
    done = doctest.testmod(frontier)
    assert (done.attempted > 5, done.failed) == (True, 0)
