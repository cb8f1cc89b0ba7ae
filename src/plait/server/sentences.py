"""Sentences on their way through the server: read from a request, annotated a few at a time, counted."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator

from plait.errors import InputError
from plait.formats import FORMATS, sentences_of
from plait.formats.files import Source
from plait.sentence import Sentence

_WORDS = 256  # annotated at a time: a few milliseconds of work
_CHARACTERS = 4096  # of a text, tokenized at a time

Annotate = Callable[[Iterable[Sentence]], Iterator[Sentence]]


def read_conllu(data: str) -> Iterator[Sentence]:
    """The sentences of a request; a fault names its line."""
    # Who pastes a text seldom ends its last line.
    whole = data if data.endswith("\n") else data + "\n"
    raw = io.BytesIO(whole.encode("utf-8", "replace"))
    source = Source("data", io.BufferedReader(raw))
    return sentences_of(source, FORMATS["conllu"])


def nth_sentence(conllu: str, number: int) -> Sentence:
    found = 0
    for found, sentence in enumerate(read_conllu(conllu), 1):
        if found == number:
            return sentence
    raise InputError(f"There is no sentence {number}: the data has {found:,}.")


def cut(text: str) -> Iterator[str]:
    """A text in pieces, so that no step of the work is long."""
    for begin in range(0, len(text), _CHARACTERS):
        yield text[begin : begin + _CHARACTERS]


def few_at_a_time(sentences: Iterable[Sentence], annotate: Annotate) -> Iterator[list[Sentence]]:
    batch: list[Sentence] = []
    words = 0
    for sentence in sentences:
        batch.append(sentence)
        words += len(sentence)
        if words >= _WORDS:
            yield list(annotate(batch))
            batch, words = [], 0
    if batch:
        yield list(annotate(batch))


def read_all(sentences: Iterator[Sentence], into: list[Sentence]) -> Iterator[str]:
    """Reads everything before anything is answered, so that a fault near the end is still a clear error."""
    for sentence in sentences:
        into.append(sentence)
        if len(into) % 64 == 0:
            yield ""
