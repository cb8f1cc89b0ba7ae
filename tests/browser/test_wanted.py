"""Where there is no browser the tests of the page are skipped, but not where everything is to be tested."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(("setting", "outcome", "status"), [("", "skipped", 0), ("true", "error", 1)])
def test_without_a_browser(tmp_path: Path, setting: str, outcome: str, status: int) -> None:
    (tmp_path / "conftest.py").write_bytes((Path(__file__).parent / "conftest.py").read_bytes())
    (tmp_path / "test_any.py").write_text("def test_any(browser): pass\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rs", "."],
        cwd=tmp_path,
        env={"PATH": str(tmp_path), "CI": setting},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status
    assert f"1 {outcome}" in done.stdout
    assert "Chromium" in done.stdout
