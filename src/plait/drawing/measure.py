"""How much room a text takes, in a picture and in a terminal, and which way it runs."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import bidirectional, category, east_asian_width

# Widths in em of a common wide sans-serif font: rather too much room than too little, whatever font is used.
_NARROW = frozenset("iIjlftr.,:;'!|()[]/\\ `-")
_BROAD = frozenset("mwMWGOQ@%&_—…")
_REPLACED = ("Cc", "Cs", "Cn", "Co")  # often shown as a box or as �
_ZERO = ("Mn", "Me", "Cf")


def text_width(content: str, size: float) -> float:
    """The width of a text in a picture, in the units of the font size."""
    return size * sum(map(_em, content))


def _em(character: str) -> float:
    kind = category(character)
    if kind in _ZERO:
        return 0.0
    if kind in _REPLACED or character == "\ufffd" or east_asian_width(character) in "WF":
        return 1.05
    if character in _NARROW:
        return 0.42
    if character in _BROAD:
        return 0.95
    return 0.72 if character.isupper() else 0.63


def cells(content: str) -> int:
    """The number of cells of a terminal that a text takes."""
    return sum(
        0 if category(character) in _ZERO else 2 if east_asian_width(character) in "WF" else 1
        for character in content
    )


def visible(content: str) -> str:
    """A text for one line of a terminal: what would move the cursor or turn the line round is replaced."""
    return "".join(
        "\ufffd" if category(character) in ("Cc", "Cs", "Zl", "Zp") or _turns(character) else character
        for character in content
    )


def _turns(character: str) -> bool:
    return "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069"


def shortened(content: str, limit: int) -> str:
    return content if len(content) <= limit else content[: limit - 1] + "…"


def runs_right_to_left(words: Iterable[str]) -> bool:
    """Whether the first character with a direction of its own runs from right to left."""
    for word in words:
        for character in word:
            direction = bidirectional(character)
            if direction in ("L", "R", "AL"):
                return direction != "L"
    return False
