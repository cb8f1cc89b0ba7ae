"""The arcs of a tree as characters, one line per word; the terminal's picture puts the words beside them.

An arc is a vertical line, and the longer it is the further it is from the words. From every word a line runs
to the furthest of its arcs, joining the others on the way. Two lines that cross do not join: the one that
runs across is interrupted.

The arrowhead stands before the word when the arc to it is its only one, and otherwise at the place where that
arc joins. Arcs may lie end to end on one vertical only if both begin there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plait.cancel import check_cancelled
from plait.drawing.arcs import Arc, Arcs, levels_of

STEP = 2  # cells from one vertical line to the next

UP, DOWN, LEFT = 1, 2, 4  # where lines join a line that runs to the right


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters that arcs are drawn with."""

    across: str
    down: str
    arrow: str
    from_head: str
    joints: str  # by the sum of the sides, from UP to UP + DOWN + LEFT; LEFT alone is no joint
    brackets: str  # one word, first, between, last

    @property
    def characters(self) -> str:
        """All of them."""
        return "".join((self.across, self.down, self.arrow, self.from_head, self.joints, self.brackets))

    def bracket_of(self, words: int) -> str:
        """A bracket beside so many lines, one character for each."""
        only, first, between, last = iter(self.brackets)
        return only if words == 1 else first + between * (words - 2) + last


UNICODE = Glyphs("─", "│", "►", "←", " └┌├─┴┬┼", "]╮│╯")
ASCII = Glyphs("-", "|", ">", "<", " '.+-'.+", "]\\|/")


@dataclass(slots=True)
class Line:
    """The characters before a word, and for each whether all it shows belongs to non-projective arcs."""

    characters: list[str]
    marked: list[bool]

    def put(self, column: int, character: str, marked: bool) -> None:
        self.characters[column] = character
        self.marked[column] = marked


def draw_strands(arcs: Arcs, size: int, glyphs: Glyphs) -> list[Line]:
    """For each of `size` words its line, all of one width."""
    levels = levels_of([arc.span for arc in arcs.between], [arc.dependent for arc in arcs.between])
    depth = max(levels, default=0)
    root = STEP if arcs.from_root else 0
    width = root + STEP * depth + 1
    lines: list[Line] = []
    for _ in range(size):
        check_cancelled()
        lines.append(Line([" "] * width, [False] * width))
    at_word: list[list[tuple[int, Arc]]] = [[] for _ in range(size)]
    for level, arc in zip(levels, arcs.between, strict=True):
        check_cancelled()
        column = root + STEP * (depth - level)
        start, end = arc.span
        at_word[start - 1].append((column, arc))
        at_word[end - 1].append((column, arc))
        for word in range(start + 1, end):
            lines[word - 1].put(column, glyphs.down, arc.nonprojective)
    for arc in arcs.from_root:
        at_word[arc.dependent - 1].append((0, arc))
    for word, (line, ends) in enumerate(zip(lines, at_word, strict=True), 1):
        _draw_line(word, line, sorted(ends, key=lambda end: end[0]), glyphs)
    return lines


def _draw_line(word: int, line: Line, ends: Sequence[tuple[int, Arc]], glyphs: Glyphs) -> None:
    """The line of a word to the furthest of its arcs, given from there to the word."""
    check_cancelled()
    if not ends:
        return
    start, last = ends[0][0], len(line.characters) - 1
    joints: dict[int, int] = {}
    plain = last + 1  # where the first projective arc joins: to its left the line belongs to others only
    for column, arc in ends:
        if arc.head:
            joints[column] = joints.get(column, 0) + (UP if arc.span[1] == word else DOWN)
        if not arc.nonprojective:
            plain = min(plain, column)
    for column in range(start, last + 1):
        if column in joints:
            left = LEFT if column > start else 0
            line.put(column, glyphs.joints[joints[column] + left], column < plain)
        elif line.characters[column] == " ":
            line.put(column, glyphs.across, column < plain)
    for column, arc in ends:
        if arc.dependent == word:
            line.put(last if len(ends) == 1 else column + 1, glyphs.arrow, arc.nonprojective)
