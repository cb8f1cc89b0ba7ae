"""Files of words: lines of cells with tabs between them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from plait.checks import UNFIT_FOR_CELLS
from plait.errors import FormatError, Problem, excerpt
from plait.formats.files import open_source

_CHUNK = 1 << 20


def read_rows(path: str | Path, columns: range, what: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of every line and its number; compressed or not. Empty lines and those that begin with `#` and a space
    are left out. FormatError, with the line, where there are more or fewer `columns` (`what` is expected), no word, or
    something that no cell can hold.
    """
    with open_source(path) as source:
        content = b"".join(iter(lambda: source.read(_CHUNK), b""))
    for number, line in enumerate(content.split(b"\n"), 1):
        try:
            cells = line.decode().rstrip("\r").split("\t")
        except UnicodeDecodeError:
            raise FormatError(Problem("this line is not UTF-8.", str(path), number)) from None
        if cells == [""] or cells[0].startswith("# "):
            continue
        if len(cells) not in columns:
            fault = f"{what} are expected, with tabs between them, not {len(cells)} columns."
            raise FormatError(Problem(fault, str(path), number))
        if not cells[0].strip() or UNFIT_FOR_CELLS.search("".join(cells)):
            raise FormatError(Problem(f"a word is expected, not {excerpt(cells[0])}.", str(path), number))
        yield number, cells
