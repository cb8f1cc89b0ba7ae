"""Rule files cut into tokens, in time that grows with their length alone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.cancel import Cancel, Watching
from plait.errors import Cancelled, FormatError
from plait.rules.tokens import NAME, Token, tokens

_STRING = r'"(?:[^"\\\n]|\\[^\n])*"'
# The language in one pattern, which takes time that grows with the square of a line.
_WHOLE = re.compile(
    rf"""(?P<space>[ \t\r\f\ufeff]+|\#[^\n]*) | (?P<newline>\n)
    | (?P<edge>-(?:\?\w*|{_STRING}|[^\s"?{{}}();,\#]+?)->) | (?P<string>{_STRING}) | (?P<variable>\?\w*)
    | (?P<name>{NAME}) | (?P<sign><=>|->|::|!=|<=|>=|[{{}}()=<>|+.,;:-])""",
    re.VERBOSE,
)


def by_one_pattern(text: str) -> list[tuple[str | None, str]]:
    found, at = [], 0
    while at < len(text):
        match = _WHOLE.match(text, at)
        if match is None:
            return found
        if match.lastgroup not in ("space", "newline"):
            found.append((match.lastgroup, match[0]))
        at = match.end()
    return found


def by_tokens(text: str) -> list[tuple[str | None, str]]:
    found: list[Token] = []
    try:
        for token in tokens(text):
            found.append(token)
    except FormatError:
        pass
    return [(token.kind, token.text) for token in found if token.kind != "end"]


@given(st.text('-->>?"\\ab1 \n;{#', max_size=30))
def test_tokens_are_those_of_the_whole_pattern(text: str) -> None:
    assert by_tokens(text) == by_one_pattern(text)


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("a --b-c->d", ["--b-c->"]),
        ("--->->", ["--->"]),
        ("-a-b -c-> -d", ["-c->"]),
        ("--?X->", ["-?X->"]),
        ('-a-"b c"->', ['-"b c"->']),
        ("-----", []),
    ],
)
def test_where_edges_begin(text: str, edges: list[str]) -> None:
    assert [token for kind, token in by_tokens(text) if kind == "edge"] == edges


def test_a_line_without_an_end_is_cancelled() -> None:
    cancel = Cancel()
    with Watching(cancel):
        read = tokens("-" * 1000)
        next(read)
        cancel.cancel()
        with pytest.raises(Cancelled):
            list(read)
