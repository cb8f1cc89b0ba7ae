"""Where words stand in a text: found in it, so that it always agrees with them, and only when somebody asks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from plait.errors import InputError, excerpt
from plait.sentence.tokens import MultiwordToken

if TYPE_CHECKING:
    from plait.sentence.sentence import Sentence

Place = tuple[int, int]
_BLANK = re.compile(r"[\s\0]*")  # NUL is white space to the tokenizer


class Found(NamedTuple):
    """Places, with all that they depend on: they hold as long as it stays the same."""

    text: str
    offset: int
    forms: list[str]
    tokens: list[tuple[int, int, str]]
    places: tuple[Place, ...]


def places_of(sentence: Sentence) -> tuple[Place, ...]:
    """Where the words of a sentence stand in its whole text; InputError if they do not."""
    text = sentence.whole_text
    offset = sentence.offset if sentence.document is not None else 0
    tokens = [(token.first, token.last, token.form) for token in sentence.multiword_tokens]
    known = sentence._found
    if known is None or (known.text, known.offset, known.forms, known.tokens) != (
        text,
        offset,
        sentence.forms,
        tokens,
    ):
        places = tuple(find_places(sentence, text, offset))
        known = sentence._found = Found(text, offset, list(sentence.forms), tokens, places)
    return known.places


def find_places(sentence: Sentence, text: str, position: int = 0, *, lenient: bool = False) -> list[Place]:
    """Where the words stand in a text, from a position on, with nothing but white space between them. Words of a
    multiword token that are not simply written one after the other stand where the token does.

    What is not there is an InputError; to whom is `lenient`, it stands at the next place that is like it, or nowhere.
    """
    found: list[Place] = []
    for token in sentence.tokens:
        if lenient:
            start = max(text.find(token.form, position), position)
            position = min(start + len(token.form), len(text))
        else:
            start, position = _next(token.form, text, position)
        forms = [token.form]
        if isinstance(token, MultiwordToken):
            forms = sentence.forms[token.first - 1 : token.last]
        found += _shared(forms, token.form, start, position)
    return found


def _next(form: str, text: str, position: int) -> Place:
    """The place of a token after a position."""
    match = _BLANK.match(text, position)
    first = match.end() if match else position
    if text.startswith(form, first):
        return first, first + len(form)
    # A form may begin with what Python takes for white space, or have other white space within than the text.
    for start in range(position, first):
        if text.startswith(form, start):
            return start, start + len(form)
    spaced = re.compile(r"\s+".join(map(re.escape, form.split()))).match(text, first)
    if spaced and spaced.end() > first:
        return first, spaced.end()
    rest = excerpt(text[first : first + 80])
    raise InputError(f"The word {excerpt(form)} does not stand in the text, which goes on with {rest}.")


def _shared(forms: Sequence[str], whole: str, start: int, end: int) -> Iterator[Place]:
    """The places of the words of a token."""
    if "".join(forms) != whole or end - start != len(whole):
        yield from [(start, end)] * len(forms)
        return
    for form in forms:
        yield start, start + len(form)
        start += len(form)
