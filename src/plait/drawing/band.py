"""A row of words with its arcs as SVG: what the picture of a tree and of a comparison have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from plait.cancel import check_cancelled
from plait.drawing.arcs import Arc
from plait.drawing.measure import shortened, text_width
from plait.drawing.page import TAG, TIP, Ink, line, number, tip, writing
from plait.drawing.rows import LABEL_SIZE, LABEL_SPACE, Row, Side, Strand
from plait.drawing.svg import text
from plait.sentence import Sentence

LEVEL = 21.0  # from one level of arcs to the next
BASE = 26.0  # from the words to the lowest one
BEND = 7.0
MARGIN = 14.0
BRACKET = 26.0  # below the words, for multiword tokens
FRAME = 8.0  # how much wider than its word a frame is
NAME_LIMIT = 14  # characters of a word named in the margin


@dataclass(frozen=True, slots=True)
class Inscription:
    """A line of text below the arcs, one entry per word; all in one ink, or with `inks` in one for each."""

    entries: Sequence[str]
    size: float
    ink: Ink
    inks: Sequence[Ink] = ()

    def width(self, word: int) -> float:
        return text_width(self.entries[word - 1], self.size)


@dataclass(frozen=True, slots=True)
class Band:
    """A row at its place: `left` is where its columns begin, `top` is the top of its arcs."""

    row: Row
    sentence: Sentence
    inscriptions: Sequence[Inscription]
    left: float
    top: float
    page_width: float
    mirrored: bool
    dashed: frozenset[int] = frozenset()  # words in a dashed frame: those that are not in the sentence

    @property
    def words_top(self) -> float:
        return self.top + side_height(self.row.sides[0])

    @property
    def words_bottom(self) -> float:
        lines = sum(each.size * 1.3 for each in self.inscriptions)
        return self.words_top + lines + (BRACKET if self.sentence.multiword_tokens else 4.0)

    @property
    def bottom(self) -> float:
        return self.words_bottom + sum(map(side_height, self.row.sides[1:]))

    def x(self, place: float) -> float:
        """A place in the row as one on the page: mirrored where words run from right to left."""
        return self.page_width - self.left - place if self.mirrored else self.left + place

    def draw(self, ink_of: Callable[[int, Arc], Ink], titles: Sequence[str]) -> Iterator[str]:
        """Every word with the arcs that lead to it, so that it can light them up."""
        by_word: dict[int, list[str]] = {}
        for index, side in enumerate(self.row.sides):
            for strand in side.strands:
                check_cancelled()
                parts = by_word.setdefault(strand.arc.dependent, [])
                parts += self._strand(index, strand, ink_of(index, strand.arc))
            for arc in side.roots:
                parts = by_word.setdefault(arc.dependent, [])
                parts += self._root(index, arc, ink_of(index, arc))
        for word in sorted(by_word):
            if not self.row.first <= word <= self.row.last:
                yield "".join(by_word[word])
        direction = ' direction="rtl"' if self.mirrored else ""
        for word in range(self.row.first, self.row.last + 1):
            check_cancelled()
            yield (
                f'<g class="word" tabindex="0"><title>{text(titles[word - 1])}</title>'
                f"{''.join(by_word.get(word, ()))}<g{direction}>{''.join(self._text(word))}</g></g>"
            )
        yield from self._brackets()

    def _text(self, word: int) -> Iterator[str]:
        y = self.words_top
        if word in self.dashed:
            yield self._frame(word)
        for each in self.inscriptions:
            y += each.size * 1.3
            yield writing(
                each.entries[word - 1],
                self.x(self.row.x((word, 0.0))),
                y - each.size * 0.3,
                each.size,
                each.inks[word - 1] if each.inks else each.ink,
            )

    def _frame(self, word: int) -> str:
        form = self.inscriptions[0]
        across = form.width(word) + FRAME
        left = self.x(self.row.x((word, 0.0))) - across / 2
        return (
            f'<rect class="arc tag" x="{number(left)}" y="{number(self.words_top + 1)}" width="{number(across)}" '
            f'height="{number(form.size * 1.3)}" rx="4" fill="none" stroke="{TAG.light}" stroke-dasharray="3 2"/>'
        )

    def _ground(self, index: int) -> tuple[float, int]:
        """Where the legs of a side stand, and which way its arrows point: 1 down."""
        return (self.words_top, 1) if index == 0 else (self.words_bottom, -1)

    def _strand(self, index: int, strand: Strand, ink: Ink) -> Iterator[str]:
        ground, way = self._ground(index)
        y = level_y(ground, way, strand.level)
        half = text_width(strand.arc.label, LABEL_SIZE) / 2 + 3 if strand.arc.label else 0.0
        for side in (-1, 1):
            column, leg = (strand.left, strand.left_leg) if side < 0 else (strand.right, strand.right_leg)
            x = self.x(self.row.x((column, leg)))
            label_end = self.x(strand.label_at + side * half)
            start = f"M{number(label_end)} {number(y)}H"
            if self.row.first <= column <= self.row.last:
                towards = 1 if label_end > x else -1
                bend = min(BEND, abs(label_end - x))
                pointed = column == strand.arc.dependent
                foot = ground - way * (TIP if pointed else 2)
                yield line(
                    f"{start}{number(x + towards * bend)}Q{number(x)} {number(y)} "
                    f"{number(x)} {number(y + way * bend)}V{number(foot)}",
                    ink,
                )
                if pointed:
                    yield tip(x, ground - way, way, ink)
            else:
                yield line(f"{start}{number(x)}", ink)
                yield self._elsewhere(strand, column, x, y)
        if strand.arc.label:
            yield writing(strand.arc.label, self.x(strand.label_at), y + 4, LABEL_SIZE, ink)

    def _elsewhere(self, strand: Strand, column: int, x: float, y: float) -> str:
        """Beside an open end, which word of another row the arc leads to."""
        name = name_elsewhere(self.sentence, strand, column)
        on_the_left = (column < self.row.first) != self.mirrored
        return writing(
            name,
            x - 4 if on_the_left else x + 4,
            y + 4,
            LABEL_SIZE,
            TAG,
            anchor="end" if on_the_left else "start",
        )

    def _root(self, index: int, arc: Arc, ink: Ink) -> Iterator[str]:
        side = self.row.sides[index]
        ground, way = self._ground(index)
        x = self.x(self.row.x((arc.dependent, side.root_legs[arc.dependent])))
        y = level_y(ground, way, side.height)
        start = y + way * (9 if arc.label else 0)
        yield line(f"M{number(x)} {number(start)}V{number(ground - way * TIP)}", ink)
        yield tip(x, ground - way, way, ink)
        if arc.label:
            yield writing(arc.label, x, y + 4, LABEL_SIZE, ink)

    def _brackets(self) -> Iterator[str]:
        """Below the words of a multiword token its own form; in both rows where it is torn apart."""
        y = self.words_bottom - BRACKET + 5
        for token in self.sentence.multiword_tokens:
            start, end = max(token.first, self.row.first), min(token.last, self.row.last)
            if start > end:
                continue
            left, right = self.x(self.row.left_of(start)), self.x(self.row.right_of(end))
            yield (
                f'<path class="arc tag" d="M{number(left)} {number(y - 4)}V{number(y)}H{number(right)}'
                f'V{number(y - 4)}" fill="none" stroke="{TAG.light}"/>'
                f"{writing(token.form, (left + right) / 2, y + 15, 13, TAG)}"
            )


def side_height(side: Side) -> float:
    return BASE + LEVEL * (side.height - 1) + 12 if side.height else 12.0


def level_y(ground: float, way: int, level: int) -> float:
    return ground - way * (BASE + LEVEL * (level - 1))


def name_elsewhere(sentence: Sentence, strand: Strand, column: int) -> str:
    end = strand.arc.span[0] if column == strand.left else strand.arc.span[1]
    return f"{end} {shortened(sentence.forms[end - 1], NAME_LIMIT)}"


def margins(rows: Sequence[Row], sentence: Sentence) -> tuple[float, float]:
    """The room before and after the rows, for the names of words elsewhere."""
    before = after = 0.0
    for row in rows:
        for strand in (strand for side in row.sides for strand in side.strands):
            if strand.left < row.first:
                name = name_elsewhere(sentence, strand, strand.left)
                before = max(before, text_width(name, LABEL_SIZE) + LABEL_SPACE)
            if strand.right > row.last:
                name = name_elsewhere(sentence, strand, strand.right)
                after = max(after, text_width(name, LABEL_SIZE) + LABEL_SPACE)
    return MARGIN + before, MARGIN + after
