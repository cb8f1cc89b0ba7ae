"""`plait parse` from a folder to a folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from plait.cli.corpus import Shard, Task, begin, find_tasks
from plait.cli.corpus_report import followed
from plait.cli.crew import work_through
from plait.cli.parse import Work


def parse_folder(
    work: Work, arguments: Sequence[str], output: str, *, jobs: int, shard: Shard | None, force: bool
) -> None:
    """Every file into a file of its own; what is finished is left as it is. Exit status 2 if a file failed."""
    tasks = find_tasks(arguments, output, work.target)
    mine = shard.share(tasks) if shard else tasks
    parsing = work.ready()  # before anything is written
    begin(output, mine, work.made(), force=force, whole=shard is None)
    left = [task for task in mine if not task.is_finished]
    _tell_of_older(task for task in mine if task.is_outdated)
    ready = work.writer if jobs > 1 else (lambda: parsing.write_file)
    with followed(len(mine), len(mine) - len(left), sum(task.size for task in left)) as report:
        for outcome in work_through(left, ready, min(jobs, len(left)), report.on_progress):
            report.on_outcome(outcome)
    if report.failed:
        raise click.exceptions.Exit(2)


def _tell_of_older(tasks: Iterable[Task]) -> None:
    """A file that has changed since it was parsed is no reason to lose what was made of it, but one to speak."""
    if older := list(tasks):
        others = f" and {len(older) - 1:,} more" if len(older) > 1 else ""
        click.echo(
            f"plait: {older[0].target}{others}: older than what it was made of; delete it, or --force makes all anew",
            err=True,
        )
