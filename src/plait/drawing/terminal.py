"""A dependency tree for the terminal: one word per line with its arcs before it, whatever the width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from plait.drawing.arcs import Arcs, arcs_of, require_arcs
from plait.drawing.difference import Verdict, difference
from plait.drawing.frames import PREDICATE, lines_of
from plait.drawing.measure import cells, visible
from plait.drawing.strands import ASCII, UNICODE, Glyphs, draw_strands
from plait.drawing.words import confidences, shown
from plait.sentence import Sentence

NONPROJECTIVE, TAGS, HEADS, LABELS, END = "\033[33m", "\033[2m", "\033[31m", "\033[35m", "\033[0m"
MARKS = {Verdict.SAME: "", Verdict.OTHER_LABEL: "~", Verdict.OTHER_HEAD: "!"}
TINTS = {Verdict.SAME: "", Verdict.OTHER_LABEL: LABELS, Verdict.OTHER_HEAD: HEADS}


def draw_tree(sentence: Sentence, *, lemmas: bool = False, colour: bool = False, ascii: bool = False) -> str:
    """The tree as lines of text: arcs, word, UPOS, label, and for multiword tokens a bracket; also how sure the
    parser was of every head, where MISC tells it.

    Non-projective arcs have a `*` beside their label, or with `colour` a colour of their own. With `ascii`
    the arcs are drawn in ASCII; words stay as they are.
    """
    glyphs = ASCII if ascii else UNICODE
    arcs = arcs_of(sentence.heads, sentence.deprels)
    columns = [*_words(sentence, lemmas, colour), _labels(arcs, len(sentence), colour)]
    if any(sure := confidences(sentence)):
        columns.append(list(map(visible, sure)))
    if sentence.multiword_tokens:
        columns.append(_brackets(sentence, glyphs))
    lines = [*_beside(_strands(arcs, len(sentence), glyphs, colour), columns), *_frames(sentence, colour)]
    return "\n".join(lines)


def _frames(sentence: Sentence, colour: bool) -> Iterator[str]:
    """A line per predicate, with its segments in brackets, and one with what they mean."""
    found = list(lines_of(sentence))
    if found:
        yield ""
    width = max((cells(sense) for sense, _, _ in found), default=0)
    for sense, pieces, meanings in found:
        shown_pieces = (
            f"[{_tinted(role, NONPROJECTIVE if role == PREDICATE else LABELS, colour)} {words}]"
            if role
            else words
            for role, words in pieces
        )
        yield f"{sense}{' ' * (width - cells(sense))}  {' '.join(shown_pieces)}"
        if meanings:
            yield _tinted(f"{' ' * width}  {meanings}", TAGS, colour)


def draw_comparison(
    gold: Sentence, system: Sentence, *, lemmas: bool = False, colour: bool = False, ascii: bool = False
) -> str:
    """The gold tree, and for every word its gold and its system label and head.

    Words that differ have a `!` between the two where the head differs, a `~` where only the label does.
    """
    glyphs = ASCII if ascii else UNICODE
    found = difference(gold, system)
    require_arcs(system.heads)
    arcs = arcs_of(gold.heads, gold.deprels)
    words = _words(gold, lemmas, colour)
    tints = [TINTS[verdict] for verdict in found.verdicts]
    columns = [
        *words,
        _attachments(gold, glyphs),
        [_tinted(MARKS[verdict], TINTS[verdict], colour) for verdict in found.verdicts],
        [
            _tinted(attachment, tint, colour)
            for attachment, tint in zip(_attachments(system, glyphs), tints, strict=True)
        ],
    ]
    strands = _strands(arcs, len(gold), glyphs, colour)
    headings = [*[""] * len(words), "gold", "", "system"]
    lines = _beside(
        [" " * _cells(strands[0]) if strands else "", *strands],
        [[heading, *column] for heading, column in zip(headings, columns, strict=True)],
    )
    heads, labels = found.count(Verdict.OTHER_HEAD), found.count(Verdict.OTHER_LABEL)
    return "\n".join([*lines, f"{found.scores}; other head (!): {heads}, other label (~): {labels}"])


def _strands(arcs: Arcs, size: int, glyphs: Glyphs, colour: bool) -> list[str]:
    return [
        "".join(
            _tinted("".join(character for character, _ in run), NONPROJECTIVE if marked else "", colour)
            for marked, run in groupby(zip(line.characters, line.marked, strict=True), key=itemgetter(1))
        )
        for line in draw_strands(arcs, size, glyphs)
    ]


def _words(sentence: Sentence, lemmas: bool, colour: bool) -> list[list[str]]:
    """The words, and the columns of tags that hold anything."""
    wanted = [sentence.upos, sentence.lemmas] if lemmas else [sentence.upos]
    tags = [[visible(shown(entry)) for entry in column] for column in wanted]
    return [
        list(map(visible, sentence.forms)),
        *([_tinted(entry, TAGS, colour) for entry in column] for column in tags if any(column)),
    ]


def _labels(arcs: Arcs, size: int, colour: bool) -> list[str]:
    labels = [""] * size
    for arc in (*arcs.between, *arcs.from_root):
        label = visible(shown(arc.label))
        if arc.nonprojective:
            label = _tinted(label, NONPROJECTIVE, True) if colour else f"{label} *"
        labels[arc.dependent - 1] = label
    return labels


def _attachments(sentence: Sentence, glyphs: Glyphs) -> list[str]:
    attachments = []
    for word in sentence:
        head = "no head"
        if word.head is not None:
            name = visible(sentence.forms[word.head - 1]) if word.head else ""
            head = f"{glyphs.from_head} {word.head} {name}".rstrip()
        attachments.append(f"{visible(shown(word.deprel))} {head}".lstrip())
    return attachments


def _brackets(sentence: Sentence, glyphs: Glyphs) -> list[str]:
    column = [""] * len(sentence)
    for token in sentence.multiword_tokens:
        bracket = glyphs.bracket_of(token.last - token.first + 1)
        for word, character in enumerate(bracket, token.first):
            column[word - 1] = character
        column[token.first - 1] += f" {visible(token.form)}"
    return column


def _tinted(content: str, tint: str, colour: bool) -> str:
    return f"{tint}{content}{END}" if colour and tint and content else content


def _cells(content: str) -> int:
    for tint in (NONPROJECTIVE, TAGS, HEADS, LABELS, END):
        content = content.replace(tint, "")
    return cells(content)


def _beside(strands: Sequence[str], columns: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines of strands and of columns, each as wide as its widest entry."""
    widths = [max(map(_cells, column), default=0) for column in columns]
    for strand, *entries in zip(strands, *columns, strict=True):
        padded_entries = [
            entry + " " * (width - _cells(entry)) for entry, width in zip(entries, widths, strict=True)
        ]
        yield f"{strand} {'  '.join(padded_entries)}".rstrip()
