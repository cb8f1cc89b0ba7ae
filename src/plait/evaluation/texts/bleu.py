"""BLEU (Papineni et al. 2002) as counts of sentences, so that test sets can be resampled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from plait.evaluation.texts.nist import ngrams
from plait.evaluation.texts.order import Pair

_LONGEST = 4
Counts = NDArray[np.float64]


def bleu_counts(pairs: Iterable[Pair]) -> Counts:
    """A row per sentence: n-grams in common for n from 1 to 4, those of the system, and both lengths."""
    rows = []
    for reference, system in pairs:
        common, own = [], []
        for size in range(1, _LONGEST + 1):
            grams = Counter(ngrams(system, size))
            common.append((grams & Counter(ngrams(reference, size))).total())
            own.append(grams.total())
        rows.append([*common, *own, len(system), len(reference)])
    return np.array(rows, np.float64).reshape(-1, 2 * _LONGEST + 2)


def bleu_of(totals: Counts, longest: int = _LONGEST) -> Counts:
    """In percent, of each row of summed counts, with n-grams up to the `longest`; 0 where an n-gram precision is."""
    common, own = totals[:, :longest], totals[:, _LONGEST : _LONGEST + longest]
    length, wanted = totals[:, -2], totals[:, -1]
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.exp(np.log(common / own).mean(axis=1))
        penalty = np.where(length < wanted, np.exp(1 - wanted / length), 1.0)
    result: Counts = 100 * np.nan_to_num(precision * penalty)
    return result
