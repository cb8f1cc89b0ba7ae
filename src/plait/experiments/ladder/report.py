"""The results of a ladder as tables: Markdown to read, CSV to go on with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import fmean, geometric_mean

import numpy as np

from plait import formats
from plait.evaluation.significance import Bootstrap, bootstrap
from plait.experiments.ladder.runner import Measures, Rung
from plait.experiments.ladder.spec import Ladder, Row
from plait.experiments.measures import COLUMNS, Counts, by_sentence
from plait.experiments.tables import Table, to_csv, write_files

_SAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """A row against the first one on a treebank; several seeds count as their mean."""

    difference: float
    bootstrap: Bootstrap

    @property
    def mark(self) -> str:
        return "‡" if self.bootstrap.p < 0.01 else "†" if self.bootstrap.p < 0.05 else ""

    def __str__(self) -> str:
        return f"{self.difference:+.2f}{self.mark}"


@dataclass(frozen=True, slots=True)
class Standing:
    """A row with one kind of tags: its mean scores, and how it compares with the first row and with the one that it is
    over, by treebank; of those on which it has been run.
    """

    row: Row
    tags: str
    cells: frozenset[tuple[str, int]]  # treebanks and seeds
    scores: dict[str, float]
    against_first: dict[str, Comparison]
    against_over: dict[str, Comparison]
    words_per_second: float  # the geometric mean over treebanks
    megabytes: float
    seconds: float

    @property
    def mean(self) -> float:
        return fmean(self.scores.values())


def standings(ladder: Ladder, rungs: Sequence[Rung]) -> list[Standing]:
    """Every row with every kind of tags it was tried with, in the order of the file."""
    found = []
    for tags in ladder.tags:
        rows = {
            row.name: group
            for row in ladder.rows
            if (group := [each for each in rungs if each.cell.row == row and each.cell.tags == tags])
        }
        first = next(iter(rows.values()), [])
        found += [
            _standing(ladder, group, first, rows.get(group[0].cell.row.over, [])) for group in rows.values()
        ]
    return found


def accuracy_tables(ladder: Ladder, standings: Sequence[Standing], part: str = "dev") -> list[Table]:
    """A table per kind of tags: rows down, treebanks across."""
    optimistic = " Epochs are chosen on the same dev sets, so these scores are optimistic."
    names = [treebank.name for treebank in ladder.treebanks]
    tables = []
    for tags in ladder.tags:
        here = [each for each in standings if each.tags == tags]
        has_over = any(each.row.over for each in here)
        lines = []
        for each in here:
            # A mean over some of the treebanks or seeds would not be comparable with the others.
            is_whole = each.cells == here[0].cells and set(each.scores) == set(names)
            mean, difference = [
                spelled if is_whole else "–"
                for spelled in (f"{each.mean:.2f}", f"{each.mean - here[0].mean:+.2f}")
            ]
            significant = "" if each is here[0] else _significant(each.against_first)
            over = [_told_over(each)] * has_over
            cells = [_cell(each, name) for name in names]
            lines.append([each.row.name, *cells, mean, difference, significant, *over])
        tables.append(
            Table(
                f"LAS with {tags} tags, {part} sets",
                ["row", *names, "mean", "difference", "better / worse", *(["over"] * has_over)],
                lines,
                "LAS as in CoNLL 2018: labels without subtypes, punctuation counted, from gold tokens. In brackets, "
                "and for the mean under *difference*: against the first row. † p < 0.05, ‡ p < 0.01 by the paired "
                "bootstrap over sentences, two-sided; *better / worse* counts treebanks with p < 0.05, and *over* "
                "tells the same of the row that is named." + (optimistic if part == "dev" else ""),
            )
        )
    return tables


def cost_table(standings: Sequence[Standing]) -> Table:
    """What a row costs."""
    return Table(
        "Speed and size",
        ["row", "tags", "words per second", "model, MB", "training, s"],
        [
            [
                each.row.name,
                each.tags,
                f"{each.words_per_second:,.0f}",
                f"{each.megabytes:.1f}",
                f"{each.seconds:,.0f}",
            ]
            for each in standings
        ],
        "One thread, from gold tokens to trees: with predicted tags tagging is counted in, but the time to train the "
        "taggers, which all rows share, is not. The fastest of three rounds; the geometric mean over treebanks. Sizes "
        "and training times are means. Timings hold for one job at a time.",
    )


def rungs_csv(rungs: Sequence[Rung]) -> str:
    """Every cell, a row each."""
    names = [each.name for each in fields(Measures) if each.name != "columns"]
    others = [column for column in COLUMNS if column not in names]
    rows = [
        [
            *(rung.cell.treebank.name, rung.cell.tags, rung.cell.row.name, rung.cell.seed),
            *(
                f"{value:.4f}" if isinstance(value, float) else value
                for value in (getattr(rung.measures, name) for name in names)
            ),
            *(f"{rung.measures.columns.get(column, float('nan')):.4f}" for column in others),
        ]
        for rung in rungs
    ]
    return to_csv(["treebank", "tags", "row", "seed", *names, *others], rows)


def comparisons_csv(standings: Sequence[Standing]) -> str:
    """Every row against the first one, on every treebank."""
    rows = [
        [
            *(name, each.tags, each.row.name, f"{each.scores[name]:.4f}", f"{against.difference:.4f}"),
            *(
                f"{number:.6f}"
                for number in (against.bootstrap.p, against.bootstrap.low, against.bootstrap.high)
            ),
        ]
        for each in standings
        for name, against in each.against_first.items()
    ]
    return to_csv(["treebank", "tags", "row", "las", "difference", "p", "low", "high"], rows)


def write_report(
    ladder: Ladder,
    rungs: Sequence[Rung],
    standings: Sequence[Standing],
    pictures: Sequence[Path] = (),
    test: tuple[Sequence[Rung], Sequence[Standing]] | None = None,
) -> None:
    """`report.md` with all tables and the picture, and the numbers as CSV files."""
    tables = [*accuracy_tables(ladder, standings), cost_table(standings)]
    files = {"cells.csv": rungs_csv(rungs), "comparisons.csv": comparisons_csv(standings)}
    if test:
        tables += accuracy_tables(ladder, test[1], "test")
        files |= {"test-cells.csv": rungs_csv(test[0]), "test-comparisons.csv": comparisons_csv(test[1])}
    shown = [f"![{path.stem}]({path.name})\n" for path in pictures if path.suffix == ".svg"]
    write_files(
        ladder.output,
        files
        | {
            "report.md": "\n".join(["# Results\n", *(table.markdown() for table in tables), *shown]),
        },
    )


def _standing(ladder: Ladder, rungs: Sequence[Rung], first: Sequence[Rung], over: Sequence[Rung]) -> Standing:
    scores, speeds = {}, []
    comparisons: tuple[dict[str, Comparison], ...] = ({}, {})
    for treebank in ladder.treebanks:
        ours, *others = (
            [each for each in group if each.cell.treebank == treebank] for group in (rungs, first, over)
        )
        if not ours:
            continue
        scores[treebank.name] = fmean(each.measures.las for each in ours)
        speeds.append(fmean(each.measures.words_per_second for each in ours))
        for theirs, found in zip(others, comparisons, strict=True):
            shared = {each.cell.seed for each in ours} & {each.cell.seed for each in theirs}
            if shared and ours != theirs:
                sides = ([each for each in side if each.cell.seed in shared] for side in (theirs, ours))
                found[treebank.name] = _compare(ladder, *sides)
    return Standing(
        row=rungs[0].cell.row,
        tags=rungs[0].cell.tags,
        cells=frozenset((each.cell.treebank.name, each.cell.seed) for each in rungs),
        scores=scores,
        against_first=comparisons[0],
        against_over=comparisons[1],
        words_per_second=geometric_mean(speeds),
        megabytes=fmean(each.measures.bytes for each in rungs) / 1e6,
        seconds=fmean(each.measures.seconds for each in rungs),
    )


def _compare(ladder: Ladder, a: Sequence[Rung], b: Sequence[Rung]) -> Comparison:
    gold = formats.read(a[0].cell.gold)

    def right(rungs: Sequence[Rung]) -> Counts:
        """Per sentence, over all seeds."""
        parsed = (formats.read(ladder.output / rung.cell.parsed) for rung in rungs)
        each = (by_sentence(gold, sentences, "las")[:, 0] for sentences in parsed)
        total: Counts = np.sum(list(each), axis=0)
        return total

    words = len(a) * np.array([len(sentence) for sentence in gold])
    ours, theirs = right(a), right(b)
    counts = (np.stack((each, words, words), axis=1) for each in (ours, theirs))
    difference = 100 * float((theirs.sum() - ours.sum()) / words.sum())
    return Comparison(difference, bootstrap(*counts, samples=_SAMPLES, seed=0))


def _cell(standing: Standing, treebank: str) -> str:
    if treebank not in standing.scores:
        return "–"
    against = standing.against_first.get(treebank)
    return f"{standing.scores[treebank]:.2f}" + (f" ({against})" if against else "")


def _told_over(standing: Standing) -> str:
    against = standing.against_over
    if not against:
        return ""
    mean = fmean(each.difference for each in against.values())
    return f"{standing.row.over}: {mean:+.2f}, {_significant(against)}"


def _significant(comparisons: Mapping[str, Comparison]) -> str:
    signs = [each.difference > 0 for each in comparisons.values() if each.mark]
    return f"{sum(signs)} / {len(signs) - sum(signs)}"
