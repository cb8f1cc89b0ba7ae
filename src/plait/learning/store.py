"""Models on the disk: a manifest, tensors, the options as TOML and a card to read. Nothing in them is executed.

`manifest.json` names the format, its number and what the model needs to know; `weights.safetensors` holds arrays
only. Their checksums stand in `SHA256SUMS`, so that damage is noticed here and by `sha256sum -c`. What holds components
has a folder for each of them, which is a model of its own. All of it is a folder, or one file whose name ends in
`.plait` (see `archive`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from safetensors.numpy import save as to_bytes

from plait import checks, folders
from plait.errors import InputError, OutputError, PlaitError, excerpt
from plait.learning import archive
from plait.learning.tensors import Tensors, header_of, read_tensors
from plait.release import release

FORMAT = 2
CHECKED = ("manifest.json", "config.toml", "weights.safetensors")
OUTERMOST = "pipeline"
_MANIFEST, _CONFIG, _WEIGHTS = CHECKED
_SUMS = "SHA256SUMS"
# Bytes: of the manifest those of JSON that are read at all, of the weights two tables of 2 to the 30 cells.
_ROOM = 1 << 25  # bytes for small models, whatever is in them
_MOST = {
    "manifest.json": checks.MOST_JSON,
    "config.toml": 1 << 16,
    "weights.safetensors": 1 << 33,
    _SUMS: 1 << 12,
    "README.md": 1 << 20,
}
# What can go wrong with files that are JSON and tensors, but no longer what was written.
_DAMAGE = (
    *(KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError),
    *(MemoryError, PlaitError, OSError),
)


@dataclass(frozen=True, slots=True)
class Content:
    """All that a model holds: what is written, what is read, and what goes through a pickle."""

    kind: str
    manifest: dict[str, Any]
    tensors: Tensors
    config: str
    card: str = ""
    members: Mapping[str, Content] = field(default_factory=dict)


class _Files(Protocol):
    """The files of a model, by names such as `tagger/manifest.json`."""

    @property
    def names(self) -> list[str]: ...

    def size(self, name: str) -> int: ...

    def read(self, name: str, most: int) -> bytes: ...


@dataclass(frozen=True, slots=True)
class _Folder:
    path: Path

    @property
    def names(self) -> list[str]:
        return sorted(
            each.relative_to(self.path).as_posix() for each in self.path.rglob("*") if each.is_file()
        )

    def size(self, name: str) -> int:
        return (self.path / name).stat().st_size

    def read(self, name: str, most: int) -> bytes:
        return folders.read_file(self.path / name, most)


class _Room:
    """For what JSON becomes when it is read: all of it together takes no more than in proportion to the files."""

    def __init__(self, path: Path, files: _Files) -> None:
        self._path = path
        self._left = _ROOM + 2 * sum(map(files.size, files.names))

    def take(self, content: bytes) -> bytes:
        self._left -= checks.size_as_objects(content)
        if self._left < 0:
            raise InputError(f"{self._path}: the model would take far more memory than its files.")
        return content


@contextmanager
def _opened(path: Path) -> Iterator[_Files]:
    if path.is_dir():
        yield _Folder(path)
    else:
        with archive.open_archive(path) as found:
            yield found


def require_free(path: str | Path, *, force: bool = False) -> None:
    """A model may be written here: there is nothing yet, or, with `force`, nothing but a model. OutputError otherwise,
    also if the place cannot be written to.
    """
    place = Path(path)
    if place.name in ("", "..", archive.SUFFIX):
        raise OutputError(f"{path}: a model needs a place of its own; give it a name.")
    with _writing(place):
        if place.is_symlink():
            raise OutputError(f"{path}: this is a symbolic link; give the place itself.")
        if place.exists() and not _is_model(place):
            raise OutputError(f"{path}: something else than a model is there; it is not replaced.")
        if place.exists() and not force:
            raise OutputError(f"{path}: there is a model already; --force (force=True) replaces it.")
        folders.check_writable(place)


def save(path: str | Path, content: Content, *, force: bool = False) -> None:
    """Write a model: one file if the name ends in `.plait`, a folder otherwise. With `force`, an older model in its
    place is replaced when the new one is complete.
    """
    require_free(path, force=force)
    with _writing(Path(path)):
        _put(Path(path), _files(content))


def copy(source: str | Path, target: str | Path, *, force: bool = False) -> None:
    """Write the same files elsewhere, as one file or a folder, if their checksums are right."""
    found = _all(source)
    require_free(target, force=force)
    with _writing(Path(target)):
        _put(Path(target), found)


def packed(path: str | Path) -> bytes:
    """A model as one file, whose checksums are right."""
    found = _all(path)
    with _writing(Path(path)):
        return archive.pack(found)


def _all(path: str | Path) -> dict[str, bytes]:
    load(path)
    with _reading(path), _opened(Path(path)) as files:
        names = [name for name in sorted(files.names) if Path(name).name in archive.FILES]
        return {name: files.read(name, _MOST[Path(name).name]) for name in names}


def _put(place: Path, files: Mapping[str, bytes]) -> None:
    if place.suffix == archive.SUFFIX:
        folders.write_file(place, archive.pack(files))
        return
    with folders.replacing(place) as folder:
        for name, written in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(written)


def _files(content: Content) -> dict[str, bytes]:
    """In the order of their names, that of an archive."""
    manifest = {"format": FORMAT, "plait": release(), "kind": content.kind} | content.manifest
    if content.members:
        manifest["members"] = list(content.members)
    checked = {
        _MANIFEST: (json.dumps(manifest, indent=1, ensure_ascii=False) + "\n").encode(),
        _CONFIG: content.config.encode(),
        _WEIGHTS: to_bytes(content.tensors),
    }
    sums = "".join(f"{sha256(written).hexdigest()}  {name}\n" for name, written in checked.items())
    files = checked | {_SUMS: sums.encode(), "README.md": content.card.encode()}
    for member, inner in content.members.items():
        files |= {f"{member}/{name}": written for name, written in _files(inner).items()}
    return dict(sorted(files.items()))


def size(path: str | Path, member: str = "") -> int:
    """The bytes of a model, or of a component in it: `parser`, `parser/graph`."""
    if not member and Path(path).is_file():
        return Path(path).stat().st_size
    start = f"{member}/" if member else ""
    with _reading(path), _opened(Path(path)) as files:
        return sum(files.size(name) for name in files.names if name.startswith(start))


def read_manifest(path: str | Path) -> dict[str, Any]:
    """The manifest of a model, checked for its format."""
    with _as_model(path) as files:
        return _manifest(Path(path), files, "", _Room(Path(path), files))[0]


def read_config(path: str | Path) -> str:
    """The options of a model as they stand there, for those who only look at it."""
    with _as_model(path) as files:
        return files.read(_CONFIG, _MOST[_CONFIG]).decode("utf-8", "replace")


def read_card(path: str | Path) -> str:
    """What a model tells of itself to be read; it has no checksum."""
    with _as_model(path) as files:
        return files.read("README.md", _MOST["README.md"]).decode("utf-8", "replace")


def fingerprint(path: str | Path) -> str:
    """A checksum of all weights: the same for a model as one file and as a folder, and whichever release wrote what is
    told of them.
    """
    return _sum_over(path, _WEIGHTS)


def identity(path: str | Path) -> str:
    """A checksum of all checksums: two models share it only if they are the same to the last bit, options included, as
    one file or as a folder. What the checksums are of is not read.
    """
    return _sum_over(path, _SUMS)


def _sum_over(path: str | Path, file: str) -> str:
    """A checksum of all files of a name, those of components too."""
    total = sha256()
    with _reading(path), _opened(Path(path)) as files:
        for name in sorted(each for each in files.names if Path(each).name == file):
            total.update(f"{sha256(files.read(name, _MOST[file])).hexdigest()}  {name}\n".encode())
    return total.hexdigest()


def told_of_crash(path: str | Path) -> str:
    """Of a model that is not there: where it is, if it was lost while it was being replaced."""
    left = [str(each) for each in folders.left_behind(Path(path)) if _is_model(each)]
    return (
        f" It was lost while it was being replaced; left are {', '.join(left)}: rename one." if left else ""
    )


def load(path: str | Path) -> Content:
    """Read a model; whatever is wrong with it is an InputError that names it."""
    with _as_model(path) as files:
        return _read(Path(path), files, "", _Room(Path(path), files), deep=True)


@contextmanager
def _as_model(path: str | Path) -> Iterator[_Files]:
    try:
        there = Path(path).exists()
    except (OSError, ValueError):
        there = False
    if not there:
        raise InputError(f"{path}: there is no such model.{told_of_crash(path)}")
    try:
        with _opened(Path(path)) as files:
            yield files
    except OSError as error:
        raise InputError(f"{path}: this is not a model of plait, or it is damaged: {error}.") from None


def _read(path: Path, files: _Files, inside: str, room: _Room, *, deep: bool) -> Content:
    """What stands in a model under names that begin with `inside`."""
    manifest, written = _manifest(path, files, inside, room)
    place = path / inside
    with _reading(place):
        sums = files.read(inside + _SUMS, _MOST[_SUMS]).decode("utf-8").splitlines()
        checked = {_MANIFEST: written}
        checked |= {name: files.read(inside + name, _MOST[name]) for name in CHECKED[1:]}
        for name, content in checked.items():
            if f"{sha256(content).hexdigest()}  {name}" not in sums:
                raise InputError(f"{place}: {name} is damaged: its checksum is not the one in SHA256SUMS.")
        kind = checks.text(manifest.get("kind"), "kind", "name")
        names = checks.read(list[checks.Name], manifest.pop("members", []), "members")
        for name in names:
            if not name.isidentifier() or not deep or name in archive.FILES:
                raise ValueError(f"there is no place for a component {excerpt(name)}")
        room.take(header_of(checked[_WEIGHTS]))
        tensors, config = read_tensors(checked[_WEIGHTS]), checked[_CONFIG].decode("utf-8")
    # A pipeline holds components, some of which hold others; nothing is deeper.
    members = {name: _read(path, files, f"{inside}{name}/", room, deep=kind == OUTERMOST) for name in names}
    return Content(kind, manifest, tensors, config, members=members)


@contextmanager
def understanding(path: str | Path) -> Iterator[None]:
    """Whatever goes wrong while sense is made of a model becomes an InputError that names the model."""
    try:
        yield
    except _DAMAGE as error:
        reason = f"no {error}" if isinstance(error, KeyError) else str(error) or "there is too much of it"
        reason = reason if len(reason) < 1000 else reason[:1000] + "…"
        raise InputError(f"{path}: the model is damaged or incomplete: {reason.rstrip('.')}.") from None


def _manifest(path: Path, files: _Files, inside: str, room: _Room) -> tuple[dict[str, Any], bytes]:
    place = path / inside
    try:
        content = room.take(files.read(inside + _MANIFEST, _MOST[_MANIFEST]))
        manifest = checks.parse_json(content)
        number = manifest["format"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        if inside and isinstance(error, FileNotFoundError):
            raise InputError(f"{place}: there is no such model.") from None
        raise InputError(f"{place}: this is not a model of plait, or its manifest.json is damaged.") from None
    if type(number) is int and number == 1:
        raise InputError(
            f"{place}: the model has format 1, of an older plait; train it anew with the recipe in its folder: "
            f"plait train TREEBANK --config {place}/config.toml, or use the plait that wrote it."
        )
    if type(number) is not int or number != FORMAT:
        raise InputError(
            f"{place}: the model has format {_shown(number)}, written by plait {_shown(manifest.get('plait', '?'))}; "
            f"this plait ({release()}) reads format {FORMAT}."
        )
    return dict(manifest), content


@contextmanager
def _reading(path: str | Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, TypeError, KeyError, MemoryError) as error:
        raise InputError(f"{path}: the model cannot be read: {error}.") from None


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: texts that are not UTF-8, odd names
        raise OutputError(f"{folder}: the model cannot be written: {error}.") from None


def _is_model(place: Path) -> bool:
    """Whether it holds a model of plait and nothing else, so that nothing else is lost with it."""
    try:
        with _opened(place) as files:
            manifest = checks.parse_json(files.read(_MANIFEST, _MOST[_MANIFEST]))
        ours = isinstance(manifest, dict) and all(
            isinstance(manifest.get(name), kind)
            for name, kind in (("format", int), ("plait", str), ("kind", str))
        )
        if not ours or place.is_file():
            return ours
        # Those of format 1 called them parts.
        members = [*manifest.get("members", ()), *manifest.get("parts", ())]
        return all(
            each.is_file()
            if each.name in archive.FILES
            else each.name in members and not each.is_symlink() and _is_model(each)
            for each in place.iterdir()
        )
    except (OSError, ValueError, TypeError, RecursionError):
        return False


def _shown(value: object) -> str:
    """A value of a manifest in a message."""
    text = value if isinstance(value, str) else repr(value)
    return excerpt(text)[1:-1]
