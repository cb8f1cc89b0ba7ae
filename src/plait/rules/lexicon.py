"""Lexicons with inheritance: an entry has what it says itself, and else what those have that it inherits from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from plait.errors import Problem
from plait.rules.language import Entry
from plait.rules.limits import LIMITS


@dataclass(slots=True)
class Lexicon:
    """Entries by name, as they were written; what they inherit is found once and kept."""

    name: str
    entries: dict[str, Entry] = field(default_factory=dict)
    _known: dict[str, tuple[Mapping[str, str], frozenset[str]]] = field(default_factory=dict)
    _values: dict[str, set[str]] = field(default_factory=dict)

    def add(self, entries: Iterable[Entry]) -> None:
        """Later entries take the place of earlier ones of the same name."""
        for entry in entries:
            self.entries[entry.name] = entry
            for name, value in entry.attributes:
                self._values.setdefault(name, set()).add(value)
        self._known.clear()

    def names(self) -> Iterable[str]:
        """The attributes that entries have."""
        return self._values

    def values(self, attribute: str) -> set[str]:
        """All that entries have for it."""
        return self._values.get(attribute, set())

    def find(self, entry: str, attribute: str) -> str | None:
        return self.attributes(entry).get(attribute)

    def inherits(self, entry: str, parent: str) -> bool:
        """Whether it is this one, or inherits from it."""
        return parent in self._resolved(entry)[1]

    def attributes(self, entry: str) -> Mapping[str, str]:
        return self._resolved(entry)[0]

    def _resolved(self, name: str) -> tuple[Mapping[str, str], frozenset[str]]:
        if name not in self._known:
            found: dict[str, str] = {}
            line = self._line(name)
            for each in line:
                for attribute, value in self.entries[each].attributes:
                    found.setdefault(attribute, value)
            self._known[name] = found, frozenset(line)
        return self._known[name]

    def _line(self, name: str) -> list[str]:
        """An entry, then those it inherits from: depth first, each once."""
        line: list[str] = []
        waiting = [name]
        while waiting and len(line) < LIMITS.parents:
            each = waiting.pop()
            if each in self.entries and each not in line:
                line.append(each)
                waiting += reversed(self.entries[each].parents)
        return line

    def problems(self) -> Iterable[Problem]:
        """Parents that are not there, entries that inherit from themselves, lines that are too long."""
        for entry in self.entries.values():

            def problem(message: str, entry: Entry = entry) -> Problem:
                return Problem(message, entry.path, entry.place.line, column=entry.place.column)

            for parent in entry.parents:
                if parent not in self.entries:
                    yield problem(f"{entry.name} inherits from {parent}, which {self.name} does not have.")
                elif entry.name in self._resolved(parent)[1]:
                    yield problem(f"{entry.name} inherits from itself, by way of {parent}.")
            if len(self._resolved(entry.name)[1]) >= LIMITS.parents:
                yield problem(f"{entry.name} inherits from {LIMITS.parents} entries or more.")
