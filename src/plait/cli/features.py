"""`plait features`: lists of templates: what is in them, and which of them one needs."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from plait.cli.common import require_other_file
from plait.cli.progress import duration
from plait.errors import InputError, OutputError
from plait.experiments.pictures import can_draw
from plait.experiments.selection.bench import Plan
from plait.experiments.selection.journal import Journal
from plait.experiments.selection.laboratory import Workers
from plait.experiments.selection.lines import Lines
from plait.experiments.selection.outcome import RANKINGS, Outcome, Settings, select
from plait.experiments.selection.picture import draw_selection
from plait.experiments.selection.report import write_lists, write_log
from plait.experiments.selection.search import ORDERS, Decision, Rules
from plait.experiments.selection.subjects import SUBJECTS, find_subject
from plait.learning.registry import find
from plait.transitions.table import SYSTEM_FACTS

_ALLOWED_LOSS = -0.05  # of the beginning of a ranked list
_MARKS = {"keep": "+", "drop": "-", "stay": "=", "reject": " ", "skip": "."}


@click.group()
def features() -> None:
    """Lists of feature templates."""


@features.command()
@click.argument("name")
@click.option(
    "--of",
    "subject",
    type=click.Choice(list(SUBJECTS)),
    default="parser",
    show_default=True,
    help="What it is for.",
)
def show(name: str, subject: str) -> None:
    """Print the templates of a list, a file or a folder, line by line: blocks are unrolled."""
    for line in Lines.of(find_subject(subject).read(name)).every:
        click.echo(str(line))


@features.command("select")
@click.argument("treebanks", nargs=-1, required=True, metavar="TREEBANK...")
@click.option(
    "-o", "--output", required=True, help="The file for the chosen list; for parts of trees, a folder."
)
@click.option(
    "--of",
    "subject",
    type=click.Choice(list(SUBJECTS)),
    default="parser",
    show_default=True,
    help="What it is for.",
)
@click.option("--from", "whole", help="The list to choose from: a name, a file; of parts, a folder.")
@click.option("--default", "begin", help="The list to begin with.")
@click.option(
    "--threshold",
    type=float,
    help="Points that a template must gain more than; with --order eliminate, below 0: that a shorter list may lose "
    "against the best. [default: 0; completion: -0.02; --order rank: -0.05]",
)
@click.option(
    "--order",
    type=click.Choice(ORDERS),
    default="once",
    show_default=True,
    help="Each template once, rounds that take the best, as many by rank as are enough; or eliminate: leave out the "
    "least useful and learn anew.",
)
@click.option("--size", type=click.IntRange(1), help="With --order rank or eliminate: so many templates.")
@click.option("--score", help="las, lump or pmlas; for taggers alltags.")
@click.option(
    "--ranking",
    type=click.Choice(RANKINGS),
    help="What to try first: by states, each alone, or as in the file.",
)
@click.option("--passes", type=click.IntRange(1), help="Over the treebank, in every trial.")
@click.option(
    "--shuffles",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="Trials of a set, whose mean counts.",
)
@click.option(
    "--race",
    "confidence",
    type=click.FloatRange(0, 1),
    default=0.975,
    show_default=True,
    help="How sure to be that a set is worse before its other shuffles are left out; 1: never.",
)
@click.option("--cautious", is_flag=True, help="Want a gain greater than its standard error, too.")
@click.option(
    "--prune/--no-prune",
    default=True,
    show_default=True,
    help="Skip templates whose relatives were rejected.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the component, as in plait train.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=lambda: os.cpu_count() or 1,
    show_default="all cores",
    help="Trials at a time.",
)
@click.option("--force", is_flag=True, help="Begin anew, whatever trials there are.")
def select_verb(
    treebanks: tuple[str, ...],
    output: str,
    subject: str,
    whole: str | None,
    begin: str | None,
    threshold: float | None,
    size: int | None,
    order: str,
    score: str | None,
    ranking: str | None,
    passes: int | None,
    shuffles: int,
    confidence: float,
    cautious: bool,
    prune: bool,
    settings: tuple[str, ...],
    jobs: int,
    force: bool,
) -> None:
    """Choose the templates that a parser or tagger needs, by forward selection or elimination, on the training sets of
    treebanks.

    Beside the list there will be a log (CSV), a picture and the journal of all trials: the same command goes on where
    it was interrupted, and another threshold or order uses the trials that are there.
    """
    kind = find_subject(subject)
    eliminates = order == "eliminate"
    if eliminates and kind.used is None:
        raise InputError(f"--order eliminate is for parsers, not for {subject} lists.")
    if eliminates and (begin or ranking):
        raise InputError(
            "--order eliminate begins with the whole list: it goes without --default and --ranking."
        )
    chosen_score = score or kind.scores[0]
    if chosen_score not in kind.scores:
        raise InputError(f"No score {chosen_score!r} of a {subject}. Available: {', '.join(kind.scores)}.")
    options: dict[str, Any] = {
        **(kind.used if eliminates and kind.used else kind.usual),
        **dict(find(kind.kind).Options.parse_setting(each) for each in settings),
    }
    source = whole or kind.whole
    system = SYSTEM_FACTS.get(str(options.get("system")))
    if whole is None and kind.option == "features" and system:
        source = system.whole or system.features
    first = Lines.of({} if eliminates else kind.read(begin) if begin else kind.begin)
    lines = Lines.of(kind.read(source)).joined(first)
    _require_place(output, (*treebanks, whole, begin), is_folder=lines.files != [""])
    plan = Plan(
        treebanks,
        subject,
        lines.texts(frozenset(range(len(lines)))),
        options,
        passes or (kind.used_passes if eliminates else kind.passes),
        chosen_score,
    )
    plan.component_options()
    usual = _ALLOWED_LOSS if order == "rank" else kind.threshold
    if size is not None and order not in ("rank", "eliminate"):
        raise InputError("--size goes with --order rank or eliminate.")
    if eliminates and not plan.weighable:
        raise InputError("--order eliminate is for greedy parsers (beam=1) without a guide.")
    rules = Rules(usual if threshold is None else threshold, order, prune, cautious, size)
    how = Settings(rules, ranking or ("states" if plan.cached else "file"), shuffles, confidence)
    path = Path(output)
    trials = _beside(path, ".trials.jsonl")
    if not force and not trials.exists():
        _require_free(_beside(path, ending) for ending in (".csv", ".svg", ".png"))
    journal = Journal(trials, plan, anew=force)
    teller = Teller(plan.lines)
    with Workers(plan, journal, jobs) as workers:
        default = plan.lines.require(first, begin or "the beginning")
        outcome = select(plan, default, how, workers, jobs=jobs, on_decision=teller.tell)
    _write(outcome, path)
    if outcome.interrupted:
        click.echo(
            f"plait: chosen so far; {len(journal.trials):,} trials are in {journal.path}: the same command goes on",
            err=True,
        )
        raise KeyboardInterrupt


def _require_place(output: str, read: Iterable[str | None], *, is_folder: bool) -> None:
    """The output is nothing that is read, and a folder where there will be several lists: known before the work."""
    for each in read:
        if each and Path(each).is_file():
            require_other_file(each, output)
    if Path(output).exists() and Path(output).is_dir() != is_folder:
        wanted = "a file is there, but a folder" if is_folder else "a folder is there, but a file"
        raise InputError(f"{output}: {wanted} will be written.")


def _require_free(beside: Iterable[Path]) -> None:
    """Files that nobody named, and that no selection has made, are not replaced."""
    for each in beside:
        if each.exists():
            raise OutputError(
                f"{each}: this is there already, and a selection writes it; give another output, or --force."
            )


class Teller:
    """Tells every decision, and how long the others may take."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._start = time.perf_counter()
        self._done = 0

    def tell(self, decision: Decision, left: int) -> None:
        now = time.perf_counter()
        if decision.line < 0:
            beginning = " to begin with" if decision.action == "begin" else ""
            time_left = duration((now - self._start) * left)
            more = f"; at most about {time_left} left" if left and decision.action == "measure" else ""
            click.echo(f"plait: {decision.size} templates{beginning}: {decision.score:.2f}{more}", err=True)
            self._start = now
            return
        if decision.gain is None and not decision.reason:
            return  # of many at once
        self._done += 1
        gain = f"{decision.gain.points:+.2f}" if decision.gain else "     "
        rest = (now - self._start) / self._done * left
        why = f" ({decision.reason})" if decision.reason else ""
        click.echo(
            f"{_MARKS[decision.action]} {gain} {self._lines[decision.line]}{why}: {decision.score:.2f} with "
            f"{decision.size}; {left} left, about {duration(rest)}",
            err=True,
        )


def _write(outcome: Outcome, path: Path) -> None:
    written = [*write_lists(outcome, path), write_log(outcome, _beside(path, ".csv"))]
    if can_draw():
        written += draw_selection(outcome, _beside(path, ""))
    else:
        click.echo("plait: no picture, which needs matplotlib: pip install 'plait[plot]'", err=True)
    click.echo(
        f"{len(outcome.chosen)} of {len(outcome.lines)} templates: {outcome.name} {outcome.score:.2f}, with all "
        f"{outcome.whole_score:.2f}"
    )
    click.echo(f"Saved {', '.join(map(str, written))}")


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name.removesuffix(".txt") + ending)
