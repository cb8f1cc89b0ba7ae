"""Passes over a treebank, sentence by sentence, greedily or with a beam."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.components.transition.confidence import Calibration
from plait.components.transition.model import BUDGET, Model, Search, Setup
from plait.components.transition.options import HALVES
from plait.errors import InputError
from plait.layers import Parse
from plait.learning.arcs import GoldTrees
from plait.learning.attachment import Answers
from plait.learning.flow import batches
from plait.learning.learner import Order, Progress, TableLearner, Weights
from plait.learning.lessons import Lessons
from plait.sentence import Sentence
from plait.transitions.table import ORACLE_CODES

_KEPT = np.float32(0.3)  # of the weights, when they are renewed
_BEAM = 8  # for the confidences of a beam, if the parser was trained without one


class TreeLearner(TableLearner[_core.Trainer, Model]):
    """Learns from the derivations of an oracle; `swaps` counts those in them, `left_out` trees without any.

    A beam that makes no more mistakes on its sentences learns nothing, and where it stops depends on their order. With
    the option `renew` the weights shrink after so many passes: mistakes come back, other weights mend them, and the
    mean over all passes is that of several places where learning might have stopped (docs/performance.md).
    """

    metric = "las"
    counted = ("states", "updates", "swaps", "left_out")

    def __init__(self, setup: Setup, gold: GoldTrees, dev: Lessons | None, size: int) -> None:
        options = setup.options
        cores = [
            _core.Trainer(
                setup.core,
                options.bits,
                ORACLE_CODES[options.chosen_oracle],
                options.learner == "passive-aggressive",
                options.chosen_step,
                options.beam,
                *options.tag_beams,
                options.update == "early",
                options.margin,
                options.loss == HALVES,
                BUDGET,
            )
            for _ in range(options.mix)
        ]
        super().__init__(cores, len(gold), options.seed)
        self._setup = setup
        self._gold = gold
        self._repeated = max(1, len(gold) // max(1, size))  # every sentence so many times
        self._judge = None if dev is None else Judge(setup, dev, dev.path)
        self.judged = dev is not None

    def learn(self, core: _core.Trainer, order: Order, epoch: int) -> tuple[int, int, int, int]:
        words, options = self._gold.words, self._setup.options
        return core.learn(
            words.values,
            words.offsets,
            words.starts,
            words.classes,
            words.row_tags,
            words.priors,
            self._gold.heads,
            self._gold.labels,
            self._gold.tags,
            order,
            options.explore if epoch > 1 and options.beam == 1 else 0.0,
            options.seed * 1_000_003 + epoch,
        )

    def run_epoch(self, number: int, on_progress: Progress, threads: int) -> dict[str, int]:
        renew = self._setup.options.renew if self._setup.options.beam > 1 else 0
        if renew and number > 1 and (number - 1) % renew == 0:
            for core in self.cores:
                _shrink(core)
        counts = super().run_epoch(number, on_progress, threads)
        if counts["left_out"] == self.size:
            raise InputError(f"The system {self._setup.options.system!r} can derive no tree of the treebank.")
        # A sentence that was shown with gold and with predicted tags is one sentence.
        return counts | {"left_out": counts["left_out"] // self._repeated}

    def rank(self, scores: dict[str, float]) -> tuple[float, ...]:
        return (scores[self._setup.options.metric],)

    def build(self, weights: Weights) -> Model:
        return Model(self._setup, self._setup.pack(weights))

    def score(self, state: Model) -> dict[str, float]:
        assert self._judge is not None
        return self._judge.score(state)

    def finish(self, state: Model, scores: dict[str, float]) -> tuple[Model, dict[str, float]]:
        """How sure one may be of what is found."""
        return (state.calibrated(self._judge.calibrate(state)) if self._judge else state), scores

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        yield self._setup.templates.source
        yield from self._gold.arrays
        if self._judge:
            yield from self._judge.data()


def _shrink(core: _core.Trainer) -> None:
    """The weights become `_KEPT` times what they are; their mean so far stays."""
    weights, examples = core.weights(), core.examples
    drift = core.drift() - (1 - _KEPT) * np.float32(examples) * weights
    core.restore(_KEPT * weights, drift, examples)


class Judge:
    """Parses a dev set, which is encoded once."""

    def __init__(self, setup: Setup, dev: Sequence[Sentence], path: str = "") -> None:
        self._answers = Answers(dev, path, setup.options.metric)
        self._beam = setup.options.beam
        self._batches = [setup.encode(batch) for batch in batches(dev, self._beam)]

    def score(self, model: Model) -> dict[str, float]:
        return self._answers.score(self._parse(model, self._beam)[0])

    def calibrate(self, model: Model) -> dict[str, Calibration]:
        """What margins are worth, in greedy search and with a beam, where they are another thing."""
        curves = {}
        for name, beam in ("greedy", 1), ("beam", self._beam if self._beam > 1 else _BEAM):
            parses, margins = self._parse(model, beam)
            curves[name] = Calibration.fit(margins, self._answers.right_heads(parses))
        return curves

    def data(self) -> Iterator[NDArray[np.generic]]:
        """All that a score depends on, beside the model."""
        for batch in self._batches:
            yield from batch.words.arrays
        yield from self._answers.data()

    def _parse(self, model: Model, beam: int) -> tuple[list[Parse], NDArray[np.float32]]:
        found = [(batch, model.search(batch, Search(beam))) for batch in self._batches]
        parses = [trees[0] for batch, result in found for trees in model.trees(batch, result)]
        return parses, np.concatenate([result.margins for _, result in found])
