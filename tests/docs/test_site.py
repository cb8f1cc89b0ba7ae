"""The documentation as a site: it is built without a warning, its notebooks run, and no link in it is broken."""

from __future__ import annotations

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("furo")
pytest.importorskip("myst_nb")
ROOT = Path(__file__).resolve().parents[2]


class Links(HTMLParser):
    """What a page points to, and the places in it that can be pointed to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.places: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value and tag != "base":
                self.targets.append(value)
            elif name == "id" and value:
                self.places.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", ROOT / "docs", folder],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_no_link_is_broken(site: Path) -> None:
    pages = {page: Links(page) for page in site.rglob("*.html")}
    assert len(pages) > 40
    broken = []
    for page, links in pages.items():
        for target in links.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            goal = (page.parent / unquote(parts.path)).resolve() if parts.path else page.resolve()
            if not goal.exists() or (
                parts.fragment and goal in pages and parts.fragment not in pages[goal].places
            ):
                broken.append(f"{page.relative_to(site)}: {target}")
    assert broken == []


def test_every_page_of_the_docs_can_be_found_from_the_first(site: Path) -> None:
    listed = Links(site / "index.html").targets
    for page in (ROOT / "docs").glob("*.md"):
        assert page.stem == "index" or f"{page.stem}.html" in listed, page.name


def test_notebooks_show_what_came_out(site: Path) -> None:
    first = (site / "notebooks" / "first-steps.html").read_text(encoding="utf-8")
    assert "<svg" in first
    assert "trees are right" in first


def test_the_player_is_live(site: Path) -> None:
    player = (site / "hearing-player.html").read_text(encoding="utf-8")
    assert "new Player(" in player
    assert "hearing" in player
    assert 'src="hearing-player.html"' in (site / "player.html").read_text(encoding="utf-8")
