"""Where a model is that is given by its name: in the folders of `PLAIT_MODELS`, in the package, in the user's folder,
or in an installed wheel, of which nothing is imported.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

from plait.catalogue import registry
from plait.errors import InputError, OutputError
from plait.learning import store
from plait.learning.archive import SUFFIX

DEFAULT = "en"
VARIABLE = "PLAIT_MODELS"  # folders, as in PATH
GROUP = "plait_models"  # of entry points
_NAME = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class Found:
    """A model under a name, and where it was found: `package`, `user`, `wheel`, or the folder of `PLAIT_MODELS`."""

    name: str
    path: Path
    where: str


def is_name(text: str) -> bool:
    """Small letters, digits, and - or _ between them: a file with a dot or a slash in it is none."""
    return len(text) <= _LONGEST and bool(_NAME.fullmatch(text))


def require_name(text: str) -> None:
    if not is_name(text):
        raise InputError(
            f"{text[:_LONGEST]!r} cannot be the name of a model: small letters and digits, with - between them."
        )


def packaged() -> dict[str, Path]:
    """Names and folders of the models in the package."""
    folder = Path(__file__).parents[1] / "models"
    return {path.parent.name: path.parent for path in sorted(folder.glob("*/manifest.json"))}


def user_folder() -> Path:
    """Where a user's models are. They took time or a download, so this is among the data, not in a cache."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        given = os.environ.get("XDG_DATA_HOME", "")
        base = given if Path(given).is_absolute() else Path.home() / ".local" / "share"
    return Path(base) / "plait" / "models"


def own_folders() -> list[Path]:
    """Those that the environment names."""
    return [Path(each) for each in os.environ.get(VARIABLE, "").split(os.pathsep) if each]


def every() -> list[Found]:
    """All models that have a name, the one that is meant by it first."""
    return list(_search(None))


def locate(name: str | Path) -> Path:
    """The place of a model: that of the name, if there is one (`./en` is always a path), or the path."""
    text = str(name)
    if is_name(text):
        for found in _search(text):
            return found.path
    return Path(name)


def _search(name: str | None) -> Iterator[Found]:
    for folder in own_folders():
        yield from _of_folder(folder, name, str(folder))
    for each, path in packaged().items():
        if name in (None, each):
            yield Found(each, path, "package")
    yield from _of_folder(user_folder(), name, "user")
    yield from _of_wheels(name)  # which takes longest


def _of_wheels(name: str | None) -> Iterator[Found]:
    for entry in entry_points(group=GROUP):
        if not entry.dist or name not in (None, entry.name) or not entry.value.isidentifier():
            continue
        path = Path(str(entry.dist.locate_file(f"{entry.value}/{entry.name}{SUFFIX}")))
        if is_name(entry.name) and path.is_file():
            yield Found(entry.name, path, "wheel")


def _of_folder(folder: Path, name: str | None, where: str) -> Iterator[Found]:
    try:
        places = sorted(folder.iterdir()) if name is None else [folder / f"{name}{SUFFIX}", folder / name]
    except OSError:
        return
    for place in places:
        own = place.name.removesuffix(SUFFIX)
        one_file = place.suffix == SUFFIX and place.is_file()
        if is_name(own) and (one_file or (place / "manifest.json").is_file()):
            yield Found(own, place, where)


def place_for(name: str, *, force: bool = False) -> Path:
    """Where a model of this name is put, and found afterwards: in the first folder of `PLAIT_MODELS`, or in the user's.
    OutputError if there is one already, unless it may be replaced by `force`.
    """
    require_name(name)
    own = own_folders()
    if not own and name in packaged():
        raise OutputError(f"{name}: a model of the package has this name; give it another one.")
    folder = own[0] if own else user_folder()
    if (folder / name).exists():
        raise OutputError(f"{folder / name}: there is something of this name already; take it away first.")
    place = folder / f"{name}{SUFFIX}"
    store.require_free(place, force=force)
    return place


def advice(name: str) -> str:
    """How to come by a model that is not there."""
    known = f"In the package: {', '.join(packaged()) or 'none'}."
    entry = registry.entries().get(name)
    if entry and entry.trainable:
        make = f"plait models train {name} --treebank {entry.treebank}/"
        return f"{known} Make or get it: {make}, or plait models get PATH-or-URL."
    return f"{known} Others by name: plait models list."
