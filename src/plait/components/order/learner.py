"""Passes over trees: every domain ordered, and learned from where the order is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.components.order.model import Model, Setup
from plait.components.order.options import OrderOptions
from plait.evaluation.texts import edit_score, exact_score
from plait.learning.learner import Order, TableLearner, Weights
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence


class OrderLearner(TableLearner[_core.OrderTrainer, Model]):
    """Sentences in their right order, of which the core sees one that says nothing."""

    metric = "edit"
    counted = ("domains", "wrong", "updates")

    def __init__(
        self,
        setup: Setup,
        options: OrderOptions,
        sentences: Sequence[Sentence],
        dev: Sequence[Sentence] | None,
    ) -> None:
        cores = [
            _core.OrderTrainer(setup.program, options.bits, options.beam, options.step)
            for _ in range(options.mix)
        ]
        super().__init__(cores, len(sentences), options.seed)
        self.judged = dev is not None
        self._setup = setup
        self._options = options
        self._trees = setup.encoder.encode(sentences)
        self._dev = setup.encoder.encode(dev or ())
        self._lemmas = [sentence.lemmas for sentence in dev or ()]

    def learn(self, core: _core.OrderTrainer, order: Order, epoch: int) -> tuple[int, ...]:  # noqa: ARG002
        trees = self._trees
        return core.learn(trees.values, trees.offsets, trees.heads, order)

    def build(self, weights: Weights) -> Model:
        return Model(self._setup, PackedWeights.rounded(weights), self._options.beam)

    def score(self, state: Model) -> dict[str, float]:
        """Lemmas in the order found against lemmas in the right order, in percent."""
        found = state.orders_of(self._dev)
        pairs = [
            (lemmas, [lemmas[word - 1] for word in orders[0].words])
            for lemmas, orders in zip(self._lemmas, found, strict=True)
        ]
        return {"edit": 100 * edit_score(pairs), "exact": 100 * exact_score(pairs)}

    def rank(self, scores: dict[str, float]) -> tuple[float, ...]:
        return (scores["edit"] + scores["exact"],)

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        yield from self._trees.arrays()
        yield from self._dev.arrays()
        yield self._setup.templates.source
