"""`plait train`: a parser, or a whole pipeline, from a treebank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from plait.cli.common import Sentences, print_scores, print_table
from plait.cli.lessons import read_both
from plait.cli.options import from_option, lenient_option, model_output_option, seed_option, threads_option
from plait.cli.progress import follow
from plait.cli.raw import STUDENT, RawText, find_student, print_report, read_recipe
from plait.cli.source import Reading
from plait.components.transition.completion import FULL
from plait.components.transition.options import LEARNERS, UPDATES
from plait.errors import InputError
from plait.features.clusters import Clusters
from plait.features.parts import BUILT_IN
from plait.features.templates import built_in
from plait.formats.folder import find_frames
from plait.layers import DeepTree, Frames, Layer
from plait.learning import store
from plait.learning.component import Component
from plait.learning.weights import PRECISIONS
from plait.learning.workshop import Workshop
from plait.pipeline import InterruptedTraining, Pipeline, Recipe, teach
from plait.pipeline import train as learn
from plait.pipeline.presets import PRESETS
from plait.pipeline.recipe import ROLES, TAGS, USUAL
from plait.pipeline.train import compact as make_small
from plait.sentence import EMPTY, Treebank
from plait.transitions.table import SYSTEM_FACTS
from plait.trees.lifting import ENCODINGS

_ORACLES = "; ".join(f"{system}: {', '.join(facts.oracles)}" for system, facts in SYSTEM_FACTS.items())


@click.command()
@click.argument("treebank", metavar="TREEBANK")
@click.option("--dev", help="Choose the best epoch on this file; without it, the last one is kept.")
@model_output_option
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
    help=f"Templates: {', '.join(built_in())}, or a file; with --graph: {', '.join(BUILT_IN)}, or a folder.",
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
@click.option("--tag-margin", type=float, help="By how much less than the best one a tag may score.")
@click.option("--feats-per-word", type=int, help="Among how many features of each tag, at most.")
@click.option(
    "--feats-margin", type=float, help="By how much less than the best ones of a tag features may score."
)
@click.option("--graph", is_flag=True, help="A graph-based parser: a second-order maximum spanning tree.")
@click.option("--encoder", metavar="DIR", help="A net that starts from a pretrained encoder (config.json, "
              "tokenizer.json, *.safetensors), or from what the hub has under this name.")  # fmt: skip
@click.option("--explore", type=float, help="Greedy: how often to follow the parser's own mistakes.")
@click.option("--projectivize", type=click.Choice(ENCODINGS), help="Lift crossing arcs, for projective systems; "
              "all but baseline bring them back.")  # fmt: skip
@click.option("--single-root", type=click.Choice(["auto", "yes", "no"]), help="One root per sentence?")
@click.option("--components", "--parts", metavar="LIST", help="What to learn, in the order of work: "
              f"{', '.join(USUAL)}, all, what the recipe has, or other kinds of components, such as "
              "lifter,order,inflector, a realizer. By default all from a folder, and from a file the parser, with a "
              "tagger if it chooses tags.")  # fmt: skip
@click.option(
    "--on", metavar="MODEL", help="Learn roles on top of a model, whose components stay as they are."
)
@click.option("--tags", type=click.Choice(TAGS), help="What the parser of a pipeline learns from: tags predicted by "
              "taggers that have not seen the sentence, those of the treebank, or both (the default).")  # fmt: skip
@click.option("--folds", type=int, help="How many such taggers.")
@threads_option("For taggers and parsers that can learn side by side; the model is the same.", all_cores=True)
@click.option("--clusters", "clusters_file", metavar="FILE", help="Clusters of words, as `plait cluster` writes "
              "them: features of tagger and parser.")  # fmt: skip
@click.option("--lexicon", multiple=True, metavar="FILE", help="Words with their tags and lemmas (UniMorph, "
              "CoNLL-U, TSV): for tagger, lemmatizer, inflector and nets. May be given several times.")  # fmt: skip
@click.option("--raw", "paths", multiple=True, metavar="PATH", help="Text, or a folder of texts: what is learned from "
              "the treebank annotates it and teaches a student, which becomes the model.")  # fmt: skip
@click.option(
    "--student", default="small", show_default=True, metavar="NAME|FILE", help=f"With --raw. {STUDENT}"
)
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
    encoder: str | None,
    components: str | None,
    on: str | None,
    tags: str | None,
    folds: int | None,
    threads: int,
    clusters_file: str | None,
    lexicon: tuple[str, ...],
    paths: tuple[str, ...],
    student: str,
    settings: tuple[str, ...],
    config: str | None,
    compact: bool,
    resume: bool,
    licence: str | None,
    from_format: str | None,
    lenient: bool,
    **named: Any,
) -> None:
    """Train on TREEBANK and write a model.

    TREEBANK is a file, or a folder with files whose names have the words train and dev. The options and their
    defaults are explained in docs/pipeline.md and docs/parser.md; the command line goes before --config. Ctrl-C
    ends the training: a model that is whole is saved with the best epochs so far, and --resume goes on from the last
    epoch of the component that was learning, with the same result as without the interruption.
    """
    model = {"licence": licence, "tags": tags, "folds": folds}
    recipe = _recipe(config, preset, settings, model, named, graph=graph, encoder=encoder)
    base = Pipeline.load(on) if on else None
    order = _order(components, Path(treebank).is_dir(), recipe, config)
    recipe = recipe.on_top_of(base.recipe, ROLES) if base else recipe.only(*order)
    if lexicon:
        recipe = recipe.with_lexicon(",".join(lexicon))
    _check(recipe, tags, compact=compact)
    # What a training has saved when it was interrupted is its own to replace.
    replaces = force or resume
    store.require_free(output, force=replaces)
    folder = Path(output)
    clusters = Clusters.load(clusters_file) if clusters_file else None
    sentences = Sentences(lenient=lenient, format=from_format)
    train_set, dev_set = read_both(treebank, dev, sentences)
    sentences.report()
    if base is None and components is None and order == list(USUAL):
        recipe = recipe.only(*_fitting(order, train_set))
    if ROLES in recipe.model.order and not getattr(recipe.plan(ROLES).options, "frames", ""):
        recipe = recipe.updated({ROLES: {"frames": find_frames(treebank)}})
    raw = RawText.find(paths, output, Reading(lenient=lenient)) if paths else None
    taught = find_student(student) if raw else None
    about = recipe.to_toml() + (f"{taught.to_toml()}{raw.mark()}" if raw and taught else "")
    workshop = open_workshop(folder, about, train_set, dev_set, resume=resume)
    report = None
    try:
        with follow(len(train_set)) as watch:
            pipeline = learn(
                train_set,
                dev=dev_set,
                recipe=recipe,
                threads=threads,
                clusters=clusters,
                watch=watch,
                workshop=workshop.room("teacher") if raw else workshop,
                ready=base,
            )
            if raw and taught:
                if any(component.interrupted_ for component in pipeline.components.values()):
                    raise InterruptedTraining
                pipeline, report = teach(
                    pipeline,
                    raw.sentences(pipeline),
                    recipe=with_settings(taught, (), {"licence": licence}, {}),
                    gold=train_set,
                    dev=dev_set,
                    name="a model trained on the same treebank",
                    sources=raw.names(),
                    threads=threads,
                    watch=watch,
                    workshop=workshop,
                )
    except InterruptedTraining:
        click.echo("plait: interrupted before the model was whole; --resume goes on from there", err=True)
        raise
    if pipeline.parser:
        _print_epochs(pipeline.parser)
    if report:
        print_report(report)
    pipeline.save(folder, force=replaces)
    if compact:
        _compact(pipeline, dev_set, folder)
    saved(pipeline, folder, workshop)


def open_workshop(
    folder: Path, about: str, train_set: Treebank | None, dev_set: Treebank | None, *, resume: bool
) -> Workshop:
    """Beside the model that will be written."""
    place = folder.with_name(folder.name + ".checkpoint")
    if not resume and Workshop.is_one(place):
        click.echo(f"plait: starting anew; --resume would have gone on from {place}", err=True)
    return Workshop.open(place, about, train_set, dev_set, resume=resume)


def saved(pipeline: Pipeline, folder: Path, workshop: Workshop, *, quiet: bool = False) -> None:
    """Tell what was saved; the workshop is needed only if the training was interrupted."""
    if not quiet:
        _print_saved(pipeline, folder)
    if any(component.interrupted_ for component in pipeline.components.values()):
        click.echo("plait: interrupted; --resume goes on from the last whole epoch", err=True)
    else:
        workshop.close()


def _fitting(order: list[str], train_set: Treebank) -> list[str]:
    """The usual components, with those for what else there is to learn, and without a tokenizer where nobody tells of
    spaces.
    """
    layers: dict[str, type[Layer]] = {"deep": DeepTree, ROLES: Frames}
    more = [name for name, layer in layers.items() if any(sentence.find(layer) for sentence in train_set)]
    told = any(
        sentence.comments or sentence.multiword_tokens or set(sentence.misc) > {EMPTY}
        for sentence in train_set
    )
    if told or not more:
        return [*order, *more]
    click.echo("plait: the files do not tell where spaces are, so no tokenizer is learned", err=True)
    return [*(name for name in order if name != "tokenizer"), *more]


def _order(given: str | None, is_folder: bool, recipe: Recipe, config: str | None) -> list[str]:
    if given not in (None, "all"):
        return [name.strip().replace("-", "_") for name in given.split(",")]
    if given == "all" or is_folder or (config and recipe.model.order != list(USUAL)):
        return recipe.model.order
    joint = getattr(recipe.at(recipe.leading(recipe.parser)).options, "joint", False)
    return ["tagger", "lemmatizer", recipe.parser] if joint else [recipe.parser]


def _check(recipe: Recipe, tags: str | None, *, compact: bool) -> None:
    kinds = {name: plan.kind for name, plan in recipe}
    if tags in ("predicted", "both") and not {"tagger", ROLES} & set(kinds.values()):
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
    encoder: str | None,
) -> Recipe:
    """The file, the preset, then what the command line says."""
    recipe = read_recipe(config) if config else Recipe()
    if ROLES not in recipe.plans:  # in case there are frames to learn from
        recipe = recipe.updated({ROLES: {}})
    if preset:
        recipe = Recipe.preset(preset, recipe)
    if graph:
        recipe = recipe.updated({"parser": {"kind": "graph"}})
    if encoder:
        net = {"neural": {"kind": "neural", "nets": "encoder", "encoder": encoder}}
        recipe = Recipe.preset("neural", recipe).updated(net)
    return with_settings(recipe, settings, model, named)


def with_settings(
    recipe: Recipe, settings: Sequence[str], model: Mapping[str, Any], named: Mapping[str, Any]
) -> Recipe:
    """With what the command line says by names of its own, and by `--set`."""
    path = recipe.leading(recipe.parser)
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
            f"{epoch.counts['loss'] / 1000:.3f}"
            if "loss" in epoch.counts
            else f"{epoch.counts.get('updates', 0):,}",
            f"{epoch.seconds:.1f}",
        ]
        for epoch in parser.history_
        if epoch.scores or not parser.scores_
    ]
    learned = "loss" if any("loss" in epoch.counts for epoch in parser.history_) else "updates"
    print_table(
        ("epoch", "dev LAS", "dev UAS", learned, "seconds"),
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
            f", dev LAS {scores['las']:.2f}, UAS {scores['uas']:.2f}," if "las" in scores else ","
        )
    click.echo(f"Saved {click.format_filename(output)}:{told} {_megabytes(store.size(output))}.")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
