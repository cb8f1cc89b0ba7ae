"""Plain text: sentences with one line each, or a text of which nobody has said where its sentences end."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterator

from plait.errors import FormatError, Problem
from plait.formats.blocks import BLANK_LIMIT, BYTE_ORDER_MARK, NO_SENTENCE, UNREADABLE, Block
from plait.formats.files import CHUNK, Source
from plait.sentence import Sentence


def render(sentence: Sentence) -> str:
    return sentence.text + "\n"


def parse(block: Block) -> Sentence | None:
    """The line as a sentence whose words are separated by white space."""
    if block.suspect:
        return None
    forms = block.text.split()
    return Sentence(forms=forms, comments=["# text = " + " ".join(forms)], line=block.line)


def diagnose(block: Block) -> list[Problem]:
    if not block.suspect:
        return []
    return [Problem(UNREADABLE, line=block.line)]


def pieces(source: Source, *, lenient: bool = False) -> Iterator[str]:
    """The whole text of a stream, piece by piece, every character as it is but for a byte order mark.

    Bytes that are not UTF-8 raise `FormatError` after the text before them; with `lenient` they become U+FFFD.
    Nothing but white space is no text.
    """
    decoder = getincrementaldecoder("utf-8")("replace" if lenient else "strict")
    line = 1
    first = empty = True
    blank = 0  # characters of white space at the end so far
    while True:
        data = source.read(CHUNK)
        if first and data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise FormatError(Problem("the file looks like UTF-16; plait reads UTF-8.", source.name, 1))
        pending = decoder.getstate()[0]
        try:
            text = decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            good = (pending + data)[: error.start].decode("utf-8")
            yield good
            line += good.count("\n")
            message = "the line holds bytes that are not UTF-8 (--lenient replaces them)."
            raise FormatError(Problem(message, source.name, line)) from None
        if first and text:
            text = text.removeprefix(BYTE_ORDER_MARK)
            first = False
        if text:
            line += text.count("\n")
            beginning, end = len(text) - len(text.lstrip()), len(text) - len(text.rstrip())
            if blank + beginning > BLANK_LIMIT:
                problem = f"more than {BLANK_LIMIT:,} characters of white space on end."
                raise FormatError(Problem(problem, source.name, line))
            blank = end + (blank if text.isspace() else 0)
            empty = empty and text.isspace()
            yield text
        if not data:
            break
    if empty:
        raise FormatError(Problem(NO_SENTENCE, source.name))
