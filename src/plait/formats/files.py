"""Byte streams in and out: files, standard input and output, gzip and xz, and what can fail there."""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from plait.errors import InputError, OutputError

STANDARD = "-"
CHUNK = 1 << 20

Readable = io.BufferedReader | gzip.GzipFile | lzma.LZMAFile
Writable = io.BufferedWriter | gzip.GzipFile | lzma.LZMAFile


def display_name(path: str | Path) -> str:
    return "<stdin>" if str(path) == STANDARD else str(path)


class Source:
    """A readable stream whose beginning can be looked at before it is read."""

    def __init__(self, path: str | Path, stream: Readable) -> None:
        self.name = display_name(path)
        self._stream = stream
        self._ahead = b""

    def peek(self) -> bytes:
        """The beginning of the stream: at least its first sentence, unless that is very long."""
        while len(self._ahead) < CHUNK and b"\n\n" not in self._ahead and b"\n\r\n" not in self._ahead:
            more = self._read(1 << 16)
            if not more:
                break
            self._ahead += more
        return self._ahead

    def read(self, size: int) -> bytes:
        if self._ahead:
            ahead, self._ahead = self._ahead, b""
            return ahead
        return self._read(size)

    def _read(self, size: int) -> bytes:
        # read1 gives what a pipe holds now instead of waiting for a full chunk.
        try:
            return self._stream.read1(size)
        except (gzip.BadGzipFile, lzma.LZMAError, EOFError, zlib.error) as error:
            raise InputError(f"{self.name}: the compressed data are damaged or cut off ({error}).") from None
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read: {error.strerror or error}.") from None


@contextmanager
def open_source(path: str | Path) -> Iterator[Source]:
    """Open a file, or standard input for `-`. Compressed data are known by their first bytes."""
    raw: io.BufferedReader
    if str(path) == STANDARD:
        raw = cast(io.BufferedReader, sys.stdin.buffer)
    else:
        try:
            if Path(path).is_dir():
                raise InputError(f"{path}: this is a directory; give the files in it.")
            raw = Path(path).open("rb")
        except FileNotFoundError:
            raise InputError(f"{path}: there is no such file.") from None
        except PermissionError:
            raise InputError(f"{path}: there is no permission to read this file.") from None
        except (OSError, ValueError) as error:
            raise InputError(
                f"{path}: cannot be opened: {getattr(error, 'strerror', None) or error}."
            ) from None
    try:
        start = raw.peek(6)[:6]
        stream: Readable = raw
        if start.startswith(b"\x1f\x8b"):
            stream = gzip.open(raw)
        elif start.startswith(b"\xfd7zXZ"):
            stream = lzma.open(raw)
        yield Source(path, stream)
    finally:
        if str(path) != STANDARD:
            raw.close()


class Sink:
    """A writable stream that names its file when writing fails."""

    def __init__(self, name: str, stream: Writable) -> None:
        self.name = name
        self._stream = stream

    def write(self, data: bytes) -> None:
        with _writing(self.name):
            self._stream.write(data)

    def flush(self) -> None:
        with _writing(self.name):
            self._stream.flush()


@contextmanager
def open_sink(path: str | Path) -> Iterator[Sink]:
    """Open a file for writing, or standard output for `-`; the suffixes .gz and .xz compress."""
    if str(path) == STANDARD:
        sink = Sink("<stdout>", cast(io.BufferedWriter, sys.stdout.buffer))
        yield sink
        sink.flush()
        return
    with _writing(str(path)):
        raw = Path(path).open("wb")
    stream: Writable = raw
    if str(path).endswith(".gz"):
        # No name and no time in the header: the same sentences give the same bytes.
        stream = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)
    elif str(path).endswith(".xz"):
        stream = lzma.open(raw, "wb")
    try:
        yield Sink(str(path), stream)
    finally:
        with _writing(str(path)):
            try:
                stream.close()
            finally:
                raw.close()


@contextmanager
def _writing(name: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reasons = {
            errno.ENOENT: "its folder does not exist",
            errno.EACCES: "there is no permission to write there",
            errno.EISDIR: "this is a directory",
            errno.ENOSPC: "no space is left; what was written so far is whole up to the last full sentence",
        }
        reason = reasons.get(error.errno or 0, error.strerror or str(error))
        raise OutputError(f"{name}: cannot be written: {reason}.") from None
