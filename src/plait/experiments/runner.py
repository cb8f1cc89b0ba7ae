"""Trains the parsers of a grid, several at a time, and keeps what is finished."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from plait import formats
from plait.components.transition import TransitionParser
from plait.evaluation import evaluate
from plait.experiments.processes import finish
from plait.experiments.shelf import Shelf
from plait.experiments.spec import Cell, Experiment
from plait.learning.epochs import Epoch

OnOutcome = Callable[["Outcome", int, int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one cell gave; scores are of the dev set, by the epoch that its metric calls best there."""

    cell: Cell
    las: float
    las_full: float
    uas: float
    best_epoch: int
    seconds: float
    sentences: int  # of the training set
    history: tuple[Epoch, ...]

    def score(self, metric: str) -> float:
        return self.las_full if metric == "las_full" else self.las

    def swaps_per_sentence(self) -> list[float]:
        """Epoch by epoch, in the derivations learned from."""
        return [
            epoch.counts["swaps"] / max(1, self.sentences - epoch.counts["left_out"])
            for epoch in self.history
        ]


def run(experiment: Experiment, *, jobs: int = 1, on_outcome: OnOutcome | None = None) -> list[Outcome]:
    """Train every cell that is not finished; return the outcomes of all, in the order of the experiment.

    The first cell that fails ends the run; what was finished stays, as it does after an interrupt.
    """
    total = len(experiment.cells)
    return finish(
        experiment.cells,
        Shelf(experiment.output, experiment.treebanks),
        train_cell,
        _read,
        jobs=jobs,
        on_result=(lambda outcome, done: on_outcome(outcome, done, total)) if on_outcome else None,
    )


def train_cell(cell: Cell, shelf: Shelf) -> dict[str, Any]:
    """Train, score on the dev set, save the model; what is stored of it."""
    start = time.perf_counter()
    train, dev = formats.read(cell.treebank.train), formats.read(cell.treebank.dev)
    parser = TransitionParser(**asdict(cell.options)).fit(train, dev=dev)
    scores = evaluate(dev, parser.apply(dev))
    parser.save(shelf.model(cell), force=True)
    return {
        "las": scores.las,
        "las_full": scores.las_full,
        "uas": scores.uas,
        "best_epoch": parser.best_epoch_,
        "seconds": time.perf_counter() - start,
        "sentences": len(train),
        "history": [asdict(epoch) for epoch in parser.history_],
    }


def _read(cell: Cell, stored: dict[str, Any]) -> Outcome:
    history = tuple(Epoch(**epoch) for epoch in stored.pop("history"))
    return Outcome(cell=cell, history=history, **stored)
