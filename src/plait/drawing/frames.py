"""Predicates one below the other: the sentence in segments, each with its role (Björkelund et al. 2010).

A segment is a run of words of an argument, which is all that its head dominates but for the predicate. Where arguments
lie within others, the smaller one is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from plait.drawing.measure import text_width, visible
from plait.drawing.page import ROLE_INKS, TAG, WORD, Ink, number, writing
from plait.drawing.svg import text
from plait.sentence import EMPTY, PredicateFrame, Sentence

PREDICATE = "V"
_SIZE, _ROLE_SIZE = 13.0, 9.5
_LINE, _GAP, _PADDING = 25.0, 5.0, 4.0
_INDENT = 14.0


class Segment(NamedTuple):
    """Words from `first` to `last`; the role is empty outside of arguments. Of an argument in several pieces, all but
    the first one are `later`.
    """

    first: int
    last: int
    role: str
    meaning: str = ""
    later: bool = False


def segments(frame: PredicateFrame) -> list[Segment]:
    """The whole sentence in segments."""
    arguments = frame.arguments
    owner = [-1] * len(frame.sentence)  # the number of an argument
    spans = [argument.span for argument in arguments]
    for which in sorted(range(len(arguments)), key=lambda i: -len(spans[i])):
        for word in spans[which]:
            owner[word - 1] = which
    owner[frame.predicate.id - 1] = len(arguments)
    found: list[Segment] = []
    seen: set[int] = set()
    for which, run in groupby(enumerate(owner, 1), key=lambda pair: pair[1]):
        words = [word for word, _ in run]
        role, meaning = "", ""
        if which == len(arguments):
            role = PREDICATE
        elif which >= 0:
            role, meaning = arguments[which].role, arguments[which].meaning
        found.append(Segment(words[0], words[-1], role, meaning, which in seen))
        seen |= {which} - {-1}
    return found


def shown_frames(sentence: Sentence) -> list[PredicateFrame]:
    """All but auxiliaries without arguments, of which there is nothing to tell."""
    return [
        frame
        for frame in sentence.frames
        if frame.arguments or sentence.upos[frame.predicate.id - 1] != "AUX"
    ]


def sense_of(frame: PredicateFrame) -> str:
    return "?" if frame.sense == EMPTY else frame.sense


def lines_of(sentence: Sentence) -> Iterator[tuple[str, list[tuple[str, str]], str]]:
    """For a terminal, of every predicate: its sense, pieces of the sentence with their roles, and what they mean."""
    for frame in shown_frames(sentence):
        pieces, meanings = [], []
        for each in segments(frame):
            words = " ".join(map(visible, sentence.forms[each.first - 1 : each.last]))
            role = f"…{visible(each.role)}" if each.later else visible(each.role)
            pieces.append((role, words))
            if each.meaning and not each.later:
                meanings.append(f"{visible(each.role)}: {visible(each.meaning)}")
        told = [visible(frame.meaning)] if frame.meaning else []
        yield visible(sense_of(frame)), pieces, "; ".join([*told, *meanings])


def ink_of(role: str) -> Ink:
    """The colour of a role: core roles have their own, others share one; R-A0 and C-A0 have that of A0."""
    plain = role.removeprefix("R-").removeprefix("C-")
    if role == PREDICATE:
        return ROLE_INKS[0]
    digit = plain[-1:]
    core = len(plain) <= 4 and plain[:1] == "A" and digit.isdigit() and digit in "0123"
    return ROLE_INKS[1 + int(digit)] if core else ROLE_INKS[5]


def draw_frames(sentence: Sentence, left: float, top: float, right: float) -> tuple[list[str], float]:
    """SVG of all predicates between two margins, from `top` on; and where it ends."""
    parts: list[str] = []
    for frame in shown_frames(sentence):
        top += _LINE
        title = ": ".join(filter(None, (sense_of(frame), frame.meaning)))
        parts.append(writing(title, left, top, _SIZE - 1, TAG, anchor="start"))
        top += _LINE
        drawn, top = _flow(sentence, segments(frame), left + _INDENT, top, right)
        parts += drawn
    return parts, top + _PADDING


def _flow(
    sentence: Sentence, found: Sequence[Segment], left: float, top: float, right: float
) -> tuple[list[str], float]:
    """Segments as text: a word that does not fit goes to the next line."""
    parts: list[str] = []
    at = left
    for each in found:
        begin = at
        waiting: list[str] = []
        label = "" if each.role == PREDICATE else f"…{each.role}" if each.later else each.role
        for form in sentence.forms[each.first - 1 : each.last]:
            needed = text_width(form, _SIZE) + (text_width(label, _ROLE_SIZE) + _GAP if label else 0)
            if at + needed > right and at > left:
                parts += [*_box(each, begin, at - _GAP, top), *waiting]
                waiting, at, top = [], left, top + _LINE
                begin = at
            if label:
                waiting.append(writing(label, at, top - 1, _ROLE_SIZE, WORD, anchor="start"))
                at += text_width(label, _ROLE_SIZE) + _GAP
                label = ""
            waiting.append(writing(form, at, top, _SIZE, WORD, anchor="start"))
            at += text_width(form, _SIZE) + _GAP
        parts += [*_box(each, begin, at - _GAP, top), *waiting]
        at += _PADDING
    return parts, top


def _box(segment: Segment, begin: float, end: float, y: float) -> Iterator[str]:
    """What is behind the words of a segment with a role."""
    if segment.role:
        ink = ink_of(segment.role)
        title = ": ".join(filter(None, (segment.role, segment.meaning)))
        yield (
            f'<rect class="ink {ink.name}" x="{number(begin - _PADDING)}" y="{number(y - 15)}" '
            f'width="{number(end - begin + 2 * _PADDING)}" height="20" rx="4" fill="{ink.light}">'
            f"<title>{text(title)}</title></rect>"
        )
