"""`plait deep`: deep-syntactic trees of surface trees."""

from __future__ import annotations

from collections.abc import Iterator

import click

from plait import formats
from plait.cli.common import Sentences, write_and_name_losses
from plait.cli.options import (
    from_option,
    lenient_option,
    model_option,
    output_option,
    threads_option,
    to_option,
)
from plait.cli.source import find_files
from plait.errors import InputError
from plait.learning.request import Request
from plait.pipeline import Pipeline
from plait.sentence import Sentence

_LAYER = "deep"


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE | FOLDER]...")
@model_option
@output_option
@threads_option("Two or more read and write while the model works; the result is the same.")
@from_option
@to_option
@lenient_option
def deep(
    files: tuple[str, ...],
    model: str,
    output: str,
    threads: int,
    from_format: str | None,
    to_format: str | None,
    lenient: bool,
) -> None:
    """Make deep-syntactic trees of the trees in FILES, all files of a FOLDER, or standard input.

    Tags, lemmas and surface trees are taken as they are; `plait parse --deep` begins with the text.
    """
    inputs = find_files(files, output)
    pipeline = Pipeline.load(model)
    require_deep(pipeline, model)
    sentences = Sentences(lenient=lenient, format=from_format, treebank=True)

    def trees() -> Iterator[Sentence]:
        for each in inputs:
            for sentence, _ in sentences.trees_of(each.name):
                yield sentence

    found = pipeline.annotate(trees(), Request(threads=threads), layers={_LAYER})
    try:
        with formats.without_garbage_collection():
            write_and_name_losses(found, output, to_format or _LAYER)
    finally:
        sentences.report()


def require_deep(pipeline: Pipeline, model: str) -> None:
    if pipeline.giving(_LAYER) is None:
        raise InputError(f"{model}: this model makes no deep trees; one that was trained on them does.")
