"""`plait tag`: tags, morphological features and lemmas."""

from __future__ import annotations

import click

from plait import formats
from plait.cli.common import (
    from_option,
    lenient_option,
    require_other_file,
    to_option,
    write_and_name_losses,
)
from plait.cli.source import Reading, Source, find, model_option, text_options, threads_option
from plait.errors import InputError
from plait.pipeline import Pipeline


@click.command()
@click.argument("inputs", nargs=-1, metavar="[TEXT | FILE | FOLDER]...")
@model_option
@click.option("-o", "--output", default="-", show_default=True, help="Where to write; .gz and .xz compress.")
@threads_option
@click.option("--keep", type=click.Choice(["tags"]), multiple=True,
              help="Keep the tags and lemmas that the input has, and find the others.")  # fmt: skip
@text_options
@from_option
@to_option
@lenient_option
def tag(
    inputs: tuple[str, ...],
    model: str,
    output: str,
    threads: int,
    keep: tuple[str, ...],
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
    files, text = find(inputs)
    for file in files:
        require_other_file(file, output)
    pipeline = Pipeline.load(model)
    if pipeline.tagger is None and pipeline.lemmatizer is None:
        raise InputError(f"{model}: this model has no tagger.")
    source = Source(pipeline, Reading(from_format, tokenized, lines, ranges, lenient))
    sentences = source.of_text(text) if text is not None else source.of_files(files)
    tagged = pipeline.tag(sentences, threads=threads, keep_tags=bool(keep))
    try:
        with formats.without_garbage_collection():
            write_and_name_losses(tagged, output, to_format or formats.format_of_suffix(output))
    finally:
        source.sentences.report()
