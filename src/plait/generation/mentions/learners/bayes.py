"""A Bayesian network over codes whose structure K2 finds (Cooper and Herskovits 1992).

As in Weka, of which the paper used the network: the type is a parent of every feature, and the order in which K2 looks
is that of the columns. Numbers are cut into ranges of about equal counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lgamma
from typing import Self

import numpy as np
from numpy.typing import NDArray

from plait.generation.mentions.five import COLUMNS, NUMBERS, Rows
from plait.generation.mentions.learners.base import COUNT, Codes, Shares, TypeLearner, array, share_rows
from plait.learning.tensors import Tensors

MOST_PARENTS = 2  # the type among them
_RANGES = 8
_PRIOR = 0.5  # of every cell, as in Weka
_NO_PARENT = -1


def k2_score(counts: NDArray[np.float64]) -> float:
    """The logarithm of equation 8 of Cooper and Herskovits: `counts` has a row per state of the parents."""
    states = counts.shape[1]
    total = 0.0
    for row in counts:
        total += lgamma(states) - lgamma(states + row.sum())
        total += sum(lgamma(count + 1) for count in row)
    return total


def find_parents(
    codes: NDArray[np.int64], sizes: Sequence[int], most: int, given: Sequence[int] = ()
) -> list[list[int]]:
    """K2: to every column, from those before it, the parent that raises the score most, as long as one does. The
    columns `given` are parents of all others.
    """
    found: list[list[int]] = []
    for child in range(len(sizes)):
        parents = [each for each in given if each != child]
        best = k2_score(_count(codes, sizes, child, parents))
        while len(parents) < most:
            tried = {
                other: k2_score(_count(codes, sizes, child, [*parents, other]))
                for other in range(child)
                if other not in parents
            }
            other = max(tried, key=lambda each: tried[each], default=None)
            if other is None or tried[other] <= best:
                break
            parents, best = [*parents, other], tried[other]
        found.append(parents)
    return found


def _count(
    codes: NDArray[np.int64], sizes: Sequence[int], child: int, parents: Sequence[int]
) -> NDArray[np.float64]:
    """How often each code of the child occurs with each state of the parents."""
    states = _states(codes, sizes, parents)
    shape = (int(np.prod([sizes[each] for each in parents], dtype=np.int64)), sizes[child])
    counts = np.zeros(shape)
    np.add.at(counts, (states, codes[:, child]), 1)
    return counts


def _states(codes: NDArray[np.int64], sizes: Sequence[int], parents: Sequence[int]) -> NDArray[np.int64]:
    states = np.zeros(len(codes), np.int64)
    for parent in parents:
        states = states * sizes[parent] + codes[:, parent]
    return states


class BayesNetwork(TypeLearner):
    """Column 0 of the network is the type, then come those of `five`."""

    title = "a Bayesian network whose structure K2 found"

    def fit(self, rows: Rows, types: Codes, seed: int) -> Self:  # noqa: ARG002
        shares = np.arange(1, _RANGES) / _RANGES
        self._edges = np.array([np.quantile(rows[:, column], shares) for column in range(len(NUMBERS))])
        codes = np.column_stack([types, self._codes(rows)])
        self._parents = find_parents(codes, self._sizes, MOST_PARENTS, given=[0])
        self._tables = [
            share_rows(_count(codes, self._sizes, child, parents) + _PRIOR)
            for child, parents in enumerate(self._parents)
        ]
        return self

    @property
    def _sizes(self) -> list[int]:
        return [COUNT, *[_RANGES] * len(NUMBERS), *self.categories.sizes]

    def _codes(self, rows: Rows) -> NDArray[np.int64]:
        codes = rows.astype(np.int64)
        for column, edges in enumerate(self._edges):
            codes[:, column] = np.searchsorted(edges, rows[:, column])
        return codes

    def shares(self, rows: Rows) -> Shares:
        codes = self._codes(rows)
        logarithms = np.zeros((len(rows), COUNT))
        for kind in range(COUNT):
            assumed = np.column_stack([np.full(len(rows), kind), codes])
            for child, parents in enumerate(self._parents):
                states = _states(assumed, self._sizes, parents)
                logarithms[:, kind] += np.log(self._tables[child][states, assumed[:, child]])
        return share_rows(np.exp(logarithms - logarithms.max(axis=1, keepdims=True)))

    def text(self) -> str:
        names = ["TYPE", *COLUMNS]
        return "".join(
            f"{names[child]} <- {', '.join(names[each] for each in parents) or '-'}\n"
            for child, parents in enumerate(self._parents)
        )

    def pack(self) -> Tensors:
        parents = np.full((len(self._parents), MOST_PARENTS), _NO_PARENT, np.int64)
        for child, each in enumerate(self._parents):
            parents[child, : len(each)] = each
        tables = {f"table{child}": table for child, table in enumerate(self._tables)}
        return {"edges": self._edges, "parents": parents, **tables}

    def unpack(self, tensors: Tensors) -> Self:
        self._edges = array(tensors, "edges", np.float64, len(NUMBERS), _RANGES - 1)
        rows = array(tensors, "parents", np.int64, len(self._sizes), MOST_PARENTS).tolist()
        self._parents = [[each for each in row if each != _NO_PARENT] for row in rows]
        for child, parents in enumerate(self._parents):
            if not all(0 <= each < len(self._sizes) and each != child for each in parents):
                raise ValueError("parents: there is no such column")
        self._tables = []
        for child, parents in enumerate(self._parents):
            states = int(np.prod([self._sizes[each] for each in parents], dtype=np.int64))
            table = array(tensors, f"table{child}", np.float64, states, self._sizes[child])
            if not ((table > 0) & (table <= 1)).all():
                raise ValueError("a share is not between 0 and 1")
            self._tables.append(table)
        return self
