"""`plait convert`: from one format to another, saying what the new one has no place for."""

from __future__ import annotations

import click

from plait.cli.common import Sentences, require_other_file, write_and_name_losses
from plait.cli.options import from_option, lenient_option, output_option, to_option
from plait.formats import format_of_suffix


@click.command()
@click.argument("file", default="-")
@output_option
@from_option
@to_option
@lenient_option
def convert(file: str, output: str, from_format: str | None, to_format: str | None, lenient: bool) -> None:
    """Convert FILE; what the new format has no place for is named on standard error."""
    require_other_file(file, output)
    target = to_format or format_of_suffix(output)
    sentences = Sentences(lenient=lenient, format=from_format)
    try:
        write_and_name_losses(sentences.of(file), output, target)
    finally:
        sentences.report()
