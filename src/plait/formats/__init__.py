"""Treebanks in and out: CoNLL-U, CoNLL-X, CoNLL-09, JSON lines, plain text, and words alone."""

from __future__ import annotations

import gc
import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO

from plait.errors import FormatError, InputError, Problem, excerpt
from plait.formats import conll, deep, diagnosis, jsonl, semantics, tabular, text, words
from plait.formats.blocks import NO_SENTENCE, Block, is_blank, split_lines, split_sentences
from plait.formats.detection import detect
from plait.formats.files import Sink, Source, open_sink, open_source, open_stream
from plait.sentence import Sentence, Treebank, each_sentence

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
    blank_lines: bool = False  # end sentences: what follows one must not run into it


def _tabular(name: str, layout: tabular.Layout) -> Format:
    return Format(
        name,
        layout.title,
        split_sentences,
        partial(tabular.parse, layout),
        partial(diagnosis.diagnose, layout),
        partial(tabular.render, layout),
        blank_lines=True,
    )


FORMATS = {
    "conllu": _tabular("conllu", conll.CONLLU),
    "conllx": _tabular("conllx", conll.CONLLX),
    "conll09": _tabular("conll09", conll.CONLL09),
    "deep": replace(_tabular("deep", conll.CONLL09), title="deep-syntactic trees", render=deep.render),
    "semantics": Format(
        "semantics",
        "annotation of meaning",
        split_sentences,
        semantics.parse,
        semantics.diagnose,
        semantics.render,
        blank_lines=True,
    ),
    "jsonl": Format("jsonl", "JSON lines", split_lines, jsonl.parse, jsonl.diagnose, jsonl.render),
    "text": Format("text", "plain text", split_lines, text.parse, text.diagnose, text.render),
    "horizontal": Format(
        "horizontal",
        "horizontal text",
        split_lines,
        words.parse_horizontal,
        words.diagnose_horizontal,
        words.render_horizontal,
    ),
    "vertical": Format(
        "vertical",
        "vertical text",
        words.split_vertical,
        words.parse_vertical,
        words.diagnose_vertical,
        words.render_vertical,
    ),
}


def format_for(name: str) -> Format:
    if name not in FORMATS:
        raise InputError(f"No format {name!r}. Available: {', '.join(FORMATS)}.")
    return FORMATS[name]


def choose_format(source: Source, name: str | None = None, *, treebank: bool = False) -> Format:
    """The format called so, or else the one the content shows; for a `treebank`, showing none is an error."""
    chosen = format_for(name or detect(source.peek(), source.name))
    if treebank and name is None and chosen.name == "text" and not is_blank(source.peek()):
        raise InputError(
            f"{source.name}: this is not a treebank: it has no columns with tabs between them. "
            "For plain text, say --from text."
        )
    return chosen


def sentences_of(
    source: Source, format: Format, on_bad_sentence: BadSentence | None = None
) -> Iterator[Sentence]:
    """The sentences of an open source; see `stream`."""
    empty = True
    for block in format.split(source):
        if empty and block.last and block.text.isspace():
            break
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
        raise FormatError(Problem(NO_SENTENCE, source.name))


def stream(
    path: str | Path,
    *,
    format: str | None = None,
    on_bad_sentence: BadSentence | None = None,
    treebank: bool = False,
) -> Iterator[Sentence]:
    """The sentences of a file (`-` is standard input) one by one, in constant memory.

    The format is seen from the content unless it is named; with `treebank`, it may not be plain text. The first
    fault raises `FormatError`; with `on_bad_sentence`, the faults of a bad sentence are handed to it and the sentence
    is left out.
    """
    with open_source(path) as source:
        yield from sentences_of(source, choose_format(source, format, treebank=treebank), on_bad_sentence)


def read(
    path: str | Path,
    *,
    format: str | None = None,
    on_bad_sentence: BadSentence | None = None,
    treebank: bool = False,
) -> Treebank:
    """All sentences of a file; see `stream` for the options."""
    with open_source(path) as source:
        chosen = choose_format(source, format, treebank=treebank)
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


def write(
    sentences: Iterable[Sentence], path: str | Path | IO[str] | IO[bytes], *, format: str | None = None
) -> None:
    """Write sentences to a file (`-` is standard output) or to something that is open for writing, as `sys.stdout` is,
    in the format named or as the suffix says.
    """
    name = path if isinstance(path, (str, Path)) else str(getattr(path, "name", ""))
    chosen = format_for(format or format_of_suffix(name))
    checked = each_sentence(sentences)
    with open_sink(path) if isinstance(path, (str, Path)) else open_stream(path) as sink:
        write_sentences(checked, sink, chosen)


def write_sentences(sentences: Iterable[Sentence], sink: Sink, format: Format) -> None:
    """Write whole sentences only: what stands in the sink after an error or an interrupt can be read."""
    for each in rendered(sentences, format):
        try:
            data = each.encode()
        except UnicodeEncodeError as error:
            around = each[max(error.start - 20, 0) : error.end + 20]
            raise InputError(
                f"Half of a character (a lone surrogate) cannot be written: {excerpt(around)}."
            ) from None
        sink.write(data)


def rendered(sentences: Iterable[Sentence], format: Format) -> Iterator[str]:
    """The sentences as they stand in one file after the other: one that ended its file without a blank line gets it
    when another follows.
    """
    missing = ""
    for sentence in sentences:
        yield missing + format.render(sentence)
        if format.blank_lines:
            missing = sentence.newline * (2 - sentence.ending.count("\n"))


def to_text(sentences: Iterable[Sentence], format: str = "conllu") -> str:
    """Sentences as a file would have them."""
    return "".join(rendered(sentences, format_for(format)))


def from_text(text: str, format: str = "conllu") -> list[Sentence]:
    """The sentences of a text that is what a file would have."""
    if not isinstance(text, str):
        raise InputError(f"A text is needed, and this is a {type(text).__name__}.")
    source = Source("<text>", io.BufferedReader(io.BytesIO(text.encode("utf-8", "surrogatepass"))))
    return list(sentences_of(source, format_for(format)))


def format_of_suffix(path: str | Path) -> str:
    """The format a file of this name is written in; CoNLL-U if the suffix tells nothing."""
    suffixes = Path(path).suffixes
    while suffixes and suffixes[-1] in (".gz", ".xz"):
        suffixes.pop()
    suffix = suffixes[-1] if suffixes else ""
    if suffix.lower() in PICTURES:
        raise InputError(f"{path}: this is the name of a picture, and sentences are not written into one.")
    return SUFFIXES.get(suffix, "conllu")


PICTURES = (".svg", ".png", ".tex")

SUFFIXES = {
    ".conllu": "conllu",
    ".conllx": "conllx",
    ".conll": "conllx",
    ".conll09": "conll09",
    ".deep": "deep",
    ".sem": "semantics",
    ".jsonl": "jsonl",
    ".json": "jsonl",
    ".txt": "text",
}
