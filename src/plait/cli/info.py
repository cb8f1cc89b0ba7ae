"""`plait info`: what a model is."""

from __future__ import annotations

import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from plait import checks
from plait.catalogue import locate
from plait.cli.common import print_json, print_scores
from plait.cli.options import json_option
from plait.cli.trial import OTHERS, load_any
from plait.errors import printable
from plait.learning import store
from plait.learning.component import Component
from plait.pipeline import Pipeline


@click.command()
@click.argument("model")
@json_option
def info(model: str, as_json: bool) -> None:
    """Tell what MODEL is: treebank, options, scores, size, licence."""
    place = locate(model)
    if place.exists() and str(store.read_manifest(place).get("kind")) in OTHERS:
        _print_other(model, place, as_json)
        return
    pipeline = Pipeline.load(model)  # whatever is wrong with it is said now
    manifest = store.read_manifest(place)
    if as_json:
        options = tomllib.loads(store.load(place).config)
        print_json({"model": model, "size": store.size(place), **manifest, "options": options})
        return
    facts = {
        "model": f"{model}, a {manifest['kind']}, {_megabytes(place)}",
        "written by": f"plait {manifest.get('plait', '?')}, format {manifest['format']}",
    }
    told, origin = pipeline.model, pipeline.origin_
    facts |= {
        "language": told.language,
        "treebank": f"{origin.treebank or 'unnamed'}: {origin.sentences:,} sentences, {origin.words:,} words",
        "licence": origin.licence or "unknown",
        "attribution": told.attribution,
        "use": told.use,
        "limits": told.limits,
    }
    alone = manifest["kind"] != "pipeline"
    for name, component in pipeline.components.items():
        facts |= _facts(name, component, place, "" if alone else name)
    _print(facts)
    if pipeline.scores_:
        click.echo()
        print_scores(pipeline.scores_)


def _print(facts: dict[str, str]) -> None:
    shown = {name: value for name, value in facts.items() if value}
    width = max(map(len, shown)) + 2
    for name, value in shown.items():
        click.echo(f"{name:{width}}{printable(value)}")


def _print_other(model: str, place: Path, as_json: bool) -> None:
    """Of models that are no pipelines: what their manifest tells."""
    manifest = store.read_manifest(place)
    load_any(place)
    options = tomllib.loads(store.load(place).config)
    told = {key: value for key, value in manifest.items() if key != "state"}
    if as_json:
        print_json({"model": model, "size": store.size(place), **told, "options": options})
        return
    facts = {
        "model": f"{model}, a {manifest['kind']}, {_megabytes(place)}",
        "written by": f"plait {manifest.get('plait', '?')}, format {manifest['format']}",
    }
    with store.understanding(place):
        if "about" in manifest:
            _print(facts | checks.read(dict[str, str], manifest["about"], "about"))
            return
        for key, value in manifest["origin"].items():
            facts[key] = f"{value:,}" if isinstance(value, int) else value or "unknown" * (key == "licence")
    for table, values in options.items():
        facts[f"options of {table}"] = ", ".join(
            f"{key} {value}" for key, value in values.items() if value != ""
        )
    _print(facts)


def _facts(name: str, component: Component[Any], place: Path, inside: str) -> dict[str, str]:
    """Of a component, which stands under a name in the model, and of those that it holds."""
    options = ", ".join(f"{key} {value}" for key, value in asdict(component.options).items() if value != "")
    facts = {name: f"{component.kind}, {_megabytes(place, inside)}; {options}"}
    if component.history_:
        scores = [f"{key.upper()} {score:.2f}" for key, score in component.scores_.items()]
        judged = f"; {', '.join(scores)} on {component.origin_.dev or 'dev'}" if scores else ""
        facts[f"{name}, how"] = (
            f"{component.method()} Epoch {component.best_epoch_} of {len(component.history_)}{judged}"
        )
    for member, inner in component.members.items():
        facts |= _facts(f"{name}.{member}", inner, place, f"{inside}/{member}" if inside else member)
    return facts


def _megabytes(place: Path, inside: str = "") -> str:
    return f"{store.size(place, inside) / 1e6:.1f} MB"
