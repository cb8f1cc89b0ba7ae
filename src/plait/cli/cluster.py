"""`plait cluster`: Brown clusters of the words of a text."""

from __future__ import annotations

import click

from plait.cli.options import from_option, lenient_option, model_option, text_options
from plait.cli.source import Reading, SentenceSource, find_files
from plait.features.clusters import Clusters
from plait.pipeline import Pipeline


@click.command()
@click.argument("arguments", nargs=-1, metavar="[FILE | FOLDER]...")
@click.option("-o", "--output", required=True, help="Where to write: lines of bit string, word and count.")
@click.option(
    "--clusters", "amount", type=click.IntRange(1, 4096), default=256, show_default=True, help="How many."
)
@click.option(
    "--least", type=click.IntRange(1), default=2, show_default=True, help="Leave out words that are rarer."
)
@model_option
@text_options
@from_option
@lenient_option
def cluster(
    arguments: tuple[str, ...],
    output: str,
    amount: int,
    least: int,
    model: str,
    tokenized: bool,
    lines: bool,
    ranges: bool,
    from_format: str | None,
    lenient: bool,
) -> None:
    """Learn Brown clusters from text or treebanks, for `plait train --clusters`.

    Plain text is cut into words by the tokenizer of the model.
    """
    source = SentenceSource(Pipeline.load(model), Reading(from_format, tokenized, lines, ranges, lenient))
    forms = (sentence.forms for sentence in source.of(find_files(arguments, output)))
    found = Clusters.learn(forms, clusters=amount, least=least)
    source.sentences.report()
    found.save(output)
    different = len(set(found.mapping.values()))
    click.echo(f"Saved {output}: {len(found.mapping):,} words in {different:,} clusters.")
