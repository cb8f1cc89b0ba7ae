"""What can go wrong, said so that the user can mend it: where, what was found, what was expected."""

from __future__ import annotations

from dataclasses import dataclass, replace


class PlaitError(Exception):
    """The root of every error plait raises on purpose."""


class InputError(PlaitError):
    """Something the user gave is wrong: a file, a format, an option."""


class NotATreeError(InputError):
    """The heads of a sentence do not form a tree rooted in 0."""


class OutputError(PlaitError):
    """The result cannot be written: no space, no permission."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One defect of a file. A warning is a breach of convention that loses nothing."""

    message: str
    path: str = ""
    line: int = 0
    sent_id: str = ""
    warning: bool = False

    def at(self, path: str) -> Problem:
        return replace(self, path=path)

    def __str__(self) -> str:
        place = self.path or "<input>"
        if self.line:
            place += f":{self.line}"
        if self.sent_id:
            place += f" (sent_id {self.sent_id})"
        return f"{place}: {'warning: ' if self.warning else ''}{self.message}"


class FormatError(InputError):
    """The first problem met while reading a file."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def excerpt(text: str, limit: int = 40) -> str:
    """Text as a message can quote it: on one line, escaped, cut when long."""
    shown = repr(text[: limit + 1])
    return shown if len(text) <= limit else repr(text[:limit])[:-1] + "…" + shown[-1]
