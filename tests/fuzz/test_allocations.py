"""Memory that runs out: one allocation of the core after the other fails, and what comes is an error."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hostile.toy_models import save_models

HERE = Path(__file__).parent
MOST = 12  # of the first allocations, and of the others
COMPILER = os.environ.get("CXX", "g++")

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which(COMPILER) is None,
    reason="allocations fail by a library loaded before all others, compiled here",
)


def test_every_allocation_that_fails_is_an_error(tmp_path: Path) -> None:
    library = tmp_path / "allocations.so"
    subprocess.run(
        [COMPILER, "-O1", "-shared", "-fPIC", "-std=c++20", "-o", library, HERE / "allocations.cpp"],
        check=True,
    )
    models = save_models(tmp_path)
    done = subprocess.run(
        [sys.executable, HERE / "failing.py", str(MOST), *models],
        env={**os.environ, "LD_PRELOAD": f"{library} {os.environ.get('LD_PRELOAD', '')}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-2000:]
    told = re.findall(
        r"^(.+) (used|saved): ([\d,]+) allocations, [\d,]+ failed, ([\d,]+) told$", done.stdout, re.M
    )
    assert len(told) == 2 * len(models)
    assert sum(int(number.replace(",", "")) for *_, number in told) > 1000
