"""`plait train`: a parser, or a whole pipeline, from a treebank."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from plait import formats, store
from plait.cli.common import Sentences, from_option, lenient_option, print_scores, print_table
from plait.cli.progress import follow
from plait.clusters import Clusters
from plait.errors import InputError
from plait.features.templates import built_in
from plait.formats.files import display_name
from plait.formats.folder import find_parts
from plait.graph import GraphOptions, GraphParser
from plait.lifting import ENCODINGS
from plait.parser import Parser
from plait.parser.completion import FULL
from plait.parser.options import LEARNERS, ORACLES_OF, PRECISIONS, SYSTEMS, UPDATES
from plait.pipeline import LEARNED, Pipeline, Recipe
from plait.pipeline import train as learn
from plait.pipeline.lessons import tag_as_new
from plait.pipeline.presets import PRESETS
from plait.pipeline.recipe import TAGS
from plait.sentence import Treebank

_ORACLES = "; ".join(f"{system}: {', '.join(names)}" for system, names in ORACLES_OF.items())


@click.command()
@click.argument("treebank", metavar="TREEBANK")
@click.option("--dev", help="Choose the best epoch on this file; without it, the last one is kept.")
@click.option("-o", "--output", required=True, metavar="MODEL", help="The folder to write.")
@click.option("--preset", type=click.Choice(list(PRESETS)), help="Options that go together, from fast to accurate; "
              "others go before it.")  # fmt: skip
@click.option("--system", type=click.Choice(list(SYSTEMS)), help="The transition system.")
@click.option("--oracle", help=f"What to learn from ({_ORACLES}).")
@click.option("--beam", type=int, help="How many derivations to keep; 1 is greedy search.")
@click.option("--epochs", type=int, help="The most passes over the treebank.")
@click.option("--patience", type=int, help="Stop after so many epochs without a better one.")
@click.option("--mix", type=int, help="Learn so many parsers and keep the mean of their weights.")
@click.option("--seed", type=int, help="Of the order of sentences. Same seed, same model.")
@click.option("--features", metavar="LIST|FILE", help=f"Templates: {', '.join(built_in())}, or a file.")
@click.option("--bits", type=int, help="The table has 2 to this power weights.")
@click.option("--precision", type=click.Choice(PRECISIONS), help="Of the weights in the model.")
@click.option("--learner", type=click.Choice(LEARNERS), help="How large an update is.")
@click.option("--update", type=click.Choice(UPDATES), help="With a beam: when to update.")
@click.option("--completion", metavar="LIST", help=f"With a beam: score parts of the tree too, such as {FULL}; "
              "+ is the words beside them.")  # fmt: skip
@click.option("--joint", is_flag=True, default=None, help="With a beam: the parser chooses among the best tags of a "
              "tagger, which is trained too.")  # fmt: skip
@click.option("--tags-per-word", type=int, help="Among how many, at most.")
@click.option(
    "--tag-margin", type=float, help="How much less probable than the best one a tag may be (0 to 1)."
)
@click.option("--graph", is_flag=True, help="A graph-based parser: a second-order maximum spanning tree.")
@click.option("--explore", type=float, help="Greedy: how often to follow the parser's own mistakes.")
@click.option("--projectivize", type=click.Choice(ENCODINGS), help="Lift crossing arcs (pseudo-projective).")
@click.option("--single-root", type=click.Choice(["auto", "yes", "no"]), help="One root per sentence?")
@click.option("--parts", metavar="LIST", help=f"What to learn: {', '.join(LEARNED)}, or all. By default all from a "
              "folder, and from a file the parser, with a tagger if it chooses tags.")  # fmt: skip
@click.option("--tags", type=click.Choice(TAGS), help="What the parser of a pipeline learns from: tags predicted by "
              "taggers that have not seen the sentence, those of the treebank, or both (the default).")  # fmt: skip
@click.option("--folds", type=int, help="How many such taggers.")
@click.option("--threads", type=click.IntRange(1, 4096), default=os.cpu_count() or 1,
              help="For taggers and parsers that can learn side by side; by default all there are. The model is "
              "the same.")  # fmt: skip
@click.option("--clusters", "clusters_file", metavar="FILE", help="Clusters of words, as `plait cluster` writes "
              "them: features of tagger and parser.")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="Any option by its name: of the parser, or, as tagger.epochs=5, of another part.")  # fmt: skip
@click.option("--config", metavar="FILE", help="Options from a TOML file: a recipe, or that of a model.")
@click.option("--compact", is_flag=True, help="Leave out weights that matter little; the loss is printed.")
@click.option("--resume", is_flag=True, help="Go on with a training that was interrupted.")
@click.option("--licence", metavar="TEXT", help="The licence of the model, for its card.")
@from_option
@lenient_option
def train(
    treebank: str,
    dev: str | None,
    output: str,
    preset: str | None,
    graph: bool,
    parts: str | None,
    tags: str | None,
    folds: int | None,
    threads: int,
    clusters_file: str | None,
    settings: tuple[str, ...],
    config: str | None,
    compact: bool,
    resume: bool,
    licence: str | None,
    from_format: str | None,
    lenient: bool,
    **named: Any,
) -> None:
    """Train on TREEBANK and write a model folder.

    TREEBANK is a file, or a folder with files whose names have the words train and dev. The options and their
    defaults are explained in docs/pipeline.md and docs/parser.md; the command line goes before --config. Ctrl-C
    ends the training of the parser and saves the best epoch so far; --resume goes on with it.
    """
    model = {"licence": licence, "tags": tags, "folds": folds, "parser": "graph" if graph else None}
    recipe = _recipe(config, preset, settings, {"parser": named, "model": model})
    wanted = _parts(parts, Path(treebank).is_dir(), recipe)
    if tags in ("predicted", "both") and "tagger" not in wanted:
        raise click.UsageError(f"--tags {tags} needs a tagger among the --parts.")
    if compact and "parser" not in wanted:
        raise click.UsageError("--compact is about the parser, which is not among the --parts.")
    store.require_free(output)
    checkpoint = Path(f"{output}.checkpoint")
    if checkpoint.exists() and not resume:
        click.echo(f"plait: starting anew; --resume would have gone on from {checkpoint}", err=True)
    clusters = Clusters.load(clusters_file) if clusters_file else None
    sentences = Sentences(lenient=lenient, format=from_format)
    train_set, dev_set = _read_both(treebank, dev, sentences)
    sentences.report()
    with follow(len(train_set)) as follower:
        pipeline = learn(
            train_set,
            dev=dev_set,
            recipe=recipe,
            parts=wanted,
            threads=threads,
            clusters=clusters,
            follower=follower,
            checkpoint=checkpoint,
            resume=resume,
        )
    if pipeline.parser:
        _print_epochs(pipeline.parser)
    pipeline.save(output)
    if compact and pipeline.parser:
        _compact(pipeline, pipeline.transition_parser, dev_set, output)
    _print_saved(pipeline, output)
    if pipeline.parser and pipeline.parser.interrupted_:
        click.echo("plait: interrupted; --resume goes on from the last whole epoch", err=True)
    else:
        checkpoint.unlink(missing_ok=True)


def _parts(given: str | None, is_folder: bool, recipe: Recipe) -> list[str]:
    if given is None and is_folder:
        return list(LEARNED)
    if given is None:
        return ["tagger", "lemmatizer", "parser"] if recipe.learns_tags else ["parser"]
    if given == "all":
        return list(LEARNED)
    wanted = [name.strip() for name in given.split(",")]
    for name in wanted:
        if name not in LEARNED:
            raise InputError(f"No part {name!r}. Available: {', '.join(LEARNED)}, all.")
    return wanted


def _recipe(
    config: str | None, preset: str | None, settings: tuple[str, ...], named: dict[str, dict[str, Any]]
) -> Recipe:
    """The file, the preset, then what the command line says."""
    recipe = Recipe()
    if config:
        try:
            text = Path(config).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{config}: cannot be read: {error}.") from None
        recipe = Recipe.from_toml(text, f"{config}: ")
    if preset:
        recipe = Recipe.preset(preset, recipe)
    if named["model"]["parser"] or recipe.model.parser == "graph":
        named = named | {"parser": {}, "graph": _of_graph(named["parser"])}
    tables: dict[str, dict[str, Any]] = {"parser": {}}
    for setting in settings:
        table, dot, rest = setting.partition(".")
        if not dot or "=" in table:
            table, rest = "parser", setting
        name, value = recipe.options_of(table).parse_setting(rest)
        tables.setdefault(table, {})[name] = value
    for table, values in named.items():
        given = {name: value for name, value in values.items() if value is not None}
        tables.setdefault(table, {}).update(given)
    return recipe.updated(tables)


def _of_graph(named: dict[str, Any]) -> dict[str, Any]:
    """The options that a graph-based parser has too."""
    known = {field.name for field in fields(GraphOptions)}
    for name, value in named.items():
        if value is not None and name not in known:
            raise click.UsageError(f"--{name.replace('_', '-')} is not about a graph-based parser.")
    return {name: value for name, value in named.items() if name in known}


def _read_both(treebank: str, dev: str | None, sentences: Sentences) -> tuple[Treebank, Treebank | None]:
    """The training set, and the dev set if there is one."""
    if not Path(treebank).is_dir():
        return _read([treebank], sentences), _read([dev], sentences) if dev else None
    parts = find_parts(treebank)
    files = [dev] if dev else parts.get("dev")
    if files is None:
        click.echo(f"plait: {treebank}: no file for dev; the last epochs are kept", err=True)
    return _read(parts["train"], sentences), _read(files, sentences) if files else None


def _read(files: Sequence[str | Path], sentences: Sentences) -> Treebank:
    if sentences.lenient:
        found = [sentence for file in files for sentence, _ in sentences.trees_of(str(file))]
    else:
        found = [sentence for file in files for sentence in formats.read(file, format=sentences.format)]
    name = display_name(files[0]) if len(files) == 1 else str(Path(files[0]).parent)
    return Treebank(found, path=name)


def _compact(pipeline: Pipeline, parser: Parser, dev: Treebank | None, output: str) -> None:
    size = store.size(output)
    # Other parts of the pipeline make the tags that the parser will see.
    new = tag_as_new(pipeline, dev) if dev else None
    guides = pipeline.guide.parse(new.sentences) if new and pipeline.guide else None
    loss = parser.compact(
        new.sentences if new else None, dev_candidates=new.candidates if new else None, dev_guides=guides
    )
    pipeline.save(output)
    measured = f"{loss:.2f} LAS lost on the dev set" if dev else "loss not measured without --dev"
    click.echo(f"Compacted from {_megabytes(size)} to {_megabytes(store.size(output))}; {measured}.")


def _print_epochs(parser: Parser | GraphParser) -> None:
    rows = [
        [
            f"{epoch.number}{' *' if epoch.number == parser.best_epoch_ else ''}",
            *("–" if score is None else f"{score:.2f}" for score in (epoch.las, epoch.uas)),
            f"{epoch.updates:,}",
            f"{epoch.seconds:.1f}",
        ]
        for epoch in parser.history_
    ]
    print_table(
        ("epoch", "dev LAS", "dev UAS", "updates", "seconds"),
        rows,
        note="* is kept. Scores as in CoNLL 2018: labels without subtypes, punctuation included.",
    )


def _print_saved(pipeline: Pipeline, output: str) -> None:
    if pipeline.scores_:
        print_scores(pipeline.scores_)
    parser = pipeline.parser
    told = ""
    if parser:
        scores = parser.scores_
        told = f" epoch {parser.best_epoch_}" + (
            f", dev LAS {scores['dev_las']:.2f}, UAS {scores['dev_uas']:.2f}," if scores else ","
        )
    click.echo(f"Saved {output}:{told} {_megabytes(store.size(output))}.")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
