"""What can go wrong, said so that the user can mend it: where, what was found, what was expected."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_LONG = 80  # characters of a sent_id that are shown

# Controls (C0, DEL, C1), line and paragraph separators, what turns the direction of writing, lone surrogates.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Text that can be shown on one line of any terminal: what would steer it is escaped, as in `\x1b`.

    Bytes that are not UTF-8, which Python keeps as lone surrogates, are shown as bytes.
    """
    return _UNPRINTABLE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return found[0].encode("unicode_escape").decode()


class PlaitError(Exception):
    """The root of every error plait raises on purpose. Its message is one line that any terminal can show."""

    def __str__(self) -> str:
        return printable(super().__str__())


class InputError(PlaitError):
    """Something the user gave is wrong: a file, a format, an option."""


class NotATreeError(InputError):
    """The heads of a sentence do not form a tree rooted in 0."""


class Cancelled(PlaitError):  # noqa: N818 - nothing went wrong
    """The work was given up because whoever asked for it no longer waits (see `plait.cancel`)."""


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
    column: int = 0

    def at(self, path: str) -> Problem:
        return replace(self, path=path)

    def __str__(self) -> str:
        place = self.path or "<input>"
        if self.line:
            place += f":{self.line}" + (f":{self.column}" if self.column else "")
        if self.sent_id:
            place += (
                f" (sent_id {self.sent_id if len(self.sent_id) <= _LONG else self.sent_id[:_LONG] + '…'})"
            )
        return printable(f"{place}: {'warning: ' if self.warning else ''}{self.message}")


class FormatError(InputError):
    """The first problem met while reading a file."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def excerpt(text: str, limit: int = 40) -> str:
    """Text as a message can quote it: on one line, escaped, cut when long."""
    shown = repr(text[: limit + 1])
    return shown if len(text) <= limit else repr(text[:limit])[:-1] + "…" + shown[-1]


def counted(amount: int, noun: str) -> str:
    """`1 word`, `2,000 words`."""
    return f"{amount:,} {noun}{'' if amount == 1 else 's'}"
