"""Notebooks of the docs run from top to bottom, and draw the pictures that the pages show."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("notebook", sorted((DOCS / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    shutil.copytree(DOCS / "reviews", tmp_path / "reviews")
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    cells = [
        cell
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        if cell["cell_type"] == "code"
    ]
    assert all(not cell["outputs"] for cell in cells), "outputs are not kept: they are made when it runs"
    namespace: dict[str, object] = {"__name__": "__main__"}
    for number, cell in enumerate(cells, 1):
        exec(compile("".join(cell["source"]), f"{notebook.name}, cell {number}", "exec"), namespace)
    shares = namespace["shares"]
    assert isinstance(shares, dict)
    assert set(shares) == {"drinks", "food", "place", "price", "staff"}
    assert all(each["positive"] + each["negative"] == pytest.approx(1) for each in shares.values())
    made, shown = tmp_path / "notebooks" / "aspects.svg", DOCS / "pictures" / "aspects.svg"
    assert _bars(made.read_text(encoding="utf-8")) == _bars(shown.read_text(encoding="utf-8"))


def _bars(svg: str) -> int:
    """Bars of the chart; fonts may differ from one machine to another."""
    return svg.count('id="patch_')
