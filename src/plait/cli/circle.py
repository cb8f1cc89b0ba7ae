"""`plait circle`: text to tree to meaning to tree to text, and what is lost where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import click

from plait.cli.common import Sentences, print_json, print_table
from plait.cli.options import from_option, json_option, lenient_option, model_option
from plait.drawing.saving import require_picture_name
from plait.errors import InputError
from plait.evaluation.texts import require_sacrebleu
from plait.experiments.pictures import can_draw
from plait.generation import Realizer
from plait.generation.circle import STAGES, Circle, Turn
from plait.pipeline import Pipeline

_TITLES = {
    "words": "words, gold",
    "syntax": "tags and tree, gold",
    "roles": "predicates and roles, gold",
    "tree": "tree, kept",
    "order": "order, kept",
    "forms": "forms, kept",
}


@click.command()
@click.argument("file")
@model_option
@click.option(
    "--realizer", default="en-say", show_default=True, help="A model that makes text of graphs, or its name."
)
@click.option("--most", type=click.IntRange(1), metavar="N", help="Only the first N sentences.")
@click.option("--plot", metavar="FILE", help="Draw it, as SVG or PNG; needs plait[plot].")
@from_option
@lenient_option
@json_option
def circle(
    file: str,
    model: str,
    realizer: str,
    most: int | None,
    plot: str | None,
    from_format: str | None,
    lenient: bool,
    as_json: bool,
) -> None:
    """Take the sentences of FILE, a treebank, all the way round: text, tree, graph of meaning, tree, text.

    BLEU is of the text that comes back against the one that went in. Every stage in turn is replaced by what is right:
    by the words, tags, tree and roles of FILE on the way there; on the way back by what the way there had.
    """
    if plot:
        _require_drawable(plot)
    require_sacrebleu()  # before the work, not after it
    sentences = Sentences(lenient=lenient, format=from_format, treebank=True)
    gold = list(islice(sentences.of(file), most))
    found = Circle(Pipeline.load(model), Realizer.load(realizer))
    turns = {}
    for turn in found.turns(gold):
        turns[turn.given] = turn
        click.echo(f"{', '.join(turn.given) or 'nothing'} given: BLEU {_number(turn.bleu)}", err=True)
    sentences.report()
    _print(turns, len(gold), as_json=as_json)
    if plot:
        draw(turns, plot)


def _require_drawable(plot: str) -> None:
    if not can_draw():
        raise InputError("Pictures need matplotlib: pip install 'plait[plot]'.")
    require_picture_name(plot, (".svg", ".png"))
    if not Path(plot).absolute().parent.is_dir():
        raise InputError(f"{plot}: cannot be written: its folder does not exist.")


def _print(turns: dict[tuple[str, ...], Turn], sentences: int, *, as_json: bool) -> None:
    if as_json:
        print_json([_plain(turn) for turn in turns.values()])
        return
    rows = [["nothing", _number(turns[()].bleu), _number(turns[()].exact), "", ""]]
    for size, stage in enumerate(STAGES, 1):
        alone, growing = turns[(stage,)], turns[STAGES[:size]]
        rows.append([_TITLES[stage], *map(_number, (alone.bleu, alone.exact, growing.bleu, growing.exact))])
    print_table(
        ("given", "BLEU", "% exact", "BLEU, with all above", "% exact"),
        rows,
        note=f"{sentences:,} sentences, large and small letters the same. Tree and roles of FILE need its words, too.",
    )


def _plain(turn: Turn) -> dict[str, Any]:
    return {name: value for name, value in asdict(turn).items() if name != "texts"}


def _number(value: float) -> str:
    return f"{value:.1f}"


def draw(turns: dict[tuple[str, ...], Turn], path: str) -> None:
    """Bars for each stage alone, and a line for all up to it."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.4), layout="constrained")
    axes = figure.add_subplot()
    names = ["nothing", *STAGES]
    alone = [turns[()].bleu, *(turns[(stage,)].bleu for stage in STAGES)]
    growing = [turns[()].bleu, *(turns[STAGES[:size]].bleu for size in range(1, len(STAGES) + 1))]
    places: Sequence[int] = range(len(names))
    axes.bar(places, alone, color="#9db8d2", label="given alone")
    axes.plot(places, growing, color="#c0392b", marker="o", label="with all before it")
    axes.set_xticks(places, names)
    axes.set_ylabel("BLEU of the text that comes back")
    axes.set_ylim(0, 102)
    axes.legend(frameon=False, loc="upper left")
    axes.spines[["top", "right"]].set_visible(False)
    try:
        figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None, dpi=150)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: the picture cannot be written: {error}.") from None
