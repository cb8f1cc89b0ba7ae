"""How a training is followed on standard error: a bar on a terminal, otherwise a line per epoch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from plait.components.transition import TransitionOptions
from plait.learning.component import Component
from plait.learning.epochs import Epoch
from plait.learning.options import LearningOptions
from plait.learning.watch import Silence, Watch
from plait.transitions.table import NON_PROJECTIVE

_TOLD = (
    "las",
    "uas",
    "alltags",
    "upos",
    "lemmas",
    "words",
    "sentences",
)  # scores, in this order; of others all


class _Watcher(Silence):
    """Says what must be said in any case."""

    def __init__(self, sentences: int) -> None:
        self._sentences = sentences
        self._name = ""
        self._epochs = 0
        self._system = ""

    def on_component(self, name: str, component: Component[Any] | None) -> None:
        options = component.options if component else None
        self._name = name
        self._epochs = options.epochs if isinstance(options, LearningOptions) else 0
        self._system = options.system if isinstance(options, TransitionOptions) else ""

    def on_estimate(self, seconds: float, epochs: int) -> None:
        self._epochs = epochs
        click.echo(f"{self._place}{epochs} epochs will take about {duration(seconds)}", err=True)

    def on_epoch(self, epoch: Epoch) -> None:
        left_out = epoch.counts.get("left_out")
        if left_out and epoch.number == 1:
            reason = "they are too long"
            if self._system:
                hint = "" if self._system in NON_PROJECTIVE else " (--projectivize lifts crossing arcs)"
                reason = f"the system {self._system!r} cannot derive their trees{hint}"
            click.echo(f"plait: {left_out:,} of {self._sentences:,} sentences left out: {reason}", err=True)

    @property
    def _place(self) -> str:
        return f"{self._name}: " if self._name else ""


class _Lines(_Watcher):
    def on_epoch(self, epoch: Epoch) -> None:
        super().on_epoch(epoch)
        click.echo(f"{self._place}epoch {epoch.number}/{self._epochs}: {describe(epoch)}", err=True)

    def on_fold(self, fold: int, folds: int) -> None:
        click.echo(f"{self._place}annotated fold {fold}/{folds}", err=True)

    def on_labelled(self, sentences: int, words: int) -> None:
        click.echo(f"{self._place}annotated {sentences:,} sentences, {words:,} words", err=True)


class _Bar(_Watcher):
    """The time left is that of all epochs of a component; patience may end it sooner."""

    def __init__(self, sentences: int, progress: Progress) -> None:
        super().__init__(sentences)
        self._progress = progress
        self._task = progress.add_task("", total=None)
        self._last = ""

    def on_component(self, name: str, component: Component[Any] | None) -> None:
        super().on_component(name, component)
        self._last = ""
        self._progress.reset(self._task, description=name, total=None)

    def on_epoch(self, epoch: Epoch) -> None:
        super().on_epoch(epoch)
        self._last = f" (last: {describe(epoch)})"
        self._show(f"epoch {epoch.number}/{self._epochs}", epoch.number, self._epochs)

    def on_progress(self, epoch: int, done: int, total: int) -> None:
        self._show(f"epoch {epoch}/{self._epochs}", total * (epoch - 1) + done, total * self._epochs)

    def on_fold(self, fold: int, folds: int) -> None:
        self._show(f"annotated fold {fold}/{folds}", fold, folds)

    def on_labelled(self, sentences: int, words: int) -> None:
        self._progress.update(
            self._task, description=f"{self._place}annotated {sentences:,} sentences, {words:,} words"
        )

    def _show(self, what: str, done: int, total: int) -> None:
        description = f"{self._place}{what}{self._last}"
        self._progress.update(self._task, description=description, total=total, completed=done)


@contextmanager
def follow(sentences: int) -> Iterator[Watch]:
    """A watch for a training on so many sentences."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(sentences)
        return
    with bar_on(console) as progress:
        yield _Bar(sentences, progress)


def bar_on(console: Console) -> Progress:
    """A bar with a text before it and the time left behind it, which goes when it is at its end."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn(elapsed_when_finished=True))
    return Progress(*columns, console=console, transient=True)


def describe(epoch: Epoch) -> str:
    """The scores and the time of an epoch."""
    names = [name for name in _TOLD if name in epoch.scores] or list(epoch.scores)
    scores = [f"{name.upper()} {epoch.scores[name]:.2f}" for name in names]
    updates = epoch.counts.get("updates", epoch.counts.get("wrong"))
    counts = [] if updates is None else [f"{updates:,} updates"]
    if "loss" in epoch.counts:
        counts.append(f"loss {epoch.counts['loss'] / 1000:.3f}")
    return ", ".join([*scores, *counts, f"{epoch.seconds:.1f} s"])


def duration(seconds: float) -> str:
    """In words, and not more exact than an estimate is."""
    if seconds < 100:
        return f"{max(1, round(seconds))} s"
    minutes = seconds / 60
    return f"{round(minutes)} min" if minutes < 100 else f"{minutes / 60:.1f} h"
