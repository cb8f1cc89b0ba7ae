"""`plait experiment`: the tables and pictures of a paper for one's own treebanks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import click

from plait.cli.common import print_json, print_table
from plait.cli.options import json_option
from plait.errors import InputError
from plait.experiments import Cell, Experiment, Outcome, read_experiment, run
from plait.experiments.comparison import Test, check_comparisons, compare_on_test, score_on_test
from plait.experiments.document import read_document
from plait.experiments.domains import (
    DomainResult,
    Domains,
    is_domains,
    read_domains,
    run_domains,
    write_domains,
)
from plait.experiments.domains.report import domain_tables
from plait.experiments.ladder import Ladder, Rung, climb, read_ladder
from plait.experiments.ladder.picture import draw_ladder
from plait.experiments.ladder.report import accuracy_tables as ladder_tables
from plait.experiments.ladder.report import cost_table, standings, write_report
from plait.experiments.ladder.runner import finished as finished_rungs
from plait.experiments.ladder.runner import score_on_test as ladder_on_test
from plait.experiments.ladder.spec import is_ladder
from plait.experiments.lifting import (
    LiftingExperiment,
    LiftingResult,
    as_dict,
    is_lifting,
    lifting_tables,
    read_lifting,
    run_lifting,
    write_lifting,
)
from plait.experiments.measures import TITLES
from plait.experiments.pictures import can_draw, draw_pictures
from plait.experiments.runner import finished
from plait.experiments.tables import Table, all_tables, write_tables


@click.command()
@click.argument("file")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=lambda: os.cpu_count() or 1,
    show_default="all cores",
    help="Parsers to train at a time.",
)
@click.option(
    "--test", is_flag=True, help="Also score the test sets: do this once, when all else is settled."
)
@click.option(
    "--only",
    multiple=True,
    metavar="PATTERN",
    help="Train only the cells whose names fit, such as 'Gothic.*.seed1', and make no tables: the same command without "
    "it finds them finished. May be given several times.",
)
@click.option(
    "--finished",
    "is_finished",
    is_flag=True,
    help="Tables of what is finished, with --test of what can be tested; nothing is trained.",
)
@json_option
def experiment(
    file: str, jobs: int, test: bool, only: tuple[str, ...], is_finished: bool, as_json: bool
) -> None:
    """Train a parser for every treebank, system, oracle, beam and seed that FILE (TOML) names; compare them. Where
    FILE has rows, each is a recipe, trained with gold and with predicted tags: a ladder from fast to accurate. Where it
    has liftings, trees are put into order with each of them; where it has settings, each is a genre that a parser is
    adapted to, in as many ways as there are rows.

    Tables and pictures go to the output folder that FILE names. What is finished there is not trained again, so an
    interrupted experiment goes on where it was.
    """
    document = read_document(file)
    what = "domains are" if is_domains(document) else "liftings are" if is_lifting(document) else ""
    if what and test:
        raise InputError(f"{file}: {what} measured on dev sets; --test goes with other experiments.")
    if what and (only or is_finished):
        raise InputError(f"{file}: {what} run as a whole; --only and --finished go with other experiments.")
    if only and (test or as_json or is_finished):
        raise InputError(f"{file}: --only trains cells; there are no scores to tell, and no other options.")
    plan = _read(file, document)
    try:
        if isinstance(plan, LiftingExperiment):
            _lift(plan, jobs, as_json)
        elif isinstance(plan, Domains):
            _adapt(plan, jobs, as_json)
        elif isinstance(plan, Ladder):
            if only:
                climb(plan.only(only), jobs=jobs, on_rung=_say_rung)
                return
            _climb(finished_rungs(plan) if is_finished else plan, jobs, test, as_json)
        elif only:
            run(plan.only(only), jobs=jobs, on_outcome=_say)
            return
        else:
            plan = plan.keeping_models() if test else plan
            _run(finished(plan) if is_finished else plan, jobs, test, as_json)
    except KeyboardInterrupt:
        click.echo(
            f"plait: what is finished stays in {plan.output}; the same command goes on there", err=True
        )
        raise
    if not can_draw() and not isinstance(plan, LiftingExperiment | Domains):
        click.echo("plait: no pictures, which need matplotlib: pip install 'plait[plot]'", err=True)
    click.echo(f"plait: tables and pictures are in {plan.output}", err=True)


def _read(file: str, document: dict[str, Any]) -> Experiment | Ladder | LiftingExperiment | Domains:
    if is_domains(document):
        return read_domains(file)
    if is_lifting(document):
        return read_lifting(file)
    return read_ladder(file) if is_ladder(document) else read_experiment(file)


def _lift(plan: LiftingExperiment, jobs: int, as_json: bool) -> None:
    results = run_lifting(plan, jobs=jobs, on_result=_say_lifting)
    write_lifting(plan, results)
    if as_json:
        print_json({"cells": [as_dict(result) for result in results]})
    else:
        for table in lifting_tables(results):
            _print(table)


def _adapt(plan: Domains, jobs: int, as_json: bool) -> None:
    results = run_domains(plan, jobs=jobs, on_result=_say_domain)
    write_domains(plan, results)
    if as_json:
        print_json({"cells": [_domain_as_dict(result) for result in results]})
    else:
        for table in domain_tables(plan, results):
            _print(table)


def _say_domain(result: DomainResult, done: int, total: int) -> None:
    click.echo(
        f"plait: {done}/{total} {result.cell}: LAS {result.las:.2f}, {result.seconds:,.0f} s", err=True
    )


def _domain_as_dict(result: DomainResult) -> dict[str, object]:
    cell = result.cell
    place = {"setting": cell.setting.name, "row": cell.row.name, "seed": cell.seed}
    scores = {name: round(getattr(result, name), 2) for name in ("las", "uas", "upos")}
    return place | scores | {"added": result.added}


def _say_lifting(result: LiftingResult, done: int, total: int) -> None:
    click.echo(
        f"plait: {done}/{total} {result.cell}: BLEU {result.bleu:.2f}, {result.seconds:,.0f} s", err=True
    )


def _run(plan: Experiment, jobs: int, with_test: bool, as_json: bool) -> None:
    check_comparisons(plan, test=with_test)
    outcomes = run(plan, jobs=jobs, on_outcome=_say)
    test = None
    if with_test:
        scores = score_on_test(plan, plan.cells, threads=jobs)
        test = Test(scores, compare_on_test(plan, outcomes, scores))
    pictures = draw_pictures(plan, outcomes) if can_draw() else []
    write_tables(plan, outcomes, test, pictures)
    if as_json:
        print_json(
            {
                "cells": [_as_dict(outcome) for outcome in outcomes],
                "test": test and [result.as_dict() for result in test.results],
                "test_cells": test and [_place(score.cell) | _rounded(score.scores) for score in test.scores],
                "convention": plan.convention,
            }
        )
    else:
        for table in all_tables(plan, outcomes, test, bold=""):
            _print(table)


def _climb(plan: Ladder, jobs: int, with_test: bool, as_json: bool) -> None:
    rungs = climb(plan, jobs=jobs, on_rung=_say_rung)
    found = standings(plan, rungs)
    test = None
    if with_test:
        scored = ladder_on_test(plan, rungs)
        test = scored, standings(plan, scored)
    pictures = draw_ladder(plan, found) if can_draw() else []
    write_report(plan, rungs, found, pictures, test)
    if as_json:
        cells = [_rung_as_dict(rung) for rung in rungs]
        print_json({"cells": cells, "test_cells": test and [_rung_as_dict(rung) for rung in test[0]]})
    else:
        for table in (*ladder_tables(plan, found), cost_table(found)):
            _print(table)
        for table in ladder_tables(plan, test[1], "test") if test else ():
            _print(table)


def _say_rung(rung: Rung, done: int, total: int) -> None:
    measures = rung.measures
    click.echo(
        f"plait: {done}/{total} {rung.cell}: LAS {measures.las:.2f}, {measures.words_per_second:,.0f} words per "
        f"second, {measures.seconds:,.0f} s",
        err=True,
    )


def _rung_as_dict(rung: Rung) -> dict[str, object]:
    cell = rung.cell
    place = {"treebank": cell.treebank.name, "tags": cell.tags, "row": cell.row.name, "seed": cell.seed}
    measured = rung.measures.columns | asdict(rung.measures)
    del measured["columns"]
    return place | {
        name: round(value, 2) if isinstance(value, float) else value for name, value in measured.items()
    }


def _say(outcome: Outcome, done: int, total: int) -> None:
    metric = outcome.cell.options.metric
    click.echo(
        f"plait: {done}/{total} {outcome.cell}: {TITLES[metric]} {outcome.scores[metric]:.2f} in "
        f"epoch {outcome.best_epoch} of {len(outcome.history)}, {outcome.seconds:,.0f} s",
        err=True,
    )


def _print(table: Table) -> None:
    click.echo(table.title)
    print_table(table.columns, table.rows, note=table.note)
    click.echo()


def _as_dict(outcome: Outcome) -> dict[str, object]:
    return {
        **_place(outcome.cell),
        **_rounded(outcome.scores),
        "best_epoch": outcome.best_epoch,
        "epochs": len(outcome.history),
        "seconds": round(outcome.seconds, 1),
        "swaps_per_sentence": [round(swaps, 4) for swaps in outcome.swaps_per_sentence()],
    }


def _place(cell: Cell) -> dict[str, object]:
    options = cell.options
    return {
        "treebank": cell.treebank.name,
        "system": cell.system,
        "oracle": options.oracle,
        "beam": options.beam,
        "seed": options.seed,
    }


def _rounded(scores: Mapping[str, float]) -> dict[str, object]:
    return {name: round(value, 2) for name, value in scores.items()}
