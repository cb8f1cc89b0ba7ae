"""Where the real treebanks are, for the tests that need them."""

from pathlib import Path

import pytest

TREEBANKS = Path(__file__).resolve().parents[2] / "shared" / "treebanks"


@pytest.fixture(scope="session")
def treebanks() -> Path:
    if not TREEBANKS.is_dir():
        pytest.skip("the real treebanks are not there: ../shared/treebanks")
    return TREEBANKS
