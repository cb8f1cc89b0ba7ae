"""The arcs of a tree and how high each one lies: what the picture and the terminal share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plait.cancel import check_cancelled
from plait.errors import InputError, NotATreeError

WORDS = 2000  # the longest sentence that is drawn: arcs that cross are laid out in quadratic time and room

Span = tuple[int, int]  # the two ends of an arc, the left one first


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc between two words. Non-projective: some word between them does not descend from the head."""

    head: int
    dependent: int
    label: str
    nonprojective: bool = False

    @property
    def span(self) -> Span:
        return min(self.head, self.dependent), max(self.head, self.dependent)


@dataclass(frozen=True, slots=True)
class Arcs:
    """The arcs between words, in the order of their dependents, and the words that hang from the root."""

    between: list[Arc]
    from_root: list[Arc]


def require_arcs(heads: Sequence[int | None]) -> None:
    """Refuse heads between which and their words there is no arc to draw, and more words than a picture can hold."""
    if len(heads) > WORDS:
        raise InputError(f"the sentence has {len(heads):,} words; up to {WORDS:,} can be drawn.")
    for word, head in enumerate(heads, 1):
        if head == word:
            raise NotATreeError(f"word {word} is its own head: there is no arc to draw.")
        if head is not None and not 0 <= head <= len(heads):
            raise NotATreeError(f"word {word} has head {head} but the sentence has {len(heads)} words.")


def arcs_of(heads: Sequence[int | None], labels: Sequence[str]) -> Arcs:
    """The arcs that there are: a word may lack a head, and heads may form a cycle."""
    require_arcs(heads)
    marked = _nonprojective(heads)
    arcs = [
        Arc(head, word, label, word in marked)
        for word, (head, label) in enumerate(zip(heads, labels, strict=True), 1)
        if head is not None
    ]
    return Arcs([arc for arc in arcs if arc.head], [arc for arc in arcs if not arc.head])


def levels_of(spans: Sequence[Span], arrows: Sequence[int] = ()) -> list[int]:
    """The level of every span, from 1: above all spans within it, and never where another one overlaps it.

    Spans that only touch may share a level. With `arrows`, the end of each arc that has the arrowhead, two
    that touch at an arrowhead may not: for where both would be drawn as one line.

    The shortest spans choose first, each the lowest level it can have. For a projective tree this gives the
    fewest levels possible, the depth of nesting; with crossing arcs, where finding the fewest is as hard as
    colouring a circle graph, it gives few.
    """
    levels = [0] * len(spans)
    placed: list[int] = []
    for this in sorted(range(len(spans)), key=lambda i: (spans[i][1] - spans[i][0], spans[i])):
        check_cancelled()
        left, right = spans[this]
        floor = 0
        taken = set()
        for other in placed:
            from_, to = spans[other]
            if to < left or right < from_:
                continue
            if to == left or right == from_:
                touch = left if to == left else right
                if arrows and touch in (arrows[this], arrows[other]):
                    taken.add(levels[other])
            elif left <= from_ and to <= right:
                floor = max(floor, levels[other])
            else:
                taken.add(levels[other])
        level = floor + 1
        while level in taken:
            level += 1
        levels[this] = level
        placed.append(this)
    return levels


def _nonprojective(heads: Sequence[int | None]) -> set[int]:
    """The dependents of non-projective arcs, as `plait.trees` defines them.

    What hangs from a word without a head, or from a cycle, may belong anywhere: it makes no arc
    non-projective.
    """
    entered, left, known = _visits(heads)
    found: set[int] = set()
    for word, head in enumerate(heads, 1):
        check_cancelled()
        if head and any(
            known[between] and not entered[head] <= entered[between] < left[head]
            for between in range(min(word, head) + 1, max(word, head))
        ):
            found.add(word)
    return found


def _visits(heads: Sequence[int | None]) -> tuple[list[int], list[int], list[bool]]:
    """When a walk through the tree enters and leaves every word, and whether it comes from the root."""
    size = len(heads) + 1
    dependents: list[list[int]] = [[] for _ in range(size)]
    for word, head in enumerate(heads, 1):
        if head is not None:
            dependents[head].append(word)
    entered, left, known = [0] * size, [0] * size, [False] * size
    clock = 0
    for top in (0, *(word for word, head in enumerate(heads, 1) if head is None)):
        todo = [(top, False)]
        while todo:
            word, done = todo.pop()
            if done:
                left[word] = clock
                continue
            entered[word] = clock
            clock += 1
            known[word] = top == 0
            todo.append((word, True))
            todo += [(dependent, False) for dependent in dependents[word]]
    return entered, left, known
