"""`plait tokenize`: the sentences and words of a text."""

from __future__ import annotations

import click

from plait import formats
from plait.cli.common import write_and_name_losses
from plait.cli.options import (
    as_text_option,
    lenient_option,
    lines_option,
    model_option,
    output_option,
    ranges_option,
    to_option,
)
from plait.cli.source import Reading, SentenceSource, find_inputs
from plait.pipeline import Pipeline


@click.command()
@click.argument("arguments", nargs=-1, metavar="[TEXT | FILE | FOLDER]...")
@model_option
@output_option
@as_text_option
@lines_option
@ranges_option
@to_option
@lenient_option
def tokenize(
    arguments: tuple[str, ...],
    model: str,
    output: str,
    as_text: bool,
    lines: bool,
    ranges: bool,
    to_format: str | None,
    lenient: bool,
) -> None:
    """Cut a TEXT, FILES, all files of a FOLDER, or standard input into sentences and words."""
    inputs = find_inputs(arguments, output, as_text=as_text)
    target = to_format or formats.format_of_suffix(output)
    reading = Reading("text", lines=lines, ranges=ranges, lenient=lenient)
    source = SentenceSource(Pipeline.load(model), reading)
    write_and_name_losses(source.of(inputs), output, target)
