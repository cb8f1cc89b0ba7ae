"""What is wrong with a block that does not hold a sentence: every fault, with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plait.errors import Problem, excerpt
from plait.formats import frames
from plait.formats.blocks import BYTE_ORDER_MARK, Block
from plait.formats.tabular import Layout, whole_number
from plait.sentence import EMPTY

_SURROGATE = re.compile("[\udc80-\udcff]+")
_RANGE = re.compile(r"(\d+)-(\d+)")
_DECIMAL = re.compile(r"(\d+)\.(\d+)")


def find_sent_id(block: Block) -> str:
    for line in block.text.split("\n"):
        if not line.startswith("#"):
            break
        name, _, value = line[1:].partition("=")
        if name.strip() == "sent_id":
            return _SURROGATE.sub("�", value.strip())
    return ""


def diagnose(layout: Layout, block: Block) -> list[Problem]:
    """Every fault of a block, in the order of its lines."""
    sent_id = find_sent_id(block)
    found = sorted(_faults(layout, block), key=lambda fault: fault[0])
    return [Problem(message, line=block.line + index, sent_id=sent_id) for index, message in found]


def _faults(layout: Layout, block: Block) -> Iterator[tuple[int, str]]:
    lines = block.text.split("\n")
    if block.text.startswith(BYTE_ORDER_MARK):
        yield 0, "the file starts with a byte order mark (U+FEFF); save it as UTF-8 without one."
        lines[0] = lines[0][1:]
    rows: list[tuple[int, list[str]]] = []
    for index, line in enumerate(lines):
        yield from ((index, message) for message in _bad_characters(line, block))
        line = line.removesuffix("\r")
        if line.startswith("#"):
            if not layout.comments:
                yield index, f"{layout.title} has no comments, but the line is {excerpt(line)}."
            elif rows:
                yield index, f"a comment stands after the first word: {excerpt(line)}."
            continue
        if not line.strip():
            yield index, "the line has only white space; a sentence ends with an empty line."
            continue
        cells = line.split("\t")
        rows.append((index, cells))
        if block.last and not block.ending and index == len(lines) - 1 and not layout.fits(len(cells)):
            yield index, f"the file ends in the middle of this line: {excerpt(line)}."
            continue
        yield from ((index, message) for message in _bad_cells(layout, cells))
    if not rows:
        yield 0, "there are comments but no words."
        return
    if layout.arguments and len({len(cells) for _, cells in rows}) > 1:
        yield rows[0][0], "the lines of the sentence differ in their number of columns."
    elif layout.arguments and layout.fits(len(rows[0][1])):
        yield from _bad_frames(layout, rows)
    yield from _bad_ids(layout, rows)


def _bad_frames(layout: Layout, rows: list[tuple[int, list[str]]]) -> Iterator[tuple[int, str]]:
    marks, senses = (
        [cells[layout.columns.index(name) + 1] for _, cells in rows] for name in (frames.MARK, frames.SENSE)
    )
    predicates = frames.predicate_rows(marks, senses)
    columns = len(rows[0][1]) - layout.width
    if not frames.fits(predicates, senses, columns):
        at = predicates[columns] if columns < len(predicates) else 0
        yield (
            rows[at][0],
            f"the sentence has {_count(len(predicates), 'predicate')} but {_count(columns, 'argument column')}.",
        )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _bad_characters(line: str, block: Block) -> Iterator[str]:
    if broken := _SURROGATE.search(line):
        shown = broken.group().encode("utf-8", "surrogateescape")[:8].hex(" ")
        yield f"the bytes {shown} are not UTF-8 (column {broken.start() + 1} of the line)."
    if "\0" in line:
        yield "the line holds a NUL character."
    if "\r" in line:
        if line.endswith("\r") and line.count("\r") == 1:
            yield f"the line ends with CR LF, unlike others of its sentence ({block.newline!r})."
        else:
            yield "the line holds a carriage return (CR) that is not part of a line end."


def _bad_cells(layout: Layout, cells: list[str]) -> Iterator[str]:
    if not layout.fits(len(cells)):
        expected = f"{layout.width}{' or more' if layout.arguments else ''}"
        hint = ""
        if len(cells) == 1 and len(cells[0].split()) >= layout.width - 2:
            hint = " Are the columns separated by spaces instead of tabs?"
        yield f"{expected} columns expected, {len(cells)} found: {excerpt(chr(9).join(cells))}.{hint}"
    for name, cell in zip(layout.names, cells, strict=False):
        if not cell:
            yield f"{name} is empty; write _ where there is nothing."


def _bad_ids(layout: Layout, rows: list[tuple[int, list[str]]]) -> Iterator[tuple[int, str]]:
    words = [(index, cells) for index, cells in rows if not _special(layout, cells[0])]
    seen: set[str] = set()
    expected = 1
    minor = 1
    covered = 0
    pending: int | None = None  # the word a multiword token has announced
    for index, cells in rows:
        number = cells[0]
        if number in seen:
            yield index, f"ID {number[:40]} stands twice in the sentence."
            continue
        seen.add(number)
        if not _special(layout, number):
            value = whole_number(number)
            if value != expected:
                yield index, f"ID is {excerpt(number)} but {expected} is next."
            expected = (value if value and value > 0 else expected) + 1
            minor = 1
            pending = None
        elif pending is not None:
            yield index, f"ID is {number[:40]} but the multiword token before it needs word {pending} next."
        elif match := _RANGE.fullmatch(number):
            start, end = whole_number(match[1]), whole_number(match[2])
            if start is None or end is None or not 0 < start <= end:
                yield index, f"{excerpt(number)} is not a range of words."
            elif start != expected:
                yield index, f"the multiword token {number} must stand just before word {start}."
            elif start <= covered:
                yield index, f"the multiword token {number} overlaps the one before it."
            elif end > len(words):
                yield index, f"the multiword token {number} goes beyond the last word, {len(words)}."
            else:
                covered = end
            pending = expected
        else:
            if number != f"{expected - 1}.{minor}":
                yield index, f"ID of the empty node is {excerpt(number)} but {expected - 1}.{minor} is next."
            minor += 1
    if not words:
        yield rows[0][0], "the sentence has no words."
    elif pending is not None:
        yield rows[-1][0], f"the multiword token {rows[-1][1][0]} has no words after it."
    yield from _bad_heads(layout, words)


def _bad_heads(layout: Layout, words: list[tuple[int, list[str]]]) -> Iterator[tuple[int, str]]:
    place = layout.columns.index("heads") + 1
    for index, cells in words:
        if not layout.fits(len(cells)) or cells[place] in ("", EMPTY):
            continue  # in a line with other columns nobody knows which is HEAD
        head = whole_number(cells[place])
        if head is None:
            yield index, f"HEAD is {excerpt(cells[place])}, which is neither a word's number nor _."
        elif head > len(words):
            yield index, f"HEAD is {head} but the sentence has {len(words)} words."


def _special(layout: Layout, number: str) -> bool:
    """Does the ID belong to a multiword token or an empty node?"""
    return layout.ranges and bool(_RANGE.fullmatch(number) or _DECIMAL.fullmatch(number))
