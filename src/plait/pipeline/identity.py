"""Which model it is: for those who must know whether two processes work with the same one."""

from __future__ import annotations

from pathlib import Path

from plait.catalogue import locate
from plait.errors import InputError
from plait.learning import store


def place_of(model: str | Path) -> Path:
    """Where a model is that has a name or a path; InputError if there is none."""
    place = locate(model)
    if not place.exists():
        raise InputError(f"{model}: there is no such model.")
    return place


def identity_of(model: str | Path) -> str:
    """`store.identity` of a model that has a name or a path."""
    return store.identity(place_of(model))
