"""The English models that come with the package."""

from __future__ import annotations

import pytest

import plait
from plait import InputError, Pipeline, Recipe
from plait.catalogue import packaged, registry
from plait.layers import Alternatives
from plait.learning import store
from plait.transitions import Kind


@pytest.fixture(scope="module")
def english() -> Pipeline:
    return plait.load("en")


def test_the_model_is_in_the_package_and_small() -> None:
    assert list(packaged()) == ["en", "en-fast", "en-say"]
    assert store.size(packaged()["en"]) <= 25e6
    assert store.size(packaged()["en-fast"]) <= 12e6


@pytest.mark.parametrize("name", packaged())
def test_it_is_what_its_recipe_says(name: str) -> None:
    recipe = Recipe.from_toml(registry.recipe_of(name).read_text(encoding="utf-8"))
    model = plait.load(name)
    assert model.model == recipe.model
    assert list(model.components) == recipe.model.order
    for component in set(model.components) & {"neural", "graph2tree", "order"}:
        assert model[component].options == recipe.plan(component).options


@pytest.mark.parametrize("name", packaged())
def test_the_card_names_licence_and_origin(name: str) -> None:
    card = (packaged()[name] / "README.md").read_text(encoding="utf-8")
    taught = ["MPNet", "| las |"] if "neural" in plait.load(name) else []
    for expected in ("license: CC-BY-SA-4.0", "English Web Treebank", "Silveira", "**Limits.**", *taught):
        assert expected.lower() in card.lower()


def test_what_english_means_is_said_again(english: Pipeline) -> None:
    realizer = plait.Realizer.load("en-say")
    [sentence] = english("She was persuaded by her friends to sell the house.")
    [said] = realizer.realize([sentence], start="graph")
    assert said.text == sentence.text


def test_easy_english_is_parsed(english: Pipeline) -> None:
    document = english("Don't worry, the old dog sleeps. Mary's friends were reading two books!")
    assert [sentence.text for sentence in document] == [
        "Don't worry, the old dog sleeps.",
        "Mary's friends were reading two books!",
    ]
    first, second = document
    assert first.forms[:2] == ["Do", "n't"]
    assert [(token.form, token.first) for token in first.multiword_tokens] == [("Don't", 1)]
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


def test_a_stranded_preposition(english: Pipeline) -> None:
    (sentence,) = english("Who did you send the letter to?")
    assert sentence.upos[:4] == ["PRON", "AUX", "PRON", "VERB"]
    assert sentence.lemmas[1] == "do"
    assert sentence.heads == [4, 4, 4, 0, 6, 4, 1, 4]
    assert sentence.deprels.count("nsubj") == 1


def test_given_heads_stay(english: Pipeline) -> None:
    sentence = plait.Sentence(forms=["The", "dog", "sleeps"], heads=[3, None, None])
    assert english.parse([sentence], keep_heads=True)[0].heads[0] == 3


def test_several_trees_and_confidence(english: Pipeline) -> None:
    asked = plait.Sentence(forms=["Who", "did", "you", "send", "the", "letter", "to", "?"])
    (sentence,) = english.parse([asked], nbest=3)
    trees = sentence.find(Alternatives)
    assert trees is not None
    assert [tree.heads[6] for tree in trees.parses[:2]] == [1, 4]
    (sure,) = english.parse([asked], confidence=True)
    shares = [float(cell.rpartition("=")[2]) for cell in sure.misc]
    assert shares[2] > shares[6] > 0.5


def test_its_derivation_leads_to_its_tree(english: Pipeline) -> None:
    (sentence,) = english("Who did you send the letter to?")
    trace = english.trace(sentence)
    assert (trace.tree().heads, trace.tree().deprels) == (sentence.heads, sentence.deprels)
    assert Kind.SWAP in {step.transition.kind for step in trace.steps}
    assert english.trace(sentence, beam=4).beam


def test_what_it_cannot_do_is_refused(english: Pipeline) -> None:
    with pytest.raises(InputError, match="cannot have another beam"):
        english.parse([plait.Sentence(forms=["a"])], beam=2)
