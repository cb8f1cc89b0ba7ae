"""Components that can show how they came to a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypedDict, Unpack, runtime_checkable

from plait.cancel import Cancel
from plait.errors import InputError
from plait.sentence import Sentence
from plait.transitions.trace import Trace

if TYPE_CHECKING:
    from plait.learning.component import Component


MOST = 4096


class TraceWishes(TypedDict, total=False):
    """Another `beam`, how many `alternatives` of every step, and a flag that ends the work."""

    beam: int | None
    alternatives: int
    cancel: Cancel | None


def check_widths(**widths: int) -> None:
    """InputError for a beam or a number of alternatives that no search has."""
    for name, value in widths.items():
        if not 1 <= value <= MOST:
            raise InputError(f"{name} is {value} but must be from 1 to {MOST:,}.")


@runtime_checkable
class Traceable(Protocol):
    """What works by derivations."""

    def trace(self, sentence: Sentence, **wishes: Unpack[TraceWishes]) -> Trace: ...


def trace_of(component: Component[Any] | None, sentence: Sentence, **wishes: Unpack[TraceWishes]) -> Trace:
    """How a component comes to the tree of a sentence that has tags; InputError if it has no derivations."""
    if not isinstance(component, Traceable):
        raise InputError("The model has no transition-based parser, and only that can do this.")
    return component.trace(sentence, **wishes)
