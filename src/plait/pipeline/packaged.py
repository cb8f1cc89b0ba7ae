"""The models that come with the package, by name."""

from __future__ import annotations

from pathlib import Path

DEFAULT = "en"


def packaged() -> dict[str, Path]:
    """Names and folders of the models in the package."""
    folder = Path(__file__).parents[1] / "models"
    return {path.parent.name: path.parent for path in sorted(folder.glob("*/manifest.json"))}


def locate(name: str | Path) -> Path:
    """The folder of a model: one of the package by its name (`./en` is always a folder), or a path."""
    return packaged().get(str(name), Path(name))
