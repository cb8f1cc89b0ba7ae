"""`plait parse`: trees for a text, or for the sentences of files."""

from __future__ import annotations

from collections.abc import Iterator

import click
from rich.console import Console

from plait import formats
from plait.cli.common import from_option, lenient_option, require_other_file, write_and_name_losses
from plait.cli.source import Reading, Source, find, model_option, text_options, threads_option
from plait.errors import InputError
from plait.formats.files import display_name
from plait.parser import Parser
from plait.parser.given import fault_of
from plait.pipeline import Pipeline
from plait.sentence import EMPTY, Sentence

_LONG = 5000  # words; beam search copies its states, so its time grows with the square of the length
_TREE = "tree"


@click.command()
@click.argument("inputs", nargs=-1, metavar="[TEXT | FILE | FOLDER]...")
@model_option
@click.option("-o", "--output", default="-", show_default=True, help="Where to write; .gz and .xz compress.")
@click.option("--to", "to_format", type=click.Choice([*formats.FORMATS, _TREE]),
              help="The format to write: by default a drawing (tree) of a TEXT; otherwise as the suffix of the "
              "output says, or conllu.")  # fmt: skip
@threads_option
@click.option("--beam", type=click.IntRange(1, 4096), help="Another beam than the one trained with.")
@click.option("--nbest", type=click.IntRange(1, 4096), default=1, metavar="K",
              help="Write the K best trees of every sentence, with their scores in comments.")  # fmt: skip
@click.option("--confidence", is_flag=True, help="Write to MISC how sure the parser is of every head.")
@click.option("--keep", type=click.Choice(["tags", "heads"]), multiple=True,
              help="Keep the tags and lemmas, or the heads and labels, of the input, and find the others.")  # fmt: skip
@text_options
@from_option
@lenient_option
def parse(
    inputs: tuple[str, ...],
    model: str,
    output: str,
    to_format: str | None,
    threads: int,
    beam: int | None,
    nbest: int,
    confidence: bool,
    keep: tuple[str, ...],
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
    files, text = find(inputs)
    for file in files:
        require_other_file(file, output)
    pipeline = Pipeline.load(model)
    if pipeline.parser is None:
        raise InputError(f"{model}: this model has no parser.")
    source = Source(pipeline, Reading(from_format, tokenized, lines, ranges, lenient))
    sentences = source.of_text(text) if text is not None else source.of_files(files)
    name = display_name(files[0]) if len(files) == 1 else "input"
    sentences = _warned(sentences, name, max(beam or pipeline.beam, nbest), pipeline)
    if "heads" in keep:
        sentences = _keepable(sentences, name, source)
    keeps = {"keep_tags": "tags" in keep, "keep_heads": "heads" in keep}
    if nbest > 1:
        tagged = pipeline.tag(sentences, threads=threads, keep_tags="tags" in keep)
        guided = pipeline.put_guide(tagged, threads=threads)
        parsed = _repeated(pipeline.transition_parser, guided, nbest, beam, threads, "heads" in keep)
    else:
        parsed = pipeline.annotate(sentences, threads=threads, beam=beam, confidence=confidence, **keeps)
    target = to_format or (_TREE if text is not None and output == "-" else formats.format_of_suffix(output))
    try:
        with formats.without_garbage_collection():
            if target == _TREE:
                _draw(parsed)
            else:
                write_and_name_losses(parsed, output, target)
    finally:
        source.sentences.report()


def _draw(sentences: Iterator[Sentence]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for number, sentence in enumerate(sentences):
        if number:
            console.print()
        console.print(sentence.draw())


def _warned(sentences: Iterator[Sentence], path: str, beam: int, pipeline: Pipeline) -> Iterator[Sentence]:
    needs_tags = (
        pipeline.tagger is None and pipeline.parser is not None and "upos" in pipeline.parser.columns_
    )
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


def _keepable(sentences: Iterator[Sentence], path: str, source: Source) -> Iterator[Sentence]:
    for sentence in sentences:
        if reason := fault_of(sentence):
            source.sentences.bad_tree(path, sentence, reason)
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
