"""How a training is followed on standard error: a bar on a terminal, otherwise a line per epoch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from plait.parser import Epoch
from plait.parser.options import NON_PROJECTIVE
from plait.pipeline.recipe import Recipe
from plait.pipeline.training import Follower

_FACTS = ("number", "seconds", "states", "swaps", "left_out")  # of an epoch, that are no scores


class _Watcher:
    """Says what must be said in any case."""

    def __init__(self, sentences: int) -> None:
        self._sentences = sentences
        self._recipe = Recipe()
        self._part = ""
        self._epochs = 0
        self._folds = 0

    def on_part(self, name: str, recipe: Recipe) -> None:
        self._part, self._recipe = name, recipe
        renamed = {"parser": recipe.chosen_parser, "second": recipe.graph}
        options = renamed.get(name) or getattr(recipe, name, None)
        self._epochs = getattr(options, "epochs", 0)
        self._folds = 0

    def on_epoch(self, epoch: Any) -> None:
        if isinstance(epoch, Epoch) and epoch.left_out and epoch.number == 1:
            system = self._recipe.parser.system
            hint = "" if system in NON_PROJECTIVE else " (--projectivize lifts crossing arcs)"
            click.echo(
                f"plait: {epoch.left_out:,} of {self._sentences:,} sentences left out: the system {system!r} "
                f"cannot derive their trees{hint}",
                err=True,
            )

    def on_progress(self, number: int, done: int, total: int) -> None:
        """Nothing to say before the end of an epoch."""

    def on_fold(self, fold: int) -> None:
        self._folds = fold

    @property
    def _place(self) -> str:
        return f"{self._part}: " if self._part else ""


class _Lines(_Watcher):
    def on_epoch(self, epoch: Any) -> None:
        super().on_epoch(epoch)
        click.echo(f"{self._place}epoch {epoch.number}/{self._epochs}: {describe(epoch)}", err=True)

    def on_fold(self, fold: int) -> None:
        super().on_fold(fold)
        click.echo(f"{self._place}tags of fold {fold}/{self._recipe.model.folds}", err=True)


class _Bar(_Watcher):
    """The time left is that of all epochs of a part; patience may end it sooner."""

    def __init__(self, sentences: int, progress: Progress) -> None:
        super().__init__(sentences)
        self._progress = progress
        self._task = progress.add_task("", total=None)
        self._last = ""

    def on_part(self, name: str, recipe: Recipe) -> None:
        super().on_part(name, recipe)
        self._last = ""
        self._progress.reset(self._task, description=self._part, total=None)

    def on_epoch(self, epoch: Any) -> None:
        super().on_epoch(epoch)
        self._last = f" (last: {describe(epoch)})"
        self._show(f"epoch {epoch.number}/{self._epochs}", epoch.number, self._epochs)

    def on_progress(self, number: int, done: int, total: int) -> None:
        self._show(f"epoch {number}/{self._epochs}", total * (number - 1) + done, total * self._epochs)

    def on_fold(self, fold: int) -> None:
        super().on_fold(fold)
        folds = self._recipe.model.folds
        self._show(f"tags of fold {fold}/{folds}", fold, folds)

    def _show(self, what: str, done: int, total: int) -> None:
        description = f"{self._place}{what}{self._last}"
        self._progress.update(self._task, description=description, total=total, completed=done)


@contextmanager
def follow(sentences: int) -> Iterator[Follower]:
    """A follower for a training on so many sentences."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(sentences)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield _Bar(sentences, progress)


def describe(epoch: Any) -> str:
    """The scores and the time of an epoch."""
    values = {
        name: value for name, value in asdict(epoch).items() if name not in _FACTS and value is not None
    }
    scores = [f"{name.upper()} {value:.2f}" for name, value in values.items() if isinstance(value, float)]
    counts = [f"{value:,} {name}" for name, value in values.items() if isinstance(value, int)]
    return ", ".join([*scores, *counts, f"{epoch.seconds:.1f} s"])
