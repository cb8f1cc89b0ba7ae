"""What the verbs that annotate read: text, files, folders, standard input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from plait import formats
from plait.cli.common import Sentences
from plait.errors import InputError
from plait.formats.files import STANDARD, display_name, open_source
from plait.formats.text import pieces
from plait.pipeline import DEFAULT, Pipeline
from plait.sentence import Sentence

Function = TypeVar("Function", bound=Callable[..., Any])

_COMPRESSED = (".gz", ".xz")
_READABLE = (".txt", *formats.SUFFIXES)


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read: which format, and what is known of a text's sentences and words."""

    format: str | None = None
    tokenized: bool = False
    lines: bool = False
    ranges: bool = False
    lenient: bool = False


def model_option(function: Function) -> Function:
    text = "A folder with a model, or the name of one in the package."
    return click.option("-m", "--model", default=DEFAULT, show_default=True, help=text)(function)


def threads_option(function: Function) -> Function:
    text = "Two or more read and write while parsing; the result is the same."
    return click.option("--threads", type=click.IntRange(1, 4096), default=1, show_default=True, help=text)(
        function
    )


def text_options(function: Function) -> Function:
    """What a user may know of a text."""
    for name, text in (
        ("--ranges", "Write to MISC where in the text every token stands (TokenRange)."),
        ("--lines", "Every line of the text is one sentence."),
        ("--tokenized", "Every line of the text is one sentence, its words separated by spaces."),
    ):
        function = click.option(name, is_flag=True, help=text)(function)
    return function


def find(inputs: tuple[str, ...]) -> tuple[list[str], str | None]:
    """The files that are meant, or the text: an argument that is no file but has a space in it."""
    if not inputs:
        return [STANDARD], None
    if len(inputs) == 1 and not Path(inputs[0]).exists() and _is_text(inputs[0]):
        return [], inputs[0]
    files: list[str] = []
    for entry in inputs:
        if entry != STANDARD and Path(entry).is_dir():
            found = [str(path) for path in sorted(Path(entry).iterdir()) if _is_readable(path)]
            if not found:
                raise InputError(f"{entry}: no file in this folder ends in {', '.join(_READABLE)}.")
            files += found
        else:
            files.append(entry)
    return files, None


def _is_text(argument: str) -> bool:
    return any(map(str.isspace, argument)) and not _is_readable(Path(argument.rsplit("/")[-1][-200:]))


def _is_readable(path: Path) -> bool:
    name = path.name
    for suffix in _COMPRESSED:
        name = name.removesuffix(suffix)
    return name.endswith(_READABLE)


class Source:
    """The sentences of inputs, tokenized by the model where they are text."""

    def __init__(self, pipeline: Pipeline, reading: Reading) -> None:
        self._pipeline = pipeline
        self._reading = reading
        self.sentences = Sentences(lenient=reading.lenient, format=reading.format)

    def of_text(self, text: str) -> Iterator[Sentence]:
        return self._tokenize([text])

    def of_files(self, files: Iterable[str]) -> Iterator[Sentence]:
        """Of several files, the first sentence of each tells which it is from."""
        names = list(files)
        for name in names:
            for number, sentence in enumerate(self._of_file(name)):
                if number == 0 and len(names) > 1 and sentence.comment("newdoc") is None:
                    sentence.comments.insert(0, f"# newdoc id = {display_name(name)}")
                yield sentence

    def _of_file(self, path: str) -> Iterator[Sentence]:
        reading = self._reading
        with open_source(path) as source:
            format = formats.choose_format(source, reading.format)
            is_raw = format.name == "text" and not reading.tokenized and self._pipeline.tokenizer is not None
            if is_raw:
                yield from self._tokenize(pieces(source, lenient=reading.lenient))
            else:
                yield from self.sentences.of_source(source, format)

    def _tokenize(self, text: Iterable[str]) -> Iterator[Sentence]:
        reading = self._reading
        if reading.tokenized:
            for line in "".join(text).splitlines():
                if forms := line.split():
                    yield Sentence(forms=forms, comments=["# text = " + " ".join(forms)])
        else:
            yield from self._pipeline.tokenize(text, lines=reading.lines, ranges=reading.ranges)
