"""The most frequent type of the domain: the baseline of IS-G (Bohnet 2008, table 1)."""

from __future__ import annotations

from typing import Self

import numpy as np

from plait.generation.mentions.five import COLUMNS, Rows
from plait.generation.mentions.learners.base import COUNT, Codes, Shares, TypeLearner, array, share_rows
from plait.learning.tensors import Tensors

_DOMAIN = COLUMNS.index("SEMCAT")


class Majority(TypeLearner):
    title = "the most frequent type of the domain"

    def fit(self, rows: Rows, types: Codes, seed: int) -> Self:  # noqa: ARG002
        self._counts = np.ones((len(self.categories.semcats), COUNT))
        np.add.at(self._counts, (rows[:, _DOMAIN].astype(np.int64), types), 1)
        self._counts[-1] += np.bincount(types, minlength=COUNT)  # a domain that was never seen
        return self

    def shares(self, rows: Rows) -> Shares:
        return share_rows(self._counts)[rows[:, _DOMAIN].astype(np.int64)]

    def pack(self) -> Tensors:
        return {"counts": self._counts}

    def unpack(self, tensors: Tensors) -> Self:
        self._counts = array(tensors, "counts", np.float64, len(self.categories.semcats), COUNT)
        if not (self._counts > 0).all():
            raise ValueError("counts: one is not above 0")
        return self
