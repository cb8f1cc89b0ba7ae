"""The commands in the page about the server, run against one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from serving import TEXT, toy_pipeline

PAGE = Path(__file__).resolve().parents[2] / "docs" / "server.md"
COMMANDS = re.findall(r"^curl .*$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_gets_an_answer(server: str, command: str, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "parsed.conllu").write_text(toy_pipeline()(TEXT).conllu, encoding="utf-8")
    here = command.replace("http://localhost:8000", server).replace("model=en", "model=toy")
    done = subprocess.run(
        ["bash", "-c", f"{here} --silent --show-error --fail-with-body"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout
