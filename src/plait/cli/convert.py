"""`plait convert`: from one format to another, saying what the new one has no place for."""

from __future__ import annotations

import click

from plait.cli.common import (
    Sentences,
    from_option,
    lenient_option,
    require_other_file,
    to_option,
    write_and_name_losses,
)
from plait.formats import format_of_suffix


@click.command()
@click.argument("file", default="-")
@click.option("-o", "--output", default="-", show_default=True, help="Where to write; .gz and .xz compress.")
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
