"""`plait tokenize`: the sentences and words of a text."""

from __future__ import annotations

import click

from plait import formats
from plait.cli.common import lenient_option, require_other_file, to_option, write_and_name_losses
from plait.cli.source import Reading, Source, find, model_option
from plait.pipeline import Pipeline


@click.command()
@click.argument("inputs", nargs=-1, metavar="[TEXT | FILE | FOLDER]...")
@model_option
@click.option("-o", "--output", default="-", show_default=True, help="Where to write; .gz and .xz compress.")
@click.option("--lines", is_flag=True, help="Every line of the text is one sentence.")
@click.option("--ranges", is_flag=True, help="Write to MISC where in the text every token stands.")
@to_option
@lenient_option
def tokenize(
    inputs: tuple[str, ...],
    model: str,
    output: str,
    lines: bool,
    ranges: bool,
    to_format: str | None,
    lenient: bool,
) -> None:
    """Cut a TEXT, FILES, all files of a FOLDER, or standard input into sentences and words."""
    files, text = find(inputs)
    for file in files:
        require_other_file(file, output)
    reading = Reading("text", lines=lines, ranges=ranges, lenient=lenient)
    source = Source(Pipeline.load(model), reading)
    sentences = source.of_text(text) if text is not None else source.of_files(files)
    write_and_name_losses(sentences, output, to_format or formats.format_of_suffix(output))
