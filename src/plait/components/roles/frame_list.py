"""A list of frames: rolesets, the words that have them, and what their roles mean.

A file with tabs: `roleset  name  aliases  roles`, such as `come.03  arise (from)  v:come  A1=thing arising |
A2=source`; aliases, separated by commas or spaces, are `v:`, `n:` or `j:` and a lemma. The first line may be a heading.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plait.checks import is_cell, vector
from plait.errors import FormatError, InputError, Problem

_MOST = 1 << 26  # bytes
_HEADING = "roleset"


@dataclass(frozen=True, slots=True)
class Roleset:
    """A sense of a predicate."""

    name: str
    aliases: tuple[str, ...]
    roles: dict[str, str]


class FrameList:
    """Understood when it is first asked for: most of what loads a model never is."""

    def __init__(self, text: str, path: str = "the list of frames") -> None:
        self._text = text
        self._path = path

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
        found: dict[str, Roleset] = {}
        for number, line in enumerate(self._text.split("\n"), 1):
            cells = line.removesuffix("\r").split("\t")
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
            roles = (each.strip().partition("=") for each in cells[3].split(" | "))
            found[cells[0]] = Roleset(
                cells[1],
                tuple(cells[2].replace(",", " ").split()),
                {role: meaning for role, equals, meaning in roles if equals},
            )
        if not found:
            raise FormatError(Problem("there are no frames in it.", self._path))
        return found

    @cached_property
    def by_alias(self) -> dict[str, str]:
        """The first roleset of every alias (`v:come`), and of every lemma by itself."""
        found: dict[str, str] = {}
        for name, roleset in sorted(self.rolesets.items()):
            for alias in roleset.aliases:
                found.setdefault(alias, name)
                found.setdefault(alias.partition(":")[2], name)
        return found

    def meaning(self, sense: str) -> str:
        roleset = self.rolesets.get(sense)
        return roleset.name if roleset else ""

    def meaning_of(self, sense: str, role: str) -> str:
        """Of a role; of a relative pronoun or a continuation, that of the role it stands for."""
        roleset = self.rolesets.get(sense)
        return roleset.roles.get(role.removeprefix("R-").removeprefix("C-"), "") if roleset else ""

    def tensor(self) -> NDArray[np.uint8]:
        return np.frombuffer(zlib.compress(self._text.encode(), 9), np.uint8)

    @classmethod
    def from_tensor(cls, packed: NDArray[np.generic]) -> FrameList:
        """ValueError if it is damaged; what the text says is looked at later."""
        unpacker = zlib.decompressobj()
        try:
            text = unpacker.decompress(vector(packed, np.uint8, "frames").tobytes(), _MOST)
        except zlib.error as error:
            raise ValueError(f"the list of frames is damaged: {error}") from None
        if not unpacker.eof:
            raise ValueError("the list of frames is cut off, or too long")
        return cls(text.decode())
