"""Predicates and arguments in columns: FILLPRED, PRED and APRED of CoNLL-09 (Hajič et al. 2009), and MISC of CoNLL-U.

A predicate has Y in FILLPRED and its sense in PRED; the n-th predicate has the n-th APRED column, with a role in the
row of every argument. Files in which predicates are only marked, with no sense and no argument columns, are read too.
In CoNLL-U the same stands in MISC: `Sense=sell.01` of a predicate, `Roles=3:A0,7:A1` of a word that is A0 of word 3
and A1 of word 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from plait.errors import FormatError, Problem
from plait.layers import Argument, Frame, Frames
from plait.sentence import EMPTY, Sentence

MARK, SENSE = "fillpred", "pred"
MISC = "Sense="
_YES = "Y"
_ENTRIES = (MISC, "Roles=")


def read_columns(sentence: Sentence, arguments: Sequence[Sequence[str]]) -> bool:
    """Take PRED and FILLPRED out of `extra` and make frames of them; False if there are other argument columns than
    predicates. FILLPRED stays where it says something of its own.
    """
    senses, marks = sentence.extra.pop(SENSE), sentence.extra[MARK]
    predicates = predicate_rows(marks, senses)
    if not fits(predicates, senses, len(arguments)):
        return False
    if all(
        (mark == _YES) == (sense != EMPTY) and mark in (_YES, EMPTY)
        for mark, sense in zip(marks, senses, strict=True)
    ):
        del sentence.extra[MARK]
    if predicates:
        columns = arguments or [()] * len(predicates)
        sentence.put(
            Frames(
                tuple(
                    Frame(
                        row + 1,
                        senses[row],
                        tuple(Argument(word, role) for word, role in enumerate(column, 1) if role != EMPTY),
                    )
                    for row, column in zip(predicates, columns, strict=True)
                )
            )
        )
    return True


def predicate_rows(marks: Sequence[str], senses: Sequence[str]) -> list[int]:
    pairs = zip(marks, senses, strict=True)
    return [row for row, (mark, sense) in enumerate(pairs) if mark == _YES or sense != EMPTY]


def fits(predicates: Sequence[int], senses: Sequence[str], columns: int) -> bool:
    """Whether there are as many argument columns as predicates, or none for predicates that are only marked."""
    return columns == len(predicates) or (not columns and all(sense == EMPTY for sense in senses))


def columns_of(sentence: Sentence) -> tuple[list[str], list[str], list[list[str]]]:
    """FILLPRED, PRED and the argument columns."""
    size = len(sentence)
    layer = sentence.find(Frames)
    frames = layer.frames if layer else ()
    marks, senses = [EMPTY] * size, [EMPTY] * size
    arguments = []
    for frame in frames:
        marks[frame.predicate - 1], senses[frame.predicate - 1] = _YES, frame.sense
        column = [EMPTY] * size
        for argument in frame.arguments:
            column[argument.word - 1] = argument.role
        arguments.append(column)
    only_marked = all(frame.sense == EMPTY and not frame.arguments for frame in frames)
    return sentence.extra.get(MARK, marks), senses, [] if only_marked else arguments


def misc_of(sentence: Sentence) -> list[str]:
    """MISC with the frames in it, in place of others that were there."""
    layer = sentence.find(Frames)
    if layer is None:
        return sentence.misc
    more: list[list[str]] = [[] for _ in sentence.forms]
    roles: list[list[str]] = [[] for _ in sentence.forms]
    for frame in layer:
        more[frame.predicate - 1].append(f"Sense={_escaped(frame.sense)}")
        for argument in frame.arguments:
            roles[argument.word - 1].append(f"{frame.predicate}:{_escaped(argument.role)}")
    for entries, found in zip(more, roles, strict=True):
        if found:
            entries.append(f"Roles={','.join(found)}")
    return [
        "|".join(
            [*(each for each in cell.split("|") if each != EMPTY and not each.startswith(_ENTRIES)), *entries]
        )
        or EMPTY
        for cell, entries in zip(sentence.misc, more, strict=True)
    ]


def read_misc(sentence: Sentence) -> None:
    """Make frames of what MISC tells, if it is as it would be written."""
    found = from_misc(sentence)
    if found is not None:
        sentence.put(found)
        if misc_of(sentence) != sentence.misc:
            sentence.take(Frames)


def from_misc(sentence: Sentence) -> Frames | None:
    """The frames that MISC tells of; none if it tells of none, or of what cannot be."""
    senses: dict[int, str] = {}
    arguments: dict[int, list[Argument]] = {}
    for word, cell in enumerate(sentence.misc, 1):
        for entry in cell.split("|"):
            name, _, value = entry.partition("=")
            if name == "Sense":
                senses[word] = _plain(value)
            elif name == "Roles":
                for each in value.split(","):
                    predicate, colon, role = each.partition(":")
                    if not colon or not predicate.isdecimal():
                        return None
                    arguments.setdefault(int(predicate), []).append(Argument(word, _plain(role)))
    if not senses or arguments.keys() - senses.keys():
        return None
    found = Frames(
        tuple(Frame(word, sense, tuple(arguments.get(word, ()))) for word, sense in sorted(senses.items()))
    )
    return found if found.fits(len(sentence)) else None


_ESCAPES = {"%": "%25", "|": "%7C", ",": "%2C", "=": "%3D"}


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(each, each) for each in text)


def _plain(text: str) -> str:
    for mark, escape in reversed(_ESCAPES.items()):
        text = text.replace(escape, mark)
    return text


def with_frames_of(
    sentences: Iterable[Sentence], others: Iterable[Sentence], path: str
) -> Iterator[Sentence]:
    """Sentences with the predicates of another file, which has the same words; FormatError names the first that has
    not.
    """
    for number, (sentence, other) in enumerate(zip_longest(sentences, others), 1):
        if sentence is None or other is None or sentence.forms != other.forms:
            line = other.line if other else 0
            raise FormatError(Problem(f"sentence {number} is not the same in both files.", path, line))
        frames = other.find(Frames)
        if frames is not None:
            sentence.put(frames)
        yield sentence
