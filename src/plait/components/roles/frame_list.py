"""A list of frames: rolesets, the words that have them, and what their roles mean.

A file with tabs: `roleset  name  aliases  roles`, such as `come.03  arise (from)  v:come  A1=thing arising |
A2=source`; aliases, separated by commas or spaces, are `v:`, `n:` or `j:` and a lemma, with its particle if it has one:
`v:pass_away`. The first line may be a heading.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plait.checks import counts, is_cell, vector
from plait.errors import FormatError, InputError, Problem
from plait.features.full_forms import Table
from plait.features.texts import pack_texts, unpack_texts

Tensors = Mapping[str, NDArray[np.generic]]
LIGHT = ".LV"  # the sense of a light verb: lists of frames have none for it
_MOST = 1 << 26  # bytes
_MOST_NUMBERS = 1 << 16
_HEADING = "roleset"


@dataclass(frozen=True, slots=True)
class Roleset:
    """A sense of a predicate."""

    name: str
    aliases: tuple[str, ...]
    roles: dict[str, str]


class FrameList:
    """A file is checked when it is read. A model keeps the text with an index, and reads the lines that it is asked
    for.
    """

    def __init__(self, text: str, path: str = "the list of frames") -> None:
        self._text = text
        self._path = path
        self._meanings: dict[str, Roleset | None] = {}

    @classmethod
    def read(cls, path: str) -> FrameList:
        try:
            found = cls(Path(path).read_text(encoding="utf-8"), path)
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: cannot be read as a list of frames ({error}).") from None
        _ = found.rolesets
        return found

    @cached_property
    def rolesets(self) -> dict[str, Roleset]:
        """All of them."""
        found: dict[str, Roleset] = {}
        for number, line in enumerate(self._lines, 1):
            cells = line.split("\t")
            if not line.strip() or (number == 1 and cells[0] == _HEADING):
                continue
            if len(cells) != 4 or not cells[0] or not all(not cell or is_cell(cell) for cell in cells):
                raise FormatError(
                    Problem(
                        f"four columns expected, with tabs between: roleset, name, aliases, roles; {len(cells)} found.",
                        self._path,
                        number,
                    )
                )
            if cells[0] in found:
                raise FormatError(Problem(f"the roleset {cells[0]} stands twice.", self._path, number))
            found[cells[0]] = _roleset(cells)
        if not found:
            raise FormatError(Problem("there are no frames in it.", self._path))
        return found

    @cached_property
    def _lines(self) -> list[str]:
        return [line.removesuffix("\r") for line in self._text.split("\n")]

    @cached_property
    def _index(self) -> _Index:
        """Made of all rolesets, where a model does not have it."""
        return _Index.of(self.rolesets)

    def has(self, alias: str) -> bool:
        """Whether there is a roleset of an alias, `v:come`, or of a lemma by itself."""
        return self._index.aliases.find(alias) is not None

    def senses(self, key: str, particles: Collection[str] = ()) -> list[str]:
        """The rolesets of a lemma, `v:pass`, in the order of their names; with `particles`, those with one of them. Of
        the lemma as another kind of word if there are none.
        """
        for lemma in (key, key.partition(":")[2]):
            aliases = [f"{lemma}_{particle}" for particle in sorted(particles)] or [lemma]
            found = [name for alias in aliases for name in self._index.names_of(alias)]
            if found:
                return found
        return []

    def meaning(self, sense: str) -> str:
        roleset = self._find(sense)
        return roleset.name if roleset else ""

    def meaning_of(self, sense: str, role: str) -> str:
        """Of a role; of a relative pronoun or a continuation, that of the role it stands for."""
        roleset = self._find(sense)
        return roleset.roles.get(role.removeprefix("R-").removeprefix("C-"), "") if roleset else ""

    def _find(self, sense: str) -> Roleset | None:
        if sense not in self._meanings:
            self._meanings[sense] = self._look_up(sense)
        return self._meanings[sense]

    def _look_up(self, sense: str) -> Roleset | None:
        """One line, checked as all are when a file is read."""
        start = 0 if self._text.startswith(sense + "\t") else self._text.find(f"\n{sense}\t") + 1
        if not start and not self._text.startswith(sense + "\t"):
            return None
        end = self._text.find("\n", start)
        cells = self._text[start : end if end >= 0 else None].removesuffix("\r").split("\t")
        fits = len(cells) == 4 and all(not cell or is_cell(cell) for cell in cells)
        return _roleset(cells) if fits else None

    def tensors(self) -> dict[str, NDArray[np.generic]]:
        packed = np.frombuffer(zlib.compress(self._text.encode(), 9), np.uint8)
        return {"frames": packed, **self._index.tensors()}

    @classmethod
    def from_tensors(cls, tensors: Tensors) -> FrameList | None:
        """None if a model has none. ValueError if it is damaged; what the text says is looked at later."""
        if "frames" not in tensors:
            return None
        unpacker = zlib.decompressobj()
        try:
            text = unpacker.decompress(vector(tensors["frames"], np.uint8, "frames").tobytes(), _MOST)
        except zlib.error as error:
            raise ValueError(f"the list of frames is damaged: {error}") from None
        if not unpacker.eof:
            raise ValueError("the list of frames is cut off, or too long")
        found = cls(text.decode())
        if "frames.numbers" in tensors:
            found._index = _Index.from_tensors(tensors)
        return found


class _Index:
    """Which rolesets an alias has, and a lemma by itself."""

    def __init__(
        self, aliases: Table, names: Sequence[str], numbers: Sequence[int], ends: Sequence[int]
    ) -> None:
        """An alias has the number of a list; the list is of numbers of names, up to its end."""
        self.aliases = aliases
        self._names = names
        self._numbers = numbers
        self._ends = ends

    @classmethod
    def of(cls, rolesets: Mapping[str, Roleset]) -> _Index:
        names = sorted(rolesets)[:_MOST_NUMBERS]
        found: dict[str, dict[int, None]] = {}
        for number, name in enumerate(names):
            for alias in rolesets[name].aliases:
                for key in (alias, alias.partition(":")[2]):
                    found.setdefault(key, {})[number] = None
        lists: dict[tuple[int, ...], int] = {}
        places = {key: lists.setdefault(tuple(each), len(lists)) for key, each in found.items() if key}
        table = Table.of({key: place for key, place in places.items() if place < _MOST_NUMBERS})
        numbers = [number for each in lists for number in each]
        return cls(table, names, numbers, np.cumsum([len(each) for each in lists]).tolist())

    def names_of(self, alias: str) -> list[str]:
        place = self.aliases.find(alias)
        if place is None or place >= len(self._ends):
            return []
        first = self._ends[place - 1] if place else 0
        return [self._names[number] for number in self._numbers[first : self._ends[place]]]

    def tensors(self) -> dict[str, NDArray[np.generic]]:
        return {
            **self.aliases.tensors("frames.aliases"),
            "frames.names": pack_texts(self._names),
            "frames.numbers": np.array(self._numbers, np.uint16),
            "frames.ends": np.array(self._ends, np.uint32),
        }

    @classmethod
    def from_tensors(cls, tensors: Tensors) -> _Index:
        """ValueError if the arrays do not fit together."""
        names = unpack_texts(tensors["frames.names"])
        numbers, ends = (counts(tensors[f"frames.{name}"], name) for name in ("numbers", "ends"))
        if max(numbers, default=-1) >= len(names):
            raise ValueError("the index of the frames names others")
        if sorted(ends) != ends or (ends[-1] if ends else 0) != len(numbers):
            raise ValueError("the index of the frames does not fit together")
        return cls(Table.from_tensors(tensors, "frames.aliases"), names, numbers, ends)


def _roleset(cells: Sequence[str]) -> Roleset:
    roles: Iterable[tuple[str, str, str]] = (each.strip().partition("=") for each in cells[3].split(" | "))
    return Roleset(
        cells[1],
        tuple(cells[2].replace(",", " ").split()),
        {role: meaning for role, equals, meaning in roles if equals},
    )
