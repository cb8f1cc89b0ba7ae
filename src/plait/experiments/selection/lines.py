"""The lines of template lists, whatever they are about: what is chosen from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from plait.errors import InputError
from plait.features.reading import unroll


@dataclass(frozen=True, slots=True)
class Line:
    """A template, as it is written; `file` is the list it stands in, where there are several (parts of trees)."""

    text: str
    file: str = ""

    @property
    def atoms(self) -> frozenset[str]:
        return frozenset(self.text.split())

    def __str__(self) -> str:
        return f"{self.file}: {self.text}" if self.file else self.text


@dataclass(frozen=True)
class Lines:
    """All that may be chosen, in the order of the files, each line once: `a b` and `b a` see the same."""

    every: tuple[Line, ...]

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> Lines:
        """Of the texts of lists by their names; the name of a single one is empty."""
        found: dict[tuple[str, frozenset[str]], Line] = {}
        for file, text in texts.items():
            for _, content in unroll(text, file):
                line = Line(" ".join(content.split()), file)
                found.setdefault((file, line.atoms), line)
        return cls(tuple(found.values()))

    def __len__(self) -> int:
        return len(self.every)

    def __getitem__(self, number: int) -> Line:
        return self.every[number]

    @cached_property
    def numbers(self) -> dict[tuple[str, frozenset[str]], int]:
        return {(line.file, line.atoms): number for number, line in enumerate(self.every)}

    def find(self, line: Line) -> int | None:
        return self.numbers.get((line.file, line.atoms))

    def require(self, other: Lines, what: str) -> list[int]:
        """The numbers of the lines of another list, all of which must be here."""
        numbers = []
        for line in other.every:
            number = self.find(line)
            if number is None:
                raise InputError(f"{what}: the template {str(line)!r} is not in the list to choose from.")
            numbers.append(number)
        return numbers

    def joined(self, other: Lines) -> Lines:
        """With the lines of another list that are not here yet, in front."""
        new = [line for line in other.every if self.find(line) is None]
        return Lines((*new, *self.every))

    @property
    def files(self) -> list[str]:
        return list(dict.fromkeys(line.file for line in self.every))

    def texts(self, chosen: frozenset[int]) -> dict[str, str]:
        """The lists with these lines only, as files have them."""
        return {
            file: "".join(
                f"{line.text}\n"
                for number, line in enumerate(self.every)
                if line.file == file and number in chosen
            )
            for file in self.files
        }
