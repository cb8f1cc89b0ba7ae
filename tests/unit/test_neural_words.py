"""What a net sees of a word, and trees from scores."""

from itertools import product
from zlib import crc32

import numpy as np
import pytest

from plait.components.neural.decoding import crossing, is_tree, priced_tree, tree
from plait.components.neural.words import MOST_GRAMS, Words, case_class, gram_table, grams, parts, shape


@pytest.mark.parametrize(
    ("form", "expected"),
    [("McDonaldS", "XxXxxX"), ("1999", "99"), ("U.S.", "X.X."), ("ab-c3!!!", "xx-x9!!"), ("", "")],
)
def test_shape_cuts_runs_at_two(form: str, expected: str) -> None:
    assert shape(form) == expected
    assert len(shape("aA1-" * 9)) == 8


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("I", "title"),
        ("NATO", "upper"),
        ("Paris", "title"),
        ("it", "lower"),
        ("iPad", "mixed"),
        ("12%", "none"),
    ],
)
def test_case_class(form: str, expected: str) -> None:
    assert case_class(form) == expected


def test_parts_come_in_the_order_of_the_format() -> None:
    assert list(parts("Dogs")) == [
        *("s:Xxx", "c:title", "p:Do", "p:Dog", "p:Dogs", "x:gs", "x:ogs", "x:Dogs"),
        *("g:<do", "g:dog", "g:ogs", "g:gs>", "g:<dog", "g:dogs", "g:ogs>"),
    ]
    assert list(parts("a")) == ["s:x", "c:lower", "g:<a>"]


def test_grams_are_distinct_few_and_stable() -> None:
    assert grams("a", 30_000)[0] == crc32(b"s:x") % 30_000
    found = grams("internationalization", 30_000)
    assert len(found) == MOST_GRAMS == len(set(found))
    assert len(grams("internationalization", 7)) <= 7
    table = gram_table(["a", "internationalization"], 30_000)
    assert table[0].tolist()[:3] == grams("a", 30_000)
    assert table[0, 3] == 30_000
    assert table[1].tolist() == found


def test_a_lone_surrogate_has_parts() -> None:
    assert grams("\ud800", 100)


def test_words_are_lower_cased_and_counted_together() -> None:
    from collections import Counter

    words = Words.of(Counter({"The": 1, "the": 1, "rare": 1}), fewest=2)
    assert words.forms == ["", "the"]
    assert words.encode(["THE", "rare", ""]).tolist() == [1, 0, 0]


def best_by_trying(scores: np.ndarray) -> float:
    n = len(scores)
    trees = (np.array(heads) for heads in product(range(n + 1), repeat=n))
    return max(scores[np.arange(n), heads].sum() for heads in trees if is_tree(heads))


@pytest.mark.parametrize("seed", range(30))
def test_tree_is_the_best_with_one_root(seed: int) -> None:
    n = 1 + seed % 5
    scores = np.random.default_rng(seed).normal(size=(n, n + 1)) * 3
    scores[np.arange(n), np.arange(n) + 1] = -np.inf
    heads = tree(scores)
    assert is_tree(heads)
    assert scores[np.arange(n), heads].sum() == pytest.approx(best_by_trying(scores))


def test_cycles_and_two_roots_are_no_tree() -> None:
    assert is_tree(np.array([2, 0, 2]))
    assert not is_tree(np.array([2, 1, 0]))
    assert not is_tree(np.array([0, 0]))


def test_crossing_arcs_pay() -> None:
    heads = np.array([0, 4, 1, 3])  # word 2 hangs on 4, which is not over word 3
    assert crossing(heads).tolist() == [False, True, False, False]
    scores = np.zeros((4, 5))
    scores[np.arange(4), heads] = 4
    scores[1, 1] = 3
    scores[np.arange(4), np.arange(4) + 1] = -np.inf
    assert priced_tree(scores, 0).tolist() == heads.tolist()
    assert priced_tree(scores, 0.5).tolist() == heads.tolist()
    assert priced_tree(scores, 1.5).tolist() == [0, 1, 1, 3]
