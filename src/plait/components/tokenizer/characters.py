"""Characters as the core sees them: lower-case code points and classes."""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint32]
Classes = NDArray[np.uint8]

# In the order of the core's list (core/text/paragraph.hpp).
CLASSES = (
    "outside", "space", "line_break", "upper", "lower", "letter", "digit", "number", "mark", "dash", "opening",
    "closing", "quote", "end", "comma", "punctuation", "currency", "symbol", "other",
)  # fmt: skip
_NUMBERS = {name: number for number, name in enumerate(CLASSES)}
_BY_CATEGORY = {
    "Lu": "upper", "Lt": "upper", "Ll": "lower", "Lo": "letter", "Lm": "letter", "Nd": "digit", "Nl": "number",
    "No": "number", "Mn": "mark", "Mc": "mark", "Me": "mark", "Pd": "dash", "Ps": "opening", "Pi": "opening",
    "Pe": "closing", "Pf": "closing", "Pc": "punctuation", "Po": "punctuation", "Sc": "currency",
    "Sm": "symbol", "Sk": "symbol", "So": "symbol",
}  # fmt: skip
_BY_CHARACTER = (
    dict.fromkeys("\n\r\v\f\x85\u2028\u2029", "line_break")
    | dict.fromkeys("\"'`´’‘“”„‚«»‹›", "quote")
    | dict.fromkeys(".!?…。！？؟।՞։", "end")
    | dict.fromkeys(",;:،؛、，；：", "comma")
)
_UNICODE = 0x110000


def is_space(character: str) -> bool:
    """White space of any kind. NUL counts as such: no line of CoNLL-U can hold it."""
    return character.isspace() or character == "\0"


def _class_of(character: str) -> str:
    if character in _BY_CHARACTER:
        return _BY_CHARACTER[character]
    if is_space(character):
        return "space"
    return _BY_CATEGORY.get(unicodedata.category(character), "other")


class _Lookup:
    """What is known of every code point, filled when a text first has it."""

    def __init__(self) -> None:
        self._classes = np.zeros(_UNICODE, np.uint8)
        self._lower = np.arange(_UNICODE, dtype=np.uint32)

    def look_up(self, codes: Codes) -> tuple[Codes, Classes]:
        classes = self._classes[codes]
        if not classes.all():
            self._fill(set(codes[classes == 0].tolist()))  # np.unique would import much
            classes = self._classes[codes]
        return self._lower[codes], classes

    def _fill(self, codes: set[int]) -> None:
        for code in codes:
            lower = chr(code).lower()
            self._lower[code] = ord(lower) if len(lower) == 1 else code
            self._classes[code] = _NUMBERS[_class_of(chr(code))]


_lookup = _Lookup()


def encode(text: str) -> tuple[Codes, Classes]:
    """The lower-case code point and the class of every character."""
    return _lookup.look_up(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32))
