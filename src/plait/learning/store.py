"""Model folders: a manifest, tensors, the options as TOML and a card to read. Nothing in them is executed.

`manifest.json` names the format, its number and what the model needs to know; `weights.safetensors` holds arrays
only. Their checksums stand in `SHA256SUMS`, so that damage is noticed here and by `sha256sum -c`. What holds components
has a folder for each of them, which is a model of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from safetensors.numpy import save as to_bytes

from plait import checks, folders
from plait.errors import InputError, OutputError, PlaitError, excerpt
from plait.learning.tensors import Tensors, read_tensors
from plait.release import release

FORMAT = 2
CHECKED = ("manifest.json", "config.toml", "weights.safetensors")
OUTERMOST = "pipeline"
_FILES = {*CHECKED, "README.md", "SHA256SUMS"}
# Bytes: of the manifest those of JSON that are read at all, of the weights two tables of 2 to the 30 cells.
_MOST = {
    "manifest.json": checks.MOST_JSON,
    "config.toml": 1 << 16,
    "weights.safetensors": 1 << 33,
    "SHA256SUMS": 1 << 12,
}
# What can go wrong with files that are JSON and tensors, but no longer what was written.
_DAMAGE = (
    *(KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError),
    *(MemoryError, PlaitError, OSError),
)


@dataclass(frozen=True, slots=True)
class Content:
    """All that a folder holds: what is written, what is read, and what goes through a pickle."""

    kind: str
    manifest: dict[str, Any]
    tensors: Tensors
    config: str
    card: str = ""
    members: Mapping[str, Content] = field(default_factory=dict)


def require_free(path: str | Path, *, force: bool = False) -> None:
    """A model may be written here: there is nothing yet, or, with `force`, nothing but a model. OutputError otherwise,
    also if the place cannot be written to.
    """
    folder = Path(path)
    if folder.name in ("", ".."):
        raise OutputError(f"{path}: a model needs a folder of its own; give it a name.")
    with _writing(folder):
        if folder.is_symlink():
            raise OutputError(f"{path}: this is a symbolic link; give the folder itself.")
        if folder.exists() and not _is_model(folder):
            raise OutputError(f"{path}: something else than a model is there; it is not replaced.")
        if folder.exists() and not force:
            raise OutputError(f"{path}: there is a model already; --force (force=True) replaces it.")
        folders.check_writable(folder)


def save(path: str | Path, content: Content, *, force: bool = False) -> None:
    """Write a model folder. With `force`, an older model in its place is replaced when the new one is complete."""
    require_free(path, force=force)
    with _writing(Path(path)), folders.replacing(Path(path)) as folder:
        _write(folder, content)


def _write(folder: Path, content: Content) -> None:
    manifest = {"format": FORMAT, "plait": release(), "kind": content.kind} | content.manifest
    if content.members:
        manifest["members"] = list(content.members)
    files = {
        "manifest.json": (json.dumps(manifest, indent=1, ensure_ascii=False) + "\n").encode(),
        "config.toml": content.config.encode(),
        "weights.safetensors": to_bytes(content.tensors),
    }
    sums = "".join(f"{sha256(written).hexdigest()}  {name}\n" for name, written in files.items())
    for name, written in (files | {"SHA256SUMS": sums.encode(), "README.md": content.card.encode()}).items():
        (folder / name).write_bytes(written)
    for name, member in content.members.items():
        (folder / name).mkdir()
        _write(folder / name, member)


def size(path: str | Path) -> int:
    """The bytes of a model folder."""
    return sum(file.stat().st_size for file in Path(path).rglob("*") if file.is_file())


def read_manifest(path: str | Path) -> dict[str, Any]:
    """The manifest of a model folder, checked for its format."""
    return _manifest(path)[0]


def told_of_crash(path: str | Path) -> str:
    """Of a model that is not there: where it is, if it was lost while it was being replaced."""
    left = [str(each) for each in folders.left_behind(Path(path)) if _is_model(each)]
    return (
        f" It was lost while it was being replaced; left are {', '.join(left)}: rename one." if left else ""
    )


def load(path: str | Path) -> Content:
    """Read a model folder; whatever is wrong with it is an InputError that names it."""
    return _read(Path(path), deep=True)


def _read(folder: Path, *, deep: bool) -> Content:
    manifest, written = _manifest(folder)
    with _reading(folder):
        sums = folders.read_file(folder / "SHA256SUMS", _MOST["SHA256SUMS"]).decode("utf-8").splitlines()
        files = {"manifest.json": written}
        files |= {name: folders.read_file(folder / name, _MOST[name]) for name in CHECKED[1:]}
        for name, content in files.items():
            if f"{sha256(content).hexdigest()}  {name}" not in sums:
                raise InputError(f"{folder}: {name} is damaged: its checksum is not the one in SHA256SUMS.")
        kind = checks.text(manifest.get("kind"), "kind", "name")
        names = checks.read(list[checks.Name], manifest.pop("members", []), "members")
        for name in names:
            if not name.isidentifier() or not deep or name in _FILES:
                raise ValueError(f"there is no place for a component {excerpt(name)}")
        tensors, config = read_tensors(files["weights.safetensors"]), files["config.toml"].decode("utf-8")
    # A pipeline holds components, some of which hold others; nothing is deeper.
    members = {name: _read(folder / name, deep=kind == OUTERMOST) for name in names}
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


def _manifest(path: str | Path) -> tuple[dict[str, Any], bytes]:
    folder = Path(path)
    try:
        if not folder.exists():
            raise InputError(f"{path}: there is no such model.{told_of_crash(path)}")
        content = folders.read_file(folder / "manifest.json", _MOST["manifest.json"])
        manifest = checks.parse_json(content)
        number = manifest["format"]
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"{path}: this is not a model of plait, or its manifest.json is damaged.") from None
    if type(number) is int and number == 1:
        raise InputError(
            f"{path}: the model has format 1, of an older plait; train it anew with the recipe in its folder: "
            f"plait train TREEBANK --config {path}/config.toml, or use the plait that wrote it."
        )
    if type(number) is not int or number != FORMAT:
        raise InputError(
            f"{path}: the model has format {_shown(number)}, written by plait {_shown(manifest.get('plait', '?'))}; "
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


def _is_model(folder: Path) -> bool:
    """Whether it holds a model of plait and nothing else, so that nothing else is lost with it."""
    try:
        manifest = checks.parse_json(folders.read_file(folder / "manifest.json", _MOST["manifest.json"]))
        ours = isinstance(manifest, dict) and all(
            isinstance(manifest.get(name), kind)
            for name, kind in (("format", int), ("plait", str), ("kind", str))
        )
        if not ours:
            return False
        # Those of format 1 called them parts.
        members = [*manifest.get("members", ()), *manifest.get("parts", ())]
        return all(
            each.is_file()
            if each.name in _FILES
            else each.name in members and not each.is_symlink() and _is_model(each)
            for each in folder.iterdir()
        )
    except (OSError, ValueError, TypeError, RecursionError):
        return False


def _shown(value: object) -> str:
    """A value of a manifest in a message."""
    text = value if isinstance(value, str) else repr(value)
    return excerpt(text)[1:-1]
