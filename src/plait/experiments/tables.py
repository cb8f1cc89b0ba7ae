"""The results as tables: Markdown to read, CSV to go on with."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from plait import folders
from plait.errors import OutputError
from plait.experiments.comparison import (
    Test,
    TestResult,
    TestScore,
    by_oracle,
    compare,
    mean_score,
)
from plait.experiments.measures import COLUMNS, TITLES
from plait.experiments.runner import Outcome
from plait.experiments.spec import NON_DETERMINISTIC, Experiment, search_name

_PLACE = ("treebank", "system", "oracle", "beam", "seed")
_OPTIMISTIC = (
    "The epoch is the one that is best by this score on the same dev set, so these scores are optimistic."
)


@dataclass(frozen=True, slots=True)
class Table:
    """A title, rows of text under columns, and a note that names the convention."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    note: str

    def markdown(self) -> str:
        lines = [_line(self.columns), "|---|" + "---:|" * (len(self.columns) - 1), *map(_line, self.rows)]
        return f"## {self.title}\n\n" + "\n".join(lines) + f"\n\n{self.note}\n"


def accuracy_tables(experiment: Experiment, outcomes: Sequence[Outcome], *, bold: str = "**") -> list[Table]:
    """Dev scores, a table per system and beam (2015, Tables 2 and 4): oracles down, treebanks across."""
    tables = []
    for system, beam in product(experiment.systems, experiment.beams):
        names = [treebank.name for treebank in experiment.treebanks]
        groups = {name: by_oracle(outcomes, name, system, beam) for name in names}
        rows: dict[str, list[str]] = {oracle: [] for cells in groups.values() for oracle in cells}
        for cells in groups.values():
            means = {oracle: mean_score(group, experiment.metric) for oracle, group in cells.items()}
            for oracle, row in rows.items():
                if oracle not in cells:
                    row.append("–")
                    continue
                kind = oracle in NON_DETERMINISTIC
                best = max(mean for each, mean in means.items() if (each in NON_DETERMINISTIC) == kind)
                mark = bold if means[oracle] == best else ""
                row.append(_mean_and_range(cells[oracle], experiment.metric, mark))
        tables.append(
            Table(
                f"{system}, {search_name(beam)}: accuracy by oracle, dev sets",
                ["oracle", *names],
                [[oracle, *row] for oracle, row in rows.items()],
                f"{experiment.convention}. {_over_seeds(outcomes)} {_OPTIMISTIC}"
                + (" Bold: the best static and the best non-deterministic oracle." if bold else ""),
            )
        )
    return tables


def column_tables(
    experiment: Experiment, found: Sequence[Outcome | TestScore], where: str = "dev sets"
) -> list[Table]:
    """Where other columns are asked for, or a row to compare with: a table per beam, treebanks and rows down."""
    if experiment.columns == (experiment.metric,) and not experiment.against:
        return []
    names = dict(zip(experiment.columns, map(TITLES.__getitem__, experiment.columns), strict=True))
    tables = []
    for beam in experiment.beams:
        rows = []
        for treebank in experiment.treebanks:
            here = [
                each for each in found if (each.cell.treebank, each.cell.options.beam) == (treebank, beam)
            ]
            groups = {row: [each for each in here if each.cell.row == row] for row in experiment.rows}
            for row, group in groups.items():
                if group:
                    told = [f"{mean_score(group, column):.2f}" for column in names]
                    if experiment.against:
                        other = groups.get(experiment.against, [])
                        told.append(str(compare(other, group)) if other and row != experiment.against else "")
                    rows.append([treebank.name, row, *told])
        against = (
            f" Against {experiment.against}: † p < 0.05, ‡ p < 0.01 by Wilcoxon's signed rank test over sentences."
            if experiment.against
            else ""
        )
        optimistic = f" {_OPTIMISTIC}" if where.startswith("dev") else ""
        tables.append(
            Table(
                f"{search_name(beam)}: all rows, {where}",
                ["treebank", "row", *names.values(), *(["difference"] if experiment.against else [])],
                rows,
                f"Epochs and differences: {experiment.convention}. {_over_seeds(found)}{optimistic}{against}",
            )
        )
    return tables


def test_table(experiment: Experiment, results: Sequence[TestResult]) -> Table:
    """Test scores of the oracles that are best on dev, with significance (2015, Tables 3 and 5)."""
    columns = ["treebank", "system", "search", "static", "score", "non-det.", "score", "difference"]
    columns += ["Wilcoxon p", "bootstrap p", "95 % interval"]
    rows = [
        [
            result.treebank,
            result.system,
            search_name(result.beam),
            result.static,
            f"{result.static_score:.2f}",
            result.non_deterministic,
            f"{result.non_deterministic_score:.2f}",
            str(result.verdict),
            f"{result.verdict.wilcoxon.p:.4f}",
            f"{result.verdict.bootstrap.p:.4f}",
            f"{result.verdict.bootstrap.low:+.2f} to {result.verdict.bootstrap.high:+.2f}",
        ]
        for result in results
    ]
    note = (
        f"{experiment.convention}. Static and non-deterministic oracle: those best on the dev set. "
        "† p < 0.05, ‡ p < 0.01 by Wilcoxon's signed rank test over the sentences' scores, means over the seeds, "
        "sentences without a difference dropped. Bootstrap: paired, over sentences. Both two-sided."
    )
    return Table("Test sets: non-deterministic minus static", columns, rows, note)


def all_tables(
    experiment: Experiment, outcomes: Sequence[Outcome], test: Test | None, *, bold: str = "**"
) -> list[Table]:
    """What the report has."""
    tables = [*accuracy_tables(experiment, outcomes, bold=bold), *column_tables(experiment, outcomes)]
    if test:
        tables += column_tables(experiment, test.scores, "test sets")
        tables += [test_table(experiment, test.results)] if test.results else []
    return tables


def cells_csv(found: Sequence[Outcome | TestScore]) -> str:
    """Every cell, a row each, with all columns."""
    rows = [
        [
            *(each.cell.treebank.name, each.cell.system, each.cell.options.oracle),
            *(each.cell.options.beam, each.cell.options.seed),
            *(f"{each.scores[column]:.4f}" for column in COLUMNS),
            *(
                (each.best_epoch, len(each.history), f"{each.seconds:.1f}")
                if isinstance(each, Outcome)
                else ("", "", "")
            ),
        ]
        for each in found
    ]
    return to_csv([*_PLACE, *COLUMNS, "best_epoch", "epochs", "seconds"], rows)


def curves_csv(outcomes: Sequence[Outcome]) -> str:
    """Every epoch of every cell: what the pictures show."""
    header = [*_PLACE, "epoch", "las", "las_full", "metric", "swaps_per_sentence", "updates"]
    rows = [
        [
            *(outcome.cell.treebank.name, outcome.cell.system, outcome.cell.options.oracle),
            *(outcome.cell.options.beam, outcome.cell.options.seed, epoch.number),
            *(
                f"{epoch.scores.get(name, 0.0):.4f}"
                for name in ("las", "las_full", outcome.cell.options.metric)
            ),
            *(f"{swaps:.5f}", epoch.counts["updates"]),
        ]
        for outcome in outcomes
        for epoch, swaps in zip(outcome.history, outcome.swaps_per_sentence(), strict=True)
    ]
    return to_csv(header, rows)


def test_csv(results: Sequence[TestResult]) -> str:
    header = ["treebank", "system", "beam", "static", "static_score", "non_deterministic"]
    header += ["non_deterministic_score", "difference", "mark", "wilcoxon_p", "bootstrap_p", "low", "high"]
    rows = [
        [
            *(result.treebank, result.system, result.beam, result.static, f"{result.static_score:.4f}"),
            *(result.non_deterministic, f"{result.non_deterministic_score:.4f}"),
            *(f"{result.verdict.difference:.4f}", result.verdict.mark),
            *(f"{p:.6f}" for p in (result.verdict.wilcoxon.p, result.verdict.bootstrap.p)),
            *(f"{result.verdict.bootstrap.low:.4f}", f"{result.verdict.bootstrap.high:.4f}"),
        ]
        for result in results
    ]
    return to_csv(header, rows)


def write_tables(
    experiment: Experiment, outcomes: Sequence[Outcome], test: Test | None, pictures: Sequence[Path] = ()
) -> None:
    """`report.md` with all tables and pictures, and the numbers as CSV files."""
    files = {"cells.csv": cells_csv(outcomes), "curves.csv": curves_csv(outcomes)}
    if test:
        files |= {"test.csv": test_csv(test.results), "test-cells.csv": cells_csv(test.scores)}
    shown = [f"![{path.stem}]({path.name})\n" for path in pictures if path.suffix == ".svg"]
    tables = [table.markdown() for table in all_tables(experiment, outcomes, test)]
    files["report.md"] = "\n".join(["# Results\n", *tables, *shown])
    write_files(experiment.output, files)


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        try:
            folders.write_file(path, text.encode())
        except OSError as error:
            raise OutputError(f"{path}: cannot be written: {error.strerror or error}.") from None


def _mean_and_range(group: Sequence[Outcome], metric: str, mark: str) -> str:
    scores = [outcome.scores[metric] for outcome in group]
    mean = f"{mark}{mean_score(group, metric):.2f}{mark}"
    return mean if len(scores) == 1 else f"{mean} ({min(scores):.2f}–{max(scores):.2f})"


def _over_seeds(outcomes: Sequence[Outcome | TestScore]) -> str:
    seeds = len({outcome.cell.options.seed for outcome in outcomes})
    others = {outcome.cell.name.removesuffix(f"seed{outcome.cell.options.seed}") for outcome in outcomes}
    most = "" if len(outcomes) == seeds * len(others) else "at most "
    return "One seed." if seeds == 1 else f"Mean and range over {most}{seeds} seeds."


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def to_csv(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue()
