"""Treebanks in and out: CoNLL-U, CoNLL-X, CoNLL-09, JSON lines and plain text."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from plait.errors import FormatError, InputError, Problem
from plait.formats import conll, diagnosis, jsonl, tabular, text
from plait.formats.blocks import Block, split_lines, split_sentences
from plait.formats.detection import detect
from plait.formats.files import Sink, Source, open_sink, open_source
from plait.sentence import Sentence, Treebank

BadSentence = Callable[[list[Problem]], None]


@dataclass(frozen=True, slots=True)
class Format:
    """How to cut a stream into sentences, read one, explain a bad one and write one."""

    name: str
    title: str
    split: Callable[[Source], Iterator[Block]]
    parse: Callable[[Block], Sentence | None]
    diagnose: Callable[[Block], list[Problem]]
    render: Callable[[Sentence], str]


def _tabular(name: str, layout: tabular.Layout) -> Format:
    return Format(
        name,
        layout.title,
        split_sentences,
        partial(tabular.parse, layout),
        partial(diagnosis.diagnose, layout),
        partial(tabular.render, layout),
    )


FORMATS = {
    "conllu": _tabular("conllu", conll.CONLLU),
    "conllx": _tabular("conllx", conll.CONLLX),
    "conll09": _tabular("conll09", conll.CONLL09),
    "jsonl": Format("jsonl", "JSON lines", split_lines, jsonl.parse, jsonl.diagnose, jsonl.render),
    "text": Format("text", "plain text", split_lines, text.parse, text.diagnose, text.render),
}


def format_for(name: str) -> Format:
    if name not in FORMATS:
        raise InputError(f"No format {name!r}. Available: {', '.join(FORMATS)}.")
    return FORMATS[name]


def choose_format(source: Source, name: str | None = None) -> Format:
    """The format called so, or else the one the content shows."""
    return format_for(name or detect(source.peek(), source.name))


def sentences_of(
    source: Source, format: Format, on_bad_sentence: BadSentence | None = None
) -> Iterator[Sentence]:
    """The sentences of an open source; see `stream`."""
    empty = True
    for block in format.split(source):
        empty = False
        sentence = format.parse(block)
        if sentence is not None:
            yield sentence
            continue
        problems = [problem.at(source.name) for problem in format.diagnose(block)]
        if on_bad_sentence is None:
            raise FormatError(problems[0])
        on_bad_sentence(problems)
    if empty:
        raise FormatError(Problem("there is no sentence in it; the file is empty.", source.name))


def stream(
    path: str | Path, *, format: str | None = None, on_bad_sentence: BadSentence | None = None
) -> Iterator[Sentence]:
    """The sentences of a file (`-` is standard input) one by one, in constant memory.

    The format is seen from the content unless it is named. The first fault raises `FormatError`; with
    `on_bad_sentence`, the faults of a bad sentence are handed to it and the sentence is left out.
    """
    with open_source(path) as source:
        yield from sentences_of(source, choose_format(source, format), on_bad_sentence)


def read(
    path: str | Path, *, format: str | None = None, on_bad_sentence: BadSentence | None = None
) -> Treebank:
    """All sentences of a file; see `stream` for the options."""
    with open_source(path) as source:
        chosen = choose_format(source, format)
        with without_garbage_collection():
            sentences = list(sentences_of(source, chosen, on_bad_sentence))
    return Treebank(sentences, path=source.name, format=chosen.name)


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Reading makes many objects and no cycles: looking for cycles meanwhile takes two fifths of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def write(sentences: Iterable[Sentence], path: str | Path, *, format: str | None = None) -> None:
    """Write sentences to a file (`-` is standard output), in the format named or as the suffix says."""
    chosen = format_for(format or format_of_suffix(path))
    with open_sink(path) as sink:
        write_sentences(sentences, sink, chosen)


def write_sentences(sentences: Iterable[Sentence], sink: Sink, format: Format) -> None:
    """Write whole sentences only: what stands in the sink after an error or an interrupt can be read."""
    for sentence in sentences:
        sink.write(format.render(sentence).encode())


def format_of_suffix(path: str | Path) -> str:
    """The format a file of this name is written in; CoNLL-U if the suffix tells nothing."""
    suffixes = Path(path).suffixes
    while suffixes and suffixes[-1] in (".gz", ".xz"):
        suffixes.pop()
    return SUFFIXES.get(suffixes[-1] if suffixes else "", "conllu")


SUFFIXES = {
    ".conllu": "conllu",
    ".conllx": "conllx",
    ".conll": "conllx",
    ".conll09": "conll09",
    ".jsonl": "jsonl",
    ".json": "jsonl",
    ".txt": "text",
}
