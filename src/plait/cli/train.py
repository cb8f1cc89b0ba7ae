"""`plait train`: a parser, or a whole pipeline, from a treebank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from plait import formats
from plait.cli.common import Sentences, print_scores, print_table
from plait.cli.options import from_option, lenient_option, seed_option, threads_option
from plait.cli.progress import follow
from plait.components.transition.completion import FULL
from plait.components.transition.options import LEARNERS, UPDATES
from plait.errors import InputError
from plait.features.clusters import Clusters
from plait.features.templates import built_in
from plait.formats.files import display_name
from plait.formats.folder import find_sections
from plait.learning import store
from plait.learning.component import Component
from plait.learning.weights import PRECISIONS
from plait.learning.workshop import Workshop
from plait.pipeline import InterruptedTraining, Pipeline, Recipe
from plait.pipeline import train as learn
from plait.pipeline.presets import PRESETS
from plait.pipeline.recipe import TAGS, USUAL
from plait.pipeline.train import compact as make_small
from plait.sentence import Treebank
from plait.transitions.table import SYSTEM_FACTS
from plait.trees.lifting import ENCODINGS

_ORACLES = "; ".join(f"{system}: {', '.join(facts.oracles)}" for system, facts in SYSTEM_FACTS.items())


@click.command()
@click.argument("treebank", metavar="TREEBANK")
@click.option("--dev", help="Choose the best epoch on this file; without it, the last one is kept.")
@click.option("-o", "--output", required=True, metavar="MODEL", help="The folder to write.")
@click.option("--force", is_flag=True, help="Replace the model that is there.")
@click.option("--preset", type=click.Choice(list(PRESETS)), help="Options that go together, from fast to accurate; "
              "others go before it.")  # fmt: skip
@click.option("--system", type=click.Choice(list(SYSTEM_FACTS)), help="The transition system.")
@click.option("--oracle", help=f"What to learn from ({_ORACLES}).")
@click.option("--beam", type=int, help="How many derivations to keep; 1 is greedy search.")
@click.option("--epochs", type=int, help="The most passes over the treebank.")
@click.option("--patience", type=int, help="Stop after so many epochs without a better one.")
@click.option("--mix", type=int, help="Learn so many parsers and keep the mean of their weights.")
@seed_option("Of the order of sentences. Same seed, same model.")
@click.option(
    "--features",
    metavar="LIST|PATH",
    help=f"Templates: {', '.join(built_in())}, or a file; with --graph: context, plain, or a folder.",
)
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
@click.option("--components", metavar="LIST", help=f"What to learn, in the order of work: {', '.join(USUAL)}, "
              "all, or what the recipe has. By default all from a folder, and from a file the parser, with a tagger if "
              "it chooses tags.")  # fmt: skip
@click.option("--tags", type=click.Choice(TAGS), help="What the parser of a pipeline learns from: tags predicted by "
              "taggers that have not seen the sentence, those of the treebank, or both (the default).")  # fmt: skip
@click.option("--folds", type=int, help="How many such taggers.")
@threads_option("For taggers and parsers that can learn side by side; the model is the same.", all_cores=True)
@click.option("--clusters", "clusters_file", metavar="FILE", help="Clusters of words, as `plait cluster` writes "
              "them: features of tagger and parser.")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="Any option by its name: of the parser, or, as tagger.epochs=5 or parser.voters.graph.epochs=5, of "
              "another component.")  # fmt: skip
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
    force: bool,
    preset: str | None,
    graph: bool,
    components: str | None,
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
    ends the training: a model that is whole is saved with the best epochs so far, and --resume goes on from the last
    epoch of the component that was learning, with the same result as without the interruption.
    """
    model = {"licence": licence, "tags": tags, "folds": folds}
    recipe = _recipe(config, preset, settings, model, named, graph=graph)
    recipe = recipe.only(*_order(components, Path(treebank).is_dir(), recipe, config))
    _check(recipe, tags, compact=compact)
    # What a training has saved when it was interrupted is its own to replace.
    replaces = force or resume
    store.require_free(output, force=replaces)
    folder = Path(output)
    place = folder.with_name(folder.name + ".checkpoint")
    if not resume and Workshop.is_one(place):
        click.echo(f"plait: starting anew; --resume would have gone on from {place}", err=True)
    clusters = Clusters.load(clusters_file) if clusters_file else None
    sentences = Sentences(lenient=lenient, format=from_format)
    train_set, dev_set = _read_both(treebank, dev, sentences)
    sentences.report()
    workshop = Workshop.open(place, recipe.to_toml(), train_set, dev_set, resume=resume)
    try:
        with follow(len(train_set)) as watch:
            pipeline = learn(
                train_set,
                dev=dev_set,
                recipe=recipe,
                threads=threads,
                clusters=clusters,
                watch=watch,
                workshop=workshop,
            )
    except InterruptedTraining:
        click.echo("plait: interrupted before the model was whole; --resume goes on from there", err=True)
        raise
    if pipeline.parser:
        _print_epochs(pipeline.parser)
    pipeline.save(folder, force=replaces)
    if compact:
        _compact(pipeline, dev_set, folder)
    _print_saved(pipeline, folder)
    if any(component.interrupted_ for component in pipeline.components.values()):
        click.echo("plait: interrupted; --resume goes on from the last whole epoch", err=True)
    else:
        workshop.close()


def _order(given: str | None, is_folder: bool, recipe: Recipe, config: str | None) -> list[str]:
    if given not in (None, "all"):
        return [name.strip() for name in given.split(",")]
    if given == "all" or is_folder or (config and recipe.model.order != list(USUAL)):
        return recipe.model.order
    joint = getattr(recipe.at(recipe.leading("parser")).options, "joint", False)
    return ["tagger", "lemmatizer", "parser"] if joint else ["parser"]


def _check(recipe: Recipe, tags: str | None, *, compact: bool) -> None:
    kinds = {name: plan.kind for name, plan in recipe}
    if tags in ("predicted", "both") and "tagger" not in kinds.values():
        raise click.UsageError(f"--tags {tags} needs a tagger among the --components.")
    if compact and kinds.get("parser") != "transition":
        raise click.UsageError(
            "--compact is about a transition-based parser, and the model will have none alone."
        )


def _recipe(
    config: str | None,
    preset: str | None,
    settings: tuple[str, ...],
    model: Mapping[str, Any],
    named: Mapping[str, Any],
    *,
    graph: bool,
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
    if graph:
        recipe = recipe.updated({"parser": {"kind": "graph"}})
    path = recipe.leading("parser")
    given = {name: value for name, value in named.items() if value is not None}
    _require_known(given, recipe, path)
    recipe = recipe.updated({"model": {name: value for name, value in model.items() if value is not None}})
    # What belongs together may come from several options, so all are set at once.
    tables: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise InputError(f"NAME=VALUE is expected, not {setting!r}.")
        first, dot, rest = name.partition(".")
        if first == "model" and dot:
            _merge(tables, {"model": dict([recipe.model.parse_setting(f"{rest}={value}")])})
        elif dot:
            _merge(tables, {first: recipe.plan(first).setting(rest, value)})
        else:
            _merge(tables, _nested(path, dict([recipe.at(path).options.parse_setting(setting)])))
    _merge(tables, _nested(path, given))
    return recipe.updated(tables)


def _require_known(named: Mapping[str, Any], recipe: Recipe, path: Sequence[str]) -> None:
    plan = recipe.at(list(path))
    known = {field.name for field in fields(plan.options)}
    for name in named:
        if name not in known:
            raise click.UsageError(f"--{name.replace('_', '-')} is not about a {plan.kind} parser.")


def _nested(path: Sequence[str], values: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(values)
    for name in reversed(path):
        found = {name: found}
    return found


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    for name, value in more.items():
        if isinstance(value, Mapping):
            _merge(into.setdefault(name, {}), value)
        else:
            into[name] = value


def _read_both(treebank: str, dev: str | None, sentences: Sentences) -> tuple[Treebank, Treebank | None]:
    """The training set, and the dev set if there is one."""
    if not Path(treebank).is_dir():
        return _read([treebank], sentences), _read([dev], sentences) if dev else None
    sections = find_sections(treebank)
    files = [dev] if dev else sections.get("dev")
    if files is None:
        click.echo(f"plait: {treebank}: no file for dev; the last epochs are kept", err=True)
    return _read(sections["train"], sentences), _read(files, sentences) if files else None


def _read(files: Sequence[str | Path], sentences: Sentences) -> Treebank:
    if sentences.lenient:
        found = [sentence for file in files for sentence, _ in sentences.trees_of(str(file))]
    else:
        found = [sentence for file in files for sentence in formats.read(file, format=sentences.format)]
    name = display_name(files[0]) if len(files) == 1 else str(Path(files[0]).parent)
    return Treebank(found, path=name)


def _compact(pipeline: Pipeline, dev: Treebank | None, output: Path) -> None:
    size = store.size(output)
    loss = make_small(pipeline, dev)
    pipeline.save(output, force=True)
    measured = f"{loss:.2f} LAS lost on the dev set" if dev else "loss not measured without --dev"
    click.echo(f"Compacted from {_megabytes(size)} to {_megabytes(store.size(output))}; {measured}.")


def _print_epochs(parser: Component[Any]) -> None:
    rows = [
        [
            f"{epoch.number}{' *' if epoch.number == parser.best_epoch_ else ''}",
            *(f"{epoch.scores[name]:.2f}" if name in epoch.scores else "–" for name in ("las", "uas")),
            f"{epoch.counts.get('updates', 0):,}",
            f"{epoch.seconds:.1f}",
        ]
        for epoch in parser.history_
    ]
    print_table(
        ("epoch", "dev LAS", "dev UAS", "updates", "seconds"),
        rows,
        note="* is kept. Scores as in CoNLL 2018: labels without subtypes, punctuation included.",
    )


def _print_saved(pipeline: Pipeline, output: Path) -> None:
    if pipeline.scores_:
        print_scores(pipeline.scores_)
    parser = pipeline.parser
    told = ""
    if parser:
        scores = parser.scores_
        told = f" epoch {parser.best_epoch_}" + (
            f", dev LAS {scores['las']:.2f}, UAS {scores['uas']:.2f}," if scores else ","
        )
    click.echo(f"Saved {click.format_filename(output)}:{told} {_megabytes(store.size(output))}.")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
