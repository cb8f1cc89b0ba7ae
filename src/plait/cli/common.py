"""What the verbs share: tables, and what `--lenient` does with bad sentences."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from plait import formats
from plait.cli.streams import can_print
from plait.errors import FormatError, InputError, NotATreeError, Problem, printable
from plait.formats.files import Source, display_name
from plait.formats.losses import losses
from plait.sentence import Sentence
from plait.trees import tree_of

# What JSON leaves as it is: DEL and C1, what turns the direction of writing, bytes of a name that are not UTF-8.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_WIDE = 240  # columns of a table that goes to a file or a pipe: never wrapped


class Sentences:
    """The sentences of files; with `lenient`, bad ones are reported on standard error and left out. With `treebank`, a
    file that does not look like one is an error.
    """

    def __init__(self, *, lenient: bool = False, format: str | None = None, treebank: bool = False) -> None:
        self.lenient = lenient
        self.format = format
        self.treebank = treebank
        self.skipped = 0

    def of(self, path: str) -> Iterator[Sentence]:
        skip = self._skip if self.lenient else None
        found = formats.stream(path, format=self.format, on_bad_sentence=skip, treebank=self.treebank)
        return _at_least_one(found, display_name(path))

    def of_source(self, source: Source, format: formats.Format) -> Iterator[Sentence]:
        """The same of a file that is open already."""
        found = formats.sentences_of(source, format, self._skip if self.lenient else None)
        return _at_least_one(found, source.name)

    def trees_of(self, path: str) -> Iterator[tuple[Sentence, list[int]]]:
        """Sentences with their heads; one whose heads are no tree counts as bad."""
        for sentence in self.of(path):
            try:
                heads = tree_of(sentence)
            except NotATreeError as error:
                self.bad_tree(path, sentence, str(error))
                continue
            yield sentence, heads

    def bad_tree(self, path: str, sentence: Sentence, reason: str) -> None:
        problem = Problem(reason, display_name(path), sentence.line, sentence.sent_id)
        if not self.lenient:
            raise FormatError(problem)
        self._skip([problem])

    def report(self) -> None:
        """Say how many sentences were left out."""
        if self.skipped:
            noun = "sentence" if self.skipped == 1 else "sentences"
            click.echo(f"plait: {self.skipped:,} bad {noun} left out", err=True)

    def _skip(self, problems: list[Problem]) -> None:
        self.skipped += 1
        for problem in problems:
            click.echo(f"plait: {problem}", err=True)


def _at_least_one(sentences: Iterable[Sentence], name: str) -> Iterator[Sentence]:
    """The sentences; where all were bad and left out, there is nothing to work on."""
    empty = True
    for sentence in sentences:
        empty = False
        yield sentence
    if empty:
        raise FormatError(Problem("no sentence of it can be read.", name))


def require_other_file(file: str, output: str) -> None:
    """Writing begins before reading ends, so the two cannot be the same; and what is there stays if there is nothing to
    read.
    """
    if "-" in (file, output) or not Path(output).exists():
        return
    if not Path(file).exists():
        raise InputError(f"{file}: there is no such file.")
    if Path(output).samefile(file):
        raise InputError(f"{file}: input and output are the same file.")


def write_and_name_losses(sentences: Iterable[Sentence], output: str, target: str) -> None:
    """Write sentences, and say on standard error what the format has no place for."""
    lost: Counter[str] = Counter()
    written = 0

    def counted() -> Iterator[Sentence]:
        nonlocal written
        for sentence in sentences:
            lost.update(losses(sentence, target))
            yield sentence
            written += 1

    try:
        formats.write(counted(), output, format=target)
        if not written:
            raise InputError("There is no sentence to write.")
    finally:
        if lost:
            parts = ", ".join(f"{printable(name)} ({count:,})" for name, count in sorted(lost.items()))
            click.echo(f"plait: {formats.FORMATS[target].title} has no place for: {parts}", err=True)


def print_json(value: object) -> None:
    """JSON in which no character can steer a terminal, or is missing there: it is the same value when it is read."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    if not can_print(text):
        text = json.dumps(value, indent=2)
    click.echo(_UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, note: str = "") -> None:
    """A table whose first column is text and the others numbers; the note names the convention."""
    from rich.console import Console  # here, since most runs print none
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDE, color_system=None)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for i, name in enumerate(columns):
        table.add_column(Text(name), justify="right" if i else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    console.print(table)
    if note:
        console.print(Text(printable(note)), style="dim", soft_wrap=True)


def print_scores(scores: Mapping[str, Mapping[str, float]]) -> None:
    """The CoNLL-18 scores of a pipeline, measured in several ways."""
    ways = list(scores)
    names = dict.fromkeys(name for way in ways for name in scores[way])
    rows = [
        [name, *(f"{scores[way][name]:.2f}" if name in scores[way] else "" for way in ways)] for name in names
    ]
    print_table(("dev set, CoNLL-18 F1", *ways), rows)
