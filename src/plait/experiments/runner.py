"""Trains the cells of an experiment, several at a time, and keeps what is finished.

A finished cell is a JSON file in the output folder, written when its model is complete; it is not run again while
the data and options it was made from are the same.
"""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.metadata import version
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, cast

from plait import formats
from plait.errors import InputError, OutputError, PlaitError
from plait.evaluation import evaluate
from plait.experiments.spec import Cell, Experiment, TreebankFiles
from plait.parser import Epoch, Parser
from plait.parser.options import Settings

OnOutcome = Callable[["Outcome", int, int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one cell gave; scores are of the dev set, by the epoch that is best there."""

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
        return [epoch.swaps / max(1, self.sentences - epoch.left_out) for epoch in self.history]


def run(experiment: Experiment, *, jobs: int = 1, on_outcome: OnOutcome | None = None) -> list[Outcome]:
    """Train every cell that is not finished; return the outcomes of all, in the order of the experiment.

    The first cell that fails ends the run; what was finished stays, as it does after an interrupt.
    """
    shelf = Shelf(experiment)
    outcomes = {cell.name: outcome for cell in experiment.cells if (outcome := shelf.find(cell))}
    waiting = [cell for cell in experiment.cells if cell.name not in outcomes]
    for cell in _train(waiting, shelf, jobs):
        outcome = shelf.find(cell)
        if outcome is None:
            raise PlaitError(f"{cell}: the result disappeared from {shelf.path(cell)}.")
        outcomes[cell.name] = outcome
        if on_outcome:
            on_outcome(outcome, len(outcomes), len(experiment.cells))
    return [outcomes[cell.name] for cell in experiment.cells]


class Shelf:
    """The finished cells in the output folder."""

    def __init__(self, experiment: Experiment) -> None:
        self.folder = experiment.output
        try:
            for part in ("cells", "models"):
                (self.folder / part).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{self.folder}: cannot be made: {error.strerror or error}.") from None
        self._data = {treebank.name: _checksum(treebank) for treebank in experiment.treebanks}

    def path(self, cell: Cell) -> Path:
        return self.folder / "cells" / f"{cell.name}.json"

    def model(self, cell: Cell) -> Path:
        return self.folder / "models" / cell.name

    def origin(self, cell: Cell) -> dict[str, Any]:
        """What decides the outcome. A cell made from anything else is not this one."""
        return {
            "plait": version("plait"),
            "data": self._data[cell.treebank.name],
            "options": asdict(cell.options),
        }

    def find(self, cell: Cell) -> Outcome | None:
        try:
            stored = json.loads(self.path(cell).read_text(encoding="utf-8"))
            if stored.pop("origin") != self.origin(cell) or not self.model(cell).is_dir():
                return None
            history = tuple(Epoch(**epoch) for epoch in stored.pop("history"))
            return Outcome(cell=cell, history=history, **stored)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None


def _train(cells: Iterable[Cell], shelf: Shelf, jobs: int) -> Iterable[Cell]:
    """One process per cell: memory is given back, and the cells need not be thread-safe."""
    processes = get_context("spawn")
    waiting = list(cells)[::-1]
    running: dict[int, tuple[Cell, BaseProcess, Connection]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                cell = waiting.pop()
                ours, theirs = processes.Pipe(duplex=False)
                job = (cell, shelf.path(cell), shelf.model(cell), shelf.origin(cell), theirs)
                process: BaseProcess = processes.Process(target=_work, args=job, daemon=True)
                process.start()
                theirs.close()
                running[process.sentinel] = (cell, process, ours)
            for sentinel in wait(list(running)):
                assert isinstance(sentinel, int)
                cell, process, ours = running.pop(sentinel)
                process.join()
                _check(cell, process, ours)
                yield cell
    finally:
        for _, process, _ in running.values():
            process.terminate()
            process.join()


def _check(cell: Cell, process: BaseProcess, connection: Connection) -> None:
    with connection:
        if process.exitcode == 0:
            return
        try:
            is_input, message = connection.recv()
        except EOFError:
            is_input, message = False, f"{cell}: the process ended with status {process.exitcode}."
    raise (InputError if is_input else PlaitError)(message)


def _work(cell: Cell, path: Path, model: Path, origin: dict[str, Any], connection: Connection) -> None:
    """In the process of its own. An interrupt is the parent's business: here it would look like a short training."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        result = {"origin": origin} | train_cell(cell, model)
        partial = path.with_suffix(".partial")
        partial.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        partial.rename(path)
    except PlaitError as error:
        connection.send((isinstance(error, InputError), str(error)))
        raise SystemExit(1) from None
    except OSError as error:
        connection.send((False, f"{path}: cannot be written: {error.strerror or error}."))
        raise SystemExit(1) from None


def train_cell(cell: Cell, model: Path) -> dict[str, Any]:
    """Train, score on the dev set, save the model; what is stored of it."""
    start = time.perf_counter()
    train, dev = formats.read(cell.treebank.train), formats.read(cell.treebank.dev)
    parser = Parser(**cast(Settings, asdict(cell.options))).fit(train, dev=dev)
    scores = evaluate(dev, parser.parse(dev))
    parser.save(model)
    return {
        "las": scores.las,
        "las_full": scores.las_full,
        "uas": scores.uas,
        "best_epoch": parser.best_epoch_,
        "seconds": time.perf_counter() - start,
        "sentences": len(train),
        "history": [asdict(epoch) for epoch in parser.history_],
    }


def _checksum(treebank: TreebankFiles) -> str:
    """Of what a cell learns from and is tuned on; the test set decides nothing."""
    digest = sha256()
    for path in (treebank.train, treebank.dev):
        try:
            digest.update(path.read_bytes())
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror or error}.") from None
        digest.update(b"\0")
    return digest.hexdigest()
