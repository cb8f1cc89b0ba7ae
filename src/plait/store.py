"""Model folders: a manifest, tensors, the options as TOML and a card to read. Nothing in them is executed.

`manifest.json` names the format, its number and what the model needs to know; `weights.safetensors` holds arrays
only. Their checksums stand in `SHA256SUMS`, so that damage is noticed here and by `sha256sum -c`.
"""

from __future__ import annotations

import json
import shutil
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
    require_free(path)
    folder = Path(path)
    partial = folder.with_name(folder.name + ".partial")
    manifest = {"format": FORMAT, "plait": version("plait"), "kind": kind} | about
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        # Not save_file, which hides the file from other users.
        (partial / "weights.safetensors").write_bytes(to_bytes(tensors))
        text = json.dumps(manifest, indent=1, ensure_ascii=False)
        (partial / "manifest.json").write_text(text + "\n", encoding="utf-8")
        (partial / "config.toml").write_text(config, encoding="utf-8")
        (partial / "README.md").write_text(card, encoding="utf-8")
        sums = [f"{_checksum(partial / name)}  {name}\n" for name in CHECKED]
        (partial / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    except (OSError, UnicodeEncodeError) as error:
        raise OutputError(f"{folder}: the model cannot be written: {error}.") from None


def size(path: str | Path) -> int:
    """The bytes of a model folder."""
    return sum(file.stat().st_size for file in Path(path).iterdir() if file.is_file())


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
    folder = Path(path)
    manifest = read_manifest(folder)
    if manifest.get("kind") != kind:
        raise InputError(f"{path}: this is a {manifest.get('kind')!r}, not a {kind!r}.")
    try:
        sums = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
        for name in CHECKED:
            if f"{_checksum(folder / name)}  {name}" not in sums:
                raise InputError(f"{path}: {name} is damaged: its checksum is not the one in SHA256SUMS.")
        tensors = load_file(folder / "weights.safetensors")
        config = (folder / "config.toml").read_text(encoding="utf-8")
    except (OSError, SafetensorError, ValueError, TypeError, KeyError) as error:
        raise InputError(f"{path}: the model cannot be read: {error}.") from None
    return StoredModel(kind, manifest, tensors, config)


def _checksum(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
