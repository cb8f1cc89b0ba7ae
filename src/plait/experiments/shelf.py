"""What is finished of an experiment, in its output folder.

A finished task is a JSON file, written when all else it leaves is complete; it is not done again while the data and
options it was made from are the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, TypeVar

from plait import folders
from plait.errors import InputError, OutputError
from plait.experiments.document import TreebankFiles
from plait.release import release

Result = TypeVar("Result")


class Task(Protocol):
    """The smallest unit of work, and of what is kept when a run is interrupted. It can be sent to another process."""

    @property
    def treebank(self) -> TreebankFiles: ...
    @property
    def name(self) -> str:
        """Also the name of its files."""

    @property
    def leaves(self) -> tuple[str, ...]:
        """The files and folders that it leaves, as paths in the output folder."""

    def origin(self) -> dict[str, Any]:
        """What decides the result beside the treebank, for JSON."""


SomeTask = TypeVar("SomeTask", bound=Task)


def named(tasks: Iterable[SomeTask], patterns: Iterable[str]) -> list[SomeTask]:
    """Those whose names fit one of the patterns, such as `Gothic.*.seed1`; InputError if there is none."""
    all_, wanted = list(tasks), list(patterns)
    chosen = [task for task in all_ if any(fnmatchcase(task.name, each) for each in wanted)]
    if not chosen:
        raise InputError(f"No cell is called {' or '.join(wanted)}, but for instance {all_[0].name}.")
    return chosen


class Shelf:
    """The finished tasks in the output folder."""

    def __init__(self, folder: Path, treebanks: Iterable[TreebankFiles]) -> None:
        self.folder = folder
        self._data = {treebank.name: _checksum(treebank) for treebank in treebanks}
        try:
            (folder / "cells").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{folder}: cannot be made: {error.strerror or error}.") from None

    def path(self, task: Task) -> Path:
        return self.folder / "cells" / f"{task.name}.json"

    def model(self, task: Task) -> Path:
        return self.folder / "models" / task.name

    def find(self, task: Task, read: Callable[[dict[str, Any]], Result]) -> Result | None:
        """The result of a task if it is finished, and if it was made from the same."""
        try:
            stored = json.loads(self.path(task).read_text(encoding="utf-8"))
            if stored.pop("origin") != self._origin(task):
                return None
            if not all((self.folder / left).exists() for left in task.leaves):
                return None
            return read(stored)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def finished(self, tasks: Iterable[SomeTask]) -> tuple[SomeTask, ...]:
        """InputError if there is none."""
        found = tuple(task for task in tasks if self.find(task, lambda _: True))
        if not found:
            raise InputError(f"Nothing in {self.folder} is finished.")
        return found

    def put(self, task: Task, result: dict[str, Any]) -> None:
        path = self.path(task)
        try:
            text = json.dumps({"origin": self._origin(task)} | result, indent=1)
            folders.write_file(path, f"{text}\n".encode())
        except OSError as error:
            raise OutputError(f"{path}: cannot be written: {error.strerror or error}.") from None

    def _origin(self, task: Task) -> dict[str, Any]:
        """What decides the result. A task made from anything else is not this one."""
        return {"plait": release(), "data": self._data[task.treebank.name]} | task.origin()


def _checksum(treebank: TreebankFiles) -> str:
    """Of what is learned from and tuned on; the test set decides nothing."""
    digest = sha256()
    for path in (treebank.train, treebank.dev):
        try:
            digest.update(path.read_bytes())
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror or error}.") from None
        digest.update(b"\0")
    if treebank.sentences:
        digest.update(str(treebank.sentences).encode())
    return digest.hexdigest()
