"""`plait models`: models by name: which there are, how to make or get one, and how to pass one on."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from plait.catalogue import registry, transfer
from plait.catalogue.names import advice, every, locate, place_for
from plait.catalogue.wheel import write_wheel
from plait.cli.common import print_json, print_table
from plait.cli.info import info
from plait.cli.options import json_option, model_output_option, threads_option
from plait.cli.train import train as train_command
from plait.cli.trial import try_out
from plait.errors import InputError, printable
from plait.learning import store
from plait.learning.archive import SUFFIX
from plait.learning.options import read_toml
from plait.pipeline import Pipeline
from plait.release import release

_FORCE = "Replace the model that is there."


@click.group()
def models() -> None:
    """Models by name: list, train, get, verify, pack and package them.

    A name is looked for in the folders of the variable PLAIT_MODELS, in the package, in the user's own folder, and in
    wheels that carry models. See docs/models.md.
    """


models.add_command(info)


@models.command("list")
@json_option
def list_models(as_json: bool) -> None:
    """List the models that have a name, and those that a recipe makes."""
    found = {each.name: each for each in reversed(every())}  # the first of a name is the one that is meant
    rows = []
    for name in dict.fromkeys([*found, *registry.entries()]):
        place = found.get(name)
        rows.append(
            {
                "name": name,
                **asdict(_about(place.path) if place else registry.about(name)),
                "size": store.size(place.path) if place else None,
                "where": place.where if place else "",
                "path": str(place.path) if place else "",
            }
        )
    rows.sort(key=lambda row: str(row["name"]))
    if as_json:
        print_json({"models": rows})
        return
    shown = [
        [
            *(str(row[key]) for key in ("name", "language", "treebank", "licence")),
            f"{int(row['size']) / 1e6:.1f}" if row["size"] else "",
            str(row["where"] or "not here"),
        ]
        for row in rows
    ]
    print_table(("name", "language", "treebank", "licence", "MB", "where"), shown)


def _about(place: Path) -> registry.About:
    """What a model tells of itself, if that can be read."""
    try:
        told = read_toml(store.read_config(place)).get("model", {})
        return registry.About(*(str(told.get(key, "")) for key in ("language", "treebank", "licence")))
    except (InputError, AttributeError):
        return registry.About("", "", "")


@models.command()
@click.argument("name")
@click.option("--treebank", required=True, metavar="FOLDER", help="A folder with the files to learn from.")
@click.option("-o", "--output", metavar="MODEL", help="Where to write it; otherwise it is found by its name.")
@click.option("--force", is_flag=True, help=_FORCE)
@click.option("--resume", is_flag=True, help="Go on with a training that was interrupted.")
@threads_option("For what can be learned side by side; the model is the same.", all_cores=True)
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="Another option than in the recipe."
)
@click.pass_context
def train(
    ctx: click.Context,
    name: str,
    treebank: str,
    output: str | None,
    force: bool,
    resume: bool,
    threads: int,
    settings: tuple[str, ...],
) -> None:
    """Train the model NAME by its recipe.

    From the files that the published model was learned from comes the same model, to the last bit of its weights; from
    others, or with --set, another one, and that is said.
    """
    entry = registry.find(name)
    if not entry.trainable:
        raise InputError(f"{name}: {entry.elsewhere}")
    if not Path(treebank).is_dir():
        raise InputError(
            f"{treebank}: there is no such folder; a model {name} is learned from {entry.treebank}."
        )
    changed = entry.differences(treebank)
    if changed:
        click.echo(
            f"plait: {treebank}: not the files of {entry.treebank} that {name} was learned from "
            f"({' and '.join(changed)}): the model will be another one",
            err=True,
        )
    place = output or str(place_for(name, force=force or resume))
    ctx.invoke(
        train_command,
        treebank=treebank,
        output=place,
        config=str(registry.recipe_of(name)),
        compact=entry.compact,
        force=force,
        resume=resume,
        threads=threads,
        settings=settings,
    )
    _compare(entry, place, same_lessons=not changed and not settings)


def _compare(entry: registry.Entry, place: str, *, same_lessons: bool) -> None:
    """What was expected, and what came out."""
    reached = Pipeline.load(place).scores_
    rows = [
        [
            f"{name}, {way}",
            f"{score:.2f}",
            f"{reached[way][name]:.2f}" if name in reached.get(way, {}) else "–",
        ]
        for way, scores in entry.scores.items()
        for name, score in scores.items()
    ]
    if rows:
        print_table(("dev set, CoNLL-18 F1", "expected", "reached"), rows)
    if entry.weights and store.fingerprint(place) == entry.weights:
        click.echo("The weights are those of the published model.")
    elif entry.weights and same_lessons:
        click.echo("plait: the weights are not those of the published model, though the files are", err=True)


@models.command()
@click.argument("source", metavar="PATH-or-URL")
@click.option("--name", default="", help="What to call it; otherwise as the file is called.")
@click.option("--sha256", "checksum", default="", metavar="HEX", help="The checksum that the file must have.")
@click.option("--force", is_flag=True, help=_FORCE)
def get(source: str, name: str, checksum: str, force: bool) -> None:
    """Copy or download a model, look whether it is whole, and keep it under a name.

    PATH-or-URL is a file or a folder, or an address (https, or http with --sha256); an address may end in
    #sha256=HEX. Nothing in a model is executed.
    """
    place = transfer.get(source, name, checksum=checksum, force=force, check=try_out)
    called = place.name.removesuffix(SUFFIX)
    told = Pipeline.load(place).model if store.read_manifest(place)["kind"] == store.OUTERMOST else None
    licence = f" Licence: {told.licence}." if told and told.licence else ""
    click.echo(printable(f"{called}: {store.size(place) / 1e6:.1f} MB in {place}.{licence}"))


@models.command()
@click.argument("names", nargs=-1, metavar="[MODEL]...")
def verify(names: tuple[str, ...]) -> None:
    """Look whether models are whole: their checksums are right, they can be loaded, and used. All that have a name by
    default.

    Of a published model also whether its weights are the published ones.
    """
    damaged = 0
    for name in names or tuple(dict.fromkeys(each.name for each in every())):
        try:
            place = _find(name)
            try_out(place)
        except InputError as error:
            click.echo(str(error), err=True)
            damaged += 1
            continue
        entry = registry.entries().get(name)
        found = store.fingerprint(place)
        told = ""
        if entry and entry.weights:
            told = ", as published" if found == entry.weights else ", not the published weights"
        click.echo(printable(f"{name}: whole{told}; weights {found}"))
    if damaged:
        raise InputError(f"{damaged} of the models cannot be used.")


@models.command()
@click.argument("model")
@model_output_option
@click.option("--force", is_flag=True, help=_FORCE)
def pack(model: str, output: str, force: bool) -> None:
    """Write MODEL elsewhere: a folder as one file, or one file as a folder."""
    store.copy(_find(model), output, force=force)
    click.echo(printable(f"{output}: {store.size(output) / 1e6:.1f} MB"))


@models.command()
@click.argument("model")
@click.option(
    "-o", "--output", default="dist", show_default=True, metavar="FOLDER", help="Where the wheel goes."
)
@click.option("--name", default="", help="By which it is found when it is installed; otherwise its own.")
@click.option("--version", default="", help="Of the wheel; otherwise that of the plait that wrote the model.")
@click.option("--force", is_flag=True, help="Replace the wheel that is there.")
def package(model: str, output: str, name: str, version: str, force: bool) -> None:
    """Build a wheel that carries MODEL: once installed by pip, it is found by its name."""
    place = _find(model)
    try_out(place)
    manifest = store.read_manifest(place)
    told = Pipeline.load(place).model if manifest["kind"] == store.OUTERMOST else None
    called = name or (told.name if told else "") or place.name.removesuffix(SUFFIX)
    wheel = write_wheel(
        place,
        Path(output),
        name=called,
        version=version or str(manifest.get("plait", release())),
        licence=told.licence if told else "",
        summary=f"The model {called} for plait{f': {told.language}' if told and told.language else ''}",
        force=force,
    )
    click.echo(printable(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB"))


def _find(name: str) -> Path:
    place = locate(name)
    if not place.exists():
        raise InputError(f"{name}: there is no such model. {advice(name)}")
    return place
