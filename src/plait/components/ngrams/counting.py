"""N-grams of texts, counted and smoothed by interpolated Kneser-Ney (Chen and Goodman 1999, section 2.7).

An n-gram is a number of 64 bits, made of the numbers of its words; that two share one is as good as impossible. So all
that is done to n-grams is done to whole arrays of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait.checks import is_cell

Keys = NDArray[np.uint64]
Words = NDArray[np.int32]

BEGIN, END, UNKNOWN = 0, 1, 2
FIRST = 3  # the number of the first word that has one
_PRIMES = np.array(
    [0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F],
    np.uint64,
)
MOST = len(_PRIMES)


def mixed(words: NDArray[np.integer]) -> Keys:
    """Numbers of words, spread over 64 bits (the finalizer of SplitMix64)."""
    keys = (words.astype(np.uint64) + np.uint64(1)) * _PRIMES[0]
    keys = (keys ^ (keys >> np.uint64(30))) * _PRIMES[1]
    keys = (keys ^ (keys >> np.uint64(27))) * _PRIMES[2]
    result: Keys = keys ^ (keys >> np.uint64(31))
    return result


def keys_at(words: Words, order: int) -> list[Keys]:
    """For every place, the keys of the n-grams of 1 to `order` words that end there; before the first word there are
    beginnings of sentences, which the caller puts between sentences, too.
    """
    single = mixed(words)
    start = mixed(np.array([BEGIN]))
    found = [single * _PRIMES[0]]
    for distance in range(1, order):
        before = np.concatenate([np.repeat(start, distance), single[:-distance]])[: len(single)]
        found.append(found[-1] + before * _PRIMES[distance])
    return found


def numbered(sentences: Iterable[Sequence[str]], numbers: dict[str, int], order: int) -> Words:
    """All sentences in a row: as many beginnings as an n-gram looks back over, the words, and an end."""
    row: list[int] = []
    start = [BEGIN] * max(1, order - 1)
    for sentence in sentences:
        row += start
        row += [numbers.get(word, UNKNOWN) for word in sentence]
        row.append(END)
    return np.array(row, np.int32)


def vocabulary(sentences: Iterable[Sequence[str]], fewest: int) -> list[str]:
    """The words that are known: often enough, and without control characters, which no model can keep."""
    counts = Counter(word for sentence in sentences for word in sentence)
    return sorted(word for word, count in counts.items() if count >= fewest and is_cell(word))


@dataclass(frozen=True, slots=True)
class Table:
    """N-grams of one length by key: the logarithm of their probability. And of what precedes the last word, by key:
    the logarithm of what is left for words that were not seen after it.
    """

    keys: Keys
    chances: NDArray[np.float32]
    contexts: Keys
    rests: NDArray[np.float32]


def tables(words: Words, order: int, size: int, fewest: int) -> list[Table]:
    """For n-grams of 1 to `order` words; of those with more than two words only what was seen `fewest` times is kept.
    `size` is the number of words there may be, the unknown one and the end among them.
    """
    at = keys_at(words, order)
    real = words != BEGIN  # nothing ends in a beginning
    found: list[Table] = []
    below = _Below(at, size)
    for length in range(1, order + 1):
        counts = _counted(at, real, length, order)
        table, below = _smoothed(at, counts, length, below, fewest if length > 2 else 1)
        found.append(table)
    return found


@dataclass(frozen=True, slots=True)
class _Counts:
    keys: Keys
    counts: NDArray[np.int64]
    places: NDArray[np.int64]  # where one of each stands


def _counted(at: list[Keys], real: NDArray[np.bool_], length: int, order: int) -> _Counts:
    """How often n-grams of a length were seen or, if there are longer ones, after how many different words (Kneser and
    Ney 1995).
    """
    places = np.flatnonzero(real)
    if length < order:
        _, firsts = np.unique(at[length][places], return_index=True)
        places = places[firsts]
    keys, firsts, counts = np.unique(at[length - 1][places], return_index=True, return_counts=True)
    return _Counts(keys, counts, places[firsts])


class _Below:
    """Probabilities of shorter n-grams; of none at all, every word is as likely."""

    def __init__(
        self, at: list[Keys], size: int, table: Table | None = None, lower: _Below | None = None
    ) -> None:
        self._at, self._size, self._table, self._lower = at, size, table, lower
        self._length: int = 0 if lower is None else lower._length + 1

    def at(self, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Of the n-grams that end at these places."""
        if self._table is None or self._lower is None:
            return np.full(len(places), 1 / self._size)
        chances = look_up(self._table.keys, self._table.chances, self._at[self._length - 1][places], np.nan)
        missing = np.flatnonzero(np.isnan(chances))
        result = np.exp(chances.astype(np.float64))
        if len(missing):
            rests = self._rests(places[missing])
            result[missing] = rests * self._lower.at(places[missing])
        return result

    def _rests(self, places: NDArray[np.int64]) -> NDArray[np.float64]:
        assert self._table is not None
        contexts = context_keys(self._at, self._length, places)
        return np.exp(look_up(self._table.contexts, self._table.rests, contexts, 0.0).astype(np.float64))


def context_keys(at: list[Keys], length: int, places: NDArray[np.int64]) -> Keys:
    """Of n-grams of a length that end at these places, without their last words."""
    if length == 1:
        return np.zeros(len(places), np.uint64)
    # A key is a sum over words: without the last one, what stands before it remains.
    result: Keys = at[length - 1][places] - at[0][places]
    return result


def look_up(keys: Keys, values: NDArray[np.float32], wanted: Keys, missing: float) -> NDArray[np.float32]:
    """The values of keys, which are sorted."""
    if not len(keys):
        return np.full(len(wanted), missing, np.float32)
    found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    result: NDArray[np.float32] = np.where(keys[found] == wanted, values[found], np.float32(missing))
    return result


def _smoothed(at: list[Keys], seen: _Counts, length: int, below: _Below, fewest: int) -> tuple[Table, _Below]:
    contexts, which = np.unique(context_keys(at, length, seen.places), return_inverse=True)
    totals = np.bincount(which, seen.counts).astype(np.float64)
    once, twice = int((seen.counts == 1).sum()), int((seen.counts == 2).sum())
    discount = once / (once + 2 * twice) if once and twice else 0.5
    shares = np.maximum(seen.counts - discount, 0) / totals[which]
    kept = seen.counts >= fewest
    # What is left for others: all that is not given to those that are kept, so that everything sums to one.
    rests = np.maximum(1 - np.bincount(which, np.where(kept, shares, 0), len(contexts)), 1e-12)
    chances = shares[kept] + rests[which[kept]] * below.at(seen.places[kept])
    used = np.zeros(len(contexts), bool)
    used[which[kept]] = True
    table = Table(
        seen.keys[kept],
        np.log(chances).astype(np.float32),
        contexts[used],
        np.log(rests[used]).astype(np.float32),
    )
    return table, _Below(at, below._size, table, below)
