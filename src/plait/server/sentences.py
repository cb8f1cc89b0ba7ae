"""Sentences on their way through the server: read from a request, bounded, annotated a few at a time."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice

from plait.errors import FormatError, InputError, Problem
from plait.formats import FORMATS, sentences_of, words
from plait.formats.blocks import Block
from plait.formats.files import Source
from plait.sentence import Sentence
from plait.server.limits import Sizes

_WORDS = 256  # annotated at a time: a few milliseconds of work
_CHARACTERS = 4096  # of a text, tokenized at a time
_HELD = 1 << 14  # characters of a text whose sentences are held together
_LINES_OF_WORD = 4  # comments, ranges and empty nodes are lines too

Annotate = Callable[[Iterable[Sentence]], Iterator[Sentence]]


def _too_long(most: int, place: str) -> InputError:
    return InputError(f"{place}: the sentence has more than {most:,} words; this server takes no more.")


def limited(sentences: Iterable[Sentence], most: Sizes) -> Iterator[Sentence]:
    """The sentences, none of which may have more words, nor all of them together."""
    words = 0
    for number, sentence in enumerate(sentences, 1):
        if len(sentence) > most.sentence:
            place = f"data:{sentence.line}" if sentence.line else f"sentence {number:,}"
            raise _too_long(most.sentence, place)
        words += len(sentence)
        if words > most.together:
            raise InputError(f"The data have more than {most.together:,} words: send them in parts.")
        yield sentence


def read_sentences(data: str, kind: str, most: Sizes) -> Iterator[Sentence]:
    """The sentences of a request in one of the formats of `READABLE`; a fault names its line."""
    # Who pastes a text seldom ends its last line.
    whole = data if data.endswith("\n") else data + "\n"
    raw = io.BytesIO(whole.encode("utf-8", "replace"))
    source = Source("data", io.BufferedReader(raw))
    return limited(
        sentences_of(source, replace(FORMATS[kind], split=partial(READABLE[kind], most.sentence))), most
    )


# Sentences that are far too long are refused before they are read: that takes far longer than counting.


def _short_conllu(most: int, source: Source) -> Iterator[Block]:
    for block in FORMATS["conllu"].split(source):
        if (lines := block.text.count("\n") + 1) > _LINES_OF_WORD * (most + 1):
            raise FormatError(Problem(f"the sentence has {lines:,} lines; this server takes sentences of "
                                      f"at most {most:,} words.", "data", block.line))  # fmt: skip
        yield block


def _short_horizontal(most: int, source: Source) -> Iterator[Block]:
    for block in FORMATS["horizontal"].split(source):
        if next(islice(words.words_of(block.text), most, None), None):
            raise _too_long(most, f"data:{block.line}")
        yield block


def _short_vertical(most: int, source: Source) -> Iterator[Block]:
    return words.split_vertical(source, most + 1)


READABLE: dict[str, Callable[[int, Source], Iterator[Block]]] = {
    "conllu": _short_conllu,
    "horizontal": _short_horizontal,
    "vertical": _short_vertical,
}


def cut(text: str) -> Iterator[str]:
    """A text in pieces, so that no step of the work is long."""
    for begin in range(0, len(text), _CHARACTERS):
        yield text[begin : begin + _CHARACTERS]


def few_at_a_time(sentences: Iterable[Sentence], annotate: Annotate) -> Iterator[list[Sentence]]:
    batch: list[Sentence] = []
    size = 0
    for sentence in sentences:
        batch.append(sentence)
        size += len(sentence)
        if size >= _WORDS:
            yield list(annotate(batch))
            batch, size = [], 0
    if batch:
        yield list(annotate(batch))


def read_all(sentences: Iterable[Sentence], into: list[Sentence]) -> Iterator[str]:
    """Reads everything before anything is answered, so that a fault near the end is still a clear error."""
    for sentence in sentences:
        into.append(sentence)
        if len(into) % 64 == 0:
            yield ""


def tokenized(
    tokenize: Callable[[], Iterator[Sentence]], characters: int, most: Sizes, into: list[Iterable[Sentence]]
) -> Iterator[str]:
    """The sentences of a text, put into a list; that of a long text is read twice, once only to see whether a
    sentence is too long, so that this is told before an answer begins, and its sentences are never held together.
    """
    if characters <= _HELD:
        held: list[Sentence] = []
        yield from read_all(limited(tokenize(), most), held)
        into.append(held)
        return
    for number, _ in enumerate(limited(tokenize(), most)):
        if number % 64 == 0:
            yield ""
    into.append(tokenize())
