"""A folder of files to a folder of files: which file becomes which, and how the folder was made."""

from __future__ import annotations

import heapq
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import sleep

from plait import checks, folders, formats
from plait.cli.source import is_readable
from plait.errors import InputError, excerpt
from plait.formats.files import writing

_STATE = ".plait.json"  # in the folder that is written

Tell = Callable[[int, int], None]  # words written and bytes read so far
Write = Callable[[str, str, Tell], int]  # from a file to a file: how many words there were
_COMPRESSED = (".gz", ".xz")


@dataclass(frozen=True, slots=True)
class Task:
    """One file to make of another; the size, in bytes, is that of the source."""

    source: str
    target: str
    size: int

    @property
    def is_finished(self) -> bool:
        return Path(self.target).exists()

    @property
    def is_outdated(self) -> bool:
        try:
            return Path(self.source).stat().st_mtime > Path(self.target).stat().st_mtime
        except OSError:
            return False


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several shares of the files, for a machine of its own; they count from 1."""

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Shard:
        number, _, of = text.partition("/")
        if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            raise InputError(f"A shard is written as 3/16, the third of sixteen, and not {excerpt(text)}.")
        return cls(int(number), int(of))

    def share(self, tasks: Sequence[Task]) -> list[Task]:
        """Its files: every file is in one shard, and all shards have about the same number of bytes. Which it is
        follows from names and sizes alone: all machines must see the same files.
        """
        loads = [(0, number) for number in range(1, self.of + 1)]
        mine: list[Task] = []
        for task in sorted(tasks, key=lambda task: (-task.size, task.target)):
            load, number = loads[0]
            heapq.heapreplace(loads, (load + max(task.size, 1), number))
            if number == self.number:
                mine.append(task)
        return mine


def is_folder(output: str) -> bool:
    """Whether a folder is meant: one that is there, or a name that ends as those of folders do."""
    separators = tuple(filter(None, (os.sep, os.altsep)))
    return output.endswith(separators) or Path(output).is_dir()


def find_tasks(arguments: Sequence[str], output: str, format: str) -> list[Task]:
    """What becomes of all files of folders and their sub-folders, and of single files: they keep their places in the
    folder and their names but for the suffix, and what was compressed stays so. The largest come first, so that at the
    end none is left to be waited for.
    """
    folder = Path(output)
    found: dict[Path, Path] = {}
    for argument in arguments:
        place = Path(argument)
        if not place.exists():
            raise InputError(f"{argument}: there is no such file or folder.")
        if place.is_dir() and folder.exists() and place.samefile(folder):
            raise InputError(f"{argument}: the files would be written among those that are read.")
        for source in _files_of(place, folder) if place.is_dir() else [place]:
            target = folder / (source.relative_to(place) if place.is_dir() else source.name)
            target = target.with_name(_name(target.name, format))
            if target in found:
                raise InputError(f"{found[target]} and {source} would both become {target}; rename one.")
            found[target] = source
    if not found:
        raise InputError(f"{', '.join(arguments)}: there is no file to read, such as .txt or .conllu.")
    _require_others(found)
    tasks = [Task(str(source), str(target), _size(source)) for target, source in found.items()]
    return sorted(tasks, key=lambda task: (-task.size, task.target))


def _files_of(folder: Path, output: Path) -> Iterator[Path]:
    """All that can be read, without hidden files, without what is no file (a pipe would be waited for), and without
    the output where it is a folder inside.
    """

    def fail(error: OSError) -> None:
        raise InputError(f"{error.filename}: the folder cannot be read: {error.strerror}.") from None

    for place, inner, names in os.walk(folder, onerror=fail):
        inner[:] = sorted(
            name for name in inner if name[0] != "." and not _is_same(Path(place) / name, output)
        )
        for name in sorted(names):
            path = Path(place) / name
            if name[0] != "." and is_readable(name) and (path.is_file() or not path.exists()):
                yield path


def _size(source: Path) -> int:
    """In bytes; a file that cannot be reached, such as a link to nowhere, is told when its turn comes."""
    try:
        return source.stat().st_size
    except OSError:
        return 0


def _is_same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)


def _name(name: str, format: str) -> str:
    compressed = next((each for each in _COMPRESSED if name.endswith(each)), "")
    name = name.removesuffix(compressed)
    known = next((each for each in formats.SUFFIXES if name.endswith(each)), "")
    suffix = next((each for each, of in formats.SUFFIXES.items() if of == format), f".{format}")
    return name.removesuffix(known) + suffix + compressed


def _require_others(found: Mapping[Path, Path]) -> None:
    """What is read is never written."""
    read = {os.path.realpath(source) for source in found.values()}
    for target, source in found.items():
        if os.path.realpath(target) in read:
            raise InputError(f"{source} would become {target}, which is read as well; give another folder.")


def begin(
    output: str, tasks: Sequence[Task], made: Mapping[str, object], *, force: bool, whole: bool
) -> None:
    """Make sure that all files of the folder are made in one way, which is noted there. With `force`, files that are
    there go first; in another way than before only if the work is on the `whole` folder and not on a shard.
    """
    folder = Path(output)
    with writing(output):
        for place in {Path(task.target).parent for task in tasks} | {folder}:
            place.mkdir(parents=True, exist_ok=True)
    there = [task for task in tasks if task.is_finished]
    before = _read_state(folder / _STATE)
    if before is None and there and not force:
        raise InputError(
            f"{there[0].target}: this file is there, and nothing in its folder tells how it was made; --force makes it "
            "anew, and so all others that are there."
        )
    other = _difference(before, made) if before is not None else ""
    if other and not force:
        raise InputError(
            f"{output}: its files were made in another way ({other}); give another folder, or --force to make all anew."
        )
    if other and not whole:
        raise InputError(
            f"{output}: its files were made in another way ({other}), and those of other shards would stay; give "
            "another folder."
        )
    with writing(output):
        if force:
            for task in there:
                Path(task.target).unlink(missing_ok=True)
            if other:
                (folder / _STATE).unlink(missing_ok=True)
        _write_state(folder / _STATE, made, output)


def _read_state(path: Path) -> dict[str, object] | None:
    try:
        stored = checks.parse_json(folders.read_file(path, checks.MOST_JSON))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        stored = None
    if not isinstance(stored, dict):
        raise InputError(
            f"{path}: this file, which tells how its folder was made, is damaged; give another folder."
        )
    return stored


def _write_state(path: Path, made: Mapping[str, object], output: str) -> None:
    """Only one of several that begin at the same time does it; the others do the same, or must not begin."""
    while (stored := _read_state(path)) is None:
        with folders.claimed(path) as part:
            if part is not None:
                with folders.open_to_write(part) as stream:
                    stream.write(f"{json.dumps(made, indent=1, ensure_ascii=False)}\n".encode())
        sleep(0 if part else 0.05)
    if other := _difference(stored, made):
        raise InputError(f"{output}: another run makes its files in another way ({other}).")


def _difference(before: Mapping[str, object], now: Mapping[str, object]) -> str:
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return "; ".join(f"{name} was {_shown(before, name)}, is {_shown(now, name)}" for name in names)


def _shown(made: Mapping[str, object], name: str) -> str:
    value = made.get(name)
    return (
        "not given"
        if value is None
        else excerpt(value)[1:-1]
        if isinstance(value, str)
        else json.dumps(value)
    )
