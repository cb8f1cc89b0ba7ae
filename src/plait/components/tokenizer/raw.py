"""The plain text a treebank stands for, with the places where its tokens and sentences end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait.formats.spaces import NO_SPACE, gap_after, gap_before
from plait.sentence import MultiwordToken, Sentence, Word

INSIDE, TOKEN_END, SENTENCE_END = range(3)
_PARAGRAPH = "\n\n"
_STARTS = ("newpar", "newdoc", "newdoc_id")
_CLOSING = frozenset(".,;:!?)]}…’”»%‰、。，；：！？）」』।؟،")
_OPENING = frozenset("([{“‘«¿¡„$€£#（「『")
_STRAIGHT = frozenset("\"'")


@dataclass(frozen=True, slots=True, eq=False)
class RawText:
    """A text and, for every character, whether a token or a sentence ends after it."""

    text: str
    ends: NDArray[np.uint8]
    guessed: bool  # the treebank does not tell where spaces are: they follow general rules


def raw_text(sentences: Sequence[Sentence]) -> RawText:
    """Paragraphs and documents are separated by an empty line, other sentences as their last tokens say."""
    guessed = not any(_tells_spaces(token.misc) for sentence in sentences for token in sentence.tokens)
    pieces: list[str] = []
    ends: list[int] = []
    length = 0
    for number, sentence in enumerate(sentences):
        if number and _starts_paragraph(sentence):
            length += _make_paragraph(pieces)
        for form, gap in _pieces(sentence, guessed):
            pieces += (form, gap)
            if form:
                ends.append(length + len(form))
            length += len(form) + len(gap)
        if len(sentence.forms):
            ends[-1] = -ends[-1]
    decisions = np.zeros(length, np.uint8)
    places = np.array(ends, np.int64)
    decisions[np.abs(places) - 1] = np.where(places < 0, SENTENCE_END, TOKEN_END)
    return RawText("".join(pieces), decisions, guessed)


def _tells_spaces(misc: str) -> bool:
    return NO_SPACE in misc or "SpacesAfter=" in misc


def _pieces(sentence: Sentence, guessed: bool) -> Iterator[tuple[str, str]]:
    """Every token with the white space after it; an empty one for white space before the text."""
    tokens: list[Word | MultiwordToken] = list(sentence.tokens)
    joined = guess_joins([token.form for token in tokens]) if guessed else []
    for number, token in enumerate(tokens):
        before = gap_before(token.misc)
        if before:
            yield "", before
        yield token.form, "" if guessed and joined[number] else gap_after(token.misc)


def _starts_paragraph(sentence: Sentence) -> bool:
    return any(line[1:].strip().split("=")[0].split(" ")[0] in _STARTS for line in sentence.comments)


def _make_paragraph(pieces: list[str]) -> int:
    """Make the white space at the end an empty line, if it is none; returns by how much the text grew."""
    gap = pieces[-1] if pieces else ""
    if not pieces or gap.count("\n") >= 2:
        return 0
    pieces[-1] = _PARAGRAPH
    return len(_PARAGRAPH) - len(gap)


def guess_joins(forms: Sequence[str]) -> list[bool]:
    """Which tokens have no space after them, where a treebank does not tell: closing punctuation joins to the
    left, opening punctuation to the right, every second straight quote to either.
    """
    joins = [False] * len(forms)
    is_open = dict.fromkeys(_STRAIGHT, False)
    for number, form in enumerate(forms):
        if form in _STRAIGHT:
            is_open[form] = not is_open[form]
            opens, closes = is_open[form], not is_open[form]
        else:
            opens, closes = form in _OPENING, all(character in _CLOSING for character in form)
        if opens and number + 1 < len(forms):
            joins[number] = True
        if closes and number:
            joins[number - 1] = True
    return joins
