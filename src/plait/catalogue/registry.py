"""The models that we publish: a recipe for each, and what `registry.toml` tells of it: from which files it was learned,
which weights came out, and how good it is.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path

from plait import checks
from plait.errors import InputError
from plait.formats.files import CHUNK, open_source
from plait.formats.folder import find_sections

_FOLDER = Path(__file__).parent / "recipes"
_FILE = Path(__file__).parent / "registry.toml"


@dataclass(frozen=True, slots=True)
class Entry:
    """A model of the registry. Checksums are SHA-256: `train` and `dev` those of the treebank's files, one after the
    other and not compressed, `weights` that of the model (`store.fingerprint`). Where one is missing, nothing is
    promised.
    """

    treebank: str
    train: str = ""
    dev: str = ""
    weights: str = ""
    compact: bool = False
    elsewhere: str = ""  # why it cannot be trained from a treebank alone
    scores: dict[str, dict[str, float]] = field(default_factory=dict)

    @property
    def trainable(self) -> bool:
        return not self.elsewhere

    def differences(self, folder: str | Path) -> list[str]:
        """The sections of a treebank whose files are not those that the published model learned from."""
        sections = find_sections(folder)
        expected = {"train": self.train, "dev": self.dev}
        return [name for name, sum_ in expected.items() if sum_ and sum_ != checksum(sections.get(name, []))]


@dataclass(frozen=True, slots=True)
class About:
    """What a recipe tells of its model."""

    language: str
    treebank: str
    licence: str


@cache
def entries() -> Mapping[str, Entry]:
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {name: checks.record(Entry, table, name) for name, table in tables.items()}


def find(name: str) -> Entry:
    if name not in entries():
        raise InputError(f"No recipe for a model {name!r}. Available: {', '.join(entries())}.")
    return entries()[name]


def recipe_of(name: str) -> Path:
    """The file with the recipe."""
    find(name)
    return _FOLDER / f"{name}.toml"


def about(name: str) -> About:
    model = tomllib.loads(recipe_of(name).read_text(encoding="utf-8"))["model"]
    return About(model["language"], model["treebank"], model["licence"])


def checksum(files: list[Path]) -> str:
    total = sha256()
    for file in files:
        with open_source(file) as source:
            while data := source.read(CHUNK):
                total.update(data)
    return total.hexdigest()
