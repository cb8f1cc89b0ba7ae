"""Trains the rows of a ladder on every treebank, and measures them on the dev sets."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from plait import formats
from plait.errors import InputError, PlaitError
from plait.evaluation import evaluate
from plait.experiments.ladder.spec import Ladder, LadderCell
from plait.experiments.measures import measure
from plait.experiments.processes import finish
from plait.experiments.shelf import Shelf
from plait.experiments.tagging import predict_tags, start_training
from plait.learning import store
from plait.pipeline import Pipeline, Recipe
from plait.sentence import Sentence, Treebank
from plait.trees.voting import vote

_ROUNDS = 3  # of which the fastest counts, after one that is not timed

OnRung = Callable[["Rung", int, int], None]


@dataclass(frozen=True, slots=True)
class Measures:
    """Scores are of the dev set, in percent; the epoch is the one that is best there.

    The speed is that of the whole pipeline on one thread, from tokens to trees; with gold tags that is the parser
    alone. The size is that of the model on disk. A vote takes the time and the space of all who vote.
    """

    las: float
    uas: float
    las_full: float
    upos: float
    ufeats: float
    tlas: float
    pmlas: float
    words_per_second: float
    bytes: int
    seconds: float  # of training
    columns: dict[str, float] = field(default_factory=dict)  # those of `plait.experiments.measures`


@dataclass(frozen=True, slots=True)
class Rung:
    """What one cell gave."""

    cell: LadderCell
    measures: Measures


def climb(ladder: Ladder, *, jobs: int = 1, on_rung: OnRung | None = None) -> list[Rung]:
    """Train every cell that is not finished; all rungs, in the order of the cells.

    Taggers come first, since all rows share them, and votes last.
    """
    shelf = Shelf(ladder.output, ladder.treebanks)
    total = len(ladder.cells)
    done = 0

    def tell(rung: Rung, finished: int) -> None:
        if on_rung:
            on_rung(rung, done + finished, total)

    open_ = (cell for cell in ladder.cells if shelf.find(cell, lambda _: True) is None)
    needed = {each.name: each for cell in open_ if (each := cell.tagging)}
    finish(list(needed.values()), shelf, predict_tags, lambda task, _: task, jobs=jobs)
    rungs: dict[str, Rung] = {}
    for is_vote, work in (False, train_row), (True, hold_vote):
        cells = [cell for cell in ladder.cells if bool(cell.members) == is_vote]
        found = finish(cells, shelf, work, _read, jobs=jobs, on_result=tell)
        rungs |= {rung.cell.name: rung for rung in found}
        done += len(cells)
    return [rungs[cell.name] for cell in ladder.cells]


def finished(ladder: Ladder) -> Ladder:
    """What of it has been run; a vote, if all who vote in it have."""
    shelf = Shelf(ladder.output, ladder.treebanks)
    cells = shelf.finished(
        cell for cell in ladder.cells if all(shelf.find(member, lambda _: True) for member in cell.members)
    )
    return replace(
        ladder,
        cells=cells,
        treebanks=tuple({cell.treebank.name: cell.treebank for cell in cells}.values()),
        tags=tuple(dict.fromkeys(cell.tags for cell in cells)),
    )


def train_row(cell: LadderCell, shelf: Shelf) -> dict[str, Any]:
    assert cell.recipe is not None
    start = time.perf_counter()
    dev = formats.read(cell.treebank.dev)
    later = _later(cell.recipe)
    if cell.tagging is None:
        pipeline = start_training(cell.treebank, cell.recipe, ["parser", *later]).run()
    else:
        pipeline = cell.tagging.training(shelf.folder, later).run(cell.tagging.tagger(shelf.folder))
    seconds = time.perf_counter() - start
    pipeline.save(shelf.model(cell), force=True)
    parsed, speed = _parse(pipeline, dev)
    _write(parsed, shelf.folder / cell.parsed)
    return _measure(dev, parsed, speed, store.size(shelf.model(cell)), seconds)


def _later(recipe: Recipe) -> list[str]:
    """What works after the parser."""
    order = recipe.model.order
    return order[order.index("parser") + 1 :] if "parser" in order else []


def hold_vote(cell: LadderCell, shelf: Shelf) -> dict[str, Any]:
    dev = formats.read(cell.treebank.dev)
    voters = [formats.read(shelf.folder / member.parsed) for member in cell.members]
    start = time.perf_counter()
    parsed = vote(voters)
    words = sum(map(len, dev))
    elapsed = time.perf_counter() - start
    size, seconds = 0, 0.0
    for member in cell.members:
        measures = _measures_of(member, shelf)
        elapsed += words / measures.words_per_second
        size += measures.bytes
        seconds += measures.seconds
    _write(parsed, shelf.folder / cell.parsed)
    return _measure(dev, parsed, words / elapsed, size, seconds)


def score_on_test(ladder: Ladder, rungs: Sequence[Rung]) -> list[Rung]:
    """The rungs again, on the test sets. Sizes and times are those of before; so is the speed."""
    for treebank in ladder.treebanks:
        if treebank.test is None:
            raise InputError(f"treebanks.{treebank.name} has no test set, which --test needs.")
    found = {}
    for rung in sorted(rungs, key=lambda rung: bool(rung.cell.members)):  # votes come after those who vote
        cell = replace(rung.cell, part="test")
        gold = formats.read(cell.gold)
        if cell.members:
            voters = (replace(member, part="test") for member in cell.members)
            parsed = vote([formats.read(ladder.output / voter.parsed) for voter in voters])
        else:
            pipeline = Pipeline.load(ladder.output / "models" / cell.name)
            parsed = Treebank(list(pipeline.annotate(sentence.copy() for sentence in gold)))
        _write(parsed, ladder.output / cell.parsed)
        old = rung.measures
        measured = _measure(gold, parsed, old.words_per_second, old.bytes, old.seconds)
        found[cell.name] = _read(cell, measured)
    return [found[rung.cell.name] for rung in rungs]


def _parse(pipeline: Pipeline, dev: Sequence[Sentence]) -> tuple[Treebank, float]:
    """The dev set as the pipeline parses it, and how many words it does in a second."""
    times: list[float] = []
    for _ in range(1 + _ROUNDS):
        copies = [sentence.copy() for sentence in dev]
        start = time.perf_counter()
        parsed = list(pipeline.annotate(copies))
        times.append(time.perf_counter() - start)
    return Treebank(parsed), sum(map(len, dev)) / min(times[1:])


def _measure(
    gold: Treebank, parsed: Treebank, words_per_second: float, size: int, seconds: float
) -> dict[str, Any]:
    scores = evaluate(gold, parsed)
    measures = Measures(
        las=scores.las,
        uas=scores.uas,
        las_full=scores.las_full,
        upos=scores.upos,
        ufeats=scores.ufeats,
        tlas=scores.tlas,
        pmlas=scores.pmlas,
        words_per_second=words_per_second,
        bytes=size,
        seconds=seconds,
        columns=measure(gold, parsed),
    )
    return asdict(measures)


def _measures_of(cell: LadderCell, shelf: Shelf) -> Measures:
    rung = shelf.find(cell, lambda stored: _read(cell, stored))
    if rung is None:
        raise PlaitError(f"{cell}: the result disappeared from {shelf.path(cell)}.")
    return rung.measures


def _read(cell: LadderCell, stored: dict[str, Any]) -> Rung:
    return Rung(cell, Measures(**stored))


def _write(sentences: Sequence[Sentence], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    formats.write(sentences, path)
