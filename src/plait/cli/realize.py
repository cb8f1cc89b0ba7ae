"""`plait realize`: sentences for trees without order."""

from __future__ import annotations

from collections.abc import Iterator

import click

from plait import formats
from plait.cli.common import Sentences, require_other_file, write_and_name_losses
from plait.cli.options import (
    from_or_start_option,
    lenient_option,
    model_option,
    output_option,
    threads_option,
    to_option,
)
from plait.cli.texts import BETWEEN
from plait.formats import format_of_suffix
from plait.formats.files import STANDARD, open_sink
from plait.generation import Realization, Realizer
from plait.generation.stages import STAGES, STARTS
from plait.learning.request import Request
from plait.sentence import Sentence


@click.command()
@click.argument("file", default="-")
@model_option
@output_option
@to_option
@threads_option("Two or more read and write while the model works; the result is the same.")
@click.option("--beam", type=click.IntRange(1, 4096), help="Another beam than the one trained with.")
@click.option("--nbest", type=click.IntRange(1, 4096), default=1, metavar="K",
              help="Write the K best sentences of every tree, each with its number and score.")  # fmt: skip
@from_or_start_option
@click.option("--gold", default="", metavar="LIST", help=f"Of {', '.join(STAGES)}, what is taken as FILE has it: what "
              "is lost is then lost by the others.")  # fmt: skip
@lenient_option
def realize(
    file: str,
    model: str,
    output: str,
    to_format: str | None,
    threads: int,
    beam: int | None,
    nbest: int,
    source: str | None,
    gold: str,
    lenient: bool,
) -> None:
    """Put what FILE holds into words: one sentence per line, in the order of the input.

    Trees are CoNLL-U, whose order and forms are not looked at, or a T1 file of the shared tasks as it is (`plait
    convert --to t1` makes one); deep trees a T2 file; graphs what `plait convert --to graph` writes, or trees with
    predicates. With --to conllu, or an output that ends so, words with their new order are written.
    """
    require_other_file(file, output)
    target = to_format or (format_of_suffix(output) if output != STANDARD else "text")
    realizer = Realizer.load(model)
    request = Request(threads=threads, beam=beam, nbest=nbest)
    realizer.pipeline.check(request)
    start = source if source and source in STARTS else "tree"
    told = None if source in STARTS else source
    sentences = Sentences(lenient=lenient, format=told, treebank=True)
    kept = [name.strip() for name in gold.split(",") if name.strip()]
    # Trees that are none are found while reading, so that --lenient can leave them out.
    graphs = start == "graph" and "tree" not in kept
    trees = sentences.of(file) if graphs else (each for each, _ in sentences.trees_of(file))
    try:
        with formats.without_garbage_collection():
            if nbest > 1 and target == "text":
                _write_nbest(realizer.best(trees, nbest, request, start=start, gold=kept), output)
            elif nbest > 1:
                _write(_every(realizer.best(trees, nbest, request, start=start, gold=kept)), output, target)
            else:
                _write(realizer.realize(trees, request, start=start, gold=kept), output, target)
    finally:
        sentences.report()


def _write(sentences: Iterator[Sentence], output: str, target: str) -> None:
    if target != "text":
        write_and_name_losses(sentences, output, target)
        return
    with open_sink(output) as sink:
        for sentence in sentences:
            sink.write(f"{_line(sentence.text)}\n".encode())


def _write_nbest(best: Iterator[list[Realization]], output: str) -> None:
    with open_sink(output) as sink:
        for number, found in enumerate(best):
            for each in found:
                sink.write(f"{number}{BETWEEN}{_line(each.text)}{BETWEEN}{each.score:.4f}\n".encode())


def _every(best: Iterator[list[Realization]]) -> Iterator[Sentence]:
    for found in best:
        for rank, each in enumerate(found, 1):
            each.sentence.comments += [f"# nbest = {rank}", f"# score = {each.score:.4f}"]
            yield each.sentence


def _line(text: str) -> str:
    """A text on one line, whatever white space is in its words."""
    return " ".join(text.split("\n"))
