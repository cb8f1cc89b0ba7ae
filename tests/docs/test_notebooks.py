"""The notebook of reviews draws the picture that its page shows. (All notebooks run when the site is built.)"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


def code_cells(notebook: Path) -> list[dict[str, Any]]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


@pytest.mark.parametrize("notebook", sorted((DOCS / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_outputs_are_not_kept(notebook: Path) -> None:
    assert all(not cell["outputs"] for cell in code_cells(notebook)), "they are made when it runs"


def test_the_chart_of_reviews(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    notebook = DOCS / "notebooks" / "reviews-to-chart.ipynb"
    shutil.copytree(DOCS / "reviews", tmp_path / "reviews")
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    namespace: dict[str, object] = {"__name__": "__main__"}
    for number, cell in enumerate(code_cells(notebook), 1):
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
