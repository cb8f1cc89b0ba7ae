"""First the ranking of heads, then trees, pass by pass."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.components.graph.model import RANKING_BITS, Model, RankingWeights, Setup
from plait.learning.arcs import GoldTrees
from plait.learning.attachment import Answers
from plait.learning.flow import batches
from plait.learning.learner import Order, Progress, TableLearner, Weights, epoch_order
from plait.learning.lessons import Lessons

BEAM = 32  # what parsing costs here, as a beam that would cost as much: it decides how large batches are
_RANKING_EPOCHS = 3
_RANKING_STEP = 0.05
_CHUNK = 1024  # sentences


def learn_ranking(setup: Setup, gold: GoldTrees) -> RankingWeights:
    """A few quick passes, before the trees: so all of these are chosen from the same candidates."""
    trainer = _core.RankingTrainer(setup.core, RANKING_BITS, _RANKING_STEP)
    for number in range(1, _RANKING_EPOCHS + 1):
        order = epoch_order(setup.options.seed, number, len(gold))
        for chunk in np.array_split(order, len(order) // _CHUNK + 1):  # Ctrl-C is heard between two
            trainer.learn(gold.words.values, gold.words.offsets, gold.heads, chunk)
    return RankingWeights.rounded(trainer.averaged())


class GraphLearner(TableLearner[_core.TreeTrainer, Model]):
    """Learns from whole trees; `arcs` counts those that were scored, `moves` those away from the best projective tree,
    `left_out` sentences that are too long to learn from.
    """

    metric = "las"
    counted = ("arcs", "updates", "moves", "left_out")

    def __init__(self, setup: Setup, gold: GoldTrees, dev: Lessons | None) -> None:
        options = setup.options
        self._ranking = learn_ranking(setup, gold)
        cores = [
            _core.TreeTrainer(setup.core, self._ranking.core, options.bits, options.step or 1e9, options.cost)
            for _ in range(options.mix)
        ]
        if not options.negative:
            for core in cores:
                core.show(gold.words.values, gold.words.offsets, gold.heads, gold.labels)
        super().__init__(cores, len(gold), options.seed)
        self._threads = 1  # of each table
        self._setup = setup
        self._gold = gold
        self._answers = None if dev is None else Answers(dev, dev.path)
        self._batches = [setup.encode(batch) for batch in batches(dev or (), BEAM)]
        self.judged = dev is not None

    def run_epoch(self, number: int, on_progress: Progress, threads: int) -> dict[str, int]:
        """Threads that have no table of their own share the work on one sentence."""
        self._threads = max(1, threads // len(self.cores))
        return super().run_epoch(number, on_progress, threads)

    def learn(self, core: _core.TreeTrainer, order: Order, epoch: int) -> tuple[int, int, int, int]:  # noqa: ARG002
        gold = self._gold
        return core.learn(
            gold.words.values, gold.words.offsets, gold.heads, gold.labels, order, self._threads
        )

    def build(self, weights: Weights) -> Model:
        return Model(self._setup, self._setup.pack(weights), self._ranking)

    def score(self, state: Model) -> dict[str, float]:
        assert self._answers is not None
        found = ((batch, state.search(batch)) for batch in self._batches)
        return self._answers.score([parse for batch, result in found for parse in state.trees(batch, result)])

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        yield from self._setup.templates.sources.values()
        yield from self._gold.arrays
        for batch in self._batches:
            yield from (batch.values, batch.offsets)
        if self._answers:
            yield from self._answers.data()
