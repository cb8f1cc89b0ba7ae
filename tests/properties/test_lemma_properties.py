"""Edit scripts lead from any string to any other; a lemmatizer takes any sentence."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait import InputError, Sentence
from plait.checks import is_cell
from plait.components.lemmatizer import Lemmatizer
from plait.features.scripts import EditScript
from plait.features.texts import pack_texts, unpack_texts
from strategies import sentences

texts = st.text(max_size=12)
# Strings that share a lot, with characters whose case changes their length or does not come back.
related = st.text(st.sampled_from("abAB|\\+-=İıßſÅå\n0"), max_size=8)


@given(st.one_of(st.tuples(texts, texts), st.tuples(related, related)))
def test_a_script_leads_from_the_form_to_the_lemma_and_back(pair: tuple[str, str]) -> None:
    form, lemma = pair
    assert EditScript.of(form, lemma).apply(form) == lemma
    assert EditScript.of(lemma, form).apply(lemma) == form


@given(st.one_of(st.tuples(texts, texts), st.tuples(related, related)), related)
def test_a_script_can_be_written_and_read_and_used_elsewhere(pair: tuple[str, str], other: str) -> None:
    script = EditScript.of(*pair)
    assert EditScript.parse(str(script)) == script
    assert script.apply(other) is None or isinstance(script.apply(other), str)


@given(st.lists(st.text(st.one_of(st.characters(), st.sampled_from("\\n\n")), max_size=5).filter(is_cell)))
def test_texts_come_back_from_their_bytes(given_texts: list[str]) -> None:
    assert unpack_texts(pack_texts(given_texts)) == given_texts


@given(st.lists(st.text(st.one_of(st.characters(), st.sampled_from("\\n\n")), max_size=5), min_size=1))
def test_other_texts_are_refused(given_texts: list[str]) -> None:
    if all(map(is_cell, given_texts)):
        return
    with pytest.raises(InputError, match="No model can keep the text"):
        pack_texts(given_texts)
    lines = "".join(f"{text}\n" for text in given_texts)
    packed = np.frombuffer(lines.encode("utf-8", "surrogatepass"), np.uint8)
    if lines.count("\n") == len(given_texts):  # what holds a line end is two texts
        with pytest.raises(ValueError):
            unpack_texts(packed)


@cache
def fitted() -> Lemmatizer:
    train = [
        Sentence(
            forms=["Dogs", "barked"], lemmas=["dog", "bark"], upos=["NOUN", "VERB"], feats=["N=P", "T=P"]
        ),
        Sentence(forms=["cats", "_"], lemmas=["cat", "_"], upos=["NOUN", "SYM"], feats=["N=P", "_"]),
    ]
    return Lemmatizer(bits=12, epochs=2).fit(train)


@settings(max_examples=50)
@given(st.lists(sentences(), max_size=4))
def test_any_sentence_gets_lemmas_and_keeps_all_else(given_sentences: list[Sentence]) -> None:
    copies = [sentence.copy() for sentence in given_sentences]
    assert [id(sentence) for sentence in fitted().annotate(copies)] == [id(copy) for copy in copies]
    for before, after in zip(given_sentences, copies, strict=True):
        assert all(isinstance(lemma, str) for lemma in after.lemmas)
        assert len(after.lemmas) == len(after)
        after.lemmas = before.lemmas
        assert after == before


@settings(max_examples=25, deadline=None)
@given(st.lists(sentences(), min_size=1, max_size=4))
def test_any_treebank_can_be_learned_and_what_was_seen_is_known(train: list[Sentence]) -> None:
    train[0].lemmas = ["lemma"] * len(train[0])
    lemmatizer = Lemmatizer(bits=10, epochs=1).fit(train)
    readings: dict[tuple[str, ...], set[str]] = {}
    for sentence in train:
        for word in sentence:
            readings.setdefault((word.form, word.upos, word.xpos, word.feats), set()).add(word.lemma)
    for (form, upos, xpos, feats), lemmas in readings.items():
        if not all(map(is_cell, (form, upos, xpos, feats, *lemmas))):
            continue  # no model can keep them
        assert lemmatizer.lemma(form, upos, xpos, feats) in lemmas
