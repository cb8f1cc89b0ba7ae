"""`plait adapt`: a model for text of another kind, without new trees."""

from __future__ import annotations

from pathlib import Path

import click

from plait.cli.common import Sentences, print_json, print_table
from plait.cli.lessons import read_both
from plait.cli.options import (
    from_option,
    json_option,
    lenient_option,
    model_output_option,
    text_options,
    threads_option,
)
from plait.cli.progress import follow
from plait.cli.raw import RawText
from plait.cli.source import Reading
from plait.cli.train import open_workshop, saved
from plait.learning import store
from plait.pipeline import InterruptedTraining, Pipeline
from plait.pipeline.adapt import LEARNED, NORMS, SCORES, SOURCES, USES, Adaptation, AdaptationReport
from plait.pipeline.adapt import adapt as learn
from plait.pipeline.agreement import LEAST, MOST


@click.command()
@click.argument("model", metavar="MODEL")
@click.option("--raw", "paths", required=True, multiple=True, metavar="PATH", help="Text of the kind to adapt to, or a "
              "folder of texts. May be given several times.")  # fmt: skip
@model_output_option
@click.option("--force", is_flag=True, help="Replace the model that is there.")
@click.option(
    "--treebank", metavar="FOLDER", help="What the model was learned from: needed by all but norms."
)
@click.option("--dev", help="Choose epochs and measure on this file.")
@click.option("--use", "uses", metavar="LIST", help=f"Of {', '.join(USES)}; by default norms, with --treebank "
              f"{','.join(LEARNED)}.")  # fmt: skip
@click.option("--sources", "source_list", metavar="LIST", default=",".join(Adaptation().sources), show_default=True,
              help=f"Parsers that agree or vote, of {', '.join(SOURCES)}.")  # fmt: skip
@click.option("--min-length", type=click.IntRange(1), default=LEAST, show_default=True,
              help="With agreement: words of a sentence, at least.")  # fmt: skip
@click.option("--add", "most", type=click.IntRange(1), default=MOST, show_default=True,
              help="Sentences to learn from in addition, at most.")  # fmt: skip
@click.option("--clusters", type=click.IntRange(1, 4096), default=Adaptation().clusters, show_default=True,
              help="How many clusters of words.")  # fmt: skip
@click.option("--least", type=click.IntRange(1), default=Adaptation().fewest, show_default=True,
              help="Leave words out of the clusters that are rarer.")  # fmt: skip
@click.option("--spellings", metavar="FILES", default="web", show_default=True,
              help="Lists of spelling, standard and kind (TSV), with commas between them.")  # fmt: skip
@click.option("--lexicon", multiple=True, metavar="FILE", help="Forms with their possible tags (TSV).")
@click.option(
    "--origin", "origin", metavar="TEXT", help="Where the text is from and under which licence, for the card."
)
@click.option("--resume", is_flag=True, help="Go on with a training that was interrupted.")
@threads_option("For all that learns and parses; the model is the same.", all_cores=True)
@json_option
@text_options
@from_option
@lenient_option
def adapt(
    model: str,
    paths: tuple[str, ...],
    output: str,
    force: bool,
    treebank: str | None,
    dev: str | None,
    uses: str | None,
    source_list: str,
    min_length: int,
    most: int,
    clusters: int,
    least: int,
    spellings: str,
    lexicon: tuple[str, ...],
    origin: str | None,
    resume: bool,
    threads: int,
    as_json: bool,
    tokenized: bool,
    lines: bool,
    ranges: bool,
    from_format: str | None,
    lenient: bool,
) -> None:
    """Make a model that fits raw text better than MODEL does, without annotation, and tell what changed.

    Any model gets norms of words: a normalizer before all else, which shows u as you; what is written stays. With the
    treebank of a model without nets, its components are learned anew: with clusters of the words of the text, a
    lexicon, and sentences of the text on which other parsers agree, or as they vote (docs/adaptation.md).
    """
    names = _names(uses) if uses else LEARNED if treebank else (NORMS,)
    how = Adaptation(
        uses=names,
        sources=_names(source_list),
        least=min_length,
        most=most,
        clusters=clusters,
        fewest=least,
        spellings=spellings,
        lexicon=",".join(lexicon),
    )
    base = Pipeline.load(model)
    store.require_free(output, force=force or resume)
    raw = RawText.find(paths, output, Reading(from_format, tokenized, lines, ranges, lenient))
    sentences = Sentences(lenient=lenient)
    gold, dev_set = read_both(treebank, dev, sentences) if treebank else (None, None)
    if dev and not treebank:
        dev_set = read_both(dev, None, sentences)[0]
    sentences.report()
    about = f"{base.recipe.to_toml()}# {how}\n{raw.mark()}"
    workshop = open_workshop(Path(output), about, gold, dev_set, resume=resume)
    try:
        with follow(len(gold or ())) as watch:
            adapted, report = learn(
                base,
                raw.sentences(base),
                how=how,
                gold=gold,
                dev=dev_set,
                threads=threads,
                watch=watch,
                workshop=workshop,
                sources=origin or raw.names(),
            )
    except InterruptedTraining:
        click.echo("plait: interrupted before the model was whole; --resume goes on from there", err=True)
        raise
    adapted.save(output, force=force or resume)
    if as_json:
        print_json(report.as_dict())
    else:
        _print(report)
    saved(adapted, Path(output), workshop, quiet=as_json)


def _names(listed: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in listed.split(",") if name.strip()))


def _print(report: AdaptationReport) -> None:
    known = f", {report.unknown:.1f}% of them unknown to the model" if report.unknown else ""
    click.echo(f"Read {report.sentences:,} sentences, {report.words:,} words{known}.")
    if report.changed_words:
        shown = ", ".join(f"{form} → {norm}" for form, norm in report.norms)
        click.echo(f"{report.changed_words:,} words have another norm than form: {shown}.")
    if report.clusters:
        click.echo(f"{report.clusters:,} clusters of words.")
    if report.added:
        click.echo(f"Learned from {report.added:,} sentences more, {report.added_words:,} words.")
    shares = {"upos": "tags", "heads": "heads", "deprels": "labels"}
    changed = ", ".join(f"{report.changed[name]:.2f}% of {shares[name]}" for name in shares)
    click.echo(f"Of the text, {changed} are others than before.")
    if report.after:
        columns = {"before": report.before, "after": report.after}
        rows = [[name, *(f"{scores[name]:.2f}" for scores in columns.values())] for name in SCORES]
        print_table(("dev set, gold tokens, CoNLL-18 F1", *columns), rows)
