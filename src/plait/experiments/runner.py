"""Trains the parsers of a grid, several at a time, and keeps what is finished."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from plait import formats
from plait.components.transition import TransitionParser
from plait.experiments.measures import Counts, by_sentence, measure
from plait.experiments.processes import finish
from plait.experiments.shelf import Shelf
from plait.experiments.spec import Cell, Experiment
from plait.experiments.tagging import predict_tags
from plait.features.clusters import Clusters
from plait.learning.epochs import Epoch
from plait.learning.lessons import Lessons

OnOutcome = Callable[["Outcome", int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What one cell gave. Scores, all columns, are of the dev set, by the epoch that its metric calls best there;
    `counts` has a row per sentence of it: what is right by this metric, and how much there is.
    """

    cell: Cell
    scores: dict[str, float]
    counts: Counts
    best_epoch: int
    seconds: float
    sentences: int  # of the training set
    history: tuple[Epoch, ...]

    def swaps_per_sentence(self) -> list[float]:
        """Epoch by epoch, in the derivations learned from."""
        return [
            epoch.counts["swaps"] / max(1, self.sentences - epoch.counts["left_out"])
            for epoch in self.history
        ]


def run(experiment: Experiment, *, jobs: int = 1, on_outcome: OnOutcome | None = None) -> list[Outcome]:
    """Train every cell that is not finished; return the outcomes of all, in the order of the experiment. Where tags are
    to be predicted, taggers come first.

    The first cell that fails ends the run; what was finished stays, as it does after an interrupt.
    """
    total = len(experiment.cells)
    shelf = Shelf(experiment.output, experiment.treebanks)
    # Without the models, finished cells can do without their taggers too.
    open_ = [
        cell for cell in experiment.cells if cell.keeps_model or shelf.find(cell, lambda _: True) is None
    ]
    needed = {each.name: each for cell in open_ if (each := cell.tagging)}
    finish(list(needed.values()), shelf, predict_tags, lambda task, _: task, jobs=jobs)
    return finish(
        experiment.cells,
        shelf,
        train_cell,
        _read,
        jobs=jobs,
        on_result=(lambda outcome, done: on_outcome(outcome, done, total)) if on_outcome else None,
    )


def finished(experiment: Experiment) -> Experiment:
    """What of it has been run."""
    cells = Shelf(experiment.output, experiment.treebanks).finished(experiment.cells)
    return replace(
        experiment,
        cells=cells,
        treebanks=tuple({cell.treebank.name: cell.treebank for cell in cells}.values()),
        systems=tuple(dict.fromkeys(cell.system for cell in cells)),
        beams=tuple(dict.fromkeys(cell.options.beam for cell in cells)),
    )


def train_cell(cell: Cell, shelf: Shelf) -> dict[str, Any]:
    """Train, score on the dev set, save the model; what is stored of it."""
    start = time.perf_counter()
    gold = formats.read(cell.treebank.dev)
    if cell.tagging:
        train, dev = cell.tagging.lessons(shelf.folder)
    else:
        train, dev = Lessons.of(formats.read(cell.treebank.train)), Lessons.of(gold)
    clusters = Clusters.load(cell.clusters) if cell.clusters else None
    parser = TransitionParser(**asdict(cell.options))
    parser.fit(replace(train, clusters=clusters), dev=replace(dev, clusters=clusters))
    parsed = parser.apply(dev)
    parser.save(shelf.model(cell), force=True)
    right, size = by_sentence(gold, parsed, cell.options.metric).T
    return {
        "scores": measure(gold, parsed),
        # On one line each: there are as many numbers as sentences.
        "right": " ".join(map(str, right)),
        "size": " ".join(map(str, size)),
        "best_epoch": parser.best_epoch_,
        "seconds": time.perf_counter() - start,
        "sentences": len(train),
        "history": [asdict(epoch) for epoch in parser.history_],
    }


def _read(cell: Cell, stored: dict[str, Any]) -> Outcome:
    history = tuple(Epoch(**epoch) for epoch in stored.pop("history"))
    counts = np.array([stored.pop(name).split() for name in ("right", "size")], np.int64).T
    return Outcome(cell=cell, history=history, counts=counts, **stored)
