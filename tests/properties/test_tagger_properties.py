"""Whatever the words are, they get tags of the inventory."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache

from hypothesis import given, settings
from hypothesis import strategies as st

from plait import InputError, Sentence
from plait.components.tagger import Tagger
from strategies import sentences
from toy import toy

_UNFIT = re.compile(r"[\s\x00-\x1f\x7f]")
forms = st.text(min_size=1, max_size=8)  # lone surrogates too


@lru_cache(maxsize=1)
def toy_tagger() -> Tagger:
    return Tagger(bits=12, epochs=2).fit(toy(30))


@given(st.lists(st.lists(forms, max_size=5), max_size=4), st.integers(1, 3))
def test_any_words_get_known_tags(texts: list[list[str]], threads: int) -> None:
    tagger = toy_tagger()
    known = set(tagger.tags_)
    given_sentences = [Sentence(forms=list(text)) for text in texts]
    tagged = tagger.apply(given_sentences, threads=threads)
    assert [sentence.forms for sentence in tagged] == texts
    for sentence in tagged:
        assert known.issuperset(zip(sentence.upos, sentence.xpos, sentence.feats, strict=True))
    for (_, found), sentence in zip(tagger.kbest(given_sentences, 4), tagged, strict=True):
        assert [options[0].upos for options in found] == sentence.upos
        for options in found:
            assert len({(one.upos, one.xpos, one.feats) for one in options}) == len(options)


@settings(max_examples=25)
@given(st.lists(sentences(), min_size=1, max_size=4))
def test_any_sentences_can_be_learned(treebank: list[Sentence]) -> None:
    """Forms may hold anything; tags that no model can keep are named."""
    treebank.append(Sentence(forms=["a"], upos=["X"], xpos=["x"]))
    learner = Tagger(bits=10, epochs=1, dropout=0.5)
    if _UNFIT.search("".join(cell for each in treebank for cell in (*each.upos, *each.xpos, *each.feats))):
        with suppress(InputError):  # unless it stands where nothing is learned anyway
            learner.fit(treebank)
        return
    tagger = learner.fit(treebank, dev=treebank)
    known = set(tagger.tags_)
    for sentence in tagger.apply(treebank):
        assert known.issuperset(zip(sentence.upos, sentence.xpos, sentence.feats, strict=True))
