"""Text as it comes from files, and the folders of treebanks."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait import FormatError, InputError
from plait.formats.files import Source, open_source
from plait.formats.folder import find_sections
from plait.formats.text import pieces


class Dripping:
    """A stream that gives so many bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data, self._size = data, size

    def read1(self, _: int) -> bytes:
        given, self._data = self._data[: self._size], self._data[self._size :]
        return given


@given(st.text(min_size=1).filter(str.strip), st.integers(1, 7))
def test_every_character_arrives_however_the_bytes_are_cut(text: str, size: int) -> None:
    source = Source("x.txt", Dripping(("\ufeff" + text).encode(), size))  # type: ignore[arg-type]
    assert "".join(pieces(source)) == text


def test_bytes_that_are_not_utf8_are_named_with_their_line() -> None:
    source = Source("x.txt", Dripping(b"one\ntwo\xc3\xa4\nthr\xffee\n", 5))  # type: ignore[arg-type]
    found = []
    with pytest.raises(FormatError, match=r"x\.txt:3: the line holds bytes that are not UTF-8"):
        found.extend(pieces(source))
    source = Source("x.txt", Dripping(b"thr\xffee\n", 5))  # type: ignore[arg-type]
    assert "".join(pieces(source, lenient=True)) == "thr\ufffdee\n"


def test_an_empty_file_and_another_encoding_are_bad_input(tmp_path: Path) -> None:
    for content, message in ((b"", "the file is empty"), ("é".encode("utf-16"), "looks like UTF-16")):
        (tmp_path / "x.txt").write_bytes(content)
        with open_source(tmp_path / "x.txt") as source, pytest.raises(InputError, match=message):
            list(pieces(source))


def test_compressed_text_is_read(tmp_path: Path) -> None:
    (tmp_path / "x.txt.gz").write_bytes(gzip.compress("Æbler er gode.\n".encode()))
    with open_source(tmp_path / "x.txt.gz") as source:
        assert "".join(pieces(source)) == "Æbler er gode.\n"


def test_the_parts_of_a_treebank_are_told_by_name(tmp_path: Path) -> None:
    for name in (
        "da_x-ud-train.conllu",
        "da_x-ud-dev.conllu.gz",
        "README.md",
        "trained.conllu",
        "b-train.conll",
    ):
        (tmp_path / name).touch()
    parts = find_sections(tmp_path)
    assert {part: [path.name for path in files] for part, files in parts.items()} == {
        "train": ["b-train.conll", "da_x-ud-train.conllu"],
        "dev": ["da_x-ud-dev.conllu.gz"],
    }
    with pytest.raises(InputError, match="no treebank to train on"):
        find_sections(tmp_path / ".." / tmp_path.name / "..")
