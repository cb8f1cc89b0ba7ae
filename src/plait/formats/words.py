"""Words and nothing else: horizontal (a sentence per line) and vertical (a word per line), as UDPipe has them.

White space at the ends of a word is none of the word. Spaces within one are no-break spaces in the horizontal format;
in the vertical one, what follows a tab is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plait.errors import FormatError, Problem
from plait.formats.blocks import LIMIT, UNREADABLE, Block, is_unreadable, split_lines
from plait.formats.files import Source
from plait.sentence import EMPTY, Sentence

_FORM = re.compile(r"[^ \t]+")
_NO_BREAK_SPACE = "\u00a0"
_NO_WORD = "the line has no word before its first tab."


def parse_horizontal(block: Block) -> Sentence | None:
    if block.suspect:
        return None
    return Sentence(forms=list(words_of(block.text)), line=block.line)


def words_of(line: str) -> Iterator[str]:
    """The words of a horizontal line, one after the other."""
    for found in _FORM.finditer(line):
        if form := found[0].replace(_NO_BREAK_SPACE, " ").strip():
            yield form


def diagnose_horizontal(block: Block) -> list[Problem]:
    return [Problem(UNREADABLE, line=block.line)] if block.suspect else []


def render_horizontal(sentence: Sentence) -> str:
    return " ".join(_word(form).replace(" ", _NO_BREAK_SPACE) for form in sentence.forms) + "\n"


def split_vertical(source: Source, longest: int | None = None) -> Iterator[Block]:
    """The lines between blank ones; a sentence of more lines than `longest` comes in pieces, for who will refuse it."""
    lines: list[Block] = []
    size = 0
    for line in split_lines(source):
        if lines and (line.line != lines[-1].line + 1 or len(lines) == longest):
            yield _joined(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line.text)
        if size > LIMIT:
            raise FormatError(Problem("no blank line within 256 MiB.", source.name, lines[0].line))
    if lines:
        yield _joined(lines)


def _joined(lines: list[Block]) -> Block:
    text = "\n".join(line.text for line in lines)
    return Block(text, lines[0].line, suspect=any(line.suspect for line in lines))


def parse_vertical(block: Block) -> Sentence | None:
    if block.suspect:
        return None
    forms = [line.partition("\t")[0].strip() for line in block.text.split("\n")]
    return Sentence(forms=forms, line=block.line) if all(forms) else None


def diagnose_vertical(block: Block) -> list[Problem]:
    found: list[Problem] = []
    for number, line in enumerate(block.text.split("\n"), block.line):
        if is_unreadable(line):
            found.append(Problem(UNREADABLE, line=number))
        elif not line.partition("\t")[0].strip():
            found.append(Problem(_NO_WORD, line=number))
    return found


def render_vertical(sentence: Sentence) -> str:
    return "\n".join(map(_word, sentence.forms)) + "\n\n"


def _word(form: str) -> str:
    """A word of white space alone cannot be seen between others."""
    return form.strip() or EMPTY


def is_kept(form: str, format: str) -> bool:
    """Whether a word can be read again as it was."""
    return form == form.strip() and not (format == "horizontal" and _NO_BREAK_SPACE in form)
