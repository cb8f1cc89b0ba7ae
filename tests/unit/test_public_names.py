"""`import plait` gives every public name, and imports nothing before it is used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import plait

HEAVY = {
    "numpy",
    "rich",
    "click",
    "safetensors",
    "plait._core",
    "plait.pipeline",
    "plait.drawing",
    "plait.evaluation",
}


def modules_after(code: str) -> set[str]:
    shown = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(shown.stdout.split())


def test_importing_plait_imports_nothing_else() -> None:
    assert not modules_after("import plait") & HEAVY


def test_reading_a_treebank_needs_no_model() -> None:
    assert "plait.pipeline" not in modules_after("from plait import read, Sentence")


@pytest.mark.parametrize("name", plait.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(plait, name) is not None
    assert name in dir(plait)


def test_the_table_of_names_is_whole() -> None:
    assert sorted(plait._HOME) == sorted(plait.__all__)


def test_what_holds_public_names_can_be_reached() -> None:
    inside = {path.name.removesuffix(".py") for path in Path(plait.__file__).parent.iterdir()}
    assert inside >= plait._ROOMS
    for room in sorted(plait._ROOMS):
        assert getattr(plait, room).__name__ == f"plait.{room}"


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'plait' has no attribute 'parze'"):
        plait.parze  # noqa: B018
