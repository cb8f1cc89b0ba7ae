"""The results as tables: Markdown to read, CSV to go on with."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from plait.errors import OutputError
from plait.experiments.comparison import TestResult, by_oracle, mean_score
from plait.experiments.runner import Outcome
from plait.experiments.spec import NON_DETERMINISTIC, Experiment, search_name


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
        rows: dict[str, list[str]] = {}
        for name in names:
            cells = by_oracle(outcomes, name, system, beam)
            means = {oracle: mean_score(group, experiment.metric) for oracle, group in cells.items()}
            for oracle, group in cells.items():
                kind = oracle in NON_DETERMINISTIC
                best = max(mean for each, mean in means.items() if (each in NON_DETERMINISTIC) == kind)
                mark = bold if means[oracle] == best else ""
                rows.setdefault(oracle, []).append(_mean_and_range(group, experiment.metric, mark))
        tables.append(
            Table(
                f"{system}, {search_name(beam)}: accuracy by oracle, dev sets",
                ["oracle", *names],
                [[oracle, *row] for oracle, row in rows.items()],
                f"{experiment.convention}. {_over_seeds(outcomes)} The epoch is the one that is best by this "
                "score on the same dev set, so these scores are optimistic."
                + (" Bold: the best static and the best non-deterministic oracle." if bold else ""),
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
            f"{result.difference:+.2f}{result.mark}",
            f"{result.wilcoxon.p:.4f}",
            f"{result.bootstrap.p:.4f}",
            f"{result.bootstrap.low:+.2f} to {result.bootstrap.high:+.2f}",
        ]
        for result in results
    ]
    note = (
        f"{experiment.convention}. Static and non-deterministic oracle: those best on the dev set. "
        "† p < 0.05, ‡ p < 0.01 by Wilcoxon's signed rank test over the sentences' LAS, means over the seeds, "
        "sentences without a difference dropped. Bootstrap: paired, over sentences. Both two-sided."
    )
    return Table("Test sets: non-deterministic minus static", columns, rows, note)


def cells_csv(outcomes: Sequence[Outcome]) -> str:
    """Every cell, a row each."""
    header = [
        "treebank",
        "system",
        "oracle",
        "beam",
        "seed",
        "las",
        "las_full",
        "uas",
        "best_epoch",
        "epochs",
    ]
    rows = [
        [
            *(outcome.cell.treebank.name, outcome.cell.options.system, outcome.cell.options.oracle),
            *(outcome.cell.options.beam, outcome.cell.options.seed),
            *(f"{score:.4f}" for score in (outcome.las, outcome.las_full, outcome.uas)),
            *(outcome.best_epoch, len(outcome.history), f"{outcome.seconds:.1f}"),
        ]
        for outcome in outcomes
    ]
    return to_csv([*header, "seconds"], rows)


def curves_csv(outcomes: Sequence[Outcome]) -> str:
    """Every epoch of every cell: what the pictures show."""
    header = ["treebank", "system", "oracle", "beam", "seed", "epoch"]
    header += ["las", "las_full", "swaps_per_sentence", "updates"]
    rows = [
        [
            *(outcome.cell.treebank.name, outcome.cell.options.system, outcome.cell.options.oracle),
            *(outcome.cell.options.beam, outcome.cell.options.seed, epoch.number),
            *(f"{epoch.scores.get(name, 0.0):.4f}" for name in ("las", "las_full")),
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
            *(result.non_deterministic, f"{result.non_deterministic_score:.4f}", f"{result.difference:.4f}"),
            *(result.mark, f"{result.wilcoxon.p:.6f}", f"{result.bootstrap.p:.6f}"),
            *(f"{result.bootstrap.low:.4f}", f"{result.bootstrap.high:.4f}"),
        ]
        for result in results
    ]
    return to_csv(header, rows)


def write_tables(
    experiment: Experiment,
    outcomes: Sequence[Outcome],
    results: Sequence[TestResult] | None,
    pictures: Sequence[Path] = (),
) -> None:
    """`report.md` with all tables and pictures, and the numbers as CSV files."""
    tables = accuracy_tables(experiment, outcomes)
    files = {"cells.csv": cells_csv(outcomes), "curves.csv": curves_csv(outcomes)}
    if results is not None:
        tables.append(test_table(experiment, results))
        files["test.csv"] = test_csv(results)
    shown = [f"![{path.stem}]({path.name})\n" for path in pictures if path.suffix == ".svg"]
    files["report.md"] = "\n".join(["# Results\n", *(table.markdown() for table in tables), *shown])
    write_files(experiment.output, files)


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise OutputError(f"{path}: cannot be written: {error.strerror or error}.") from None


def _mean_and_range(group: Sequence[Outcome], metric: str, mark: str) -> str:
    scores = [outcome.score(metric) for outcome in group]
    mean = f"{mark}{mean_score(group, metric):.2f}{mark}"
    return mean if len(scores) == 1 else f"{mean} ({min(scores):.2f}–{max(scores):.2f})"


def _over_seeds(outcomes: Sequence[Outcome]) -> str:
    seeds = len({outcome.cell.options.seed for outcome in outcomes})
    return "One seed." if seeds == 1 else f"Mean and range over {seeds} seeds."


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def to_csv(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue()
