"""`plait convert`: from one format to another, saying what the new one has no place for."""

from __future__ import annotations

from collections.abc import Iterator

import click

from plait.cli.common import Sentences, require_other_file, write_and_name_losses
from plait.cli.meaning import with_graphs, with_meaning
from plait.cli.options import (
    GRAPH,
    T1,
    from_option,
    lenient_option,
    output_option,
    seed_option,
    to_or_shallow_option,
)
from plait.formats import format_of_suffix
from plait.formats.files import STANDARD
from plait.formats.frames import with_frames_of
from plait.formats.shallow import hide_order
from plait.semantics.hiding import hide_sentences
from plait.sentence import Sentence
from plait.trees.restructuring import restored, restructured


@click.command()
@click.argument("file", default="-")
@output_option
@from_option
@to_or_shallow_option
@seed_option("Of the order that words have with --to t1 or graph.", default=0)
@click.option("--no-lin", is_flag=True, help="With --to t1: punctuation, names and compounds do not keep their places "
              "beside their heads (lin in FEATS), so that nothing at all is told of the order.")  # fmt: skip
@click.option(
    "--pp",
    type=click.Choice(["nested", "flat"]),
    help="Prepositional phrases of Tiger trees: nested, with a noun phrase inside, or flat again (docs/informed.md).",
)
@lenient_option
@click.option(
    "--frames", metavar="FILE", help="To semantics: a list of frames, which tells how many roles a sense has."
)
@click.option("--roles", metavar="FILE", help="Take the predicates of the same sentences from another file.")
@click.option("-m", "--model", metavar="MODEL", help="With --to graph: complete graphs as this realizer has learned; "
              "otherwise what connects words is learned from FILE.")  # fmt: skip
@click.option("--no-completion", is_flag=True,
              help="With --to graph: what predicates do not connect stays apart.")  # fmt: skip
def convert(
    file: str,
    output: str,
    from_format: str | None,
    to_format: str | None,
    seed: int,
    no_lin: bool,
    pp: str | None,
    lenient: bool,
    frames: str | None,
    roles: str | None,
    model: str | None,
    no_completion: bool,
) -> None:
    """Convert FILE; what the new format has no place for is named on standard error.

    With --to t1, order, forms, comments and MISC are left out: what a realizer is given (docs/realization.md). With
    --to graph the trees go too, and what predicates and trees tell becomes a graph (docs/generation.md).
    """
    require_other_file(file, output)
    target = to_format or format_of_suffix(output)
    if no_lin and target != T1:
        raise click.UsageError("--no-lin is about --to t1.")
    if (no_completion or model) and target != GRAPH:
        raise click.UsageError("--model and --no-completion are about --to graph.")
    if roles == file == STANDARD:
        raise click.UsageError("FILE and --roles cannot both come from standard input.")
    sentences = Sentences(lenient=lenient, format=from_format)
    found: Iterator[Sentence] = sentences.of(file)
    if roles:
        found = with_frames_of(found, Sentences().of(roles), roles)
    if pp:
        found = restructured(found) if pp == "nested" else restored(found)
    if target == T1:
        found, target = hide_order(found, seed=seed, places=not no_lin), "conllu"
    try:
        if target == GRAPH:
            graphs = with_graphs(list(found), complete=not no_completion, model=model)
            found, target = hide_sentences(graphs, seed=seed), "jsonl"
        if target == "semantics":
            found = with_meaning(list(found), frames)
        write_and_name_losses(found, output, target)
    finally:
        sentences.report()
