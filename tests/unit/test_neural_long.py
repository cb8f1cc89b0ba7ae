"""Long sentences: trees of scores alone, sentences that are read in pieces, time and memory that have an end."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nets import FORMS, WORDS, make_net
from plait import Cancel, Cancelled, Sentence, _core
from plait.components.neural.decoding import crossing, is_tree, priced_tree, tree
from plait.components.neural.model import Net
from plait.components.neural.reference import Reference
from plait.components.neural.shape import SMALL

PIECE, AROUND = 256, 128  # words, as in the core


def chance_scores(seed: int, words: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    scores = np.random.default_rng(seed).normal(size=(words, words + 1)).astype(np.float32)
    scores[np.arange(words), np.arange(words) + 1] = -np.inf
    return scores


@settings(deadline=None, max_examples=200)
@given(seed=st.integers(0, 1 << 30), words=st.integers(1, 40), price=st.sampled_from([0.0, 0.4]))
def test_the_best_tree_of_all_arcs(seed: int, words: int, price: float) -> None:
    scores = chance_scores(seed, words)
    assert _core.neural_tree(scores, price).tolist() == priced_tree(scores, price).tolist()


@settings(deadline=None, max_examples=100)
@given(
    seed=st.integers(0, 1 << 30), words=st.integers(1, 40), liking=st.sampled_from([0.0, 3.0, 30.0, 1e3, 1e5])
)
def test_one_root_however_many_words_would_like_to_be_it(seed: int, words: int, liking: float) -> None:
    scores = chance_scores(seed, words)
    liked = scores.copy()
    liked[:, 0] += np.float32(liking)
    heads = _core.neural_tree(liked)
    assert is_tree(heads), "with one root"
    rows = np.arange(words)
    best = scores[rows, tree(scores)].astype(np.float64).sum()
    rounding = float(np.spacing(np.float32(liking + 10)))
    assert scores[rows, heads].astype(np.float64).sum() == pytest.approx(best, abs=1e-4 + rounding)


@pytest.mark.parametrize("words", [120, 1000])
def test_a_price_for_crossing_arcs_of_a_long_sentence(words: int) -> None:
    near = np.abs(np.arange(words)[:, None] + 1 - np.arange(words + 1)) / 8
    scores = chance_scores(words, words) - near.astype(np.float32)
    scores[:, 0] = np.random.default_rng(0).normal(size=words)
    heads = _core.neural_tree(scores, 0.4)
    assert is_tree(heads)
    free = _core.neural_tree(scores)
    assert crossing(heads).sum() < crossing(free).sum()
    if words <= 120:
        assert heads.tolist() == priced_tree(scores, 0.4).tolist()


@pytest.mark.parametrize("words", [48, 49, 300])
def test_in_longer_sentences_the_best_heads_of_each_word_suffice(words: int) -> None:
    scores = chance_scores(words, words)
    heads = _core.neural_tree(scores)
    assert heads.tolist() == tree(scores).tolist()
    assert is_tree(heads)


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 1 << 30), words=st.integers(1, 12), values=st.integers(1, 3))
def test_ties_and_what_is_no_number_still_give_a_tree(seed: int, words: int, values: int) -> None:
    chance = np.random.default_rng(seed)
    scores = chance.integers(0, values, (words, words + 1)).astype(np.float32)
    best = tree(np.where(np.eye(words, words + 1, 1, dtype=bool), -np.inf, scores))
    heads = _core.neural_tree(scores)
    assert is_tree(heads)
    rows = np.arange(words)
    assert scores[rows, heads].sum() == scores[rows, best].sum()
    for wrong in (np.nan, np.inf, -np.inf):
        scores[chance.random(scores.shape) < 0.3] = wrong
        assert is_tree(_core.neural_tree(scores, 1.0))
    assert is_tree(_core.neural_tree(np.full((300, 301), np.nan, np.float32), 1.0))


def test_tables_of_another_size_are_refused() -> None:
    for shape in ((2, 2), (3, 2)):
        with pytest.raises(ValueError):
            _core.neural_tree(np.zeros(shape, np.float32))
    with pytest.raises(ValueError):
        _core.neural_tree(np.zeros((2, 3), np.float32), 0.0, np.zeros(3, np.int32))


def long_sentence(words: int) -> list[str]:
    found: list[str] = np.random.default_rng(words).choice(FORMS, size=words).tolist()
    return found


def run(net: Net, forms: list[str], **wishes: object) -> tuple[np.ndarray, ...]:  # type: ignore[type-arg]
    ends = np.array([0, len(forms)], np.int64)
    words = np.arange(len(forms), dtype=np.int32)
    return tuple(_core.NeuralNets([net.core]).run([net.rows(forms)], words, ends, **wishes))  # type: ignore[arg-type]


def test_a_sentence_in_pieces() -> None:
    net = Net(SMALL, WORDS, make_net(3))
    reference = Reference(net.tensors, WORDS)
    forms = long_sentence(1100)
    heads, labels, tags, probabilities, *_ = run(net, forms, price=0.5)
    assert is_tree(heads)
    for begin in range(0, len(forms), PIECE):
        end = min(begin + PIECE, len(forms))
        first, last = max(0, begin - AROUND), min(end + AROUND, len(forms))
        expected = reference.run(forms[first:last])
        own, within = slice(begin, end), slice(begin - first, end - first)
        assert (tags[own, 0] == expected.tags["upos"][within].argmax(1)).mean() > 0.99
        assert all(head == 0 or first < head <= last for head in heads[own])
        places = np.where(heads[own] == 0, 0, heads[own] - first)
        shares = np.exp(expected.arcs[within] - expected.arcs[within].max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        assert np.abs(probabilities[own] - shares[np.arange(end - begin), places]).max() < 0.02
        inside = np.flatnonzero((heads[own] == 0) | ((heads[own] > first) & (heads[own] <= last)))
        chosen = np.zeros(last - first, np.int64)
        chosen[inside + begin - first] = places[inside]
        same = reference.labels(expected, chosen)[within].argmax(1) == labels[own]
        # Heads of the next piece have other neighbours there.
        assert (~same[(heads[own] > begin) & (heads[own] <= end)]).sum() < 5
    assert crossing(heads).sum() < crossing(run(net, forms)[0]).sum()


def test_given_heads_stay_even_far_away() -> None:
    net = Net(SMALL, WORDS, make_net(3))
    forms = long_sentence(1500)
    heads = np.full(len(forms), -1, np.int32)
    heads[[0, 700, 1499]] = 1500, 1, 0
    found = run(net, forms, price=0.5, given=heads)
    assert found[0][[0, 700, 1499]].tolist() == [1500, 1, 0]
    assert is_tree(found[0])
    assert found[3][0] == 0


def test_a_very_long_sentence_can_be_cancelled() -> None:
    net = Net(SMALL, WORDS, make_net(3))
    forms = long_sentence(200_000)
    cancel = Cancel()
    timer = threading.Timer(0.2, cancel.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        run(net, forms, price=1.0, cancel=cancel)
    timer.join()


def test_threads_change_nothing() -> None:
    net = Net(SMALL, WORDS, make_net(3))
    sentences = [Sentence(forms=long_sentence(size)) for size in (1030, 3, 1200, 40)]
    forms = [form for sentence in sentences for form in sentence.forms]
    ends = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    words, nets = np.arange(len(forms), dtype=np.int32), _core.NeuralNets([net.core])
    one, two = (nets.run([net.rows(forms)], words, ends, threads=threads) for threads in (1, 3))
    for first, second in zip(one, two, strict=True):
        assert (first == second).all()
