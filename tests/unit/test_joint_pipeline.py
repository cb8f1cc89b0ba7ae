"""A tagger's best tags, a parser that chooses among them, and both in one pipeline."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

import plait
from plait import InputError, Pipeline, Recipe, Sentence
from plait.layers import Candidates
from plait.learning.candidates import with_right_tags
from plait.learning.component import through
from plait.learning.request import Request, TagChoice
from toy import written

TRAIN, DEV = written(90), written(20, seed=2)
RECIPE = Recipe().updated(
    {
        "model": {"folds": 3},
        "tokenizer": {"epochs": 3},
        "tagger": {"epochs": 2, "bits": 14},
        "lemmatizer": {"epochs": 2},
        "parser": {"beam": 3, "bits": 14, "epochs": 4, "joint": True, "tag_margin": 1.0},
    }
)


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return plait.train(TRAIN, dev=DEV, recipe=RECIPE, threads=2)


def tagged(pipeline: Pipeline, sentences: Iterable[Sentence], choice: TagChoice | None) -> list[Sentence]:
    """As the parser sees them."""
    before = [pipeline["tagger"], pipeline["lemmatizer"]]
    return list(through(before, [sentence.copy() for sentence in sentences], Request(choice=choice)))


def choice_of(sentence: Sentence) -> Candidates:
    found = sentence.find(Candidates)
    assert found is not None
    return found


def test_the_toy_language_is_learned_from_text_to_trees(pipeline: Pipeline) -> None:
    for scores in pipeline.scores_.values():
        assert scores["upos"] > 97
        assert scores["las"] > 93


def test_candidates_are_the_best_tags_with_their_lemmas(pipeline: Pipeline) -> None:
    several = 0
    wanted = pipeline["parser"].choice()
    assert wanted == TagChoice(3, 1.0, 2, 0.4)
    for sentence, plain in zip(tagged(pipeline, DEV, wanted), tagged(pipeline, DEV, None), strict=True):
        assert (sentence.upos, sentence.feats, sentence.lemmas) == (plain.upos, plain.feats, plain.lemmas)
        assert not plain.layers
        choice = choice_of(sentence)
        assert not choice.right
        for word, others in choice.others.items():
            several += 1
            tags = [sentence.upos[word - 1], *(tag.upos for tag in others)]
            assert 1 <= len(others) <= 5
            assert len(set(tags)) <= 3
            assert max(map(tags.count, tags)) <= 2
            assert [tag.margin for tag in others] == sorted(tag.margin for tag in others)
            for tag in others:
                assert 0 <= tag.margin <= 1
                assert 0 <= tag.feats_margin <= 0.4
                assert tag.lemma != "_"
                assert tag[:3] != (sentence.upos[word - 1], sentence.xpos[word - 1], sentence.feats[word - 1])
    assert several > 0


def test_candidates_are_as_probable_and_as_many_as_the_options_say(pipeline: Pipeline) -> None:
    found = {}
    for margin, most in (1.0, 4), (0.9, 4), (1.0, 2):
        choice = [choice_of(each).others for each in tagged(pipeline, DEV, TagChoice(most, margin))]
        found[margin, most] = [list(tags) for others in choice for tags in others.values()]
    every = found[1.0, 4]
    assert max(len(tags) for tags in every) == 3, "beside the best one"
    likely = [[tag for tag in tags if tag.margin <= 0.9] for tags in every]
    assert found[0.9, 4] == [tags for tags in likely if tags] != every
    assert found[1.0, 2] == [tags[:1] for tags in every]


def test_to_learn_the_right_tag_is_told_where_it_is_offered(pipeline: Pipeline) -> None:
    plain = tagged(pipeline, DEV, TagChoice(3, 1.0, 2, 1.0))
    gold = [sentence.copy() for sentence in DEV]
    expected = []
    for sentence, shown in zip(gold, plain, strict=True):
        others = choice_of(shown).others
        expected.append({word: len(tags) for word, tags in others.items()})
        for word, tags in others.items():
            sentence.upos[word - 1], sentence.xpos[word - 1], sentence.feats[word - 1] = tags[-1][:3]
    found = tagged(pipeline, gold, TagChoice(3, 1.0, 2, 1.0, learning=True))
    assert any(expected)
    assert [choice_of(sentence).right for sentence in found] == expected
    assert [choice_of(sentence).others for sentence in found] == [choice_of(each).others for each in plain]
    assert [with_right_tags(sentence).upos for sentence in found] == [sentence.upos for sentence in gold]


def test_a_saved_pipeline_is_the_same_on_any_number_of_threads(pipeline: Pipeline, tmp_path: Path) -> None:
    pipeline.save(tmp_path / "joint.plait")
    again = plait.load(tmp_path / "joint.plait")
    found = pipeline.parse(DEV).sentences
    assert again.parse(DEV, threads=3).sentences == found
    assert not any(sentence.layers for sentence in found)


def test_tags_of_the_input_can_be_kept(pipeline: Pipeline) -> None:
    sentence = DEV[0].copy()
    size = len(sentence)
    sentence.upos = ["X", *["_"] * (size - 1)]
    sentence.xpos, sentence.feats = ["_"] * size, ["_"] * size
    sentence.lemmas = ["kept", *["_"] * (size - 1)]
    kept = pipeline.parse([sentence], keep_tags=True)[0]
    assert (kept.upos[0], kept.lemmas[0]) == ("X", "kept")
    assert kept.upos[1:] == DEV[0].upos[1:]
    assert "_" not in kept.lemmas


def test_it_needs_a_tagger_and_predicted_tags() -> None:
    with pytest.raises(InputError, match="train both"):
        plait.train(TRAIN, recipe=RECIPE.only("parser"))
    with pytest.raises(InputError, match="predicted"):
        plait.train(TRAIN, recipe=RECIPE.updated({"model": {"tags": "gold"}}))


def test_without_a_lemmatizer_lemmas_stay() -> None:
    pipeline = plait.train(TRAIN, recipe=RECIPE.only("tagger", "parser"))
    found = pipeline.parse(DEV)
    assert [sentence.lemmas for sentence in found] == [sentence.lemmas for sentence in DEV]
