"""A whole training: first the ranking of heads, then trees, epoch by epoch, until enough; the best one is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.flow import batches
from plait.graph.model import RANKING_BITS, Model, RankingWeights, Setup
from plait.parser.data import GoldTrees
from plait.parser.guide import what_is_seen
from plait.parser.judge import Answers, Score
from plait.parser.mixture import Mixture, Order, Progress, epoch_order
from plait.parser.trainer import best_of, is_enough
from plait.sentence import Sentence

BEAM = 32  # what parsing costs here, as a beam that would cost as much: it decides how large batches are
_RANKING_EPOCHS = 3
_RANKING_STEP = 0.05
_CHUNK = 1024  # sentences


@dataclass(frozen=True, slots=True)
class GraphEpoch:
    """One pass over the training set. Scores are of the dev set; LAS as in CoNLL 2018, without subtypes."""

    number: int
    seconds: float
    arcs: int  # that were scored
    updates: int
    moves: int  # away from the best projective trees
    left_out: int  # sentences that are too long to learn from
    las: float | None = None
    uas: float | None = None


class Judge:
    """Parses a dev set, which is encoded once."""

    def __init__(
        self, setup: Setup, dev: Sequence[Sentence], path: str, guides: Sequence[Sentence] | None
    ) -> None:
        self._answers = Answers(dev, path)
        seen = what_is_seen(setup.options.guided, dev, guides, path)
        self._batches = [setup.encode(batch) for batch in batches(seen, BEAM)]

    def score(self, model: Model) -> Score:
        found = ((batch, model.search(batch)) for batch in self._batches)
        return self._answers.score([parse for batch, result in found for parse in model.trees(batch, result)])


def learn_ranking(setup: Setup, gold: GoldTrees) -> RankingWeights:
    """A few quick passes, before the trees: so all of these are chosen from the same candidates."""
    trainer = _core.RankingTrainer(setup.core, RANKING_BITS, _RANKING_STEP)
    for number in range(1, _RANKING_EPOCHS + 1):
        order = epoch_order(setup.options.seed, number, len(gold))
        for chunk in np.array_split(order, len(order) // _CHUNK + 1):  # Ctrl-C is heard between two
            trainer.learn(gold.words.values, gold.words.offsets, gold.heads, chunk)
    return RankingWeights.rounded(trainer.averaged())


class Training:
    """Runs epochs, and a judge after each if there is one."""

    def __init__(self, setup: Setup, gold: GoldTrees, judge: Judge | None, threads: int) -> None:
        self.epochs: list[GraphEpoch] = []
        self.interrupted = False
        self.ranking = learn_ranking(setup, gold)
        self._setup = setup
        self._gold = gold
        self._judge = judge
        options = setup.options
        self._mixture = Mixture(
            [
                _core.TreeTrainer(
                    setup.core, self.ranking.core, options.bits, options.step or 1e9, options.cost
                )
                for _ in range(options.mix)
            ],
            threads,
        )
        self._best: NDArray[np.float32] | None = None

    @property
    def best(self) -> Model:
        """The model of the best epoch."""
        assert self._best is not None
        return self._model(self._best)

    def run(
        self, on_epoch: Callable[[GraphEpoch], None] | None = None, on_progress: Progress | None = None
    ) -> None:
        """Until all epochs are run or there is nothing better for a while. An interrupt ends it too, once there
        is an epoch to keep.
        """
        options = self._setup.options
        try:
            while not is_enough(self.epochs, options.epochs, options.patience):
                epoch = self._run_epoch(on_progress)
                weights = self._mixture.averaged
                if self._judge:
                    score = self._judge.score(self._model(weights))
                    epoch = replace(epoch, las=score.las, uas=score.uas)
                self.epochs.append(epoch)
                if best_of(self.epochs) is epoch:
                    self._best = weights
                if on_epoch:
                    on_epoch(epoch)
        except KeyboardInterrupt:
            if self._best is None:
                raise
            self.interrupted = True

    def _model(self, weights: NDArray[np.float32]) -> Model:
        return Model(self._setup, self._setup.pack(weights), self.ranking)

    def _run_epoch(self, on_progress: Progress | None) -> GraphEpoch:
        start = time.perf_counter()
        number = len(self.epochs) + 1
        arcs, updates, moves, left_out = self._mixture.run_epoch(
            self._setup.options.seed, number, len(self._gold), self._learn, on_progress
        )
        return GraphEpoch(number, time.perf_counter() - start, arcs, updates, moves, left_out)

    def _learn(self, core: _core.TreeTrainer, order: Order, _: int) -> tuple[int, int, int, int]:
        gold = self._gold
        return core.learn(gold.words.values, gold.words.offsets, gold.heads, gold.labels, order)
