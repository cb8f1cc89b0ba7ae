"""How a training is followed on standard error: a bar on a terminal, otherwise a line per epoch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from plait.parser import Epoch


class Follower(Protocol):
    """What `Parser.fit` calls."""

    def on_epoch(self, epoch: Epoch) -> None: ...
    def on_progress(self, number: int, done: int, total: int) -> None: ...


class _Lines:
    def __init__(self, epochs: int) -> None:
        self._epochs = epochs

    def on_epoch(self, epoch: Epoch) -> None:
        click.echo(f"epoch {epoch.number}/{self._epochs}: {_describe(epoch)}", err=True)

    def on_progress(self, number: int, done: int, total: int) -> None:
        """Nothing to say before the end of an epoch."""


class _Bar:
    """The time left is that of all epochs; patience may end a training sooner."""

    def __init__(self, epochs: int, progress: Progress) -> None:
        self._epochs = epochs
        self._progress = progress
        self._task = progress.add_task("", total=None)
        self._last = ""

    def on_epoch(self, epoch: Epoch) -> None:
        self._last = f" (last: {_describe(epoch)})"

    def on_progress(self, number: int, done: int, total: int) -> None:
        self._progress.update(
            self._task,
            description=f"epoch {number}/{self._epochs}{self._last}",
            total=total * self._epochs,
            completed=total * (number - 1) + done,
        )


@contextmanager
def follow(epochs: int) -> Iterator[Follower]:
    """A follower for a training of so many epochs at most."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(epochs)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield _Bar(epochs, progress)


def _describe(epoch: Epoch) -> str:
    scores = "" if epoch.las is None else f"LAS {epoch.las:.2f}, UAS {epoch.uas:.2f}, "
    return f"{scores}{epoch.updates:,} updates, {epoch.seconds:.1f} s"
