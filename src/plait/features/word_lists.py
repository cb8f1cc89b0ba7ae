"""Files of words: lines of cells with tabs between them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from plait.checks import UNFIT_FOR_CELLS
from plait.errors import FormatError, Problem, excerpt
from plait.formats.files import open_source

_CHUNK = 1 << 20
_MARK = "\ufeff".encode()  # of byte order


def read_rows(path: str | Path, columns: range, what: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of every line of a file and its number."""
    return parse_rows(read_file(path), str(path), columns, what)


def read_file(path: str | Path) -> bytes:
    """What is in a file, compressed or not."""
    with open_source(path) as source:
        return b"".join(iter(lambda: source.read(_CHUNK), b""))


def parse_rows(content: bytes, path: str, columns: range, what: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of every line and its number. Empty lines and those that begin with `#` and a space are left out.
    FormatError, with the line, where there are more or fewer `columns` (`what` is expected), no word, or something that
    no cell can hold.
    """
    for number, line in enumerate(content.removeprefix(_MARK).split(b"\n"), 1):
        try:
            cells = line.decode().removesuffix("\r").split("\t")
        except UnicodeDecodeError:
            raise FormatError(Problem("this line is not UTF-8.", path, number)) from None
        if cells == [""] or cells[0].startswith("# "):
            continue
        if len(cells) not in columns:
            fault = f"{what} are expected, with tabs between them, and it has {len(cells):,} columns."
            if len(cells) == 1:
                fault = f"{what} are expected, with a tab between them, and there is no tab."
            raise FormatError(Problem(fault, path, number))
        if not cells[0].strip() or UNFIT_FOR_CELLS.search("".join(cells)):
            raise FormatError(Problem(f"a word is expected, not {excerpt(cells[0])}.", path, number))
        yield number, cells
