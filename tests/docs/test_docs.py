"""What README and docs show is what happens: their Python runs, their commands print what is printed there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> Iterator[tuple[int, str, str]]:
    """Line, language and text of every fenced block."""
    content = page.read_text(encoding="utf-8")
    for match in _BLOCK.finditer(content):
        yield content.count("\n", 0, match.start()) + 1, match[1], match[2]


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what it prints; `> ` continues a command."""
    command: list[str] = []
    output: list[str] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            if command:
                yield "\n".join(command), "\n".join(output)
            command, output = [line[2:]], []
        elif (line.startswith("> ") or line == ">") and not output:
            command.append(line[2:])
        else:
            output.append(line)
    if command:
        yield "\n".join(command), "\n".join(output)


def plain(text: str) -> str:
    """Without white space at the ends of lines, which editors remove."""
    return "\n".join(line.rstrip() for line in text.rstrip().splitlines())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shell = f'plait() {{ {shlex.quote(sys.executable)} -m plait "$@"; }}\n'
    namespace: dict[str, object] = {"__name__": "example"}
    for line, language, text in blocks(page):
        if language == "python":
            exec(compile("\n" * line + text, str(page), "exec"), namespace)
        elif language == "console":
            for command, expected in commands(text):
                done = subprocess.run(
                    ["bash", "-c", shell + command],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    timeout=120,
                    check=False,
                    env=os.environ | {"COLUMNS": "100", "DOCS": str(ROOT / "docs")},
                )
                assert plain(done.stdout.decode()) == plain(expected), f"{page.name}:{line}: {command}"
