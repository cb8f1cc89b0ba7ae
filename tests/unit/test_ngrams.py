"""N-grams: probabilities that are some, the example of the textbook, and orders that are judged anew."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plait
from plait import InputError, Realizer, Recipe, Sentence
from plait.cancel import Cancel
from plait.components.ngrams import Ngrams
from plait.components.ngrams.counting import BEGIN, END, FIRST, UNKNOWN
from plait.components.ngrams.model import Model
from plait.errors import Cancelled
from plait.generation.rerank import rerank
from plait.layers import Fluency, WordOrder, WordOrders
from plait.learning.request import Request

Rows = list[list[str]]
TEXT = st.lists(st.lists(st.sampled_from("abcd"), max_size=6), min_size=1, max_size=8)


def total(model: Model, context: list[str]) -> float:
    """Of all words that may follow, the end among them."""
    before = [BEGIN] * (model.order - 1) + [model._numbers.get(word, UNKNOWN) for word in context]
    following = [END, UNKNOWN, *range(FIRST, FIRST + len(model.words))]
    return sum(math.exp(model._chances(np.array([*before, word], np.int32))[-1]) for word in following)


@given(TEXT, st.lists(st.sampled_from("abcdx"), max_size=5), st.integers(1, 5), st.integers(1, 3))
def test_what_may_follow_sums_to_one(text: Rows, context: list[str], order: int, fewest: int) -> None:
    if any(text):
        model = Model.of(text, order, fewest_words=1, fewest=fewest)
        assert total(model, context) == pytest.approx(1, abs=1e-4)


def test_kneser_ney_by_hand() -> None:
    model = Model.of([["a", "b"], ["b"], ["a"]], 2, fewest_words=1, fewest=1)
    # bigrams: <s>a 2, ab 1, b</s> 2, <s>b 1, a</s> 1: n1 = 3, n2 = 2
    discount = 3 / (3 + 2 * 2)
    # after how many words: a 1, b 2, </s> 2: n1 = 1, n2 = 2; four words there may be
    below = 1 / (1 + 2 * 2)
    rest = 1 - (5 - 3 * below) / 5
    chance_b = (2 - below) / 5 + rest / 4
    after_a = 1 - (2 - 2 * discount) / 2
    assert math.exp(model.scores([["a"]])[0]) == pytest.approx(
        _start_a(discount, below, rest) * _end_after_a(discount, after_a, below, rest), rel=1e-5
    )
    row = np.array([BEGIN, model._numbers["a"], model._numbers["b"]], np.int32)
    assert math.exp(model._chances(row)[2]) == pytest.approx(
        (1 - discount) / 2 + after_a * chance_b, rel=1e-5
    )


def _start_a(discount: float, below: float, rest: float) -> float:
    left = 1 - (3 - 2 * discount) / 3
    return (2 - discount) / 3 + left * ((1 - below) / 5 + rest / 4)


def _end_after_a(discount: float, after_a: float, below: float, rest: float) -> float:
    return (1 - discount) / 2 + after_a * ((2 - below) / 5 + rest / 4)


def test_sentences_are_scored_on_their_own() -> None:
    model = Model.of([["a", "b", "c"], ["c", "a"]], 3, fewest_words=1, fewest=1)
    rows: Rows = [["a", "b"], [], ["x", "y", "z"]]
    assert model.scores(rows).tolist() == [model.scores([row])[0] for row in rows]


def sentence(words: str) -> Sentence:
    forms = words.split()
    return Sentence(forms=forms, lemmas=forms, heads=[0] * len(forms))


def test_the_component_tells_how_likely_sentences_are(tmp_path: Path) -> None:
    (tmp_path / "more.txt").write_text("Birds sing songs\nBirds sing songs\n")
    model = Ngrams(raw=str(tmp_path / "more.txt")).fit([sentence("Dogs bark"), sentence("dogs bark")])
    usual, odd = model.apply([sentence("birds sing songs"), sentence("songs birds sing")])
    likely, unlikely = usual.find(Fluency), odd.find(Fluency)
    assert likely
    assert unlikely
    assert likely.score > unlikely.score


def test_words_that_no_model_can_keep_are_unknown() -> None:
    model = Model.of([["a", "\x14", "b"], ["a"]], 2, fewest_words=1, fewest=1)
    assert model.words == ["a", "b"]
    assert model.tensors()


def test_text_that_is_not_there_is_known_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        Ngrams(raw=str(tmp_path / "none.txt")).fit([sentence("Dogs bark")])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("chances2", np.array([np.nan], np.float32)),
        ("keys2", np.array([3, 2], np.uint64)),
        ("rests1", np.zeros(0, np.float32)),
        ("keys1", np.zeros(3, np.int32)),
        ("chances1", np.full(3, 5, np.float32)),
    ],
)
def test_tables_that_are_none_are_refused(
    name: str, value: np.ndarray[tuple[int], np.dtype[np.generic]]
) -> None:
    component = Ngrams(order=2).fit([sentence("a b"), sentence("a c")])
    facts, tensors = component.pack()
    with pytest.raises((ValueError, KeyError)):
        Ngrams(order=2).unpack(facts, {**tensors, name: value})


def test_the_best_orders_are_judged_anew() -> None:
    model = Ngrams(order=3, weight=1.0).fit([sentence("the dog barks")] * 3)
    tree = sentence("dog the barks")
    tree.put(WordOrders((WordOrder([1, 2, 3], 0.5), WordOrder([2, 1, 3], 0.4), WordOrder([3, 2, 1], 0.3))))
    assert rerank(tree, model)
    assert tree.forms == ["the", "dog", "barks"]
    layer = tree.find(WordOrders)
    assert layer
    assert layer.orders[0].words == [1, 2, 3]
    assert [order.score for order in layer] == sorted((order.score for order in layer), reverse=True)
    assert not rerank(tree, model)


def test_a_realizer_with_ngrams_says_what_is_usual() -> None:
    trees = [
        Sentence(
            forms=["Dogs", verb, "often"],
            lemmas=["dog", verb, "often"],
            upos=["NOUN", "VERB", "ADV"],
            heads=[2, 0, 2],
            deprels=["nsubj", "root", "advmod"],
        )
        for verb in ("bark", "eat", "sleep")
    ]
    recipe = Recipe().only("order", "inflector", "ngrams").updated({"order": {"bits": 12}})
    plain = Realizer(plait.train(trees, recipe=recipe))
    assert plain(trees[0]) == "Dogs bark often"
    turned = [sentence("Often dogs bark"), *(sentence("often dogs eat") for _ in range(9))]
    ngrams = Ngrams(weight=100.0).fit(turned)
    plain.pipeline.components["ngrams"] = ngrams
    assert Realizer(plain.pipeline)(trees[0]).lower() == "often dogs bark"
    best = next(Realizer(plain.pipeline).best([trees[0]], 3))
    assert best[0].text.lower() == "often dogs bark"
    assert len(best) == 3


def test_a_request_that_may_be_cancelled() -> None:
    ngrams = Ngrams(order=2).fit([Sentence(forms=["a", "b"])] * 3)
    cancel = Cancel()
    (judged,) = ngrams.annotate([Sentence(forms=["a", "b"])], Request(cancel=cancel))
    assert judged.find(Fluency) is not None
    cancel.cancel()
    with pytest.raises(Cancelled):
        list(ngrams.annotate([Sentence(forms=["a"])], Request(cancel=cancel)))
