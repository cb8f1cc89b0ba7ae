"""A model in one file: its folder as a zip archive, which `unzip` turns into the folder again.

What is written is stored as it is and has no date, so that the same model has the same bytes on every machine. What is
read may be deflated too, but is never unpacked to a disk: files are read by the names that a model has, of sizes that
are known before. So nothing in an archive could be written elsewhere, and none grows out of bounds.
"""

from __future__ import annotations

import stat
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from plait import folders
from plait.errors import excerpt

SUFFIX = ".plait"
FILES = ("manifest.json", "config.toml", "weights.safetensors", "SHA256SUMS", "README.md")
_DEEPEST = 3  # pipeline, component, what it holds: and the file
MOST_BYTES = (1 << 31) - 1  # further on zip has other structures, which nobody needs here
_MOST_ENTRIES = 2000
_MOST_DIRECTORY = 1 << 20
_GROWTH = 100  # times that all of it may be larger than the archive
_ALLOWANCE = 1 << 20  # bytes that a small one may be larger all the same
_END = struct.Struct("<4s4H2LH")
_END_MARK, _FURTHER_MARK = b"PK\x05\x06", b"PK\x06\x07"
_FURTHER = 20  # bytes of what stands before the end of an archive with 64-bit numbers
NO_DATE = (1980, 1, 1, 0, 0, 0)
PLAIN_FILE = (stat.S_IFREG | 0o644) << 16
_DAMAGE = (
    *(BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, KeyError, IndexError),
    *(struct.error, zlib.error, OverflowError),
)


class Archive:
    """The files of an archive, by their names in the folder it was made of."""

    def __init__(self, opened: ZipFile, entries: Mapping[str, ZipInfo]) -> None:
        self._zip = opened
        self._entries = entries

    @property
    def names(self) -> list[str]:
        return list(self._entries)

    def size(self, name: str) -> int:
        return self._entries[name].file_size

    def read(self, name: str, most: int) -> bytes:
        """OSError if there is no such file, if it is larger, or damaged."""
        entry = self._entries.get(name)
        if entry is None:
            raise FileNotFoundError(f"there is no {name} in the archive")
        if entry.file_size > most:
            raise OSError(f"{name} is larger than {most:,} bytes")
        try:
            with self._zip.open(entry) as stream:
                content = stream.read(entry.file_size)
        except _DAMAGE as error:
            raise OSError(f"{name} is damaged: {error}") from None
        if len(content) != entry.file_size:
            raise OSError(f"{name} is cut off")
        return content


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """OSError for what is no archive of a model, by its names and sizes; contents are checked when they are read."""
    with folders.open_file(path, MOST_BYTES) as stream:
        stream.seek(0, 2)
        size = stream.tell()
        stream.seek(max(0, size - _END.size - _FURTHER))
        _check_end(stream.read())
        try:
            opened = ZipFile(stream)
        except _DAMAGE as error:
            raise OSError(f"the archive is damaged: {error}") from None
        with opened:
            yield Archive(opened, _entries(opened, size))


def _check_end(tail: bytes) -> None:
    """Before anything is read of an archive: it ends as those do that are neither huge nor hide something."""
    if len(tail) < _END.size:
        raise OSError("this is no zip archive")
    mark, disk, first_disk, here, entries, length, _, comment = _END.unpack(tail[-_END.size :])
    if mark != _END_MARK or comment:
        raise OSError("this is no zip archive, or it is cut off")
    if tail[: -_END.size].startswith(_FURTHER_MARK) or disk or first_disk or here != entries:
        raise OSError("this is a zip archive of another kind than those of models")
    if entries > _MOST_ENTRIES or length > _MOST_DIRECTORY:
        raise OSError("there are too many files in the archive")


def _entries(opened: ZipFile, size: int) -> dict[str, ZipInfo]:
    found: dict[str, ZipInfo] = {}
    for entry in opened.infolist():
        if not _has_place(entry):
            raise OSError(f"there is no place for {excerpt(entry.orig_filename)} in a model")
        if entry.is_dir():
            continue
        if entry.filename in found:
            raise OSError(f"{entry.filename} is there twice")
        if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or entry.flag_bits & 1:
            raise OSError(f"{entry.filename} is packed or locked in a way that is not for models")
        found[entry.filename] = entry
    if sum(entry.file_size for entry in found.values()) > _GROWTH * size + _ALLOWANCE:
        raise OSError(f"what is in the archive is more than {_GROWTH} times as large as the archive")
    return found


def _has_place(entry: ZipInfo) -> bool:
    """Nothing but the files of a model, and folders of components: neither links nor ways out."""
    *parts, last = entry.orig_filename.split("/")
    mode = entry.external_attr >> 16
    return (
        entry.filename == entry.orig_filename
        and len(parts) <= _DEEPEST
        and all(part.isidentifier() for part in parts)
        and (last in FILES or (not last and bool(parts) and not entry.file_size))
        and (not mode or not stat.S_IFMT(mode) or stat.S_ISREG(mode) or (stat.S_ISDIR(mode) and not last))
    )


def pack(files: Mapping[str, bytes]) -> bytes:
    """The archive of some files; OSError if there is too much of them."""
    if sum(map(len, files.values())) > MOST_BYTES - _MOST_DIRECTORY:
        raise OSError(f"more than 2 GB do not fit into one file; a folder, without {SUFFIX}, holds them")
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_STORED, allowZip64=False) as target:
        for name, content in files.items():
            entry = ZipInfo(name, NO_DATE)
            entry.create_system = 3  # wherever it is written
            entry.external_attr = PLAIN_FILE
            target.writestr(entry, content)
    return packed.getvalue()
