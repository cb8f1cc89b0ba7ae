"""A tagger's best tags, a parser that chooses among them, and both in one pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

import plait
from plait import InputError, Pipeline, Recipe
from plait.parser import ParserOptions
from plait.pipeline.candidates import Chooser
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


def test_the_toy_language_is_learned_from_text_to_trees(pipeline: Pipeline) -> None:
    for scores in pipeline.scores_.values():
        assert scores["upos"] > 97
        assert scores["las"] > 93


def test_candidates_are_the_best_tags_with_their_lemmas(pipeline: Pipeline) -> None:
    assert pipeline.tagger is not None
    options = ParserOptions(joint=True, tag_margin=1.0, tags_per_word=3)
    chooser = Chooser(pipeline.tagger, pipeline.lemmatizer, options)
    plain = list(pipeline.tag(sentence.copy() for sentence in DEV))
    several = 0
    for (sentence, choice), tagged in zip(
        chooser.annotate(sentence.copy() for sentence in DEV), plain, strict=True
    ):
        assert (sentence.upos, sentence.feats, sentence.lemmas) == (tagged.upos, tagged.feats, tagged.lemmas)
        assert not choice.right
        for word, others in choice.others.items():
            several += 1
            assert 1 <= len(others) <= 2
            assert [tag.margin for tag in others] == sorted(tag.margin for tag in others)
            for tag in others:
                assert 0 <= tag.margin <= 1
                assert tag.lemma != "_"
                assert tag[:3] != (sentence.upos[word - 1], sentence.xpos[word - 1], sentence.feats[word - 1])
    assert several > 0


def test_to_learn_the_right_tag_is_among_them(pipeline: Pipeline) -> None:
    assert pipeline.tagger is not None
    chooser = Chooser(pipeline.tagger, pipeline.lemmatizer, ParserOptions(joint=True, tags_per_word=1))
    strange = [sentence.copy() for sentence in DEV]
    for sentence in strange:
        sentence.upos[1] = "X"
    gold = [sentence.copy() for sentence in strange]
    for (sentence, choice), right in zip(chooser.annotate_to_learn(strange), gold, strict=True):
        assert choice.right[2] == len(choice.others[2])
        assert choice.others[2][-1].upos == "X"
        assert choice.with_right(sentence).upos == right.upos


def test_a_saved_pipeline_is_the_same_on_any_number_of_threads(pipeline: Pipeline, tmp_path: Path) -> None:
    pipeline.save(tmp_path / "joint.plait")
    again = plait.load(tmp_path / "joint.plait")
    found = pipeline.parse(DEV).sentences
    assert again.parse(DEV, threads=3).sentences == found


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
        plait.train(TRAIN, recipe=RECIPE, parts=["parser"])
    with pytest.raises(InputError, match="predicted"):
        plait.train(TRAIN, recipe=RECIPE.updated({"model": {"tags": "gold"}}))


def test_without_a_lemmatizer_lemmas_stay() -> None:
    pipeline = plait.train(TRAIN, recipe=RECIPE, parts=["tagger", "parser"])
    found = pipeline.parse(DEV)
    assert [sentence.lemmas for sentence in found] == [sentence.lemmas for sentence in DEV]
