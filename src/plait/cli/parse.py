"""`plait parse`: trees for the sentences of a file."""

from __future__ import annotations

from collections.abc import Iterator

import click

from plait import formats
from plait.cli.common import (
    Sentences,
    from_option,
    lenient_option,
    require_other_file,
    to_option,
    write_and_name_losses,
)
from plait.formats.files import display_name
from plait.parser import Parser
from plait.parser.given import fault_of
from plait.sentence import EMPTY, Sentence

_LONG = 5000  # words; beam search copies its states, so its time grows with the square of the length


@click.command()
@click.argument("file", default="-")
@click.option("-m", "--model", required=True, help="The folder of a trained parser.")
@click.option("-o", "--output", default="-", show_default=True, help="Where to write; .gz and .xz compress.")
@click.option("--threads", type=click.IntRange(1, 4096), default=1, show_default=True,
              help="Two or more read and write while parsing; the result is the same.")  # fmt: skip
@click.option("--beam", type=click.IntRange(1, 4096), help="Another beam than the one trained with.")
@click.option("--nbest", type=click.IntRange(1, 4096), default=1, metavar="K",
              help="Write the K best trees of every sentence, with their scores in comments.")  # fmt: skip
@click.option("--confidence", is_flag=True, help="Write to MISC how sure the parser is of every head.")
@click.option("--keep", type=click.Choice(["heads"]), multiple=True,
              help="Keep the heads and labels that the input has, and find the others.")  # fmt: skip
@from_option
@to_option
@lenient_option
def parse(
    file: str,
    model: str,
    output: str,
    threads: int,
    beam: int | None,
    nbest: int,
    confidence: bool,
    keep: tuple[str, ...],
    from_format: str | None,
    to_format: str | None,
    lenient: bool,
) -> None:
    """Parse the sentences of FILE, whatever trees they had. Words, tags and comments stay as they are."""
    if nbest > 1 and confidence:
        raise click.UsageError("--confidence is about one tree per sentence: it does not go with --nbest.")
    require_other_file(file, output)
    parser = Parser.load(model)
    sentences = Sentences(lenient=lenient, format=from_format)
    source = _warned(sentences.of(file), file, max(beam or parser.options.beam, nbest), parser.columns_)
    if keep:
        source = _keepable(source, file, sentences)
    if nbest > 1:
        parsed = _repeated(parser, source, nbest, beam, threads, bool(keep))
    else:
        parsed = parser.annotate(
            source, beam=beam, threads=threads, keep_heads=bool(keep), confidence=confidence
        )
    try:
        with formats.without_garbage_collection():
            write_and_name_losses(parsed, output, to_format or formats.format_of_suffix(output))
    finally:
        sentences.report()


def _warned(sentences: Iterator[Sentence], path: str, beam: int, columns: list[str]) -> Iterator[Sentence]:
    for number, sentence in enumerate(sentences):
        if number == 0 and "upos" in columns and set(sentence.upos) == {EMPTY}:
            click.echo(
                f"plait: {display_name(path)}:{sentence.line}: warning: the words have no UPOS, but the model has "
                "learned from tags and needs them",
                err=True,
            )
        if len(sentence) > _LONG and beam > 1:
            click.echo(
                f"plait: {display_name(path)}:{sentence.line}: warning: this sentence has {len(sentence):,} words and "
                f"will take long with beam {beam}; --beam 1 is faster",
                err=True,
            )
        yield sentence


def _keepable(sentences: Iterator[Sentence], path: str, source: Sentences) -> Iterator[Sentence]:
    for sentence in sentences:
        if reason := fault_of(sentence):
            source.bad_tree(path, sentence, reason)
        else:
            yield sentence


def _repeated(
    parser: Parser, sentences: Iterator[Sentence], best: int, beam: int | None, threads: int, keep_heads: bool
) -> Iterator[Sentence]:
    found = parser.nbest(sentences, best, beam=beam, threads=threads, keep_heads=keep_heads)
    for sentence, parses in found:
        for rank, tree in enumerate(parses, 1):
            one = sentence.copy()
            tree.annotate(one)
            one.comments += [f"# nbest = {rank}", f"# score = {tree.score:.4f}"]
            yield one
