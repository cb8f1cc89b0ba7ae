"""What is read of files and folders."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from plait import folders


def test_a_small_file_takes_little_memory_however_large_it_might_have_been(tmp_path: Path) -> None:
    path = tmp_path / "small"
    path.write_bytes(b"ja")
    tracemalloc.start()
    try:
        assert folders.read_file(path, 1 << 30) == b"ja"
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_file_may_have_as_much_as_is_allowed_and_no_byte_more(tmp_path: Path) -> None:
    path = tmp_path / "full"
    path.write_bytes(b"abc")
    assert folders.read_file(path, 3) == b"abc"
    with pytest.raises(OSError, match="full is larger than 2 bytes"):
        folders.read_file(path, 2)
