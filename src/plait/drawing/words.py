"""A tree in words: what a screen reader says, and what appears where the pointer rests."""

from __future__ import annotations

from plait.drawing.arcs import Arcs
from plait.sentence import EMPTY, Sentence

_CONFIDENCE = "Confidence="


def shown(value: str) -> str:
    """A value of a column, or nothing where the column has none."""
    return "" if value == EMPTY else value


def confidences(sentence: Sentence) -> list[str]:
    """Of every word, how sure the parser was of its head, where MISC tells it."""
    return [
        next(
            (entry.removeprefix(_CONFIDENCE) for entry in cell.split("|") if entry.startswith(_CONFIDENCE)),
            "",
        )
        for cell in sentence.misc
    ]


def word_titles(sentence: Sentence, arcs: Arcs) -> list[str]:
    """Of every word, its tag and what it hangs from."""
    return [
        f"{form}: {', '.join(filter(None, (shown(tag), attachment)))}"
        for form, tag, attachment in zip(
            sentence.forms, sentence.upos, attachments(sentence, arcs), strict=True
        )
    ]


def describe(sentence: Sentence, arcs: Arcs, kind: str = "dependency tree", noun: str = "word") -> str:
    """The whole tree, in the order of the words."""
    size = len(sentence)
    parts = [
        f"{form}, {attachment}"
        for form, attachment in zip(sentence.forms, attachments(sentence, arcs), strict=True)
    ]
    amount = f"A {kind} of {size} {noun}{'' if size == 1 else 's'}"
    return f"{amount}: {'; '.join(parts)}." if parts else f"{amount}."


def attachments(sentence: Sentence, arcs: Arcs) -> list[str]:
    """Of every word, what it hangs from."""
    said = ["no head"] * len(sentence)
    for arc in arcs.from_root:
        said[arc.dependent - 1] = arc.label or "root"
    for arc in arcs.between:
        attachment = f"{arc.label or 'dependent'} of {sentence.forms[arc.head - 1]}"
        said[arc.dependent - 1] = attachment + (", non-projective" if arc.nonprojective else "")
    return said


def caption(sentence: Sentence) -> str:
    return f"{sentence.sent_id}: {sentence.text}" if sentence.sent_id else sentence.text
