"""`plait parse`: trees for a text, or for the sentences of files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from plait import formats
from plait.cli.common import write_and_name_losses
from plait.cli.deep import require_deep
from plait.cli.drawings import print_drawing, save_all
from plait.cli.options import (
    TREE,
    as_text_option,
    from_option,
    lenient_option,
    model_option,
    text_options,
    threads_option,
    to_or_tree_option,
)
from plait.cli.source import Input, Reading, SentenceSource, find_inputs
from plait.drawing.picture import Drawing, drawing_of
from plait.drawing.saving import Picture
from plait.errors import InputError
from plait.formats.files import STANDARD, display_name, open_sink
from plait.layers import Alternatives, DeepTree
from plait.learning.attachment import attach
from plait.learning.given import fault_of
from plait.learning.request import Request
from plait.pipeline import Pipeline
from plait.sentence import EMPTY, Sentence

_LONG = 5000  # words; beam search copies its states, so its time grows with the square of the length


@click.command()
@click.argument("arguments", nargs=-1, metavar="[TEXT | FILE | FOLDER]...")
@model_option
@click.option("-o", "--output", default="-", show_default=True,
              help="Where to write; .gz and .xz compress, .svg, .png and .tex are pictures of the trees.")  # fmt: skip
@to_or_tree_option
@threads_option("Two or more read and write while the model works; the result is the same.")
@click.option("--beam", type=click.IntRange(1, 4096), help="Another beam than the one trained with.")
@click.option("--nbest", type=click.IntRange(1, 4096), default=1, metavar="K",
              help="Write the K best trees of every sentence, with their scores in comments.")  # fmt: skip
@click.option("--confidence", is_flag=True,
              help="Write to MISC, or show in the drawing, how sure the parser is of every head.")  # fmt: skip
@click.option("--keep", type=click.Choice(["tags", "heads", "predicates"]), multiple=True,
              help="Keep the tags and lemmas, the heads and labels, or which words are predicates, of the input, and "
              "find the others.")  # fmt: skip
@click.option("--deep", is_flag=True, help="Write or draw the deep-syntactic trees (--to deep).")
@as_text_option
@text_options
@from_option
@lenient_option
def parse(
    arguments: tuple[str, ...],
    model: str,
    output: str,
    to_format: str | None,
    threads: int,
    beam: int | None,
    nbest: int,
    confidence: bool,
    keep: tuple[str, ...],
    deep: bool,
    as_text: bool,
    tokenized: bool,
    lines: bool,
    ranges: bool,
    from_format: str | None,
    lenient: bool,
) -> None:
    """Parse a TEXT, the text or the sentences in FILES or all files of a FOLDER, or standard input.

    Plain text is cut into sentences and words first. Words of a treebank stay as they are, and so do its comments;
    what the model finds (tags, lemmas, trees) replaces what was there.
    """
    if nbest > 1 and confidence:
        raise click.UsageError("--confidence is about one tree per sentence: it does not go with --nbest.")
    inputs = find_inputs(arguments, output, as_text=as_text)
    target = to_format or _default_target(inputs, output)
    if deep and to_format is None and target != TREE:
        target = "deep"
    pipeline = Pipeline.load(model)
    if deep or target == "deep":
        require_deep(pipeline, model)
    parser = pipeline.parser
    if parser is None:
        raise InputError(f"{model}: this model has no parser.")
    request = Request(
        threads=threads,
        beam=beam,
        nbest=nbest,
        confidence=confidence,
        keep_tags="tags" in keep,
        keep_heads="heads" in keep,
        keep_predicates="predicates" in keep,
    )
    pipeline.check(request)
    source = SentenceSource(pipeline, Reading(from_format, tokenized, lines, ranges, lenient))
    sentences = source.of(inputs)
    name = display_name(inputs[0].name) if len(inputs) == 1 else "input"
    sentences = _warned(sentences, name, max(beam or getattr(parser.options, "beam", 1), nbest), pipeline)
    if request.keep_heads:
        sentences = _keepable(sentences, name, source)
    parsed = pipeline.annotate(sentences, request)
    if nbest > 1:
        parsed = _repeated(parsed)
    try:
        with formats.without_garbage_collection():
            if target == TREE:
                _draw((drawing_of(each, DeepTree) if deep else Drawing(each) for each in parsed), output)
            else:
                write_and_name_losses(parsed, output, target)
    finally:
        source.sentences.report()


def _default_target(inputs: Sequence[Input], output: str) -> str:
    if Path(output).suffix in formats.PICTURES:
        return TREE
    if output == STANDARD and all(each.text is not None for each in inputs):
        return TREE
    return formats.format_of_suffix(output)


def _draw(drawings: Iterator[Picture], output: str) -> None:
    if Path(output).suffix in formats.PICTURES:
        save_all(drawings, Path(output))
    elif output == STANDARD:
        for number, drawing in enumerate(drawings):
            if number:
                click.echo()
            print_drawing(drawing)
    else:
        with open_sink(output) as sink:
            for number, drawing in enumerate(drawings):
                sink.write(f"{chr(10) if number else ''}{drawing}\n".encode())


def _warned(sentences: Iterator[Sentence], path: str, beam: int, pipeline: Pipeline) -> Iterator[Sentence]:
    columns = getattr(pipeline.parser, "columns_", ())
    needs_tags = pipeline.giving("tags") is None and "upos" in columns
    for number, sentence in enumerate(sentences):
        if number == 0 and needs_tags and set(sentence.upos) == {EMPTY}:
            click.echo(
                f"plait: {path}:{sentence.line}: warning: the words have no UPOS, but the model has "
                "learned from tags and needs them",
                err=True,
            )
        if len(sentence) > _LONG and beam > 1:
            click.echo(
                f"plait: {path}:{sentence.line}: warning: this sentence has {len(sentence):,} words and "
                f"will take long with beam {beam}; --beam 1 is faster",
                err=True,
            )
        yield sentence


def _keepable(sentences: Iterator[Sentence], path: str, source: SentenceSource) -> Iterator[Sentence]:
    for sentence in sentences:
        if reason := fault_of(sentence):
            source.sentences.bad_tree(path, sentence, reason)
        else:
            yield sentence


def _repeated(sentences: Iterator[Sentence]) -> Iterator[Sentence]:
    """Every sentence once for each of its trees."""
    for sentence in sentences:
        for rank, tree in enumerate(sentence.take(Alternatives) or (), 1):
            one = sentence.copy()
            attach(one, tree)
            one.comments += [f"# nbest = {rank}", f"# score = {tree.score:.4f}"]
            yield one
