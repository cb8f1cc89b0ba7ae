"""`plait convert`: from one format to another, saying what the new one has no place for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from plait.cli.common import Sentences, from_option, lenient_option
from plait.errors import InputError
from plait.formats import FORMATS, format_of_suffix, write
from plait.formats.losses import losses
from plait.sentence import Sentence


@click.command()
@click.argument("file", default="-")
@click.option("-o", "--output", default="-", show_default=True, help="Where to write; .gz and .xz compress.")
@from_option
@click.option(
    "--to",
    "to_format",
    type=click.Choice(list(FORMATS)),
    help="The format to write; otherwise the suffix of the output tells, or it is conllu.",
)
@lenient_option
def convert(file: str, output: str, from_format: str | None, to_format: str | None, lenient: bool) -> None:
    """Convert FILE; what the new format has no place for is named on standard error."""
    if output != "-" and Path(output).exists() and file != "-" and Path(output).samefile(file):
        raise InputError(f"{file}: input and output are the same file.")
    target = to_format or format_of_suffix(output)
    sentences = Sentences(lenient=lenient, format=from_format)
    lost: Counter[str] = Counter()
    try:
        write(_counting(sentences.of(file), target, lost), output, format=target)
    finally:
        if lost:
            parts = ", ".join(f"{name} ({count:,})" for name, count in sorted(lost.items()))
            click.echo(f"plait: {FORMATS[target].title} has no place for: {parts}", err=True)
        sentences.report()


def _counting(sentences: Iterable[Sentence], target: str, lost: Counter[str]) -> Iterator[Sentence]:
    for sentence in sentences:
        lost.update(losses(sentence, target))
        yield sentence
