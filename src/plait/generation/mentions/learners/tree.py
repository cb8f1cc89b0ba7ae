"""A decision tree in the way of C4.5 (Quinlan 1993): splits by information, leaves pruned; learned by scikit-learn,
kept and used as arrays.
"""

from __future__ import annotations

from typing import Self

import numpy as np

from plait.formats.grec import TYPES
from plait.generation.mentions.five import NUMBERS, Rows, spread, spread_names
from plait.generation.mentions.learners.base import (
    COUNT,
    Codes,
    Shares,
    TypeLearner,
    array,
    scikit,
    share_rows,
)
from plait.learning.tensors import Tensors

_LEAST_CASES = 20  # in a leaf
_PRUNING = 1e-3  # the least that a split must gain, by minimal cost-complexity pruning
_LEAF = -1
_MOST_NODES = 1 << 20


class Tree(TypeLearner):
    title = "a decision tree"

    def fit(self, rows: Rows, types: Codes, seed: int) -> Self:
        learner = scikit().tree.DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=_LEAST_CASES, ccp_alpha=_PRUNING, random_state=seed
        )
        learner.fit(spread(rows, self.categories.sizes), types)
        tree = learner.tree_
        self._below = np.stack([tree.children_left, tree.children_right], axis=1).astype(np.int64)
        self._feature = np.where(self._below[:, 0] == _LEAF, 0, tree.feature).astype(np.int64)
        self._threshold = tree.threshold.astype(np.float64)
        counts = np.zeros((tree.node_count, COUNT))
        counts[:, learner.classes_] = tree.value[:, 0, :] * tree.n_node_samples[:, None]
        self._counts = np.round(counts)
        return self

    def shares(self, rows: Rows) -> Shares:
        # The learner compared numbers of 32 bits.
        seen = spread(rows, self.categories.sizes).astype(np.float32)
        at = np.zeros(len(rows), np.int64)
        while (inner := np.flatnonzero(self._below[at, 0] != _LEAF)).size:
            nodes = at[inner]
            right = seen[inner, self._feature[nodes]] > self._threshold[nodes]
            at[inner] = self._below[nodes, right.astype(np.int64)]
        return share_rows(self._counts[at] + 1e-3)

    def text(self) -> str:
        """As in figure 1 of the paper: a branch per line, and at leaves how many cases there were, and how many of
        them had another type.
        """
        names = spread_names(self.categories)
        lines: list[str] = []
        waiting = [(0, 0, "")]
        while waiting:
            node, depth, condition = waiting.pop()
            left, right = self._below[node].tolist()
            if left == _LEAF:
                counts = self._counts[node]
                best = int(counts.argmax())
                wrong = counts.sum() - counts[best]
                told = f"{counts.sum():.0f}/{wrong:.0f}" if wrong else f"{counts.sum():.0f}"
                lines.append(f"{condition or 'always'}: {TYPES[best]} ({told})")
                continue
            if condition:
                lines.append(condition)
            name = names[self._feature[node]]
            bars = "| " * depth
            if self._feature[node] < len(NUMBERS):
                edge = f"{self._threshold[node]:.4g}"
                conditions = [f"{bars}{name} > {edge}", f"{bars}{name} <= {edge}"]
            else:
                conditions = [f"{bars}{name}", f"{bars}{name.replace(' = ', ' != ')}"]
            waiting += [
                (below, depth + 1, told) for below, told in zip((right, left), conditions, strict=True)
            ]
        return "".join(f"{line}\n" for line in lines)

    def pack(self) -> Tensors:
        return {
            "below": self._below,
            "feature": self._feature,
            "threshold": self._threshold,
            "counts": self._counts,
        }

    def unpack(self, tensors: Tensors) -> Self:
        self._below = array(tensors, "below", np.int64, None, 2)
        nodes = len(self._below)
        self._feature = array(tensors, "feature", np.int64, nodes)
        self._threshold = array(tensors, "threshold", np.float64, nodes)
        self._counts = array(tensors, "counts", np.float64, nodes, COUNT)
        if not 0 < nodes <= _MOST_NODES or not (self._counts >= 0).all() or self._counts.max() > 1e12:
            raise ValueError("the tree has no nodes, too many, or odd counts")
        width = len(spread_names(self.categories))
        if not ((self._feature >= 0) & (self._feature < width)).all():
            raise ValueError("feature: there is no such column")
        # A node comes before those below it, so that there is an end to every way.
        inner = self._below[:, 0] != _LEAF
        later = self._below > np.arange(nodes)[:, None]
        if not (later & (self._below < nodes))[inner].all() or not (self._below[~inner] == _LEAF).all():
            raise ValueError("below: the nodes are no tree")
        return self
