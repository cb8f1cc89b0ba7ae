"""The net that comes with the package."""

from __future__ import annotations

import pytest

import plait
from plait import InputError, Pipeline
from plait.learning.store import size
from plait.pipeline import packaged


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    return plait.load("en-neural")


def test_it_is_small(nlp: Pipeline) -> None:
    assert size(packaged()["en-neural"]) < 14e6
    assert list(nlp.components) == ["tokenizer", "neural"]


def test_a_stranded_preposition(nlp: Pipeline) -> None:
    (sentence,) = nlp("Who did you send the letter to?")
    assert sentence.upos[:4] == ["PRON", "AUX", "PRON", "VERB"]
    assert sentence.lemmas[1] == "do"
    assert sentence.heads == [4, 4, 4, 0, 6, 4, 1, 4]
    assert sentence.deprels.count("nsubj") == 1


def test_given_heads_stay(nlp: Pipeline) -> None:
    sentence = plait.Sentence(forms=["The", "dog", "sleeps"], heads=[3, None, None])
    assert nlp.parse([sentence], keep_heads=True)[0].heads[0] == 3


def test_what_it_cannot_do_is_refused(nlp: Pipeline) -> None:
    with pytest.raises(InputError, match="cannot find several trees"):
        nlp.parse([plait.Sentence(forms=["a"])], nbest=2)
    with pytest.raises(InputError, match="no transition-based parser"):
        nlp.trace(plait.Sentence(forms=["a"]))
