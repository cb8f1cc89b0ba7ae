"""A sentence with its aspects: coloured in the terminal, with a mark where there are no colours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from plait.drawing.measure import visible
from plait.formats.semeval import Review

MARKS = {"positive": "+", "negative": "-", "neutral": "=", "conflict": "±", "": "?"}
_COLOURS = {"positive": "32", "negative": "31", "neutral": "36", "conflict": "33", "": "1"}


class Piece(NamedTuple):
    """A piece of a text; of a term, with its polarity, otherwise with none."""

    text: str
    polarity: str | None = None


def pieces(review: Review) -> Iterator[Piece]:
    """The whole text in pieces. Of terms that overlap the first is shown."""
    place = 0
    for start, end, polarity in sorted(review.terms):
        if start < place:
            continue
        if place < start:
            yield Piece(review.text[place:start])
        yield Piece(review.text[start:end], polarity)
        place = end
    if place < len(review.text):
        yield Piece(review.text[place:])


def lines_of(review: Review, *, colour: bool = False, ascii: bool = False) -> Iterator[str]:
    """The sentence with its terms marked, then a line for each term and each category."""

    def tinted(text: str, polarity: str) -> str:
        return f"\033[{_COLOURS[polarity]}m{text}\033[0m" if colour else text

    def mark(polarity: str) -> str:
        return "+-" if ascii and polarity == "conflict" else MARKS[polarity]

    yield "".join(
        visible(text) if polarity is None else tinted(f"[{visible(text)}{mark(polarity)}]", polarity)
        for text, polarity in pieces(review)
    )
    for kind, named in (
        ("term", [(review.text[s.start : s.end], s.polarity) for s in review.terms]),
        ("category", list(review.categories)),
    ):
        width = max((len(name) for name, _ in named), default=0)
        for name, polarity in named:
            yield f"  {kind:<9} {visible(name):<{width}}  {tinted(polarity or 'unknown', polarity)}"
