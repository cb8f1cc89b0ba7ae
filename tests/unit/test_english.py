"""The English model that comes with the package."""

from __future__ import annotations

from pathlib import Path

import pytest

import plait
from plait import Pipeline, Recipe
from plait.learning import store
from plait.pipeline import packaged

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def english() -> Pipeline:
    return plait.load("en")


def test_the_model_is_in_the_package_and_small() -> None:
    assert list(packaged()) == ["en", "en-neural"]
    assert store.size(packaged()["en"]) <= 20e6


def test_it_was_made_by_its_recipe(english: Pipeline) -> None:
    recipe = Recipe.from_toml((ROOT / "models" / "en.toml").read_text(encoding="utf-8"))
    assert english.recipe == recipe
    assert list(english.components) == ["tokenizer", "tagger", "lemmatizer", "parser"]


def test_the_card_names_licence_and_origin() -> None:
    card = (packaged()["en"] / "README.md").read_text(encoding="utf-8")
    for expected in ("license: CC-BY-SA-4.0", "English Web Treebank", "Silveira", "**Limits.**", "| LAS |"):
        assert expected in card


def test_easy_english_is_parsed(english: Pipeline) -> None:
    document = english("Don't worry, the old dog sleeps. Mary's friends were reading two books!")
    assert [sentence.text for sentence in document] == [
        "Don't worry, the old dog sleeps.",
        "Mary's friends were reading two books!",
    ]
    first, second = document
    assert first.forms[:2] == ["Do", "n't"]
    assert [(token.form, token.start) for token in first.multiword_tokens] == [("Don't", 1)]
    assert (second.forms[:2], second.lemmas[-2]) == (["Mary", "'s"], "book")
    words = {word.form: word for word in second}
    assert (words["friends"].upos, words["were"].lemma, words["reading"].deprel) == ("NOUN", "be", "root")
    assert words["books"].deprel == "obj"
    assert words["friends"].feats == "Number=Plur"


def test_any_text_goes_through(english: Pipeline) -> None:
    for text in (
        "",
        " \n\t",
        "...",
        "😀😀 http://example.org/?q=1 a@b.de",
        "漢字かな交じり文。",
        "سلام دنیا",
        "x" * 5000,
    ):
        document = english(text)
        assert plait.components.tokenizer.restore(document) == text or not document
        for sentence in document:
            assert sentence.tree().count(0) == 1
