"""Template files, whatever is seen in them: one feature per line, comments, `for` blocks; lists that come with plait
by their names, and files of one's own.

`#` begins a comment. A block

    for X in S0.left1, S0.right1:
        X.form
        X.upos S0.upos

stands for its lines with each of the values in turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

from plait.errors import FormatError, InputError, Problem

Atom = TypeVar("Atom")

_SUFFIX = ".txt"
_LOOP = re.compile(r"for (\w+) in (.+):")
_MOST_LINES = 1 << 14  # with those of blocks; the core takes fewer


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A folder of lists that come with plait."""

    folder: Traversable

    @property
    def names(self) -> list[str]:
        files = (path.name for path in self.folder.iterdir())
        return sorted(name.removesuffix(_SUFFIX) for name in files if name.endswith(_SUFFIX))

    def text(self, name: str) -> str:
        return (self.folder / f"{name}{_SUFFIX}").read_text(encoding="utf-8")

    def find(self, name_or_path: str | Path) -> tuple[str, str]:
        """The text of one of these lists, or else of a file, and how to name it in a message."""
        name = str(name_or_path)
        if name in self.names:
            return self.text(name), f"{name}{_SUFFIX}"
        return read_file(name_or_path, self.names), name


def read_file(path: str | Path, built_in: Iterable[str]) -> str:
    """The text of a file; where there is none, a name of those that are `built_in` may have been meant."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(
            f"{path}: cannot be read as a template file ({error}). "
            f"Lists that come with plait: {', '.join(built_in)}."
        ) from None


def read_lines(
    text: str, path: str, read: Callable[[str], tuple[Atom, ...] | None]
) -> tuple[tuple[Atom, ...], ...]:
    """The features of a list, each once; `read` gives the atoms of a line, or none if it is to be left out. A
    ValueError becomes an error with its line.
    """
    found: dict[tuple[Atom, ...], None] = {}
    for number, line in unroll(text, path):
        try:
            atoms = read(line)
        except ValueError as fault:
            raise FormatError(Problem(str(fault), path, number)) from None
        if atoms is not None:
            found[atoms] = None
    if not found:
        raise FormatError(Problem("there are no templates in it.", path))
    return tuple(found)


def hint(name: str, known: Iterable[str]) -> str:
    """What was meant, for the end of a message."""
    names = list(known)
    near = get_close_matches(name, names, n=1)
    return f" Did you mean {near[0]!r}?" if near else f" Available: {', '.join(names)}."


def unroll(text: str, path: str) -> Iterator[tuple[int, str]]:
    """The lines of a list with their numbers, those of `for` blocks once for every value."""
    name, values, total = "", [""], 0
    body: list[tuple[int, str]] = []
    lines = text.split("\n")
    for number, line in enumerate([*lines, "end"], 1):
        content = line.split("#")[0].rstrip()
        if not content:
            continue
        if content[0].isspace():
            if not name:
                raise FormatError(Problem("the line is indented but stands in no `for` block.", path, number))
            body.append((number, content.strip()))
            continue
        total += len(values) * len(body) if name else 1
        if total > _MOST_LINES:
            raise FormatError(Problem(f"there are more than {_MOST_LINES:,} templates.", path, number))
        for value in values if name else []:
            for at, inner in body:
                yield at, re.sub(rf"\b{name}\b", value.replace("\\", r"\\"), inner)
        name, body = "", []
        if loop := _LOOP.fullmatch(content):
            name, values = loop[1], [value.strip() for value in loop[2].split(",")]
        elif content != "end" or number <= len(lines):
            yield number, content
