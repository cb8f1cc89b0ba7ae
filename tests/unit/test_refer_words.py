"""Words: trees cut into branches, branches made to tell other values, phrases put together."""

from __future__ import annotations

import pytest

from plait.evaluation.phrases import edit_distance, score_phrases
from plait.generation.refer import made
from plait.generation.refer.branches import Branch, cut
from plait.generation.refer.ordering import Part, Precedence
from plait.generation.refer.speech import Said, SpeakerModel
from plait.generation.refer.trials import Span

BEARD = Said(
    "people",
    "7",
    ("the", "man", "with", "a", "white", "beard"),
    (2, 0, 6, 6, 6, 2),
    (Span(1, 2, "type", "person"), Span(4, 5, "hairColour", "light"), Span(2, 6, "hasBeard", "1")),
)


def said(speaker: str, text: str, heads: list[int], *spans: tuple[int, int, str, str]) -> Said:
    return Said("furniture", speaker, tuple(text.split()), tuple(heads), tuple(Span(*each) for each in spans))


def test_a_tree_is_cut_below_its_noun() -> None:
    """The branch of the sheet: with -> a white beard {hasBeard=1; hairColour light: white}."""
    phrase = cut(BEARD.words, BEARD.heads, BEARD.spans)
    assert (phrase.determiner, phrase.noun, phrase.sort) == ("definite", ("man",), "person")
    (branch,) = phrase.branches
    assert branch.words == ("with", "a", "white", "beard")
    assert branch.values == {"hasBeard": "1", "hairColour": "light"}
    assert not branch.before


def test_a_wrong_tree_does_not_tear_a_span() -> None:
    phrase = cut(BEARD.words, (2, 0, 2, 2, 2, 2), BEARD.spans)
    assert [branch.words for branch in phrase.branches] == [("with", "a", "white", "beard")]


def test_what_the_parser_hung_elsewhere_belongs_to_what_follows() -> None:
    words, spans = (
        ["men", "in", "top", "right"],
        [Span(0, 1, "type", "person"), Span(2, 3, "y", "1"), Span(3, 4, "x", "5")],
    )
    phrase = cut(words, [0, 1, 4, 1], spans)
    assert [branch.words for branch in phrase.branches] == [("in", "top", "right")]


def test_the_nearest_determiner_counts_and_a_frame_tells_nothing() -> None:
    words = ["the", "photo", "of", "the", "man"]
    phrase = cut(words, [2, 0, 5, 5, 2], [Span(1, 2, "type", "other"), Span(4, 5, "type", "person")])
    assert phrase.noun == ("man",)
    assert [(branch.words, branch.spans) for branch in phrase.branches] == [(("the", "photo", "of"), ())]


def test_a_speaker_keeps_words_and_adapts_values() -> None:
    """White becomes dark in the branch that was said with a white beard (sheet: adapt its value words)."""
    dark = Said(
        "people",
        "9",
        ("a", "guy", "with", "dark", "hair"),
        (2, 0, 5, 5, 2),
        (Span(1, 2, "type", "person"), Span(3, 4, "hairColour", "dark"), Span(2, 5, "hasHair", "1")),
    )
    model = SpeakerModel([BEARD, dark])
    wanted = {"type": "person", "hasBeard": "1", "hairColour": "light"}
    assert model.speaker("7").say(wanted) == "the man with a white beard"
    assert model.speaker("7").say(wanted | {"hairColour": "dark"}) == "the man with a dark beard"
    assert (
        model.speaker("9").say({"type": "person", "hasHair": "1", "hairColour": "dark"})
        == "a guy with dark hair"
    )


def test_what_nobody_told_is_told_plainly() -> None:
    model = SpeakerModel([BEARD])
    assert model.speaker("7").say({"type": "person", "hasTie": "1"}) == "the man with tie"
    assert model.speaker("7").say({"type": "person", "hasTie": "0"}) == "the man without tie"
    assert model.speaker("7").say({"type": "robot", "mood": "happy"}) == "the happy robot"


def test_without_a_noun_and_with_articles() -> None:
    model = SpeakerModel(
        [
            said("1", "an orange sofa", [3, 3, 0], (1, 2, "colour", "orange"), (2, 3, "type", "sofa")),
            said("1", "a red couch", [3, 3, 0], (1, 2, "colour", "red"), (2, 3, "type", "sofa")),
            said("1", "a red couch", [3, 3, 0], (1, 2, "colour", "red"), (2, 3, "type", "sofa")),
            said("2", "top left", [2, 0], (0, 1, "y-dimension", "1"), (1, 2, "x-dimension", "1")),
        ]
    )
    assert model.speaker("1").say({"type": "sofa", "colour": "red"}) == "a red couch"
    assert model.speaker("1").say({"type": "sofa", "colour": "orange"}) == "an orange couch"
    assert model.speaker("2").say({"y-dimension": "1", "x-dimension": "1"}) == "top left"


def test_a_turn_of_phrase_comes_again() -> None:
    turn = ["is", "in", "a", "box"]
    phrases = [
        said("1", f"the {noun} {' '.join(turn)}", [2, 6, 6, 6, 6, 0], (1, 2, "type", noun))
        for noun in ("desk", "fan", "sofa")
    ]
    model = SpeakerModel(phrases)
    assert model.speaker("1").say({"type": "fan"}) == "the fan is in a box"
    assert model.speaker("2").say({"type": "fan"}) == "the fan"


def test_adjectives_go_by_class_unless_the_speaker_says_otherwise() -> None:
    large, red = Part(("large",), frozenset({"size"}), True), Part(("red",), frozenset({"colour"}), True)
    assert Precedence([]).arrange(("chair",), [red, large]) == ["large", "red", "chair"]
    branches = [
        Branch((word,), (Span(0, 1, name, word),), True)
        for word, name in (("red", "colour"), ("large", "size"))
    ]
    assert Precedence([(12.0, branches)]).arrange(("chair",), [large, red]) == ["red", "large", "chair"]


def test_made_speakers_are_learned_word_for_word() -> None:
    model = made.referrer()
    for trial in made.make_trials(seed=3, count=4):
        assert model.speaker(trial.speaker).say(trial.said, made.DOMAIN) == trial.phrase


def test_scores_of_phrases() -> None:
    """Case and punctuation do not count."""
    assert edit_distance(["the", "red", "chair"], ["a", "red", "big", "chair"]) == 2
    scores = score_phrases(["The red chair.", "a desk"], ["the red chair", "the large desk"])
    assert scores.string_accuracy == 0.5
    assert scores.edit == 1.0
    assert scores.edit_share == pytest.approx(1 / 3)
