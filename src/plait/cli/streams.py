"""Standard input and output as they really are: closed, full, or poor in characters."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

import click

from plait.errors import OutputError, printable
from plait.formats.files import CUT_OFF, OUTPUT, writing

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer


class _Output(io.FileIO):
    """Standard output, which says so when it cannot be written, whoever writes."""

    def write(self, data: Buffer, /) -> int:
        try:
            with writing(OUTPUT):
                return super().write(data)
        except OutputError as error:
            raise OutputError(f"{str(error).removesuffix('.')}; {CUT_OFF}.") from None


def prepare() -> None:
    """Let standard output say when it fails, and let no character stop what is printed.

    A closed stream gets a place where every byte fails: otherwise the next file that is opened would be taken for it.
    """
    if sys.stdin is None:
        sys.stdin = open(_occupied(0, os.O_WRONLY), closefd=False)
    if sys.stdout is None:
        sys.stdout = open(_occupied(1, os.O_RDONLY), "w", encoding="utf-8", closefd=False)
    stdout = sys.stdout
    if not isinstance(stdout, io.TextIOWrapper):
        return
    raw = getattr(stdout.buffer, "raw", stdout.buffer)
    if type(raw) is not io.FileIO:  # the console of Windows
        stdout.reconfigure(errors="backslashreplace")
        return
    output = _Output(raw.fileno(), "w", closefd=False)
    is_buffered = raw is not stdout.buffer
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(output) if is_buffered else output,
        encoding=stdout.encoding,
        errors="backslashreplace",
        line_buffering=stdout.line_buffering,
        write_through=stdout.write_through,
    )


def _occupied(number: int, mode: int) -> int:
    found = os.open(os.devnull, mode)
    if found != number:
        os.dup2(found, number)
        os.close(found)
    return number


@contextmanager
def flushed_output() -> Iterator[None]:
    """Flush standard output here, where a failure can still be told, and not when Python ends."""
    try:
        yield
    finally:
        try:
            sys.stdout.flush()
        except (BrokenPipeError, OutputError):
            _give_up(sys.stdout)
            raise


def print_error(message: str) -> None:
    """Print lines on standard error, if that can be written."""
    try:
        click.echo("\n".join(map(printable, message.rstrip("\n").split("\n"))), err=True)
    except OSError:
        _give_up(sys.stderr)


def _give_up(stream: TextIO) -> None:
    """Python would try again at the end to write what could not be written, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def can_print(characters: str) -> bool:
    """Whether standard output has all of these characters."""
    try:
        characters.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
