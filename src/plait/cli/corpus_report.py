"""How the way from a folder to a folder is followed: a bar on a terminal, and in any case what failed and a summary."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import click
from rich.console import Console
from rich.progress import Progress
from rich.text import Text

from plait.cli.corpus import Task
from plait.cli.crew import Outcome
from plait.cli.progress import bar_on
from plait.errors import printable

_NAME = "plait: "  # how messages begin


class Report:
    """Counts what happened, and tells of it on standard error."""

    def __init__(self, tasks: int, finished: int, progress: Progress | None, size: int) -> None:
        self.failed = 0
        self._all, self._before, self._done = tasks, finished, 0
        self._words = self._bytes = 0
        self._underway: dict[Task, tuple[int, int]] = {}  # words and bytes of files that are being made
        self._begin = monotonic()
        self._progress = progress
        self._bar = progress.add_task("loading the model", total=size) if progress else None

    def on_progress(self, task: Task, words: int, bytes: int) -> None:
        self._underway[task] = words, bytes
        self._show()

    def on_outcome(self, outcome: Outcome) -> None:
        self._underway.pop(outcome.task, None)
        self._bytes += outcome.task.size
        for line in outcome.said.splitlines():
            self._tell(outcome.task, line.removeprefix(_NAME))
        if outcome.failure:
            self.failed += 1
            self._tell(outcome.task, outcome.failure)
        elif outcome.elsewhere:
            self._before += 1
        else:
            self._done += 1
            self._words += outcome.words
        self._show()

    def summary(self) -> str:
        parts = [
            f"{self._done:,} {_files(self._done)} made, {self._words:,} words, {self._speed(0):,} words/s"
        ]
        if self._before:
            parts.append(f"{self._before:,} finished before or by another run")
        if self.failed:
            parts.append(f"{self.failed:,} failed")
        return "; ".join(parts)

    def _tell(self, task: Task, message: str) -> None:
        """Every message names the file that it is about."""
        source = printable(task.source)
        line = _NAME + (message if message.startswith(source) else f"{source}: {message}")
        if self._progress:
            self._progress.console.print(Text(line), soft_wrap=True)
        else:
            click.echo(line, err=True)

    def _show(self) -> None:
        if self._progress is None or self._bar is None:
            return
        words = sum(words for words, _ in self._underway.values())
        read = sum(min(read, task.size) for task, (_, read) in self._underway.items())
        finished = self._before + self._done + self.failed
        text = (
            f"{finished:,}/{self._all:,} files, {self._words + words:,} words, {self._speed(words):,} words/s"
        )
        self._progress.update(self._bar, description=text, completed=self._bytes + read)

    def _speed(self, underway: int) -> int:
        seconds = monotonic() - self._begin
        return round((self._words + underway) / seconds) if seconds else 0


def _files(count: int) -> str:
    return "file" if count == 1 else "files"


@contextmanager
def followed(tasks: int, finished: int, size: int) -> Iterator[Report]:
    """A report on so many files, some of them finished before; the others have so many bytes."""
    console = Console(stderr=True)
    if not console.is_terminal:
        report = Report(tasks, finished, None, size)
        yield report
    else:
        with bar_on(console) as progress:
            report = Report(tasks, finished, progress, size)
            yield report
    click.echo(_NAME + report.summary(), err=True)
