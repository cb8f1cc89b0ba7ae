"""A stream of bytes cut into sentences: blocks of lines between blank lines, in constant memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from plait.errors import FormatError, InputError, Problem
from plait.formats.files import CHUNK, Source

LIMIT = 1 << 28  # bytes without a blank line after which the stream is taken for something else
BLANK_LIMIT = 1 << 20  # white space on end after which the same holds: it is kept, to be written again
UNREADABLE = "the line holds a NUL, a carriage return or bytes that are not UTF-8."
NO_SENTENCE = "there is no sentence in it; the file is empty."

_BREAK = re.compile(r"((?:\r?\n){2,})")
_BLANK_LINES = re.compile(r"(?:\r?\n)*")
_SUSPECT = re.compile("[\0\r\udc80-\udcff]")
BYTE_ORDER_MARK = "\ufeff"


def is_unreadable(text: str) -> bool:
    """Whether it holds what no line may: a block that does is `suspect`."""
    return _SUSPECT.search(text) is not None


def is_blank(data: bytes) -> bool:
    return not data.decode("utf-8", "replace").removeprefix(BYTE_ORDER_MARK).strip()


class Block(NamedTuple):
    """The lines of one sentence, without what ends the last one."""

    text: str
    line: int  # of the first line in the file
    newline: str = "\n"
    ending: str = "\n\n"
    leading: str = ""
    suspect: bool = False  # holds a NUL, a stray CR or bytes that are not UTF-8 (as lone surrogates)
    last: bool = False


def split_sentences(source: Source) -> Iterator[Block]:
    """The blocks of a stream. Every byte is in exactly one block, so that writing them gives it back."""
    held: Block | None = None  # its ending may still grow
    leading = ""
    line = 1
    for chunk in _chunks_of_sentences(source):
        text, damaged = _decode(chunk, source)
        checked = damaged or "\0" in text or "\r" in text
        blank = _BLANK_LINES.match(text)
        if blank and blank.end():
            line += blank.group().count("\n")
            if held is None:
                leading += blank.group()
            else:
                held = held._replace(ending=held.ending + blank.group())
            if len(leading if held is None else held.ending) > BLANK_LIMIT:
                problem = f"more than {BLANK_LIMIT:,} line ends on end; this does not look like a treebank."
                raise FormatError(Problem(problem, source.name, line))
            text = text[blank.end() :]
        for body, ending in _split(text):
            if held is not None:
                yield held
            newline = "\n"
            if checked:
                newline = "\r\n" if ending.startswith("\r") else "\n"
                if newline == "\r\n" and body.count("\n") == body.count("\r\n"):
                    body = body.replace("\r\n", "\n")
            held = Block(body, line, newline, ending, leading, checked and is_unreadable(body))
            leading = ""
            line += body.count("\n") + ending.count("\n")
    if held is not None:
        yield held._replace(last=True)


def split_lines(source: Source) -> Iterator[Block]:
    """The lines of a stream that are not empty, one block each."""
    rest = b""
    line = 1
    while True:
        data = source.read(max(CHUNK, len(rest)))
        rest += data
        if len(rest) > LIMIT:
            raise FormatError(Problem("the line does not end within 256 MiB.", source.name, line))
        cut = len(rest) if not data else rest.rfind(b"\n") + 1
        text, _ = _decode(rest[:cut], source)
        rest = rest[cut:]
        for body in text.split("\n"):
            body = body.removesuffix("\r")
            if body and not body.isspace():
                yield Block(body, line, ending="\n", suspect=is_unreadable(body))
            line += 1
        line -= 1  # what follows the last line end belongs to the next round
        if not data:
            return


def _chunks_of_sentences(source: Source) -> Iterator[bytes]:
    """The stream in pieces of about a chunk, each ending with a blank line (but for the last)."""
    buffer = b""
    searched = 0
    while True:
        data = source.read(max(CHUNK, len(buffer)))
        if not data:
            if buffer:
                yield buffer
            return
        buffer += data
        cut = max(buffer.rfind(b"\n\n", searched) + 2, buffer.rfind(b"\n\r\n", searched) + 3)
        if cut > 2:
            yield buffer[:cut]
            buffer = buffer[cut:]
        elif len(buffer) > LIMIT:
            raise InputError(
                f"{source.name}: no blank line within 256 MiB; this does not look like a treebank."
            )
        searched = max(0, len(buffer) - 2)


def _split(text: str) -> Iterator[tuple[str, str]]:
    if "\r" not in text and "\n\n\n" not in text:
        *bodies, rest = text.split("\n\n")
        for body in bodies:
            yield body, "\n\n"
    else:
        *pairs, rest = _BREAK.split(text)
        yield from zip(pairs[::2], pairs[1::2], strict=True)
    if rest:
        body = _without_breaks(rest)
        yield body, rest[len(body) :]


def _without_breaks(text: str) -> str:
    """Without the line ends at its end: a pattern would look for them from each that there is."""
    end = len(text)
    while end and text[end - 1] == "\n":
        end -= 2 if text[end - 2 : end] == "\r\n" else 1
    return text[:end]


def _decode(data: bytes, source: Source) -> tuple[str, bool]:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError(Problem("the file looks like UTF-16; plait reads UTF-8.", source.name, 1))
    try:
        return data.decode("utf-8"), False
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape"), True
