"""How much memory a model takes, measured in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# Imports and arenas that everything takes are there before the measuring begins.
_PROGRAM = """
import sys
from pathlib import Path
import plait
from plait.cli.trial import load_any
from plait.errors import InputError

def status(name):
    return next(int(line.split()[1]) << 10 for line in open("/proc/self/status") if line.startswith(name))

try:
    load_any(Path(sys.argv[1]))
except InputError:
    pass
Path("/proc/self/clear_refs").write_text("5")
before = status("VmRSS")
try:
    load_any(Path(sys.argv[2]))
    told = "loaded"
except InputError as error:
    told = str(error)
print(status("VmHWM") - before)
print(told)
"""
ALLOWANCE = 64 << 20


def peak(model: Path, other: Path) -> tuple[int, str]:
    """Bytes while a model is loaded, after an `other`, small one of its kind; and the message, if it is refused."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(other), str(model)], capture_output=True, text=True, check=True
    )
    memory, _, told = done.stdout.partition("\n")
    return int(memory), told.strip()


def size(model: Path) -> int:
    return model.stat().st_size if model.is_file() else sum(each.stat().st_size for each in model.rglob("*"))


def most(model: Path) -> int:
    """What is promised in SECURITY.md."""
    return 4 * size(model) + ALLOWANCE
