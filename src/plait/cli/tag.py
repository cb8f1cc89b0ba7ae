"""`plait tag`: tags, morphological features and lemmas."""

from __future__ import annotations

import click

from plait import formats
from plait.cli.common import write_and_name_losses
from plait.cli.options import (
    as_text_option,
    from_option,
    lenient_option,
    model_option,
    output_option,
    text_options,
    threads_option,
    to_option,
)
from plait.cli.source import Reading, SentenceSource, find_inputs
from plait.errors import InputError
from plait.learning.request import Request
from plait.pipeline import Pipeline


@click.command()
@click.argument("arguments", nargs=-1, metavar="[TEXT | FILE | FOLDER]...")
@model_option
@output_option
@threads_option("Two or more read and write while the model works; the result is the same.")
@click.option("--keep", type=click.Choice(["tags"]), multiple=True,
              help="Keep the tags and lemmas that the input has, and find the others.")  # fmt: skip
@as_text_option
@text_options
@from_option
@to_option
@lenient_option
def tag(
    arguments: tuple[str, ...],
    model: str,
    output: str,
    threads: int,
    keep: tuple[str, ...],
    as_text: bool,
    tokenized: bool,
    lines: bool,
    ranges: bool,
    from_format: str | None,
    to_format: str | None,
    lenient: bool,
) -> None:
    """Tag a TEXT, the text or the sentences in FILES or all files of a FOLDER, or standard input.

    Trees that the input has stay as they are.
    """
    inputs = find_inputs(arguments, output, as_text=as_text)
    target = to_format or formats.format_of_suffix(output)
    pipeline = Pipeline.load(model)
    layers = {"tags", "lemmas"}
    if not pipeline.working(layers):
        raise InputError(f"{model}: this model has no tagger.")
    source = SentenceSource(pipeline, Reading(from_format, tokenized, lines, ranges, lenient))
    request = Request(threads=threads, keep_tags=bool(keep))
    tagged = pipeline.annotate(source.of(inputs), request, layers=layers)
    try:
        with formats.without_garbage_collection():
            write_and_name_losses(tagged, output, target)
    finally:
        source.sentences.report()
