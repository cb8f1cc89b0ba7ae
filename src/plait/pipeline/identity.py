"""Which model it is: for those who must know whether two processes work with the same one."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from plait.catalogue import locate
from plait.errors import InputError


def place_of(model: str | Path) -> Path:
    """Where a model is that has a name or a path; InputError if there is none."""
    place = locate(model)
    if not place.exists():
        raise InputError(f"{model}: there is no such model.")
    return place


def identity_of(model: str | Path) -> str:
    """A number that two models share only if they are the same to the last bit, options included. A folder is told by
    its checksums, of which there are some in the folder of each component, another one by all it holds.
    """
    place = place_of(model)
    whole = sha256()
    try:
        for each in sorted(place.rglob("SHA256SUMS")) if place.is_dir() else [place]:
            name = each.relative_to(place).as_posix()
            whole.update(f"{sha256(each.read_bytes()).hexdigest()}  {name}\n".encode())
    except OSError as error:
        raise InputError(f"{model}: the model cannot be read: {error.strerror}.") from None
    return whole.hexdigest()
