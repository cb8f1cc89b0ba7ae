"""What the verbs that annotate read: texts, files, folders, standard input."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from plait import formats
from plait.cli.common import Sentences, require_other_file
from plait.errors import InputError, excerpt, printable
from plait.formats.files import STANDARD, Source, display_name, open_source
from plait.formats.text import pieces
from plait.pipeline import Pipeline
from plait.pipeline.writing_systems import ScriptWatch
from plait.sentence import Sentence

_COMPRESSED = (".gz", ".xz")
_READABLE = (".txt", *(suffix for suffix in formats.SUFFIXES if suffix != ".txt"))
_SUFFIX = re.compile(
    r"\w\.[a-z][a-z0-9]{1,6}"
)  # at the end of a word: notes.md, but not Hello. or 3.14 or e.g


@dataclass(frozen=True, slots=True)
class Input:
    """One document: a file, or a text that stands in the command itself."""

    name: str
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read: which format, and what is known of a text's sentences and words."""

    format: str | None = None
    tokenized: bool = False
    lines: bool = False
    ranges: bool = False
    lenient: bool = False


def find_inputs(arguments: Sequence[str], output: str, *, as_text: bool = False) -> list[Input]:
    """What is meant: texts, files, all files of a folder.

    An argument that is no file or folder is a text, unless it looks like the path of one.
    """
    if as_text:
        if not arguments:
            raise click.UsageError("--text needs a text.")
        return [_text(argument, number) for number, argument in enumerate(arguments, 1)]
    inputs: list[Input] = []
    for argument in arguments or (STANDARD,):
        if argument == STANDARD or exists(argument):
            inputs += find_files([argument], output)
        elif _looks_like_a_path(argument):
            raise InputError(f"{argument}: there is no such file; with --text, this is a text.")
        else:
            inputs.append(_text(argument, len(inputs) + 1))
    return inputs


def find_files(arguments: Sequence[str], output: str) -> list[Input]:
    """Files, and all files of folders, of which none is the output."""
    inputs: list[Input] = []
    for argument in arguments or (STANDARD,):
        if argument != STANDARD and not exists(argument):
            raise InputError(f"{argument}: there is no such file.")
        inputs += _of_folder(argument) if Path(argument).is_dir() else [Input(argument)]
    for each in inputs:
        require_other_file(each.name, output)
    return inputs


def _text(argument: str, number: int) -> Input:
    return Input(f"text-{number}", _decoded(argument))


def _of_folder(folder: str) -> list[Input]:
    try:
        found = [Input(str(path)) for path in sorted(Path(folder).iterdir()) if is_readable(path.name)]
    except OSError as error:
        raise InputError(f"{folder}: the folder cannot be read: {error.strerror}.") from None
    if not found:
        raise InputError(f"{folder}: no file in this folder ends in {', '.join(_READABLE)}.")
    return found


def exists(argument: str) -> bool:
    """Whether there is such a file, also one that cannot be reached; a long text cannot even be asked for."""
    try:
        os.lstat(argument)
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def _looks_like_a_path(argument: str) -> bool:
    """A suffix that we read; a beginning such as ./; or, in one word, a slash or another suffix."""
    if is_readable(argument) or argument.startswith(("/", "./", "../", "~/")):
        return True
    is_one_word = not any(map(str.isspace, argument))
    return is_one_word and ("/" in argument or _SUFFIX.search(argument[-9:]) is not None)


def is_readable(name: str) -> bool:
    """Whether a folder is thought to hold this file as text or sentences."""
    for suffix in _COMPRESSED:
        name = name.removesuffix(suffix)
    return name.endswith(_READABLE)


def _decoded(argument: str) -> str:
    """The text of an argument: UTF-8, also where the terminal is not known to speak it."""
    try:
        text = argument if argument.isascii() else _as_utf8(argument)
    except UnicodeError:
        raise InputError(f"The text {printable(excerpt(argument))} is not UTF-8.") from None
    if not text.strip():
        raise InputError("The text has no word in it.")
    return text


def _as_utf8(argument: str) -> str:
    try:
        argument.encode()
    except UnicodeEncodeError:  # bytes that Python could not decode
        return os.fsencode(argument).decode()
    return argument


class SentenceSource:
    """The sentences of inputs, tokenized by the model where they are text."""

    def __init__(self, pipeline: Pipeline, reading: Reading) -> None:
        self._pipeline = pipeline
        self._reading = reading
        self.sentences = Sentences(lenient=reading.lenient, format=reading.format)
        self._open: Source | None = None
        self._tokenized = 0  # sentences so far: no two of a run have the same sent_id

    def of(self, inputs: Sequence[Input]) -> Iterator[Sentence]:
        """Of several inputs, the first sentence of each tells which it is from. A text in a script that the model has
        never seen gets a warning.
        """
        watch = ScriptWatch(self._pipeline)
        for each in inputs:
            found = self._of_file(each.name) if each.text is None else self._tokenize([each.text])
            for number, sentence in enumerate(found):
                if number == 0 and len(inputs) > 1 and sentence.comment("newdoc") is None:
                    sentence.comments.insert(0, f"# newdoc id = {printable(display_name(each.name))}")
                watch.look_at(sentence)
                yield sentence
        if strange := watch.strange():
            click.echo(
                f"plait: most words are in a script that the model has not learned from: {strange}; what it says of "
                "them means little",
                err=True,
            )

    @property
    def position(self) -> int:
        """How many bytes of the file that was opened last have been read."""
        return self._open.position if self._open else 0

    def _of_file(self, path: str) -> Iterator[Sentence]:
        reading = self._reading
        with open_source(path) as source:
            self._open = source
            format = formats.choose_format(source, reading.format)
            if format.name == "text" and not reading.tokenized:
                yield from self._tokenize(pieces(source, lenient=reading.lenient))
            else:
                yield from self.sentences.of_source(source, format)

    def _tokenize(self, text: Iterable[str]) -> Iterator[Sentence]:
        reading = self._reading
        if reading.tokenized:
            for line in "".join(text).splitlines():
                if forms := line.split():
                    yield Sentence(forms=forms, comments=["# text = " + " ".join(forms)])
            return
        if self._pipeline.giving("tokens") is None:
            raise InputError(
                "The model has no tokenizer, so it cannot read text, only words: CoNLL-U, or with --tokenized a "
                "sentence per line and its words separated by spaces."
            )
        found = self._pipeline.tokenize(
            text, lines=reading.lines, ranges=reading.ranges, first=self._tokenized + 1
        )
        for sentence in found:
            self._tokenized += 1
            yield sentence
