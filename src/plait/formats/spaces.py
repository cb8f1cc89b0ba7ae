r"""White space in MISC, as UDPipe writes it: `SpaceAfter=No`, `SpacesAfter=\s\n`, `SpacesBefore=\t`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from plait.sentence import EMPTY, Sentence

NO_SPACE = "SpaceAfter=No"
_ESCAPES = {" ": r"\s", "\t": r"\t", "\n": r"\n", "\r": r"\r", "|": r"\p", "\\": r"\\", "\0": r"\0"}
_UNESCAPED = {escape[1]: character for character, escape in _ESCAPES.items()}
# A character by its number, but no half of a surrogate pair: some treebanks have `\u00A0`.
_ESCAPE = re.compile(r"\\(?:u((?![Dd][89A-Fa-f])[0-9A-Fa-f]{4})|(.))", re.DOTALL)
_TABLE = str.maketrans(_ESCAPES)


def escape(space: str) -> str:
    r"""UDPipe's escapes, and `\0` for NUL; other white space stays as it is."""
    return space.translate(_TABLE)


def unescape(text: str) -> str:
    return _ESCAPE.sub(
        lambda match: chr(int(match[1], 16)) if match[1] else _UNESCAPED.get(match[2], match[0]), text
    )


def misc_of(gap: str) -> str:
    """The entry for the white space after a token."""
    if gap == " ":
        return EMPTY
    return "SpacesAfter=" + escape(gap) if gap else NO_SPACE


def gap_after(misc: str) -> str:
    """The white space after a token with this MISC."""
    if misc == EMPTY:
        return " "
    for entry in misc.split("|"):
        if entry == NO_SPACE:
            return ""
        if entry.startswith("SpacesAfter="):
            return unescape(entry.removeprefix("SpacesAfter="))
    return " "


def gap_before(misc: str) -> str:
    """The white space before the first token of a text."""
    for entry in misc.split("|"):
        if entry.startswith("SpacesBefore="):
            return unescape(entry.removeprefix("SpacesBefore="))
    return ""


def restore(sentences: Iterable[Sentence]) -> str:
    """The text that was tokenized, character by character.

    A text of nothing but white space has no sentences, and so is not kept.
    """
    pieces: list[str] = []
    for sentence in sentences:
        for token in sentence.tokens:
            pieces += (gap_before(token.misc), token.form, gap_after(token.misc))
    return "".join(pieces)
