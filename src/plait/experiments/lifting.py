"""What lifting is worth: trees put into order without it, with it, and as if it made no mistake (Bohnet et al. 2012,
Tables 3 and 4). A TOML file names treebanks and `liftings`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plait import formats
from plait.components.lifter import Lifter
from plait.components.lifter.options import SEARCHES
from plait.components.order import Order
from plait.evaluation.lifting import score_lifting
from plait.evaluation.texts import bleu_counts, bleu_of, edit_score, exact_score, nist_score, resample
from plait.experiments.document import DocumentReader, TreebankFiles, read_document
from plait.experiments.processes import finish
from plait.experiments.shelf import Shelf
from plait.experiments.tables import Table, write_files
from plait.layers import LiftedTree
from plait.learning.jackknife import assign, jackknife
from plait.learning.lessons import Lessons
from plait.learning.unordered import checked_heads, heads_of
from plait.sentence import Sentence
from plait.trees.lifting import lift_deepest

_KEYS = ("output", "treebanks", "liftings", "lifter", "order", "folds", "seed")
_SIGNIFICANT = 0.05
_FROM_THE_GRID = ("search", "seed")

OnResult = Callable[["LiftingResult", int, int], None]


@dataclass(frozen=True, slots=True)
class LiftingCell:
    """One way of lifting on one treebank."""

    treebank: TreebankFiles
    lifting: str
    lifter: dict[str, Any]
    order: dict[str, Any]
    folds: int

    leaves: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.treebank.name}.{self.lifting}"

    def origin(self) -> dict[str, Any]:
        return {"lifting": self.lifting, "lifter": self.lifter, "order": self.order, "folds": self.folds}

    def __str__(self) -> str:
        return f"{self.treebank.name}, {self.lifting}"


@dataclass(frozen=True, slots=True)
class LiftingExperiment:
    """Everything the TOML file says, checked."""

    output: Path
    treebanks: tuple[TreebankFiles, ...]
    liftings: tuple[str, ...]
    cells: tuple[LiftingCell, ...]


@dataclass(frozen=True, slots=True)
class LiftingResult:
    """Scores of the lemmas of the dev set in the order found: BLEU, edit and exact in percent. Of the words whose arcs
    were lifted, `exact_lift` stand at their right place.
    """

    cell: LiftingCell
    bleu: float
    nist: float
    edit: float
    exact: float
    lifted: int
    exact_lift: float
    lifting_f1: float
    perfect: float
    seconds: float
    counts: Sequence[Sequence[float]]  # of BLEU, by sentence


def is_lifting(document: dict[str, Any]) -> bool:
    return "liftings" in document


def read_lifting(path: str | Path) -> LiftingExperiment:
    """Read an experiment. Paths in it are relative to the file; whatever does not fit is an `InputError`."""
    document = read_document(path)
    reader = DocumentReader(Path(path))
    reader.known(document, _KEYS, "key")
    treebanks = tuple(reader.treebanks(document))
    liftings = tuple(reader.names(document, "liftings", SEARCHES, ["none"]))
    folds = reader.number(document.get("folds", 10), "folds", 2)
    seed = reader.number(document.get("seed", 1), "seed", 0)
    options = {}
    for name, component in (("lifter", Lifter), ("order", Order)):
        table = document.get(name, {})
        if not isinstance(table, dict):
            raise reader.error(f"{name} must be a table of options")
        for key in _FROM_THE_GRID:
            if key in table:
                raise reader.error(f"{key} stands outside the table [{name}], because it is the experiment's")
        component(**table)  # InputError for what is no option
        options[name] = table | {"seed": seed}
    cells = tuple(
        LiftingCell(treebank, lifting, options["lifter"], options["order"], folds)
        for treebank in treebanks
        for lifting in liftings
    )
    return LiftingExperiment(path_of(reader, document), treebanks, liftings, cells)


def path_of(reader: DocumentReader, document: dict[str, Any]) -> Path:
    return reader.path.parent / reader.text(document, "output")


def run_lifting(
    plan: LiftingExperiment, *, jobs: int = 1, on_result: OnResult | None = None
) -> list[LiftingResult]:
    """Train and measure every cell that is not finished; all results, in the order of the cells."""
    total = len(plan.cells)
    return finish(
        plan.cells,
        Shelf(plan.output, plan.treebanks),
        measure,
        lambda cell, stored: LiftingResult(cell=cell, **stored),
        jobs=jobs,
        on_result=(lambda result, done: on_result(result, done, total)) if on_result else None,
    )


def measure(cell: LiftingCell, _: Shelf) -> dict[str, Any]:
    """Train lifter and order, put the dev set into order, score it."""
    start = time.perf_counter()
    train, dev = formats.read(cell.treebank.train), formats.read(cell.treebank.dev)
    lessons, shown = lift_both(cell, train, dev)
    order = Order(**cell.order).fit(lessons, dev=shown)
    seconds = time.perf_counter() - start
    found = order.state.orders(shown)
    pairs, places, lifted = [], 0, 0
    for sentence, orders in zip(shown, found, strict=True):
        words = orders[0].words
        pairs.append((sentence.lemmas, [sentence.lemmas[word - 1] for word in words]))
        for place, word in enumerate(words, 1):
            if heads_of(sentence)[word - 1] != sentence.heads[word - 1]:
                lifted += 1
                places += place == word
    heads = [checked_heads(sentence) for sentence in dev]
    right = [lift_deepest(each) for each in heads]
    scores = score_lifting(heads, right, [heads_of(sentence) for sentence in shown])
    counts = bleu_counts(pairs)
    return {
        "bleu": float(bleu_of(counts.sum(axis=0, keepdims=True))[0]),
        "nist": nist_score(pairs),
        "edit": 100 * edit_score(pairs),
        "exact": 100 * exact_score(pairs),
        "lifted": lifted,
        "exact_lift": 100 * places / lifted if lifted else 0.0,
        "lifting_f1": 100 * scores.f1,
        "perfect": 100 * scores.perfect,
        "seconds": seconds,
        "counts": counts.tolist(),
    }


def lift_both(
    cell: LiftingCell, train: Sequence[Sentence], dev: Sequence[Sentence]
) -> tuple[list[Sentence], list[Sentence]]:
    """Training and dev set, lifted: the training set by lifters that have not learned from it."""
    if cell.lifting in ("none", "oracle"):
        return _by_order(train, cell.lifting), _by_order(dev, cell.lifting)
    lifter = Lifter(**cell.lifter, search=cell.lifting).fit(train, dev=dev)
    lessons = Lessons.of(train)
    lifted = jackknife([lifter], lessons, assign(lessons, cell.folds))
    return lifted, list(lifter.annotate(sentence.copy() for sentence in dev))


def _by_order(sentences: Sequence[Sentence], lifting: str) -> list[Sentence]:
    found = []
    for sentence in sentences:
        copy = sentence.copy()
        heads = checked_heads(sentence)
        copy.put(LiftedTree(lift_deepest(heads) if lifting == "oracle" else heads))
        found.append(copy)
    return found


def lifting_tables(results: Sequence[LiftingResult]) -> list[Table]:
    """A table like the paper's, with all ways on all treebanks."""
    rows = []
    for result in results:
        cell = result.cell
        plain = next(
            (r for r in results if r.cell.treebank == cell.treebank and r.cell.lifting == "none"), None
        )
        p = ""
        if plain is not None and plain is not result:
            p = f"{resample(np.array(plain.counts), np.array(result.counts)).p:.3f}"
        rows.append(
            [
                f"{cell.treebank.name}, {cell.lifting}",
                f"{result.bleu / 100:.3f}",
                p,
                f"{result.nist:.2f}",
                f"{result.edit / 100:.3f}",
                f"{result.exact:.1f}",
                f"{result.exact_lift:.1f}" if result.lifted else "–",
                f"{result.lifted:,}",
                f"{result.lifting_f1:.1f}" if cell.lifting != "none" else "–",
                f"{result.perfect:.1f}",
            ]
        )
    columns = [
        "treebank, lifting",
        "BLEU",
        "p",
        "NIST",
        "Edit",
        "Exact",
        "Exact_lift",
        "N_lift",
        "lifting F1",
        "perfect",
    ]
    return [
        Table(
            "Lemmas in order, dev sets",
            columns,
            rows,
            note="p: paired bootstrap of BLEU against none. Exact, Exact_lift, lifting F1, perfect in percent.",
        )
    ]


def write_lifting(plan: LiftingExperiment, results: Sequence[LiftingResult]) -> None:
    """Markdown in the output folder."""
    text = "\n".join(table.markdown() for table in lifting_tables(results))
    write_files(plan.output, {"lifting.md": text})


def as_dict(result: LiftingResult) -> dict[str, Any]:
    stored = asdict(result)
    del stored["cell"], stored["counts"]
    place = {"treebank": result.cell.treebank.name, "lifting": result.cell.lifting}
    return place | {name: round(value, 3) for name, value in stored.items()}
