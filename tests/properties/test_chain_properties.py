"""Chains against the definition: all sequences of labels enumerated, and gradients by finite differences."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from plait import _core

FEATURES, PAIR_FEATURES = 3, 2


@dataclass
class Problem:
    """A small chain: which features hold where, which labels each has weights for, and all weights."""

    labels: int
    cells: list[list[int]]
    pair_cells: list[list[int]]
    held: list[list[int]]
    held_pairs: list[list[int]]
    gold: list[int]
    weights: NDArray[np.float64]

    @property
    def shape(self) -> _core.ChainShape:
        return _core.ChainShape(self.labels, *ragged(self.cells), *ragged(self.pair_cells))

    @property
    def sequences(self) -> _core.ChainSequences:
        offsets = np.array([0, len(self.held)], np.int64)
        return _core.ChainSequences(offsets, *ragged(self.held), *ragged(self.held_pairs))

    def score(self, labels: tuple[int, ...]) -> float:
        """As the definition has it."""
        pairs = self.labels**2
        total = 0.0
        for t, label in enumerate(labels):
            total += self._weights(self.cells, self.held[t], label, pairs)
            if t:
                pair = labels[t - 1] * self.labels + label
                total += self.weights[pair]
                first = pairs + sum(map(len, self.cells))
                total += self._weights(self.pair_cells, self.held_pairs[t], pair, first)
        return total

    def _weights(self, cells: list[list[int]], held: list[int], wanted: int, first: int) -> float:
        starts = np.cumsum([0, *map(len, cells)])
        return float(
            sum(
                self.weights[first + starts[feature] + place]
                for feature in held
                for place, cell in enumerate(cells[feature])
                if cell == wanted
            )
        )

    def ways(self) -> dict[tuple[int, ...], float]:
        """The probability of every sequence of labels."""
        ways = list(product(range(self.labels), repeat=len(self.held)))
        scores = np.array([self.score(way) for way in ways])
        raised = np.exp(scores - scores.max())
        return dict(zip(ways, (raised / raised.sum()).tolist(), strict=True))


def ragged(rows: list[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    flat = [each for row in rows for each in row]
    return np.cumsum([0, *map(len, rows)], dtype=np.int64), np.array(flat, np.int32)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    labels = draw(st.integers(1, 3))
    length = draw(st.integers(1, 4))

    def subsets(count: int, below: int) -> list[list[int]]:
        return [sorted(draw(st.sets(st.integers(0, below - 1)))) for _ in range(count)]

    cells, pair_cells = subsets(FEATURES, labels), subsets(PAIR_FEATURES, labels**2)
    held, held_pairs = subsets(length, FEATURES), subsets(length, PAIR_FEATURES)
    gold = draw(st.lists(st.integers(0, labels - 1), min_size=length, max_size=length))
    size = labels**2 + sum(map(len, cells)) + sum(map(len, pair_cells))
    number = st.floats(-30, 30, allow_nan=False)
    weights = np.array(draw(st.lists(number, min_size=size, max_size=size)), np.float64)
    return Problem(labels, cells, pair_cells, held, held_pairs, gold, weights)


@given(problems())
def test_probabilities_are_those_of_all_sequences(problem: Problem) -> None:
    found = _core.ChainScorer(problem.shape, problem.weights).marginals(problem.sequences)
    expected = np.zeros((len(problem.held), problem.labels))
    for way, share in problem.ways().items():
        for t, label in enumerate(way):
            expected[t, label] += share
    assert found == pytest.approx(expected, abs=1e-9)


@given(problems())
def test_the_best_sequences_are_the_best_of_all(problem: Problem) -> None:
    scorer = _core.ChainScorer(problem.shape, problem.weights)
    ways = problem.ways()
    codes, scores = scorer.best(problem.sequences, 5)
    found = [tuple(row) for row in codes.reshape(len(scores), -1).tolist()]
    assert len(set(found)) == len(found) == min(5, len(ways))
    # With several that are equal any order is right, so the scores are compared.
    expected = sorted(map(problem.score, ways), reverse=True)[:5]
    assert [problem.score(way) for way in found] == pytest.approx(expected, abs=1e-9)
    assert np.exp(scores) == pytest.approx([ways[way] for way in found], abs=1e-9)
    assert problem.score(tuple(scorer.label(problem.sequences).tolist())) == pytest.approx(
        expected[0], abs=1e-9
    )


@settings(max_examples=60)
@given(problems())
def test_the_loss_and_its_gradient(problem: Problem) -> None:
    problem.weights /= 10  # finite differences need a gentle slope
    gold = np.array(problem.gold, np.int32)

    def loss(weights: NDArray[np.float64]) -> float:
        return _core.chain_loss(problem.shape, problem.sequences, gold, weights)[0]

    value, gradient = _core.chain_loss(problem.shape, problem.sequences, gold, problem.weights)
    assert value == pytest.approx(-np.log(problem.ways()[tuple(problem.gold)]), abs=1e-9)
    step = 1e-5
    for place in range(len(problem.weights)):
        move = np.zeros(len(problem.weights))
        move[place] = step
        slope = (loss(problem.weights + move) - loss(problem.weights - move)) / (2 * step)
        assert gradient[place] == pytest.approx(slope, abs=1e-6)


@settings(max_examples=40)
@given(problems(), st.floats(0.05, 5))
def test_what_was_learned_cannot_be_improved(problem: Problem, l2: float) -> None:
    gold = np.array(problem.gold, np.int32)
    weights, value, _, _ = _core.fit_chain(problem.shape, problem.sequences, gold, l2, 500, 0.0)
    loss, gradient = _core.chain_loss(problem.shape, problem.sequences, gold, weights)
    assert value == pytest.approx(loss + l2 / 2 * (weights**2).sum())
    assert gradient + l2 * weights == pytest.approx(np.zeros(len(weights)), abs=1e-4)
