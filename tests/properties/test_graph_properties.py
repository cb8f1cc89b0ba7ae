"""The charts find the best of all projective trees; the rearrangement only ever improves them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enumeration import DenseScores, all_trees
from plait.trees import find_fault

seeds = st.integers(0, 2**31 - 1)


@pytest.mark.parametrize(
    ("single_root", "counts"), [(False, [1, 3, 12, 55, 273]), (True, [1, 2, 7, 30, 143])]
)
def test_the_enumeration_is_complete(single_root: bool, counts: list[int]) -> None:
    found = [sum(1 for _ in all_trees(words, single_root=single_root)) for words in range(1, 6)]
    assert found == counts


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.booleans(), seeds)
def test_the_chart_finds_the_best_projective_tree(words: int, single_root: bool, seed: int) -> None:
    scores = DenseScores.random(words, 2, seed)
    heads, labels, score, _ = scores.search(single_root=single_root)
    best = max(map(scores.best, all_trees(words, single_root=single_root)))
    assert score == pytest.approx(best, abs=1e-4)
    assert scores.of(heads, labels) == pytest.approx(score, abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.booleans(), seeds, st.floats(0.2, 0.9))
def test_with_some_arcs_and_labels_only(words: int, single_root: bool, seed: int, share: float) -> None:
    scores = DenseScores.random(words, 2, seed)
    allowed = (np.random.default_rng(seed).random(scores.allowed.shape) < share).astype(np.uint8)
    scores = replace(scores, allowed=allowed)
    heads, labels, score, _ = scores.search(single_root=single_root)
    best = max(map(scores.best, all_trees(words, single_root=single_root)))
    assert score == pytest.approx(best, abs=1e-4)
    if heads:
        assert scores.of(heads, labels) == pytest.approx(score, abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 12), st.booleans(), seeds)
def test_without_scores_of_larger_parts_the_charts_agree(words: int, single_root: bool, seed: int) -> None:
    scores = DenseScores.random(words, 3, seed)
    nothing = np.zeros_like(scores.sibling)
    scores = replace(scores, sibling=nothing, inner=nothing, outer=nothing)
    heads, labels, score, _ = scores.search(single_root=single_root)
    eisner_heads, eisner_labels, eisner_score, _ = scores.search(single_root=single_root, first_order=True)
    assert (heads, labels) == (eisner_heads, eisner_labels)
    assert score == pytest.approx(eisner_score, abs=1e-4)


def _moved(scores: DenseScores, heads: tuple[int, ...], labels: tuple[int, ...], single_root: bool):  # type: ignore[no-untyped-def]
    """All trees one move away, with their scores."""
    for word in range(1, len(heads) + 1):
        for head in range(len(heads) + 1):
            other = (*heads[: word - 1], head, *heads[word:])
            if head == heads[word - 1] or find_fault(list(other)) is not None:
                continue
            if single_root and 0 in (head, heads[word - 1]):
                continue
            for label in range(scores.labels):
                names = (*labels[: word - 1], label, *labels[word:])
                yield scores.of(other, names), other, names


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 6), st.booleans(), seeds, st.floats(0, 2))
def test_the_rearrangement_makes_the_best_moves(
    words: int, single_root: bool, seed: int, threshold: float
) -> None:
    scores = DenseScores.random(words, 2, seed)
    heads, labels, score, _ = scores.search(single_root=single_root)
    found = scores.search(single_root=single_root, threshold=threshold)
    moves = 0
    while moves < words:
        best = max(_moved(scores, heads, labels, single_root), default=None)
        if best is None or best[0] - score <= threshold + 1e-5:
            break
        score, heads, labels = best
        moves += 1
    assert found == (heads, labels, pytest.approx(score, abs=1e-4), moves)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 20), seeds)
def test_rearranged_trees_are_trees_and_never_worse(words: int, seed: int) -> None:
    scores = DenseScores.random(words, 2, seed)
    *_, before, moves = scores.search(single_root=True)
    assert moves == 0  # the threshold is infinite
    heads, _, after, _ = scores.search(single_root=True, threshold=0.0)
    assert find_fault(list(heads)) is None
    assert heads.count(0) == 1
    assert after >= before - 1e-4
