"""Rule files cut into tokens, each with its line and column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from plait.cancel import check_cancelled
from plait.errors import FormatError, Problem, excerpt
from plait.rules.limits import LIMITS

NAME = r"(?:-(?=[0-9]))?\w(?:[\w'-]*[\w'])?"
_STRING = r'"(?:[^"\\\n]|\\[^\n])*"'
_BARE = r'[^\s"?{}();,\#]'  # what a label may be made of
_EDGE = re.compile(rf"-(?:\?\w*|{_STRING}|{_BARE}+?)->")
_BARE_LABEL = re.compile(f"{_BARE}+")
_TOKEN = re.compile(
    rf"""(?P<space>[ \t\r\f\ufeff]+|\#[^\n]*)
    | (?P<newline>\n)
    | (?P<string>{_STRING})
    | (?P<variable>\?\w*)
    | (?P<name>{NAME})
    | (?P<sign><=>|->|::|!=|<=|>=|[{{}}()=<>|+.,;:-])""",
    re.VERBOSE,
)
_PLAIN = re.compile(NAME)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t"}
_LOOKS = 256  # tokens from one look whether the work is cancelled to the next
_LABEL = re.compile(r'[^\s"?{}();,#<>-][^\s"?{}();,#]*')


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: line and column, from 1. It is for messages: no two things differ by it."""

    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is edge, string, variable, name, sign or end; `value` is what it means: a string without its quotes."""

    kind: str
    text: str
    value: str
    place: Place


def tokens(text: str, path: str = "") -> Iterator[Token]:
    """All tokens and a last one of the kind `end`; FormatError where there is none."""
    if len(text) > LIMITS.characters:
        raise FormatError(
            Problem(f"the text has {len(text):,} characters; at most {LIMITS.characters:,} are read.", path)
        )
    line, start, at, count = 1, 0, 0, 0
    edgeless = 0  # no edge begins before
    while at < len(text):
        if (count := count + 1) % _LOOKS == 0:
            check_cancelled()
        found, kind = None, "edge"
        if text[at] == "-" and at >= edgeless:
            found = _EDGE.match(text, at)
            # Without -> in what could be a label, none of its hyphens begins an edge but the last, before a text or a
            # variable. To look from each of them to the end would take time that grows with the square.
            edgeless = at if found else _end_of_label(text, at + 1) - 1
        if found is None:
            found = _TOKEN.match(text, at)
            kind = (found and found.lastgroup) or ""
        place = Place(line, at - start + 1)
        if found is None:
            what = "a text without an end" if text[at] == '"' else excerpt(text[at])
            raise FormatError(Problem(f"{what} cannot stand here.", path, line, column=place.column))
        if kind == "newline":
            line, start = line + 1, found.end()
        elif kind != "space":
            yield Token(kind, found[0], _value(kind, found[0]), place)
        at = found.end()
    yield Token("end", "", "", Place(line, len(text) - start + 1))


def _end_of_label(text: str, at: int) -> int:
    found = _BARE_LABEL.match(text, at)
    return found.end() if found else at


def _value(kind: str, text: str) -> str:
    if kind == "string":
        return _ESCAPE.sub(lambda found: _ESCAPES.get(found[1], found[1]), text[1:-1])
    if kind == "edge":
        inner = text[1:-2]
        return _value("string", inner) if inner.startswith('"') else inner
    if kind == "variable":
        return text[1:]
    return text


def written(value: str) -> str:
    """A value as it can be read again: bare where it is a name."""
    if _PLAIN.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def written_label(label: str) -> str:
    """A label between - and ->."""
    return label if _LABEL.fullmatch(label) and "->" not in label else _quoted(label)


def _quoted(value: str) -> str:
    shown = written(value)
    return shown if shown.startswith('"') else f'"{shown}"'
