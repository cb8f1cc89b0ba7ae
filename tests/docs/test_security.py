"""SECURITY.md names tests for what the server promises: they are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_promise_of_the_server_has_its_tests() -> None:
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    table = page.partition("## The server")[2].partition("## Reporting")[0]
    rows = re.findall(r"^\| (\*\*.*) \| (.*) \|$", table, re.MULTILINE)
    assert len(rows) > 8
    files = {path.name: path.read_text() for path in (ROOT / "tests" / "unit").glob("test_server_*.py")}
    tests = re.findall(r"^def (test_\w+)", "\n".join(files.values()), re.MULTILINE)
    for promise, held in rows:
        named = re.findall("`([^`]+)`", held)
        assert named, promise
        for each in named:
            if each.endswith(".py"):
                assert each in files
            else:
                assert any(each.strip("…") in test for test in tests), each
