"""Model folders: a manifest, tensors, the options as TOML and a card to read. Nothing in them is executed.

`manifest.json` names the format, its number and what the model needs to know; `weights.safetensors` holds arrays
only. Their checksums stand in `SHA256SUMS`, so that damage is noticed here and by `sha256sum -c`. A model made of
parts has a folder for each, which is a model of its own, and no tensors.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file
from safetensors.numpy import save as to_bytes

from plait.errors import InputError, OutputError

FORMAT = 1
CHECKED = ("manifest.json", "config.toml", "weights.safetensors")
Tensors = dict[str, NDArray[np.generic]]


@dataclass(frozen=True, slots=True)
class StoredModel:
    """What a folder holds."""

    kind: str
    about: dict[str, Any]
    tensors: Tensors
    config: str


def require_free(path: str | Path) -> None:
    """A model may be written here: there is nothing yet, or a model."""
    if Path(path).exists() and not (Path(path) / "manifest.json").is_file():
        raise OutputError(f"{path}: something else than a model is there; it is not replaced.")


def save(
    path: str | Path, *, kind: str, about: dict[str, Any], tensors: Tensors, config: str, card: str
) -> None:
    """Write a model folder. An older one in its place is replaced only when the new one is complete."""
    with _replacing(path) as folder:
        # Not save_file, which hides the file from other users.
        (folder / "weights.safetensors").write_bytes(to_bytes(tensors))
        (folder / "config.toml").write_text(config, encoding="utf-8")
        _finish(folder, kind, about, card)


def save_parts(
    path: str | Path,
    *,
    kind: str,
    about: dict[str, Any],
    parts: Mapping[str, Callable[[Path], None]],
    config: str,
    card: str,
) -> None:
    """Write a model made of parts, each of which saves itself to the folder it is given."""
    with _replacing(path) as folder:
        (folder / "config.toml").write_text(config, encoding="utf-8")
        for name, save_part in parts.items():
            save_part(folder / name)
        _finish(folder, kind, about, card)


@contextmanager
def _replacing(path: str | Path) -> Iterator[Path]:
    """A new folder, put in place of the old one at the end."""
    require_free(path)
    folder = Path(path)
    partial = folder.with_name(folder.name + ".partial")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        yield partial
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    except (OSError, UnicodeEncodeError) as error:
        raise OutputError(f"{folder}: the model cannot be written: {error}.") from None


def _finish(folder: Path, kind: str, about: dict[str, Any], card: str) -> None:
    manifest = {"format": FORMAT, "plait": version("plait"), "kind": kind} | about
    text = json.dumps(manifest, indent=1, ensure_ascii=False)
    (folder / "manifest.json").write_text(text + "\n", encoding="utf-8")
    (folder / "README.md").write_text(card, encoding="utf-8")
    sums = [f"{_checksum(folder / name)}  {name}\n" for name in CHECKED if (folder / name).exists()]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


def size(path: str | Path) -> int:
    """The bytes of a model folder."""
    return sum(file.stat().st_size for file in Path(path).rglob("*") if file.is_file())


def read_manifest(path: str | Path) -> dict[str, Any]:
    """The manifest of a model folder, checked for its format."""
    folder = Path(path)
    if not folder.exists():
        raise InputError(f"{path}: there is no such model.")
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        number = manifest["format"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{path}: this is not a model of plait, or its manifest.json is damaged.") from None
    if type(number) is not int or not 1 <= number <= FORMAT:
        raise InputError(
            f"{path}: the model has format {number!r}, written by plait {manifest.get('plait', '?')}; "
            f"this plait ({version('plait')}) reads formats up to {FORMAT}."
        )
    return dict(manifest)


def load(path: str | Path, kind: str) -> StoredModel:
    """Read a model folder; whatever is wrong with it is an InputError that names it."""
    manifest, config = _check(path, kind, CHECKED)
    try:
        tensors = load_file(Path(path) / "weights.safetensors")
    except (OSError, SafetensorError, ValueError, TypeError, KeyError) as error:
        raise InputError(f"{path}: the model cannot be read: {error}.") from None
    return StoredModel(kind, manifest, tensors, config)


def load_parts(path: str | Path, kind: str) -> tuple[dict[str, Any], str]:
    """Manifest and options of a model made of parts, which check themselves when they are loaded."""
    return _check(path, kind, CHECKED[:2])


def _check(path: str | Path, kind: str, names: Sequence[str]) -> tuple[dict[str, Any], str]:
    """Manifest and options, if the model is of this kind and its files are as they were written."""
    manifest = read_manifest(path)
    if manifest.get("kind") != kind:
        raise InputError(f"{path}: this is a {manifest.get('kind')!r}, not a {kind!r}.")
    try:
        sums = (Path(path) / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
        for name in names:
            if f"{_checksum(Path(path) / name)}  {name}" not in sums:
                raise InputError(f"{path}: {name} is damaged: its checksum is not the one in SHA256SUMS.")
        return manifest, (Path(path) / "config.toml").read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: the model cannot be read: {error}.") from None


def _checksum(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
