"""Model folders: a manifest, tensors, the options as TOML and a card to read. Nothing in them is executed.

`manifest.json` names the format, its number and what the model needs to know; `weights.safetensors` holds arrays
only; its checksum stands in the manifest, so that damage is noticed.
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
from safetensors.numpy import load_file, save_file

from plait.errors import InputError, OutputError

FORMAT = 1
Tensors = dict[str, NDArray[np.generic]]


@dataclass(frozen=True, slots=True)
class StoredModel:
    """What a folder holds."""

    kind: str
    about: dict[str, Any]
    tensors: Tensors
    config: str


def save(
    path: str | Path, *, kind: str, about: dict[str, Any], tensors: Tensors, config: str, card: str
) -> None:
    """Write a model folder. An older one in its place is replaced only when the new one is complete."""
    folder = Path(path)
    partial = folder.with_name(folder.name + ".partial")
    if folder.exists() and not (folder / "manifest.json").is_file():
        raise OutputError(f"{folder}: something else than a model is there; it is not replaced.")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        save_file(tensors, partial / "weights.safetensors")
        manifest = {
            "format": FORMAT,
            "plait": version("plait"),
            "kind": kind,
            "sha256": _checksum(partial / "weights.safetensors"),
        } | about
        text = json.dumps(manifest, indent=1, ensure_ascii=False, sort_keys=False)
        (partial / "manifest.json").write_text(text + "\n", encoding="utf-8")
        (partial / "config.toml").write_text(config, encoding="utf-8")
        (partial / "README.md").write_text(card, encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    except OSError as error:
        raise OutputError(f"{folder}: the model cannot be written: {error.strerror or error}.") from None


def read_manifest(path: str | Path) -> dict[str, Any]:
    """The manifest of a model folder, checked for its format."""
    folder = Path(path)
    if not folder.exists():
        raise InputError(f"{path}: there is no such model.")
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        number = manifest["format"]
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"{path}: this is not a model of plait, or its manifest.json is damaged.") from None
    if not isinstance(number, int) or number > FORMAT:
        raise InputError(
            f"{path}: the model has format {number}, written by plait {manifest.get('plait', '?')}; "
            f"this plait ({version('plait')}) reads formats up to {FORMAT}. Please upgrade."
        )
    return dict(manifest)


def load(path: str | Path, kind: str) -> StoredModel:
    """Read a model folder; whatever is wrong with it is an InputError that names it."""
    folder = Path(path)
    manifest = read_manifest(folder)
    if manifest.get("kind") != kind:
        raise InputError(f"{path}: this is a {manifest.get('kind')!r}, not a {kind!r}.")
    weights = folder / "weights.safetensors"
    try:
        if _checksum(weights) != manifest.get("sha256"):
            raise InputError(
                f"{path}: weights.safetensors is damaged: its checksum is not the one in the manifest."
            )
        tensors = load_file(weights)
        config = (folder / "config.toml").read_text(encoding="utf-8")
    except (OSError, SafetensorError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: the model cannot be read: {error}.") from None
    return StoredModel(kind, manifest, tensors, config)


def _checksum(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
