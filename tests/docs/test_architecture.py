"""docs/architecture.md and its pictures are about the house as it stands."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DRAWN = runpy.run_path(str(ROOT / "docs" / "ways.py"))
WAYS: dict[str, Any] = DRAWN["WAYS"]


def test_the_table_of_rooms_is_the_one_that_is_checked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    checked = [{room.strip().removeprefix("plait.") for room in layer.split("|")} for layer in layers]
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[^|]*) \| ", page, re.MULTILINE)
    assert [set(re.findall("`([a-z]+)`", row)) for row in rows] == checked


@pytest.mark.parametrize("name", WAYS)
def test_rooms_are_drawn_from_the_top_of_the_house_down(name: str) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = re.findall("`([a-z]+)`", page.partition("## The ways")[0])
    places = [rooms.index(room.partition(":")[0]) for room in WAYS[name].rooms if room != "core"]
    assert places == sorted(places)


@pytest.mark.parametrize("name", WAYS)
def test_a_picture_names_files_that_exist(name: str) -> None:
    for step in WAYS[name].steps:
        room = step.room.partition(":")[0]
        folder = ROOT / "core" if room == "core" else ROOT / "src" / "plait" / room
        for file in re.findall("[a-z]+", step.file):
            found = [*folder.glob(f"{file}.*"), *folder.glob(file), *folder.glob(f"*/{file}.*")]
            assert found, f"{room}: {file}"


@pytest.mark.parametrize("name", WAYS)
def test_a_picture_is_what_the_script_draws(name: str) -> None:
    stored = (ROOT / "docs" / "pictures" / f"way-{name}.svg").read_text(encoding="utf-8")
    assert stored == DRAWN["draw"](WAYS[name], f"way-{name}")
