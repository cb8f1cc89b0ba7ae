"""The page on the papers is what its files say, and it can be wrong in no way that a program can see."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
HEAD = 'authors = "A"\nyear = 2000\ntitle = "T"\nvenue = "V"\nwhat = "W."\n'


@pytest.fixture(scope="module")
def papers() -> ModuleType:
    spec = importlib.util.spec_from_file_location("papers", ROOT / "docs" / "papers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["papers"] = module
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_files_say(papers: ModuleType) -> None:
    committed = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    assert committed == papers.page(), "run: python docs/papers.py"


def test_every_paper_has_its_section(papers: ModuleType) -> None:
    names = {paper.name for paper in papers.read_papers()}
    assert len(names) == 24
    folder = ROOT.parent / "shared" / "papers"
    if folder.is_dir():
        assert names == {path.stem for path in folder.glob("*.txt")}


def test_every_command_is_one_of_ours(papers: ModuleType) -> None:
    """Verbs, experiments and scripts that a table names exist."""
    for paper in papers.read_papers():
        for table in paper.values.get("tables", []):
            for line in table.get("command", "").replace("&&", "\n").replace(";", "\n").splitlines():
                first, *others = line.split("#")[0].split() or [""]
                if first == "plait":
                    assert (ROOT / "src/plait/cli" / f"{others[0]}.py").is_file(), line
                for word in others:
                    if word.startswith(("experiments/", "benchmarks/", "tests/")):
                        assert (ROOT / word).is_file(), line


def test_links_lead_somewhere(papers: ModuleType) -> None:
    for paper in papers.read_papers():
        for name in paper.values.get("pages", []):
            assert (ROOT / "docs" / name).is_file(), name
        for table in paper.values.get("tables", []):
            if "picture" in table:
                assert (ROOT / "docs" / "pictures" / table["picture"]).is_file(), table["picture"]


def test_cells_are_joined_by_row_and_seed(papers: ModuleType, tmp_path: Path) -> None:
    cells = ["treebank,system,oracle,beam,seed,las", "G,swap,lazy,1,1,80", "G,swap,lazy,1,2,82"]
    cells += ["G,swap,eager,1,1,79", "G,swap,lazy,8,1,90"]
    (tmp_path / "cells.csv").write_text("\n".join(cells))
    (tmp_path / "one.toml").write_text(
        HEAD + '[[tables]]\nname = "Table 1"\nresults = "cells.csv"\nscores = { las = "LAS" }\n'
        '[[slips]]\nwhere = "Table 2"\nprinted = "5"\narithmetic = "2 * (3 - 1)"\n'
    )
    text = papers.page(tmp_path)
    assert "| G | `swap lazy` | 81.00 (80.00–82.00) | 2 |\n| G | `swap eager` | 79.00 | 1 |" in text
    assert "- Table 2: printed 5, but 2 * (3 - 1) = 4.00." in text
    assert "90" not in text


def test_rows_of_a_ladder_are_told_apart(papers: ModuleType, tmp_path: Path) -> None:
    cells = ["treebank,tags,row,seed,las", "G,gold,beam 8,1,80", "G,gold,beam 8,2,82", "G,gold,greedy,1,70"]
    (tmp_path / "cells.csv").write_text("\n".join(cells))
    (tmp_path / "one.toml").write_text(
        HEAD + '[[tables]]\nname = "Table 1"\nresults = "cells.csv"\nscores = { las = "LAS" }\n'
    )
    text = papers.page(tmp_path)
    assert "| G | `beam 8` | 81.00 (80.00–82.00) | 2 |\n| G | `greedy` | 70.00 | 1 |" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("autors = 1", "one.toml: no key autors"),
        ("year = 2000", "one.toml: no authors, title, venue, what"),
        (
            HEAD + '[[slips]]\nwhere = "x"\nprinted = "1"\narithmetic = "abs(1)"',
            "not arithmetic",
        ),
        (
            HEAD + '[[tables]]\nname = "x"\ncolumns = ["a"]\nrows = [["1", "2"]]',
            "has not 1 cells",
        ),
        (HEAD + '[[tables]]\nname = "x"\npicture = "x.svg"', "a picture needs shows"),
    ],
)
def test_what_is_wrong_in_a_file_is_said(papers: ModuleType, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "one.toml").write_text(text)
    with pytest.raises(papers.PapersError) as error:
        papers.page(tmp_path)
    assert message in str(error.value)
