"""What the verbs share: options, tables, and what `--lenient` does with bad sentences."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from plait import formats
from plait.errors import FormatError, InputError, NotATreeError, Problem
from plait.formats.files import Source, display_name
from plait.formats.losses import losses
from plait.sentence import Sentence
from plait.trees import tree_of

Function = TypeVar("Function", bound=Callable[..., Any])

_WIDE = 240  # columns of a table that goes to a file or a pipe: never wrapped


def json_option(function: Function) -> Function:
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")(
        function
    )


def lenient_option(function: Function) -> Function:
    return click.option("--lenient", is_flag=True, help="Leave out bad sentences and say how many.")(function)


def from_option(function: Function) -> Function:
    choice = click.Choice(list(formats.FORMATS))
    return click.option(
        "--from", "from_format", type=choice, help="The format of the input, if the content misleads."
    )(function)


def to_option(function: Function) -> Function:
    choice = click.Choice(list(formats.FORMATS))
    text = "The format to write; otherwise the suffix of the output tells, or it is conllu."
    return click.option("--to", "to_format", type=choice, help=text)(function)


class Sentences:
    """The sentences of files; with `lenient`, bad ones are reported on standard error and left out."""

    def __init__(self, *, lenient: bool = False, format: str | None = None) -> None:
        self.lenient = lenient
        self.format = format
        self.skipped = 0

    def of(self, path: str) -> Iterator[Sentence]:
        return formats.stream(path, format=self.format, on_bad_sentence=self._skip if self.lenient else None)

    def of_source(self, source: Source, format: formats.Format) -> Iterator[Sentence]:
        """The same of a file that is open already."""
        return formats.sentences_of(source, format, self._skip if self.lenient else None)

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


def require_other_file(file: str, output: str) -> None:
    """Writing begins before reading ends, so the two cannot be the same."""
    if output != "-" and Path(output).exists() and file != "-" and Path(output).samefile(file):
        raise InputError(f"{file}: input and output are the same file.")


def write_and_name_losses(sentences: Iterable[Sentence], output: str, target: str) -> None:
    """Write sentences, and say on standard error what the format has no place for."""
    lost: Counter[str] = Counter()

    def counted() -> Iterator[Sentence]:
        for sentence in sentences:
            lost.update(losses(sentence, target))
            yield sentence

    try:
        formats.write(counted(), output, format=target)
    finally:
        if lost:
            parts = ", ".join(f"{name} ({count:,})" for name, count in sorted(lost.items()))
            click.echo(f"plait: {formats.FORMATS[target].title} has no place for: {parts}", err=True)


def print_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, note: str = "") -> None:
    """A table whose first column is text and the others numbers; the note names the convention."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDE, color_system=None)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for i, name in enumerate(columns):
        table.add_column(Text(name), justify="right" if i else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)
    if note:
        console.print(Text(note), style="dim", soft_wrap=True)


def print_scores(scores: Mapping[str, Mapping[str, float]]) -> None:
    """The CoNLL-18 scores of a pipeline, measured in several ways."""
    ways = list(scores)
    rows = [[name, *(f"{scores[way][name]:.2f}" for way in ways)] for name in scores[ways[0]]]
    print_table(("dev set, CoNLL-18 F1", *ways), rows)
