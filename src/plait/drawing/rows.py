"""Where everything of a row of words lies: columns, the legs of arcs, labels.

An arc is drawn as a strand: a leg up from each of its words, and a line with the label between them. Every
leg has a place of its own above its word. A label stands in a gap of its line that no other leg passes
through, and columns move apart until the gap is wide enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from plait.cancel import check_cancelled
from plait.drawing.arcs import Arc, Arcs, levels_of
from plait.drawing.measure import text_width

LABEL_SIZE = 11.0
LEG_SPACE = 10.0  # between the legs above one word
LABEL_SPACE = 8.0  # from a label to the legs beside it: the bend of the line lies there
COLUMN_SPACE = 16.0

Leg = tuple[int, float]  # the column it stands in, and how far to the right of the column's middle


@dataclass(slots=True)
class Strand:
    """The part of an arc that lies in a row; an end in another row is open, at the edge of this one."""

    arc: Arc
    left: int
    right: int
    level: int
    left_leg: float = 0.0
    right_leg: float = 0.0
    legs: list[Leg] = field(default_factory=list)  # its own and those through its line, from left to right
    label_at: float = 0.0

    @property
    def label_width(self) -> float:
        return text_width(self.arc.label, LABEL_SIZE) + 2 * LABEL_SPACE


@dataclass(slots=True)
class Side:
    """The arcs on one side of a row of words, which are numbered `first` to `last`."""

    first: int
    last: int
    strands: list[Strand]
    roots: list[Arc]
    root_legs: dict[int, float] = field(default_factory=dict)

    @classmethod
    def of(cls, arcs: Arcs, first: int, last: int) -> Side:
        # An arc that only passes over the row is left out: its ends name each other.
        inside = [arc for arc in arcs.between if any(first <= end <= last for end in arc.span)]
        spans = [(max(left, first - 1), min(right, last + 1)) for left, right in (arc.span for arc in inside)]
        strands = [
            Strand(arc, left, right, level)
            for arc, (left, right), level in zip(inside, spans, levels_of(spans), strict=True)
        ]
        side = cls(first, last, strands, [arc for arc in arcs.from_root if first <= arc.dependent <= last])
        side._place_legs()
        for strand in strands:
            strand.legs = side._legs_at(strand)
        return side

    @property
    def height(self) -> int:
        """The number of levels, with one for the labels of the root arrows."""
        return max((strand.level for strand in self.strands), default=0) + bool(self.roots)

    def leg_room(self) -> dict[int, float]:
        """The room that the legs above each word take."""
        room: dict[int, float] = {}
        for strand in self.strands:
            for end in (strand.left, strand.right):
                room[end] = room.get(end, 0.0) + LEG_SPACE
        for arc in self.roots:
            room[arc.dependent] = room.get(arc.dependent, 0.0) + LEG_SPACE
        return room

    def _place_legs(self) -> None:
        """The higher an arc, the nearer to the middle of its word, so that arcs of one word never cross."""
        leftward: dict[int, list[Strand]] = {}
        rightward: dict[int, list[Strand]] = {}
        for strand in sorted(self.strands, key=lambda strand: strand.level):
            leftward.setdefault(strand.right, []).append(strand)
            rightward.setdefault(strand.left, []).append(strand)
        roots = {arc.dependent for arc in self.roots}
        for word in range(self.first, self.last + 1):
            before, after = leftward.get(word, []), rightward.get(word, [])
            middle = (len(before) + len(after) + (word in roots) - 1) / 2
            for place, strand in enumerate(before):
                strand.right_leg = (place - middle) * LEG_SPACE
            if word in roots:
                self.root_legs[word] = (len(before) - middle) * LEG_SPACE
            for place, strand in enumerate(reversed(after), len(before) + (word in roots)):
                strand.left_leg = (place - middle) * LEG_SPACE

    def _legs_at(self, strand: Strand) -> list[Leg]:
        check_cancelled()
        left, right = strand.left, strand.right
        through = [(word, leg) for word, leg in self.root_legs.items() if left < word < right]
        for other in self.strands:
            if other.level > strand.level:
                if left < other.left < right:
                    through.append((other.left, other.left_leg))
                if left < other.right < right:
                    through.append((other.right, other.right_leg))
        return [(left, strand.left_leg), *sorted(through), (right, strand.right_leg)]

    def distances(self, middles: Sequence[float]) -> Iterable[tuple[int, int, float]]:
        """Pairs of columns, and how far apart labels want their middles; given where they would lie."""
        for strand in self.strands:
            check_cancelled()
            (left, left_leg), (right, right_leg) = max(
                ((here, there) for here, there in pairwise(strand.legs) if here[0] < there[0]),
                key=lambda gap: middles[gap[1][0] - self.first + 1] - middles[gap[0][0] - self.first + 1],
            )
            yield left, right, strand.label_width + left_leg - right_leg
        roots = [(arc.dependent, text_width(arc.label, LABEL_SIZE) / 2) for arc in self.roots]
        columns = [(self.first - 1, 0.0), *roots, (self.last + 1, 0.0)]
        for (here, half), (there, other_half) in pairwise(columns):
            legs = self.root_legs.get(here, 0.0) - self.root_legs.get(there, 0.0)
            yield here, there, half + other_half + LABEL_SPACE + legs

    def place_labels(self, row: Row) -> None:
        """Every label into a gap that is wide enough, as near to the middle of its arc as can be."""
        for strand in self.strands:
            check_cancelled()
            legs = [row.x(leg) for leg in strand.legs]
            middle = (legs[0] + legs[-1]) / 2
            half = strand.label_width / 2
            # A touch of tolerance: sums of widths round differently from either end.
            places = [
                min(max(middle, left + half), right - half)
                for left, right in pairwise(legs)
                if right - left >= 2 * half - 1e-6
            ]
            strand.label_at = min(places, key=lambda place: abs(place - middle))


@dataclass(slots=True)
class Row:
    """Columns side by side, one per word and one at each edge for the arcs that leave the row."""

    first: int
    last: int
    sides: list[Side]
    middles: list[float]
    halves: list[float]

    @property
    def width(self) -> float:
        return self.middles[-1]

    def x(self, leg: Leg) -> float:
        column, offset = leg
        return self.middles[column - self.first + 1] + offset

    def left_of(self, word: int) -> float:
        return self.x((word, -self.halves[word - self.first + 1]))

    def right_of(self, word: int) -> float:
        return self.x((word, self.halves[word - self.first + 1]))


def lay_out_row(
    first: int,
    last: int,
    widths: Sequence[float],
    trees: Sequence[Arcs],
    brackets: Iterable[tuple[int, int, float]] = (),
) -> Row:
    """The row of words `first` to `last`; `widths` are those of all words.

    `brackets` are runs of words with the width that what stands below them needs.
    """
    check_cancelled()
    sides = [Side.of(arcs, first, last) for arcs in trees]
    rooms = [side.leg_room() for side in sides]
    halves = [
        max(widths[word - 1], *(room.get(word, 0.0) for room in rooms)) / 2 for word in range(first, last + 1)
    ]
    halves = [0.0, *halves, 0.0]
    near: dict[int, list[tuple[int, float]]] = {}
    for right in range(first, last + 2):
        index = right - first + 1
        space = COLUMN_SPACE if first < right <= last else LABEL_SPACE
        near[right] = [(right - 1, halves[index - 1] + halves[index] + space)]
    middles = _solve(first, near)
    for side in sides:
        for left, right, distance in side.distances(middles):
            near[right].append((left, distance))
    for start, end, width in brackets:
        start, end = max(start, first), min(end, last)
        if start < end:
            outer = halves[start - first + 1] + halves[end - first + 1]
            near[end].append((start, width - outer))
    row = Row(first, last, sides, _solve(first, near), halves)
    for side in sides:
        side.place_labels(row)
    return row


def _solve(first: int, near: dict[int, list[tuple[int, float]]]) -> list[float]:
    """The leftmost middles that keep every column far enough from those before it."""
    middles = [0.0]
    for right in sorted(near):
        middles.append(max(middles[left - first + 1] + distance for left, distance in near[right]))
    return middles


def cut_row(
    whole: Row,
    amount: int,
    widths: Sequence[float],
    trees: Sequence[Arcs],
    brackets: Sequence[tuple[int, int, float]],
) -> list[Row]:
    """A row of all words cut into so many, about equally wide."""
    if amount == 1:
        return [whole]
    rows: list[list[int]] = [[]]
    for word in range(1, len(widths) + 1):
        if rows[-1] and whole.right_of(word) > whole.width * len(rows) / amount:
            rows.append([])
        rows[-1].append(word)
    return [lay_out_row(row[0], row[-1], widths, trees, brackets) for row in rows]
