"""Tables of what `plait evaluate` finds of predicates and roles."""

from __future__ import annotations

from collections.abc import Mapping

import click

from plait.cli.common import print_table
from plait.evaluation import ArcScore, Metric
from plait.evaluation.roles import RoleScores

RATES = ("precision", "recall", "F1")
_TITLES = {
    "semantic": "semantic, labelled",
    "semantic_unlabeled": "semantic, unlabelled",
    "semantic_content": "  without auxiliaries and copulas",
    "predicates": "predicates",
    "senses": "  with their senses",
    "arguments": "arguments with roles",
    "arguments_unlabeled": "arguments",
}


def print_roles(scores: RoleScores) -> None:
    interval = scores.interval()
    click.echo()
    print_table(("roles", *RATES), [[title, *rates(scores.metrics[name])] for name, title in _TITLES.items()])
    click.echo()
    print_table(
        ("roles", "%"),
        [
            ["macro F1 (LAS and semantic)", percent(scores.macro_f1)],
            ["senses of predicates that were found", percent(scores.sense_accuracy)],
            ["  with their lemma", percent(scores.roleset_accuracy)],
        ],
        note=f"CoNLL-09: a sense is right by its number. Semantic labelled F1: {interval.confidence:g} % interval "
        f"{interval.low:.2f} to {interval.high:.2f}, {interval.samples:,} samples, seed {interval.seed}.",
    )


def print_by_role(scores: RoleScores | None) -> None:
    if scores:
        _print("role", scores.by_role())


def print_by_predicate(scores: RoleScores | None) -> None:
    if scores:
        _print("tag of the predicate", scores.by_tag())


def _print(title: str, found: Mapping[str, Metric]) -> None:
    rows = [[name, f"{one.gold:,}", f"{one.system:,}", *rates(one)] for name, one in found.items()]
    print_table((title, "gold", "system", *RATES), rows)


def rates(score: Metric | ArcScore) -> list[str]:
    return [percent(score.precision), percent(score.recall), percent(score.f1)]


def percent(value: float) -> str:
    return f"{value:.2f}"
