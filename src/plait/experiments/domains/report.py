"""The results of an experiment on domains as tables, with tests of significance over all settings together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from plait.evaluation.significance import Bootstrap, bootstrap
from plait.experiments.domains.runner import DomainResult
from plait.experiments.domains.spec import Domains, Row, Setting
from plait.experiments.tables import Table, to_csv, write_files

_SAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class RowResult:
    """A row: its LAS by setting, the mean over seeds, and against the first row in each setting and in all of them."""

    row: Row
    las: dict[str, float]
    against: dict[str, tuple[float, Bootstrap]]
    pooled: tuple[float, Bootstrap] | None
    upos: float
    added: float

    @property
    def mean(self) -> float:
        return fmean(self.las.values())


def row_results(settings: Sequence[Setting], results: Sequence[DomainResult]) -> list[RowResult]:
    """Rows in their order, where every one of these settings is finished with the same seeds."""
    names = [setting.name for setting in settings]
    here = [each for each in results if each.cell.setting.name in names]
    rows = list({each.cell.row.name: each.cell.row for each in here}.values())
    groups = {row.name: [each for each in here if each.cell.row == row] for row in rows}
    first = groups[rows[0].name]
    found = []
    for row in rows:
        group = groups[row.name]
        las = {name: fmean(each.las for each in _in(group, name)) for name in names}
        others = row is not rows[0]
        found.append(
            RowResult(
                row,
                las,
                {name: _compare(_in(first, name), _in(group, name)) for name in names if others},
                _compare(first, group) if others else None,
                fmean(each.upos for each in group),
                fmean(each.added for each in group),
            )
        )
    return found


def domain_tables(plan: Domains, results: Sequence[DomainResult]) -> list[Table]:
    """A table for every list of genres that is left out: one for each design."""
    designs: dict[bool, list[Setting]] = {}
    everything = {genre for setting in plan.settings for genre in (*setting.train, setting.target)}
    for setting in plan.settings:
        designs.setdefault({*setting.train, setting.target} == everything, []).append(setting)
    titles = {True: "One genre left out", False: "Few genres learned from"}
    seeds = len(plan.seeds)
    return [
        Table(
            f"{titles[whole]}: LAS on the dev set of the genre named",
            ["row", *(setting.name for setting in settings), "mean", "difference", "p", "UPOS", "added"],
            [_line(each, settings) for each in row_results(settings, results)],
            f"LAS as in CoNLL 2018 from gold tokens with predicted tags, mean of {seeds} seeds; no epoch is chosen by "
            "a score. † p < 0.05, ‡ p < 0.01 against the first row by the paired bootstrap over sentences, two-sided; "
            "difference and p are of all sentences together. Added: sentences without gold trees, the mean.",
        )
        for whole, settings in designs.items()
    ]


def write_domains(plan: Domains, results: Sequence[DomainResult]) -> None:
    """`report.md` and `cells.csv`."""
    tables = domain_tables(plan, results)
    rows = [
        [
            *(each.cell.setting.name, each.cell.row.name, each.cell.seed),
            *(f"{value:.4f}" for value in (each.las, each.uas, each.upos)),
            *(each.added, f"{each.seconds:.1f}"),
        ]
        for each in results
    ]
    header = ["setting", "row", "seed", "las", "uas", "upos", "added", "seconds"]
    write_files(
        plan.output,
        {
            "cells.csv": to_csv(header, rows),
            "report.md": "\n".join(["# Results\n", *(table.markdown() for table in tables)]),
        },
    )


def _in(results: Sequence[DomainResult], setting: str) -> list[DomainResult]:
    return [each for each in results if each.cell.setting.name == setting]


def _compare(a: Sequence[DomainResult], b: Sequence[DomainResult]) -> tuple[float, Bootstrap]:
    """The difference in percent; seeds of a sentence count together, for they make no more sentences."""
    (right_a, words), (right_b, _) = (_counts(each) for each in (a, b))
    difference = 100 * float((right_b.sum() - right_a.sum()) / words.sum())
    pairs = (np.stack((right, words, words), axis=1) for right in (right_a, right_b))
    return difference, bootstrap(*pairs, samples=_SAMPLES, seed=0)


def _counts(results: Sequence[DomainResult]) -> tuple[np.ndarray, np.ndarray]:
    right: dict[str, np.ndarray] = {}
    words: dict[str, np.ndarray] = {}
    for each in results:
        name = each.cell.setting.name
        right[name] = right.get(name, 0) + np.array(each.right, np.int64)
        words[name] = words.get(name, 0) + np.array(each.words, np.int64)
    return np.concatenate(list(right.values())), np.concatenate(list(words.values()))


def _line(result: RowResult, settings: Sequence[Setting]) -> list[str]:
    cells = []
    for setting in settings:
        mark = _mark(result.against[setting.name][1]) if setting.name in result.against else ""
        cells.append(f"{result.las[setting.name]:.2f}{mark}")
    difference, p = "", ""
    if result.pooled:
        difference = f"{result.pooled[0]:+.2f}{_mark(result.pooled[1])}"
        p = f"{result.pooled[1].p:.4f}"
    return [
        result.row.name,
        *cells,
        f"{result.mean:.2f}",
        difference,
        p,
        f"{result.upos:.2f}",
        f"{result.added:,.0f}",
    ]


def _mark(test: Bootstrap) -> str:
    return "‡" if test.p < 0.01 else "†" if test.p < 0.05 else ""
