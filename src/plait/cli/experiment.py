"""`plait experiment`: the tables and pictures of a paper for one's own treebanks."""

from __future__ import annotations

import os

import click

from plait.cli.common import json_option, print_json, print_table
from plait.experiments import Outcome, read_experiment, run
from plait.experiments.comparison import check_test_sets, compare_on_test
from plait.experiments.pictures import can_draw, draw_pictures
from plait.experiments.tables import Table, accuracy_tables, test_table, write_tables


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
@json_option
def experiment(file: str, jobs: int, test: bool, as_json: bool) -> None:
    """Train a parser for every treebank, system, oracle, beam and seed that FILE (TOML) names; compare them.

    Tables and pictures go to the output folder that FILE names. What is finished there is not trained again, so an
    interrupted experiment goes on where it was.
    """
    plan = read_experiment(file)
    if test:
        check_test_sets(plan)
    try:
        outcomes = run(plan, jobs=jobs, on_outcome=_say)
    except KeyboardInterrupt:
        click.echo(
            f"plait: what is finished stays in {plan.output}; the same command goes on there", err=True
        )
        raise
    results = compare_on_test(plan, outcomes, threads=jobs) if test else None
    pictures = draw_pictures(plan, outcomes) if can_draw() else []
    write_tables(plan, outcomes, results, pictures)
    tables = accuracy_tables(plan, outcomes, bold="")
    if results is not None:
        tables.append(test_table(plan, results))
    if as_json:
        print_json(
            {
                "cells": [_as_dict(outcome) for outcome in outcomes],
                "test": None if results is None else [result.as_dict() for result in results],
                "convention": plan.convention,
            }
        )
    else:
        for table in tables:
            _print(table)
    if not pictures:
        click.echo("plait: no pictures, which need matplotlib: pip install 'plait[plot]'", err=True)
    click.echo(f"plait: tables and pictures are in {plan.output}", err=True)


def _say(outcome: Outcome, done: int, total: int) -> None:
    click.echo(
        f"plait: {done}/{total} {outcome.cell}: LAS {outcome.las:.2f} in epoch {outcome.best_epoch} of "
        f"{len(outcome.history)}, {outcome.seconds:,.0f} s",
        err=True,
    )


def _print(table: Table) -> None:
    click.echo(table.title)
    print_table(table.columns, table.rows, note=table.note)
    click.echo()


def _as_dict(outcome: Outcome) -> dict[str, object]:
    options = outcome.cell.options
    return {
        "treebank": outcome.cell.treebank.name,
        "system": options.system,
        "oracle": options.oracle,
        "beam": options.beam,
        "seed": options.seed,
        "las": round(outcome.las, 2),
        "las_full": round(outcome.las_full, 2),
        "uas": round(outcome.uas, 2),
        "best_epoch": outcome.best_epoch,
        "epochs": len(outcome.history),
        "seconds": round(outcome.seconds, 1),
        "swaps_per_sentence": [round(swaps, 4) for swaps in outcome.swaps_per_sentence()],
    }
