"""Test sets drawn anew from the sentences of one, with replacement (Efron and Tibshirani 1993)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
CONFIDENCE = 95.0
_DRAWS_AT_ONCE = 1 << 20  # bounds the memory, whatever the number of sentences


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the score of the middle 95 % of the resampled test sets lies."""

    low: float
    high: float
    samples: int
    seed: int
    confidence: float = CONFIDENCE


def resampled(counts: Floats, samples: int, seed: int) -> Iterator[Floats]:
    """Totals of so many test sets, some rows at a time. `counts` has a row per sentence."""
    size = len(counts)
    generator = np.random.default_rng(seed)
    at_once = max(1, _DRAWS_AT_ONCE // size)
    for start in range(0, samples, at_once):
        rows = min(at_once, samples - start)
        drawn = generator.integers(size, size=(rows, size)) + size * np.arange(rows)[:, None]
        times = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size)
        yield times @ counts


def f1_of(totals: Floats) -> Floats:
    """In percent, for rows of right, gold and system ones."""
    right, gold, system = totals.T
    result: Floats = 200 * right / np.maximum(gold + system, 1)
    return result


def middle(values: Floats) -> tuple[float, float]:
    tail = (100 - CONFIDENCE) / 2
    low, high = np.percentile(values, (tail, 100 - tail))
    return float(low), float(high)


def f1_interval(counts: NDArray[np.int64], *, samples: int, seed: int) -> Interval:
    if not len(counts):
        return Interval(0.0, 0.0, samples, seed)
    scores = np.concatenate([f1_of(each) for each in resampled(counts.astype(np.float64), samples, seed)])
    low, high = middle(scores)
    return Interval(round(low, 2), round(high, 2), samples, seed)
