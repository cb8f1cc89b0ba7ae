"""A few cases of every attack; `python -m hostile --cases 10000` in the folder above runs as many as one likes."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hostile.guard import attempt
from plait import InputError

CASES = {"models": 180, "inputs": 200, "requests": 120, "kills": 8}
HERE = Path(__file__).parent


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_found(name: str, tmp_path: Path) -> None:
    attack = pytest.importorskip(f"hostile.{name}").Attack
    with attack(tmp_path) as running:
        assert [finding for case in range(CASES[name]) if (finding := running.run(case))] == []


def _clear() -> None:
    raise InputError("The file is bad.")


def _stumble() -> None:
    raise KeyError("x")


def _spin() -> None:
    end = time.process_time() + 60
    while time.process_time() < end:
        pass


def _gobble() -> None:
    assert len(b"x" * (200 << 20)) > 0


@pytest.mark.parametrize(
    ("work", "kind"),
    [
        (lambda: None, None),
        (_clear, None),
        (_stumble, "traceback"),
        (lambda: "a cell is empty", "invalid output"),
        (_spin, "hang"),
        pytest.param(
            _gobble,
            "memory",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="memory is told there"),
        ),
    ],
)
def test_what_must_not_happen_is_noticed(
    work: Callable[[], str | None], kind: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hostile.guard.SECONDS", 1)
    monkeypatch.setattr("hostile.guard.MEGABYTES", 100)
    found = attempt("x", 7, work)
    assert (found and (found.kind, found.case)) == (kind and (kind, 7))


DYING = """
import os, signal
from hostile.report import Finding
class Attack:
    def __init__(self, folder): pass
    def __enter__(self): return self
    def __exit__(self, *error): pass
    def run(self, case):
        if case == 2: os.kill(os.getpid(), signal.SIGSEGV)
        return Finding("requests", case, "traceback", "oh") if case == 4 else None
"""


def test_long_runs_survive_what_they_find(tmp_path: Path) -> None:
    (tmp_path / "hostile").mkdir()
    for name in "report.py", "__main__.py":
        (tmp_path / "hostile" / name).write_text((HERE / name).read_text())
    (tmp_path / "hostile" / "requests.py").write_text(DYING)
    command = [sys.executable, "-m", "hostile", "--cases", "6"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert any(
        line.startswith(f"requests 2: crash: the worker ended with -{signal.SIGSEGV:d}") for line in lines
    )
    assert "requests 4: traceback: oh" in lines
    assert lines[-2].startswith("requests: 6 cases in ")
    assert lines[-2].endswith(": 1 crash, 1 traceback")
    assert lines[-1] == "kills: there is no such attack yet"
