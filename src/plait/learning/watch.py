"""Whoever watches a training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from plait.learning.epochs import Epoch

if TYPE_CHECKING:
    from plait.learning.component import Component


class Watch(Protocol):
    """What is told while components learn."""

    def on_component(self, name: str, component: Component[Any] | None) -> None:
        """A component begins to learn; without one, something is done with what was learned."""

    def on_estimate(self, seconds: float, epochs: int) -> None:
        """How long a component will learn and in how many epochs, where that is known before it begins."""

    def on_epoch(self, epoch: Epoch) -> None: ...
    def on_progress(self, epoch: int, done: int, total: int) -> None: ...
    def on_fold(self, fold: int, folds: int) -> None:
        """The training set is annotated by models that have not seen it, fold by fold."""

    def on_labelled(self, sentences: int, words: int) -> None:
        """So much text has been annotated by a teacher so far."""


class Silence:
    """Nobody watches."""

    def on_component(self, name: str, component: Component[Any] | None) -> None: ...
    def on_estimate(self, seconds: float, epochs: int) -> None: ...
    def on_epoch(self, epoch: Epoch) -> None: ...
    def on_progress(self, epoch: int, done: int, total: int) -> None: ...
    def on_fold(self, fold: int, folds: int) -> None: ...
    def on_labelled(self, sentences: int, words: int) -> None: ...


SILENT = Silence()
