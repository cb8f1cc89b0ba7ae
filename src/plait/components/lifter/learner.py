"""Passes over trees in their right order, and what must be lifted there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.components.lifter.model import Model, Setup
from plait.evaluation.lifting import score_lifting
from plait.learning.learner import Order, TableLearner, Weights
from plait.learning.unordered import checked_heads
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence
from plait.trees.lifting import lift_deepest


class LiftLearner(TableLearner[_core.LiftTrainer, Model]):
    """Logistic regression: every word is an example, most of them of class 0."""

    metric = "lifting"
    counted = ("words", "lifted")

    def __init__(self, setup: Setup, sentences: Sequence[Sentence], dev: Sequence[Sentence] | None) -> None:
        options = setup.options
        core = _core.LiftTrainer(setup.program, options.bits, options.step)
        super().__init__([core], len(sentences), options.seed)
        self.judged = dev is not None
        self._setup = setup
        self._trees = setup.encoder.encode(sentences)
        targets = [head for sentence in sentences for head in lift_deepest(checked_heads(sentence))]
        self._targets = np.array(targets, np.int32)
        self._dev = setup.encoder.encode(dev or ())
        self._heads = [checked_heads(sentence) for sentence in dev or ()]
        self._right = [lift_deepest(heads) for heads in self._heads]

    def learn(self, core: _core.LiftTrainer, order: Order, epoch: int) -> tuple[int, ...]:  # noqa: ARG002
        trees = self._trees
        return core.learn(trees.values, trees.offsets, trees.heads, self._targets, order)

    def build(self, weights: Weights) -> Model:
        return Model(self._setup, PackedWeights.rounded(weights))

    def score(self, state: Model) -> dict[str, float]:
        """In percent: precision, recall and F1 of lifted arcs, and sentences with all decisions right."""
        found = state.lift_trees(self._dev)
        scores = score_lifting(self._heads, self._right, found)
        return {
            "lifting": 100 * scores.f1,
            "precision": 100 * scores.precision,
            "recall": 100 * scores.recall,
            "perfect": 100 * scores.perfect,
        }

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        yield from self._trees.arrays()
        yield self._targets
        yield from self._dev.arrays()
        yield self._setup.templates.source
