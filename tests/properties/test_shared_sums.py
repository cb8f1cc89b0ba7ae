"""What the states of a beam have in common is summed up once. Weights in steps of 1 add up to the same whether they
are int8, whose sums are remembered, or float32, whose sums never are: so must all that is found.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait import Sentence, TransitionParser
from plait.components.transition.model import Model, Search
from plait.layers import Candidate, Candidates
from plait.learning.weights import PackedWeights
from strategies import trees
from toy import guided_by, quick_parser, toy

KINDS: dict[str, dict[str, object]] = {
    "swap": {},
    "standard": {"system": "standard"},
    "eager": {"system": "eager"},
    "spine": {"system": "spine"},
    "spine-swap": {"system": "spine-swap"},
    "filtered": {"filter_labels": True},
    "completion": {"completion": "2a,2b,3a,3b,3c"},
    "joint": {"joint": True},
    "guided": {"guided": True},
}
LABELS, TAGS, WORDS = ("det", "nsubj", "obj"), ("NOUN", "VERB", "DET"), ("dog", "cat", "saw", "the")


@cache
def parser(kind: str) -> TransitionParser:
    """For its labels and templates; what it learned is of no interest."""
    treebank = toy(20, crossing=KINDS[kind].get("system", "swap") in ("swap", "spine-swap"))
    options = {"beam": 4, "epochs": 1, "bits": 10} | KINDS[kind]
    return quick_parser(**options).fit(guided_by(treebank) if kind == "guided" else treebank)


@st.composite
def sentences(draw: st.DrawFn, kind: str) -> Sentence:
    heads = draw(trees(max_size=14))
    chance = draw(st.randoms(use_true_random=False))

    def column(values: tuple[str, ...]) -> list[str]:
        return [chance.choice(values) for _ in heads]

    sentence = Sentence(forms=column(WORDS), upos=column(TAGS), heads=list(heads), deprels=column(LABELS))
    if kind == "guided":
        return guided_by([sentence])[0]
    if kind == "joint":
        ambiguous = [word for word in range(1, len(heads) + 1) if chance.random() < 0.5]
        tags = {word: [Candidate(chance.choice(TAGS), "_", "_", "_", 0.3)] for word in ambiguous}
        sentence.put(Candidates(tags, {}))
    return sentence


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data(), seed=st.integers(0, 99), largest=st.sampled_from([1, 3, 127]))
@settings(deadline=None, max_examples=25)
def test_remembered_sums_are_those_of_all_weights(
    kind: str, data: st.DataObject, seed: int, largest: int
) -> None:
    """With few different weights there are ties, which are decided alike."""
    setup = parser(kind).state.setup
    table = np.random.default_rng(seed).integers(-largest, largest, setup.cells, np.int8, endpoint=True)
    shared = Model(setup, PackedWeights(table, 1.0))
    plain = Model(setup, PackedWeights(table.astype(np.float32)))
    batch = setup.encode([data.draw(sentences(kind)) for _ in range(2)], keep_heads=data.draw(st.booleans()))
    search = Search(data.draw(st.integers(2, 20)), data.draw(st.integers(1, 4)))
    found, wanted = shared.search(batch, search), plain.search(batch, search)
    for name in "heads", "labels", "tags", "margins", "scores":
        assert np.array_equal(getattr(found, name), getattr(wanted, name)), name
