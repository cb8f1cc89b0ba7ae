"""How the parser came to its tree: the trace agrees with parsing, and its beam is whole."""

from __future__ import annotations

from math import inf

import pytest

from plait import InputError, Sentence, TransitionParser
from plait.components.transition.model import Search
from plait.transitions import Kind
from toy import best_trees, quick_parser, toy

SYSTEMS = ("swap", "standard", "eager", "spine")


def trained(system: str) -> TransitionParser:
    # Too little to learn from, so that the beam has something to choose.
    return quick_parser(system=system, epochs=1).fit(toy(12, crossing=system == "swap"))


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("beam", [1, 2, 8])
@pytest.mark.parametrize("compact", [False, True])
def test_the_trace_leads_to_the_tree_that_parsing_finds(system: str, beam: int, compact: bool) -> None:
    parser = trained(system)
    if compact:
        parser.compact()
    for sentence in toy(30, seed=2):
        parsed = parser.apply([sentence], beam=beam)[0]
        tree = parser.trace(sentence, beam=beam).tree()
        assert (tree.heads, tree.deprels) == (parsed.heads, parsed.deprels)


def test_a_step_knows_its_score_and_its_alternatives() -> None:
    parser = trained("swap")
    trace = parser.trace(toy(1, seed=3)[0], alternatives=2)
    for step in trace.steps:
        scores = [each.score for each in step.alternatives]
        assert scores == sorted(scores, reverse=True)
        assert step.alternatives[0].transition == step.transition
        assert step.score == scores[0]
        assert {each.transition.kind for each in step.alternatives} == set(step.state.permitted())
    assert trace.beam == []
    assert trace.state.terminal


def test_the_beam_adds_up() -> None:
    parser = trained("swap")
    for sentence in toy(20, seed=4):
        trace = parser.trace(sentence, beam=4)
        assert all(1 <= len(group) <= 4 for group in trace.beam)
        assert [group[number].transition for group, number in zip(trace.beam, trace.path, strict=True)][
            : len(trace.steps)
        ] == [step.transition for step in trace.steps]
        for before, after in zip([[], *trace.beam], trace.beam, strict=False):
            for each in after:
                assert each.parent < max(1, len(before))
                if each.transition is None:
                    assert each.score == before[each.parent].score
        total = sum(step.score for step in trace.steps)
        assert trace.beam[-1][0].score == pytest.approx(total)
        best = best_trees(parser, [sentence], 2, beam=4)[0][0]
        assert trace.beam[-1][0].score == pytest.approx(best.score)


@pytest.mark.parametrize("system", SYSTEMS)
def test_margins_are_leads_over_whatever_builds_another_arc(system: str) -> None:
    parser = trained(system)
    model = parser.state
    for sentence in toy(20, seed=6):
        margins = model.search(model.setup.encode([sentence]), Search(1)).margins
        trace = parser.trace(sentence, beam=1, alternatives=4096)
        for word, margin in enumerate(margins.tolist(), 1):
            step = trace.deciding(word)
            arc = (step.transition.kind, step.transition.depth)
            others = [
                each.score
                for each in step.alternatives
                if (each.transition.kind, each.transition.depth) != arc
            ]
            assert margin == pytest.approx(step.score - max(others, default=-inf), abs=1e-5)


def test_the_deciding_step_of_a_word() -> None:
    parser = trained("swap")
    trace = parser.trace(toy(1, seed=5)[0])
    for word, head in enumerate(trace.tree().heads, 1):
        step = trace.deciding(word)
        after = step.state.copy()
        after.apply(step.transition)
        assert after.heads[word] == head
    with pytest.raises(IndexError, match="no word 99"):
        trace.deciding(99)


def test_what_cannot_be_traced() -> None:
    parser = trained("swap")
    assert parser.trace(Sentence(forms=[])).steps == []
    with pytest.raises(InputError, match="beam is 5000"):
        parser.trace(toy(1)[0], beam=5000)
    with pytest.raises(InputError, match="alternatives is 0"):
        parser.trace(toy(1)[0], alternatives=0)
    with pytest.raises(InputError, match="not learned"):
        TransitionParser().trace(toy(1)[0])


def test_a_step_reads_as_one_line() -> None:
    step = trained("swap").trace(toy(1)[0]).steps[0]
    assert step.transition.kind is Kind.SHIFT
    assert " SHIFT " in str(step)
