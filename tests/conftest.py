"""Where the real treebanks are, and how to run a command."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

from plait import Pipeline

settings.register_profile("plait", deadline=None)  # how long an example takes is no fault
settings.load_profile("plait")

TREEBANKS = Path(__file__).resolve().parents[2] / "shared" / "treebanks"


@pytest.fixture(scope="session", autouse=True)
def no_own_models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The models of whoever runs the tests are not looked at."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("home")))
        patch.delenv("PLAIT_MODELS", raising=False)
        yield


@pytest.fixture(scope="session")
def treebanks() -> Path:
    if not TREEBANKS.is_dir():
        pytest.skip("the real treebanks are not there: ../shared/treebanks")
    return TREEBANKS


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server with two toy models."""
    pytest.importorskip("starlette")
    from serving import serving, toy_pipeline

    toy = toy_pipeline()
    with serving({"toy-written-1.0": toy, "parser-only": Pipeline({"parser": toy["parser"]})}) as url:
        yield url


class Result(NamedTuple):
    """What a command printed and how it ended."""

    status: int
    out: str
    err: str


@pytest.fixture
def plait_command(tmp_path: Path) -> Callable[..., Result]:
    """Run `plait` as a user does: a process of its own, in an empty folder."""

    def run(*arguments: str | Path, stdin: bytes = b"", **options: Any) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "plait", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            timeout=60,
            check=False,
            **options,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
