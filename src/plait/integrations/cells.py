"""What other libraries hold, as cells of a sentence."""

from __future__ import annotations

from typing import Any

from plait.errors import InputError, excerpt
from plait.formats.jsonl import UNFIT
from plait.sentence import EMPTY


def is_cell(value: Any) -> bool:
    """Whether it is a text that can stand in a treebank."""
    if not isinstance(value, str) or not value or any(mark in value for mark in UNFIT):
        return False
    return not any("\ud800" <= character <= "\udfff" for character in value)


def cell_of(value: Any, place: str) -> str:
    """A text that can stand in a treebank; what is missing is `_`."""
    if value is None or value == "":
        return EMPTY
    if not is_cell(value):
        raise InputError(
            f"{place} must be a text without tabs and line ends, not {excerpt(str(value))} ({type(value).__name__})."
        )
    return str(value)


def head_of(value: Any, size: int, place: str) -> int | None:
    """The number of a head, which there may be none of."""
    if value is None:
        return None
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or value != int(value)
        or not 0 <= value <= size
    ):
        raise InputError(f"{place} must be a number from 0 to {size}, not {excerpt(str(value))}.")
    return int(value)
