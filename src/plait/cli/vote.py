"""`plait vote`: one treebank from what several parsers found for the same sentences."""

from __future__ import annotations

import click

from plait import formats
from plait.cli.common import write_and_name_losses
from plait.cli.options import from_option, output_option, to_option
from plait.trees.voting import vote as hold


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@output_option
@click.option("--weights", metavar="LIST", help="What the votes of each file count, such as 2,1,1.")
@from_option
@to_option
def vote(
    files: tuple[str, ...], output: str, weights: str | None, from_format: str | None, to_format: str | None
) -> None:
    """Let the trees of FILEs vote: the result is the maximum spanning tree of their arcs.

    The words must be the same in all of them. Tags and all else are those of the first, which also decides ties.
    """
    target = to_format or formats.format_of_suffix(output)
    treebanks = [formats.read(file, format=from_format, treebank=True) for file in files]
    write_and_name_losses(hold(treebanks, _numbers(weights)), output, target)


def _numbers(text: str | None) -> list[float] | None:
    if text is None:
        return None
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not a list of numbers, such as 2,1,1.", param_hint="--weights"
        ) from None
