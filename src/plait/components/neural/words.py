"""What the net sees of a word: a number for its lower-cased form, and numbers for its parts or its letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from plait.checks import is_cell

MOST_GRAMS = 28
UNKNOWN = 0
_AFFIXES = range(2, 6)  # characters
_GRAMS = (3, 4)
_LONGEST_SHAPE = 8
_LONGEST = 24  # characters that are read, of longer forms the first and the last
_NO_LETTER, _OTHER_LETTER, _BEGIN, _END = range(4)
FIRST_LETTER = 4


def shape(form: str) -> str:
    """Kinds of characters, at most two of a kind in a row: `XxxX` for *McDonaldS*."""
    kinds: list[str] = []
    for character in form:
        kind = _kind(character)
        if kinds[-2:] != [kind, kind]:
            kinds.append(kind)
            if len(kinds) == _LONGEST_SHAPE:
                break
    return "".join(kinds)


def _kind(character: str) -> str:
    if character.isupper():
        return "X"
    if character.isdigit():
        return "9"
    return "x" if character.isalpha() else character


def case_class(form: str) -> str:
    """A single capital letter is a title, as *I* and *A* are at the beginning of a sentence."""
    lower = form.lower()
    if lower == form.upper():
        return "none"
    if form == lower:
        return "lower"
    if form.isupper() and len(form) > 1:
        return "upper"
    return "title" if form[:1].isupper() and form[1:] == lower[1:] else "mixed"


def parts(form: str) -> Iterable[str]:
    """All that is hashed, the most telling first. Affixes are no longer than the form."""
    yield "s:" + shape(form)
    yield "c:" + case_class(form)
    sizes = [size for size in _AFFIXES if size <= len(form)]
    yield from ("p:" + form[:size] for size in sizes)
    yield from ("x:" + form[-size:] for size in sizes)
    marked = f"<{form.lower()}>"
    for size in _GRAMS:
        yield from ("g:" + marked[first : first + size] for first in range(len(marked) - size + 1))


def grams(form: str, buckets: int) -> list[int]:
    """The buckets of a form, each once, at most `MOST_GRAMS`."""
    found: dict[int, None] = {}
    for part in parts(form):
        found.setdefault(crc32(part.encode("utf-8", "surrogatepass")) % buckets)
        if len(found) == MOST_GRAMS:
            break
    return list(found)


def gram_table(forms: Sequence[str], buckets: int) -> NDArray[np.int32]:
    """A row of buckets for every form, filled up with the number `buckets`, which stands for nothing."""
    table = np.full((len(forms), MOST_GRAMS), buckets, np.int32)
    for row, form in zip(table, forms, strict=True):
        found = grams(form, buckets)
        row[: len(found)] = found
    return table


@dataclass(frozen=True)
class Words:
    """Lower-cased forms that have a vector of their own; the first stands for all others."""

    forms: Sequence[str]

    @classmethod
    def of(cls, counts: Counter[str], fewest: int) -> Words:
        """Those seen so often, the most frequent first."""
        lower: Counter[str] = Counter()
        for form, count in counts.items():
            lower[form.lower()] += count
        kept = sorted(
            (form for form in lower if lower[form] >= fewest), key=lambda form: (-lower[form], form)
        )
        return cls(["", *kept])

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {form: number for number, form in enumerate(self.forms) if number != UNKNOWN}

    def encode(self, forms: Iterable[str]) -> NDArray[np.int32]:
        get = self.numbers.get
        return np.array([get(form.lower(), UNKNOWN) for form in forms], np.int32)


class Spelling(Protocol):
    """What a net sees of the spelling of a word: at most `width` numbers."""

    @property
    def width(self) -> int: ...

    def parts(self, form: str) -> list[int]: ...


@dataclass(frozen=True)
class Grams:
    """Hashed parts."""

    buckets: int
    width = MOST_GRAMS

    def parts(self, form: str) -> list[int]:
        return grams(form, self.buckets)


@dataclass(frozen=True)
class Letters:
    """Letters that have a vector; before them those of no letter, of all others, of the beginning and of the end."""

    known: Sequence[str]
    width = _LONGEST + 2

    @classmethod
    def of(cls, characters: str) -> Letters:
        """Without those that no model can keep."""
        return cls([letter for letter in characters if is_cell(letter)])

    def rows(self, characters: str) -> list[int]:
        """Where the vectors of these are among those of all the characters they were chosen from."""
        places = {letter: place for place, letter in enumerate(characters, FIRST_LETTER)}
        return [*range(FIRST_LETTER), *(places[letter] for letter in self.known)]

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {letter: number for number, letter in enumerate(self.known, FIRST_LETTER)}

    def parts(self, form: str) -> list[int]:
        """Between the marks of the beginning and of the end."""
        shown = form if len(form) <= _LONGEST else form[: _LONGEST // 2] + form[-_LONGEST // 2 :]
        return [_BEGIN, *(self.numbers.get(letter, _OTHER_LETTER) for letter in shown), _END]


def spelling_of(kind: str, parts: int, letters: Letters | None) -> Spelling:
    """Of a net that knows so many parts; ValueError if there are other letters."""
    if kind == "grams" and letters is None:
        return Grams(parts)
    if kind != "characters" or letters is None or len(letters.known) + FIRST_LETTER != parts:
        raise ValueError("the net has another number of letters")
    return letters
