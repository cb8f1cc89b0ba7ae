"""The grammar that comes with plait: what it says, and that it leaves nothing unsaid."""

from __future__ import annotations

import pytest

from plait import rules
from plait.rules import Graph, of_attributes

ENGLISH = rules.load("english")


@pytest.mark.parametrize("graph", ENGLISH.examples, ids=lambda graph: graph.title)
def test_the_examples_are_said_as_their_titles_and_nothing_is_left_over(graph: Graph) -> None:
    result = ENGLISH.apply(graph)
    assert result.text == graph.title
    for step in result.steps:
        assert step.uncovered == ()
        assert step.notes == ()


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ({"type": "chair"}, "the chair"),
        ({"type": "sofa", "definite": "no"}, "a sofa"),
        ({"type": "sofa", "definite": "none"}, "sofa"),
        ({"type": "chair", "number": "pl", "colour": "red"}, "the red chairs"),
        ({"colour": "blue", "size": "small"}, "the small blue one"),
        ({"type": "fan", "orientation": "front"}, "the fan facing forward"),
        ({"type": "fan", "orientation": "back"}, "the fan facing backward"),
        ({"type": "desk", "x-dimension": "3", "y-dimension": "2"}, "the desk in the centre"),
        ({"type": "desk", "x-dimension": "4"}, "the desk in the fourth column"),
        ({"type": "desk", "x-dimension": "5", "y-dimension": "3"}, "the desk in the bottom right corner"),
        ({"type": "person", "hasBeard": "1"}, "the man with a beard"),
        ({"type": "person", "hasBeard": "0", "hasGlasses": "0"}, "the man without glasses and a beard"),
        ({"type": "person", "hasHair": "0", "age": "young"}, "the young bald man"),
        ({"type": "person", "hairColour": "dark"}, "the man with dark hair"),
        ({"type": "person", "hasHair": "1", "hairColour": "dark"}, "the man with dark hair"),
        ({"type": "person", "hasTie": "1", "hasShirt": "1"}, "the man with a shirt and a tie"),
        (
            {"type": "person", "hasSuit": "1", "x-dimension": "1", "y-dimension": "1"},
            "the man in a suit in the top left corner",
        ),
        ({"type": "armchair", "colour": "beige", "definite": "no"}, "a beige armchair"),
    ],
)
def test_things_with_attributes_of_the_tuna_corpus(attributes: dict[str, str], said: str) -> None:
    result = ENGLISH.apply(of_attributes(attributes))
    assert result.text == said
    assert [step.uncovered for step in result.steps] == [()] * 5


def test_what_no_rule_knows_is_named() -> None:
    result = ENGLISH.apply(of_attributes({"type": "chair", "x-dimension": "unknown", "mood": "calm"}))
    assert result.text == "the chair"
    assert result.steps[0].uncovered == (("attribute", "x", "x-dimension"), ("attribute", "x", "mood"))


def clause(text: str) -> str:
    (graph,) = rules.graphs_of(f"graph Sem {{ {text} }}")
    result = ENGLISH.apply(graph)
    assert [step.uncovered for step in result.steps] == [()] * 4
    return result.text


@pytest.mark.parametrize(
    ("verb", "said"),
    [
        ("", "The dog chases the mice."),
        (", tense = past", "The dog chased the mice."),
        (", tense = future", "The dog will chase the mice."),
        (", aspect = progressive", "The dog is chasing the mice."),
        (", aspect = perfect, tense = past", "The dog had chased the mice."),
        (", voice = passive", "The mice are chased by the dog."),
        (", voice = passive, tense = future", "The mice will be chased by the dog."),
    ],
)
def test_tenses_and_voices(verb: str, said: str) -> None:
    nodes = f"v {{ sem = chase, main = yes{verb} }}; d {{ sem = dog, definite = yes }}"
    assert clause(f"{nodes}; m {{ sem = mouse, number = pl, definite = yes }}; v -1-> d; v -2-> m") == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("r { sem = red, main = yes }; c { sem = chair, definite = yes }; r -1-> c", "The chair is red."),
        (
            "r { sem = red, main = yes }; c { sem = chair, definite = yes }; n { sem = not }; r -1-> c; n -1-> r",
            "The chair is not red.",
        ),
        (
            "i { sem = under, main = yes }; c { sem = cat, definite = yes }; t { sem = table, definite = no }; "
            "i -1-> c; i -2-> t",
            "The cat is under a table.",
        ),
        (
            "v { sem = give, main = yes, tense = past }; a { sem = she }; b { sem = book, definite = no }; "
            "r { sem = he }; v -1-> a; v -2-> b; v -3-> r",
            "She gave a book to him.",
        ),
        (
            "v { sem = sleep, main = yes }; d { sem = dog, definite = yes }; c { sem = cat, definite = yes }; "
            "v -1-> d; d -and-> c",
            "The dog and the cat sleep.",
        ),
        (
            "v { sem = sleep, main = yes }; d { sem = dog }; p { sem = poss }; m { sem = man, definite = yes }; "
            "v -1-> d; p -1-> m; p -2-> d",
            "The man's dog sleeps.",
        ),
        ("v { sem = sleep, main = yes }; i { sem = speaker }; n { sem = not }; v -1-> i; n -1-> v", "I do not sleep."),
    ],
)  # fmt: skip
def test_simple_clauses(text: str, said: str) -> None:
    assert clause(text) == said


def test_words_can_be_replaced() -> None:
    mine = ENGLISH.extended("lexicon Con { sofa { sem = couch } }")
    sofa = of_attributes({"type": "sofa", "colour": "red"})
    assert (ENGLISH.say(sofa), mine.say(sofa)) == ("the red sofa", "the red couch")


def test_it_is_as_large_as_is_said() -> None:
    mappings = {(rule.source, rule.target) for rule in ENGLISH.rules}
    assert len(ENGLISH.rules) >= 40
    assert len(mappings) == 5
