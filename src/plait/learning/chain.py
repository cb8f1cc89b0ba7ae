"""Linear-chain conditional random fields (Lafferty, McCallum and Pereira 2001): labels of sequences, learned with
L-BFGS, as CRF++ and CRFsuite do, in our own core: same input, same bytes; and a damaged model is refused.

A position of a sequence is a list of names of features, such as `word=the`; `pairs` are names of features that see the
label before as well. `plait.features.chains` makes both from templates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from plait import _core, checks
from plait.cancel import Cancel
from plait.errors import InputError
from plait.learning.tensors import Tensors

Names = Sequence[str]  # of the features at a position
Positions = Sequence[Names]  # of a sequence
MOST_LABELS = 1024
_Whole = NDArray[np.int64]
_Codes = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class ChainReport:
    """How the weights were found; the loss is with the penalty."""

    loss: float
    iterations: int
    evaluations: int


@dataclass(frozen=True, slots=True)
class _Cells:
    """Features by name, and the labels (or pairs of labels) that each has weights for."""

    names: dict[str, int]
    begins: _Whole
    cells: _Codes

    @classmethod
    def seen(cls, given: Iterable[Names], codes: _Codes, end: int, min_count: int, every: bool) -> _Cells:
        """Features that occur often enough, with the codes they occur with, or with every one below `end`."""
        given = list(given)
        counts = Counter(chain.from_iterable(given))
        kept = sorted(name for name, count in counts.items() if count >= min_count)
        names = {name: number for number, name in enumerate(kept)}
        if every:
            begins = np.arange(len(names) + 1, dtype=np.int64) * end
            return cls(names, begins, np.tile(np.arange(end, dtype=np.int32), len(names)))
        starts, features = _encode(names, given)
        seen = np.unique(features.astype(np.int64) * end + np.repeat(codes, np.diff(starts)))
        begins = np.searchsorted(seen, np.arange(len(names) + 1, dtype=np.int64) * end)
        return cls(names, begins.astype(np.int64), (seen % end).astype(np.int32))

    def pack(self, prefix: str) -> Tensors:
        encoded = [name.encode("utf-8", "surrogatepass") for name in self.names]
        ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
        return {
            f"{prefix}names": np.frombuffer(b"".join(encoded), np.uint8),
            f"{prefix}ends": ends,
            f"{prefix}begins": self.begins,
            f"{prefix}cells": self.cells,
        }

    @classmethod
    def unpack(cls, tensors: Tensors, prefix: str) -> _Cells:
        ends = checks.counts(tensors[f"{prefix}ends"], "ends")
        blob = checks.vector(tensors[f"{prefix}names"], np.uint8, "names").tobytes()
        if ends[:1] != [0] or ends[-1] != len(blob) or sorted(ends) != ends:
            raise ValueError("the names of features do not fit together")
        texts = [blob[first:last].decode("utf-8", "surrogatepass") for first, last in pairwise(ends)]
        names = {text: number for number, text in enumerate(texts)}
        begins = checks.vector(tensors[f"{prefix}begins"], np.int64, "begins")
        if len(names) != len(texts) or len(begins) != len(ends):
            raise ValueError("a feature is there twice, or has no weights")
        return cls(names, begins, checks.vector(tensors[f"{prefix}cells"], np.int32, "cells"))


class Chain:
    """A chain that was learned: `chain.label(sequence)`, `chain.marginals(sequence)`, `chain.best(sequence, 5)`."""

    def __init__(
        self, labels: Sequence[str], features: _Cells, pairs: _Cells, weights: NDArray[np.float32]
    ) -> None:
        """ValueError if it does not fit together."""
        self.labels = tuple(labels)
        self.report_: ChainReport | None = None
        self._features, self._pairs, self._weights = features, pairs, weights
        self._core = _core.ChainScorer(_shape(len(labels), features, pairs), weights.astype(np.float64))

    @classmethod
    def fit(
        cls,
        sequences: Sequence[Positions],
        labels: Sequence[Sequence[str]],
        *,
        pairs: Sequence[Positions] | None = None,
        l2: float = 1.0,
        min_count: int = 1,
        every_label: bool = False,
        iterations: int = 500,
        tolerance: float = 1e-4,
    ) -> Self:
        """Learn from sequences and their labels.

        `l2` is the penalty: l2 / 2 times the squares of all weights (1 / C of CRF++). Features that occur less than
        `min_count` times are left out (CRF++ -f). A feature has weights for the labels it occurs with, or, with
        `every_label`, for all, as in CRF++: slower, and often a little better. It ends when ten iterations have
        gained less than `tolerance` of the loss. Labels are numbered in the order of their names.
        """
        _require_equal(sequences, labels, pairs)
        known = sorted(set(chain.from_iterable(labels)))
        if not known:
            raise InputError("There is nothing to learn from: no label at all.")
        if len(known) > MOST_LABELS:
            raise InputError(f"There are {len(known):,} labels, and {MOST_LABELS:,} are the most.")
        numbers = {label: number for number, label in enumerate(known)}
        gold = np.array([numbers[label] for each in labels for label in each], np.int32)
        before = np.array([0, *gold[:-1]], np.int32) * len(known) + gold
        features = _Cells.seen(chain.from_iterable(sequences), gold, len(known), min_count, every_label)
        # The first position of a sequence has no label before it.
        seen_pairs = [
            [names if number else () for number, names in enumerate(each)]
            for each in (pairs if pairs is not None else [[()] * len(each) for each in sequences])
        ]
        pair_cells = _Cells.seen(
            chain.from_iterable(seen_pairs), before, len(known) ** 2, min_count, every=False
        )
        shape = _shape(len(known), features, pair_cells)
        arrays = _sequences(features, pair_cells, sequences, seen_pairs)
        weights, loss, steps, evaluations = _core.fit_chain(shape, arrays, gold, l2, iterations, tolerance)
        found = cls(known, features, pair_cells, weights.astype(np.float32))
        found.report_ = ChainReport(loss, steps, evaluations)
        return found

    def label(
        self, sequence: Positions, pairs: Positions | None = None, cancel: Cancel | None = None
    ) -> list[str]:
        """The most likely labels (Viterbi)."""
        return [
            self.labels[code] for code in self._core.label(self._arrays(sequence, pairs), cancel).tolist()
        ]

    def marginals(
        self, sequence: Positions, pairs: Positions | None = None, cancel: Cancel | None = None
    ) -> NDArray[np.float64]:
        """A row per position: the probability of each of `labels`."""
        return self._core.marginals(self._arrays(sequence, pairs), cancel)

    def best(
        self, sequence: Positions, most: int, pairs: Positions | None = None, cancel: Cancel | None = None
    ) -> list[tuple[list[str], float]]:
        """The most likely sequences of labels and the logarithms of their probabilities, the best first."""
        codes, scores = self._core.best(self._arrays(sequence, pairs), most, cancel)
        rows = codes.reshape(len(scores), len(sequence)).tolist()
        return [
            ([self.labels[code] for code in row], score)
            for row, score in zip(rows, scores.tolist(), strict=True)
        ]

    def weights(self) -> dict[tuple[str, str], float]:
        """The weights of features that see one label, by feature and label: to look at."""
        names = list(self._features.names)
        first = len(self.labels) ** 2
        owners = np.repeat(np.arange(len(names)), np.diff(self._features.begins)).tolist()
        own = self._weights[first : first + len(owners)].tolist()
        cells = self._features.cells.tolist()
        return {
            (names[owner], self.labels[label]): weight
            for owner, label, weight in zip(owners, cells, own, strict=True)
        }

    def pack(self) -> Tensors:
        """All but the labels, as arrays."""
        return {**self._features.pack(""), **self._pairs.pack("pair_"), "weights": self._weights}

    @classmethod
    def unpack(cls, labels: Sequence[str], tensors: Tensors) -> Self:
        """From what `pack` gave; ValueError or KeyError if it does not fit together."""
        if len(set(labels)) != len(labels) or not 0 < len(labels) <= MOST_LABELS:
            raise ValueError("there are no labels, too many, or one twice")
        features, pairs = _Cells.unpack(tensors, ""), _Cells.unpack(tensors, "pair_")
        return cls(labels, features, pairs, checks.vector(tensors["weights"], np.float32, "weights"))

    def _arrays(self, sequence: Positions, pairs: Positions | None) -> _core.ChainSequences:
        seen = [()] * len(sequence) if pairs is None else pairs
        _require_equal([sequence], None, [seen])
        return _sequences(self._features, self._pairs, [sequence], [seen])


def _shape(labels: int, features: _Cells, pairs: _Cells) -> _core.ChainShape:
    return _core.ChainShape(labels, features.begins, features.cells, pairs.begins, pairs.cells)


def _encode(names: dict[str, int], given: Iterable[Names]) -> tuple[_Whole, _Codes]:
    """Where the features of each position begin, and their numbers; each counts once, and unknown ones do not."""
    rows = [list(dict.fromkeys(names[name] for name in each if name in names)) for each in given]
    begins = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return begins, np.array(list(chain.from_iterable(rows)), np.int32)


def _sequences(
    features: _Cells, pair_features: _Cells, sequences: Sequence[Positions], pairs: Sequence[Positions]
) -> _core.ChainSequences:
    offsets = np.cumsum([0, *map(len, sequences)], dtype=np.int64)
    own = _encode(features.names, chain.from_iterable(sequences))
    return _core.ChainSequences(offsets, *own, *_encode(pair_features.names, chain.from_iterable(pairs)))


def _require_equal(
    sequences: Sequence[Positions], labels: Sequence[Sequence[str]] | None, pairs: Sequence[Positions] | None
) -> None:
    """InputError unless there is one label, and one list of features of pairs, for each position."""
    lengths = list(map(len, sequences))
    for what, given in (("labels", labels), ("features of pairs", pairs)):
        if given is not None and list(map(len, given)) != lengths:
            raise InputError(f"There must be as many {what} as positions in every sequence.")
