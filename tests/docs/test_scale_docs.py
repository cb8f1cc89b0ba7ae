"""The recipes of docs/scale.md for engines that need not be there: each runs as a program of its own, where it can."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import plait

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scale.md"
RECIPES = re.findall(r"^```py\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
ENGINES = ("pyspark", "dask", "ray")
TEXTS = ["The dog saw a cat.", None, "", "Who did you send it to?"]


def engine_of(recipe: str) -> str:
    return next(name for name in ENGINES if re.search(rf"^(?:import|from) {name}\b", recipe, re.MULTILINE))


def test_every_engine_has_a_recipe() -> None:
    assert sorted(map(engine_of, RECIPES)) == sorted(ENGINES)


@pytest.mark.parametrize("recipe", RECIPES, ids=engine_of)
def test_a_recipe_finds_the_sentences_of_all_texts(recipe: str, tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pytest.importorskip(engine_of(recipe))
    if engine_of(recipe) == "pyspark" and not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("Spark needs Java")
    (tmp_path / "texts").mkdir()
    for number in range(3):
        table = pa.table({"id": range(number * 4, number * 4 + 4), "text": TEXTS})
        pq.write_table(table, tmp_path / "texts" / f"{number}.parquet")
    (tmp_path / "recipe.py").write_text(recipe, encoding="utf-8")
    given = {"PYTHONPATH": str(Path(plait.__file__).parents[1]), "PYSPARK_PYTHON": sys.executable}
    local = {"SPARK_LOCAL_IP": "127.0.0.1", "RAY_USAGE_STATS_ENABLED": "0"}
    done = subprocess.run(
        [sys.executable, "recipe.py"],
        cwd=tmp_path,
        env=os.environ | given | local,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    rows = sorted(pq.read_table(tmp_path / "trees").to_pylist(), key=lambda row: row["id"])
    assert [(row["id"], row["text"]) for row in rows] == list(enumerate(TEXTS * 3))
    assert [row["sentences"] and len(row["sentences"]) for row in rows] == [1, None, [], 1] * 3
    assert rows[3]["sentences"][0]["words"][3]["form"] == "send"
