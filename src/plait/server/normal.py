"""Unicode's normal form C in linear time.

Python's own normalization takes time quadratic in the length of a run of combining marks, and cannot be interrupted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from plait.errors import InputError

_PIECE = 4096  # characters at a time
LONGEST_RUN = 256  # marks after one character; no writing has more than a few
_HANGUL = (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))  # composed by rule, not by table
_LAST = 0x20000  # beyond, no character joins others


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What may join the character before it, so many times that it is refused; and what does not."""
    joining = {chr(code) for code in range(0x300, _LAST) if unicodedata.combining(chr(code))}
    for code in range(0x80, _LAST):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            joining.add(chr(int(parts[1], 16)))
    marks = re.escape("".join(sorted({*joining, *map(chr, _HANGUL)})))
    return re.compile(f"[{marks}]{{{LONGEST_RUN + 1}}}"), re.compile(f"[^{marks}]")


def normalized(text: str, into: list[str]) -> Iterator[str]:
    """The text in pieces, in normal form; after every one of them something empty is yielded."""
    if text.isascii():
        into.append(text)
        return
    run, other = _patterns()
    begin = 0
    while begin < len(text):
        end = len(text)
        if begin + _PIECE < end:
            window = min(end, begin + _PIECE + LONGEST_RUN + 1)
            found = other.search(text, begin + _PIECE, window)
            end = found.start() if found else window
        if run.search(text, begin, end):
            raise InputError(f"The data have a character with more than {LONGEST_RUN} combining marks.")
        into.append(unicodedata.normalize("NFC", text[begin:end]))
        begin = end
        yield ""
