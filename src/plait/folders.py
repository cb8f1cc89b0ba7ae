"""Files and folders that a crash cannot halve: written beside, made safe on the disk, then renamed into place."""

from __future__ import annotations

import errno
import io
import os
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

if sys.platform != "win32":
    import fcntl

_PART = ".part-"  # before the name, whose suffix tells how to compress
_NEW, _OLD = ".new-", ".old-"  # endings, before a few random letters
# A file whose name others can guess is never opened through a link that they could have put there.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@contextmanager
def open_file(path: Path, most: int) -> Iterator[BinaryIO]:
    """A file of at most so many bytes; OSError for anything else than a file, which might never end."""
    # Opening a pipe would wait for whoever writes to it.
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(number, "rb") as stream:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(f"{path.name} is not a file")
        if found.st_size > most:
            raise OSError(f"{path.name} is larger than {most:,} bytes")
        yield stream


def read_file(path: Path, most: int) -> bytes:
    """What stands in a file of at most so many bytes."""
    with open_file(path, most) as stream:
        # No more than it has, as room for all that is asked for is made at once.
        return stream.read(min(most, os.fstat(stream.fileno()).st_size))


def open_to_write(path: Path) -> io.BufferedWriter:
    """A file from its beginning; through no link if the name is one that `claimed` gave."""
    more = _NO_LINK if path.name.startswith(_PART) else 0
    return open(path, "wb", opener=lambda name, flags: os.open(name, flags | more, 0o666))


def write_file(path: Path, content: bytes) -> None:
    """A file in the place of an older one, of which one or the other is there at any moment. A folder in its place is
    treated as by `replacing`.
    """
    with replacing_file(path) as stream:
        stream.write(content)


@contextmanager
def replacing_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, put in the place of an older one when it is complete."""
    partial = _beside(path, _NEW)
    try:
        stream = partial.open("xb")
        with _held(partial):
            with stream:
                yield stream
                stream.flush()
                _sync(stream.fileno())
            if path.is_dir():
                _exchange(partial, path)
            else:
                partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    _sync_folder(path.parent)
    _sweep(path)


@contextmanager
def claimed(path: Path) -> Iterator[Path | None]:
    """A place beside `path` for one process to write a file in, which gets its name when it is whole; nothing if the
    file is there, or another process is writing it. What a process that was killed has left is written over.
    """
    part, lock = _claim(path)
    try:
        if part is None or path.exists():
            yield None
            return
        yield part
        if lock is not None and not _is_same(lock, part):
            raise OSError(errno.EEXIST, f"something else was put in the place of {part}", str(part))
        _sync_file(part)
        part.rename(path)
        part = None
        _sync_folder(path.parent)
    finally:
        if part is not None:
            part.unlink(missing_ok=True)
        if lock is not None:
            os.close(lock)


def unclaim(path: Path) -> None:
    """Take away what a process that was killed has left of a file, unless another has it."""
    try:
        part, lock = _claim(path)
    except OSError:  # it is nothing that a process of ours has left
        return
    if part is not None:
        part.unlink(missing_ok=True)
    if lock is not None:
        os.close(lock)


@contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """A new folder, put in the place of an older one when it is complete. Until then the old one is where it was; after
    a crash between two renames, both are beside it, and `left_behind` finds them.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = _beside(folder, _NEW)
    new.mkdir()
    try:
        with _held(new):
            yield new
            _sync_all(new)
            _exchange(new, folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    _sweep(folder)


def remove(folder: Path) -> None:
    """Take a folder away: a crash never leaves a part of it in its place."""
    old = _beside(folder, _OLD)
    with _held(folder):
        folder.rename(old)
        shutil.rmtree(old, ignore_errors=True)
    _sweep(folder)


def check_writable(folder: Path) -> None:
    """OSError if there cannot be a folder of this name, and of those that `replacing` makes."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    probe = _beside(folder, _NEW)
    probe.mkdir()
    probe.rmdir()


def left_behind(folder: Path) -> list[Path]:
    """What a crash has left of a folder that is not there."""
    with suppress(OSError):
        starts = (folder.name + _OLD, folder.name + _NEW)
        return sorted(
            (each for each in folder.parent.iterdir() if each.name.startswith(starts)), reverse=True
        )
    return []


def _exchange(new: Path, place: Path) -> None:
    """Rename, and take away what was there."""
    old = _beside(place, _OLD)
    with _held(place):
        if place.exists():
            place.rename(old)
        try:
            new.rename(place)
        except OSError:
            if old.exists():
                old.rename(place)
            raise
        _sync_folder(place.parent)
        _discard(old)


def _discard(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _sweep(place: Path) -> None:
    """What processes that were killed have left beside it: nobody needs that any more, now that the work was done
    again. What a living process has is held by it.
    """
    ours = re.compile(f"({re.escape(_OLD)}|{re.escape(_NEW)})[0-9a-f]{{8}}")
    for each in left_behind(place):
        if ours.fullmatch(each.name.removeprefix(place.name)):
            with _held(each) as free:
                if free:
                    _discard(each)


@contextmanager
def _held(path: Path) -> Iterator[bool]:
    """Hold a file or folder, until the end or that of the process; false if another holds it, or nobody can."""
    if sys.platform == "win32":
        yield False
        return
    try:
        number = os.open(path, os.O_RDONLY | _NO_LINK)
    except OSError:
        yield False
        return
    try:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            free = True
        except OSError:
            free = False
        yield free
    finally:
        os.close(number)


def _part(path: Path, mark: str = "") -> Path:
    return path.with_name(f"{_PART}{mark}{path.name}")


def _claim(path: Path) -> tuple[Path | None, int | None]:
    """The place to write in and what locks it; no place if another process has it. The system gives a lock back when
    a process ends in any way. Where there are no locks, two processes may do the same work, in two places.
    """
    if sys.platform != "win32":
        part = _part(path)
        lock = _open_part(part)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever had it before may have given the file its name, or taken it away, since it was opened.
            if _is_same(lock, part):
                return part, lock
        except BlockingIOError:
            pass
        except OSError:  # a file system without locks
            os.close(lock)
            return _new_part(path), None
        os.close(lock)
        return None, None
    return _new_part(path), None


def _new_part(path: Path) -> Path:
    part = _part(path, f"{secrets.token_hex(4)}-")
    part.open("xb").close()
    return part


def _open_part(part: Path) -> int:
    """A plain file that has no other name: whatever else is there somebody put there to have it written to."""
    try:
        number = os.open(part, os.O_RDWR | os.O_CREAT | _NO_LINK, 0o666)
        found = os.fstat(number)
        if stat.S_ISREG(found.st_mode) and found.st_nlink < 2:
            return number
        os.close(number)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
    raise OSError(errno.EEXIST, f"{part} is no plain file; take it away", str(part))


def _is_same(number: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(number), path.lstat())
    except OSError:
        return False


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(f"{path.name}{ending}{secrets.token_hex(4)}")


def _sync_all(folder: Path) -> None:
    for place, _, files in os.walk(folder):
        for name in files:
            _sync_file(Path(place) / name)
        _sync_folder(Path(place))


def _sync_file(path: Path) -> None:
    number = os.open(path, os.O_RDWR | _NO_LINK | getattr(os, "O_BINARY", 0))
    try:
        _sync(number)
    finally:
        os.close(number)


def _sync_folder(folder: Path) -> None:
    if not hasattr(os, "O_DIRECTORY"):  # where folders cannot be opened
        return
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _sync(number)
    finally:
        os.close(number)


def _sync(number: int) -> None:
    with suppress(OSError):  # some file systems cannot; what was written is there all the same
        os.fsync(number)
