"""`plait teach`: a model annotates raw text, and a student learns from it."""

from __future__ import annotations

from pathlib import Path

import click

from plait.cli.common import Sentences
from plait.cli.lessons import read_both
from plait.cli.options import (
    from_option,
    lenient_option,
    model_output_option,
    seed_option,
    text_options,
    threads_option,
)
from plait.cli.progress import follow
from plait.cli.raw import STUDENT, RawText, find_student, print_report
from plait.cli.source import Reading
from plait.cli.train import open_workshop, saved, with_settings
from plait.errors import InputError
from plait.learning import store
from plait.pipeline import InterruptedTraining, Pipeline
from plait.pipeline import teach as learn


@click.command()
@click.argument("model", metavar="MODEL")
@click.option("--raw", "paths", required=True, multiple=True, metavar="PATH", help="Text, or a folder of texts; also "
              "files of tokenized sentences. May be given several times.")  # fmt: skip
@click.option(
    "--student", "student_name", default="small", show_default=True, metavar="NAME|FILE", help=STUDENT
)
@model_output_option
@click.option("--force", is_flag=True, help="Replace the model that is there.")
@click.option("--treebank", metavar="FOLDER", help="Learn from this treebank too, and choose on its dev set.")
@click.option("--dev", help="Choose the best epoch on this file.")
@click.option("--epochs", type=int, help="The most passes of the student's parser.")
@seed_option("Of the order of sentences. Same seed, same model.")
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="Any option of the student by its name."
)
@click.option("--licence", metavar="TEXT", help="The licence of the model, for its card.")
@click.option(
    "--sources", metavar="TEXT", help="Where the text is from and under which licence, for the card."
)
@click.option("--resume", is_flag=True, help="Go on with a training that was interrupted.")
@threads_option("For teacher and student; the model is the same.", all_cores=True)
@text_options
@from_option
@lenient_option
def teach(
    model: str,
    paths: tuple[str, ...],
    student_name: str,
    output: str,
    force: bool,
    treebank: str | None,
    dev: str | None,
    epochs: int | None,
    seed: int | None,
    settings: tuple[str, ...],
    licence: str | None,
    sources: str | None,
    resume: bool,
    threads: int,
    tokenized: bool,
    lines: bool,
    ranges: bool,
    from_format: str | None,
    lenient: bool,
) -> None:
    """Let MODEL annotate raw text, and a student learn from that text and from a treebank.

    Any model can teach, and whatever can be trained can learn: nets of any size, and parsers without nets. All that is
    finished is kept beside the output, and --resume goes on from there.
    """
    teacher = Pipeline.load(model)
    if teacher.giving("tree") is None:
        raise InputError(f"{model}: this model gives no trees, so it cannot teach.")
    recipe = find_student(student_name)
    named = {"epochs": epochs, "seed": seed}
    recipe = with_settings(recipe, settings, {"licence": licence}, named)
    store.require_free(output, force=force or resume)
    raw = RawText.find(paths, output, Reading(from_format, tokenized, lines, ranges, lenient))
    sentences = Sentences(lenient=lenient)
    gold, dev_set = read_both(treebank, dev, sentences) if treebank else (None, None)
    if dev and not treebank:
        dev_set = read_both(dev, None, sentences)[0]
    sentences.report()
    about = f"{recipe.to_toml()}# {model}\n{raw.mark()}"
    workshop = open_workshop(Path(output), about, gold, dev_set, resume=resume)
    try:
        with follow(len(gold or ())) as watch:
            pipeline, report = learn(
                teacher,
                raw.sentences(teacher),
                recipe=recipe,
                gold=gold,
                dev=dev_set,
                name=Path(model).name,
                sources=sources or raw.names(),
                threads=threads,
                watch=watch,
                workshop=workshop,
            )
    except InterruptedTraining:
        click.echo("plait: interrupted before the model was whole; --resume goes on from there", err=True)
        raise
    pipeline.save(output, force=force or resume)
    print_report(report)
    saved(pipeline, Path(output), workshop)
