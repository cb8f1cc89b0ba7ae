"""`plait aspects`: what sentences of reviews are about, and what they think of it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from plait.cli.common import require_other_file
from plait.cli.options import (
    as_text_option,
    lenient_option,
    lines_option,
    model_option,
    model_output_option,
    output_option,
    seed_option,
    threads_option,
)
from plait.cli.progress import follow
from plait.cli.source import Input, Reading, SentenceSource, find_inputs
from plait.cli.streams import can_print
from plait.cli.subverbs import UsualVerb
from plait.components.aspects import AspectFinder
from plait.components.aspects.options import RECIPES
from plait.drawing.aspects import MARKS, lines_of
from plait.errors import InputError
from plait.formats.files import STANDARD, open_sink
from plait.formats.semeval import Review, read_reviews, review_of, write_reviews
from plait.formats.xml import begins_as_xml
from plait.learning import store
from plait.learning.request import Request
from plait.pipeline import DEFAULT, Pipeline
from plait.pipeline.reviews import LAYER, find_aspects, lessons_of, require_aspects
from plait.sentence import Treebank

SEMEVAL, JSONL, SHOWN = "semeval", "jsonl", "text"
_NEEDED = frozenset({"tokens", "tags", "lemmas", "tree"})
_USE = "Aspect terms, aspect categories and what is thought of each, in reviews like those it learned from."
_LIMITS = "It knows the words of one domain; irony and what is said between the lines escape it."


@click.group(cls=UsualVerb)
def aspects() -> None:
    """Find aspect terms, aspect categories and the polarity of each.

    The input is a TEXT, text files, or sentences in the XML of SemEval-2014 task 4.
    """


@aspects.command("apply")
@click.argument("arguments", nargs=-1, metavar="[TEXT | FILE | FOLDER]...")
@model_option
@output_option
@click.option("--to", "to_format", type=click.Choice([SHOWN, JSONL, SEMEVAL]), default=SHOWN, show_default=True,
              help="Sentences with their aspects in colour, an object for each, or XML as of SemEval.")  # fmt: skip
@click.option("--given-terms", is_flag=True,
              help="Keep terms and categories of the XML, and find their polarities only.")  # fmt: skip
@threads_option("Two or more read and write while the model works; the result is the same.")
@as_text_option
@lines_option
@lenient_option
def apply(
    arguments: tuple[str, ...],
    model: str,
    output: str,
    to_format: str,
    given_terms: bool,
    threads: int,
    as_text: bool,
    lines: bool,
    lenient: bool,
) -> None:
    """Find the aspects of a TEXT, of FILES or of all files of a FOLDER, or of standard input.

    Aspects that an XML file has are not looked at, unless with --given-terms.
    """
    inputs = find_inputs(arguments, output, as_text=as_text)
    is_xml = [_is_xml(each) for each in inputs]
    if given_terms and not all(is_xml):
        raise click.UsageError("--given-terms needs XML, which has terms.")
    pipeline = Pipeline.load(model)
    require_aspects(pipeline, model)
    request = Request(threads=threads, keep_aspects=given_terms)
    _write(
        _found(pipeline, inputs, is_xml, request, Reading(lines=lines, lenient=lenient)), output, to_format
    )


def _is_xml(source: Input) -> bool:
    if source.text is not None:
        return False
    if source.name == STANDARD:
        return begins_as_xml(STANDARD)
    return source.name.removesuffix(".gz").removesuffix(".xz").endswith(".xml")


def _found(
    pipeline: Pipeline, inputs: Sequence[Input], is_xml: Sequence[bool], request: Request, reading: Reading
) -> Iterator[Review]:
    source = SentenceSource(pipeline, reading)
    for each, xml in zip(inputs, is_xml, strict=True):
        if xml:
            reviews = read_reviews(each.name, aspects=request.keep_aspects)
            for review, _ in find_aspects(pipeline, reviews, request):
                yield review
        else:
            for sentence in pipeline.annotate(source.of([each]), request):
                yield review_of(sentence)


def _write(reviews: Iterator[Review], output: str, to_format: str) -> None:
    if to_format == SEMEVAL:
        write_reviews(reviews, output)
        return
    colour = output == STANDARD and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    ascii = output == STANDARD and not can_print("".join(MARKS.values()))
    with open_sink(output) as sink:
        for number, review in enumerate(reviews):
            if to_format == JSONL:
                sink.write(f"{json.dumps(review.to_json(), ensure_ascii=False)}\n".encode("utf-8", "replace"))
            else:
                shown = "\n".join(lines_of(review, colour=colour, ascii=ascii))
                sink.write(f"{chr(10) if number else ''}{shown}\n".encode("utf-8", "replace"))


@aspects.command("train")
@click.argument("file", metavar="FILE.xml")
@model_output_option
@click.option("--dev", metavar="FILE.xml", help="Sentences to score the model on, for its card.")
@click.option("--recipe", type=click.Choice(RECIPES), default=RECIPES[0], show_default=True,
              help="The best we have, the system of the paper, or the baseline of the task.")  # fmt: skip
@click.option(
    "--lexicons", metavar="FOLDER", default="", help="WordNet, SentiWordNet and the like (docs/aspects.md)."
)
@click.option(
    "--on", "base", default=DEFAULT, show_default=True, metavar="MODEL", help="What parses the sentences."
)
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="Any other option (docs/aspects.md)."
)
@seed_option("Kept in the model; nothing in it is left to chance.", default=1)
@click.option("--licence", metavar="TEXT", default="", help="The licence of the model, for its card.")
@click.option("--force", is_flag=True, help="Replace the model that is there.")
def train(
    file: str,
    output: str,
    dev: str | None,
    recipe: str,
    lexicons: str,
    base: str,
    settings: tuple[str, ...],
    seed: int,
    licence: str,
    force: bool,
) -> None:
    """Learn from the sentences of FILE.xml (SemEval-2014 task 4) and write a model with all that text needs."""
    require_other_file(file, output)
    store.require_free(output, force=force)
    options = {"recipe": recipe, "lexicons": lexicons, "seed": seed}
    finder = AspectFinder(**options | dict(AspectFinder.Options.parse_setting(each) for each in settings))
    pipeline = Pipeline.load(base)
    if LAYER in pipeline:
        raise InputError(f"{base}: this model finds aspects already; --on needs one that parses.")
    lessons = Treebank(lessons_of(pipeline, read_reviews(file)), path=file)
    judged = Treebank(lessons_of(pipeline, read_reviews(dev)), path=dev) if dev else None
    with follow(len(lessons)) as watch:
        watch.on_component(LAYER, finder)
        finder.fit(lessons, dev=judged, watch=watch)
    below = {name: each for name, each in pipeline.components.items() if each.provides & _NEEDED}
    told = {"name": Path(output).stem, "licence": licence, "use": _USE, "limits": _LIMITS}
    model = Pipeline({**below, LAYER: finder}, pipeline.model.updated(told))
    model.origin_ = finder.origin_
    model.save(output, force=force)
    terms = finder.history_[-1].counts["terms"]
    click.echo(f"{output}: learned from {len(lessons):,} sentences with {terms:,} terms", err=True)
