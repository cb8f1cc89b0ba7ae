"""Byte streams in and out: files, standard input and output, gzip and xz, and what can fail there."""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from plait import folders
from plait.errors import InputError, OutputError

STANDARD = "-"
CHUNK = 1 << 20
OUTPUT = "<stdout>"
_ENDS = 4096  # of sentences: after so many the file is flushed
CUT_OFF = "what was written may be cut off"
_REASONS = {
    errno.ENOENT: "its folder does not exist",
    errno.EACCES: "there is no permission to write there",
    errno.EISDIR: "this is a directory",
    errno.ENOSPC: "no space is left",
    errno.EBADF: "it is closed",
}

Readable = io.BufferedReader | gzip.GzipFile | lzma.LZMAFile
Writable = io.BufferedWriter | gzip.GzipFile | lzma.LZMAFile


def display_name(path: str | Path) -> str:
    return "<stdin>" if str(path) == STANDARD else str(path)


class Source:
    """A readable stream whose beginning can be looked at before it is read."""

    def __init__(self, path: str | Path, stream: Readable, raw: io.BufferedReader | None = None) -> None:
        self.name = display_name(path)
        self._stream = stream
        self._raw = raw
        self._ahead = b""

    @property
    def position(self) -> int:
        """How many bytes of the file, compressed as they may be, have been read; of what is no file, 0."""
        return self._raw.tell() if self._raw and not self._raw.closed and self._raw.seekable() else 0

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


def read_whole(path: str | Path, limit: int) -> bytes:
    """All of a small file, compressed or not; InputError if it has more than `limit` bytes."""
    with open_source(path) as source:
        found = bytearray()
        while data := source.read(CHUNK):
            found += data
            if len(found) > limit:
                raise InputError(f"{source.name}: this file is larger than {limit:,} bytes.")
        return bytes(found)


def beginning(path: str | Path) -> bytes:
    """Up to 64 bytes of what a file holds; standard input can still be read as a whole afterwards."""
    if str(path) != STANDARD or sys.stdin is None:
        with open_source(path) as source:
            return source.read(64)[:64]
    ahead = io.BytesIO(cast(io.BufferedReader, sys.stdin.buffer).peek(64))
    return Source(path, _decompressed(io.BufferedReader(ahead))).read(64)[:64]


@contextmanager
def open_source(path: str | Path) -> Iterator[Source]:
    """Open a file, or standard input for `-`. Compressed data are known by their first bytes."""
    raw: io.BufferedReader
    try:
        if str(path) == STANDARD:
            if sys.stdin is None:
                raise InputError("<stdin>: standard input is closed.")
            raw = cast(io.BufferedReader, sys.stdin.buffer)
        elif Path(path).is_dir():
            raise InputError(f"{path}: this is a directory; give the files in it.")
        else:
            raw = Path(path).open("rb")
        raw.peek(6)  # a folder or a device fails here
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file.") from None
    except PermissionError:
        raise InputError(f"{path}: there is no permission to read this file.") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{display_name(path)}: cannot be opened: {_reason(error)}.") from None
    try:
        yield Source(path, _decompressed(raw), raw)
    finally:
        if str(path) != STANDARD:
            raw.close()


def _decompressed(raw: io.BufferedReader) -> Readable:
    start = raw.peek(6)[:6]
    if start.startswith(b"\x1f\x8b"):
        return gzip.open(raw)
    if start.startswith(b"\xfd7zXZ"):
        return lzma.open(raw)
    return raw


class Sink:
    """A writable stream that names its file when writing fails."""

    def __init__(self, name: str, stream: Writable) -> None:
        self.name = name
        self._stream = stream

    def write(self, data: bytes) -> None:
        """Write a whole sentence, or a whole picture."""
        with writing(self.name):
            self._stream.write(data)

    def flush(self) -> None:
        with writing(self.name):
            self._stream.flush()


class _PlainFile(Sink):
    """A file that can be cut back to its last whole sentence."""

    def __init__(self, name: str, stream: io.BufferedWriter) -> None:
        super().__init__(name, stream)
        self._size = 0
        self._ends = [0]  # of sentences, without those that are in the file for sure

    def write(self, data: bytes) -> None:
        super().write(data)
        self._size += len(data)
        self._ends.append(self._size)
        if len(self._ends) > _ENDS:
            self.flush()
            self._ends = [self._size]

    def cut_back(self, descriptor: int) -> str:
        """Leave whole sentences only; says what the file holds then."""
        try:
            written = os.fstat(descriptor).st_size
            end = max(end for end in self._ends if end <= written)
            os.ftruncate(descriptor, end)
        except (OSError, ValueError):  # a device, or a file that someone else has cut
            return CUT_OFF
        return "the file is whole up to the last full sentence" if end else "the file is empty"


@contextmanager
def open_sink(path: str | Path) -> Iterator[Sink]:
    """Open a file for writing, or standard output for `-`; the suffixes .gz and .xz compress.

    When there is no room for all of it, a file holds whole sentences, and the error says what it holds.
    """
    if str(path) == STANDARD:
        if sys.stdout is None:
            raise OutputError(f"{OUTPUT}: standard output is closed.")
        sink = Sink(OUTPUT, cast(io.BufferedWriter, sys.stdout.buffer))
        yield sink
        sink.flush()
        return
    name = str(path)
    with writing(name):
        raw = folders.open_to_write(Path(path))
    # Closing a file writes what is left of it, and only then can it be cut: that needs another descriptor.
    descriptor = os.dup(raw.fileno())
    stream = _compressed(name, raw)
    sink = Sink(name, stream) if stream is not raw else _PlainFile(name, raw)
    try:
        try:
            yield sink
        finally:
            with writing(name):
                try:
                    stream.close()
                finally:
                    raw.close()
    except OutputError as error:
        left = sink.cut_back(descriptor) if isinstance(sink, _PlainFile) else "the file is cut off"
        raise OutputError(f"{str(error).removesuffix('.')}; {left}.") from None
    finally:
        os.close(descriptor)


@contextmanager
def open_stream(stream: IO[str] | IO[bytes]) -> Iterator[Sink]:
    """Write to something that is open already, for text or for bytes; it stays open."""
    if not hasattr(stream, "write"):
        raise InputError(f"A path or an open file is needed, and this is a {type(stream).__name__}.")
    # Only what takes text tells how it is encoded.
    taken = _TextStream(stream) if hasattr(stream, "encoding") else stream
    sink = Sink(str(getattr(stream, "name", "<stream>")), cast(Writable, taken))
    yield sink
    if hasattr(stream, "flush"):
        sink.flush()


class _TextStream:
    """Takes bytes for a stream that takes text."""

    def __init__(self, stream: Any) -> None:
        self.flush = stream.flush
        self._write = stream.write

    def write(self, data: bytes) -> None:
        self._write(data.decode())


def _compressed(name: str, raw: io.BufferedWriter) -> Writable:
    if name.endswith(".gz"):
        # No name and no time in the header: the same sentences give the same bytes.
        return gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)
    return lzma.open(raw, "wb") if name.endswith(".xz") else raw


@contextmanager
def writing(name: str) -> Iterator[None]:
    """Raise `OutputError` with the name of the file and the reason when writing to it fails."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        raise OutputError(f"{name}: cannot be written: {_reason(error)}.") from None


def _reason(error: OSError | ValueError) -> str:
    number = error.errno if isinstance(error, OSError) else None
    return _REASONS.get(number or 0, getattr(error, "strerror", None) or str(error))
