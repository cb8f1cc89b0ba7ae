"""`plait info`: what a model is."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import click

from plait import store
from plait.cli.common import json_option, print_json, print_scores
from plait.graph import GraphOptions, GraphParser
from plait.parser import Parser
from plait.pipeline import Pipeline
from plait.pipeline.packaged import locate


@click.command()
@click.argument("model")
@json_option
def info(model: str, as_json: bool) -> None:
    """Tell what MODEL is: treebank, options, scores, size, licence."""
    pipeline = Pipeline.load(model)  # whatever is wrong with it is said now
    folder = locate(model)
    manifest = store.read_manifest(folder)
    options = tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))
    if as_json:
        print_json({"model": model, "size": store.size(folder), **manifest, "options": options})
        return
    facts = {
        "model": f"{model}, a {manifest['kind']}, {_megabytes(folder)}",
        "written by": f"plait {manifest.get('plait', '?')}, format {manifest['format']}",
        "language": manifest.get("language"),
        "treebank": f"{manifest['treebank'] or 'unnamed'}: {manifest['sentences']:,} sentences, "
        f"{manifest['words']:,} words",
        "licence": manifest["licence"] or "unknown",
        "attribution": manifest.get("attribution"),
        "use": manifest.get("use"),
        "limits": manifest.get("limits"),
    }
    if pipeline.parser:
        facts |= _facts_of_parser(pipeline.parser)
    for name in pipeline.parts:
        place = folder / name if (folder / name).is_dir() else folder
        table = "graph" if isinstance(pipeline.parts[name], GraphParser) else name
        facts[name] = f"{_megabytes(place)}; {_shown(options[table])}"
    if not pipeline.scores_:
        facts["scores"] = _scores(manifest["scores"], manifest.get("dev") or "dev")
    told = {name: value for name, value in facts.items() if value}
    width = max(map(len, told)) + 2
    for name, value in told.items():
        click.echo(f"{name:{width}}{value}")
    if pipeline.scores_:
        click.echo()
        print_scores(pipeline.scores_)


def _facts_of_parser(parser: Parser | GraphParser) -> dict[str, str]:
    options = parser.options
    if isinstance(options, GraphOptions):
        system, features = f"graph-based, {options.heads or 'all'} heads per word", options.features
    else:
        system = f"{options.system}, oracle {options.chosen_oracle}, beam {options.beam}"
        features = options.chosen_features
    return {
        "labels": f"{len(parser.labels_)}",
        "system": system,
        "features": features,
        "epochs": f"{parser.best_epoch_} kept of {len(parser.history_)}",
    }


def _scores(scores: dict[str, float], dev: str) -> str:
    shown = [f"{name.removeprefix('dev_').upper()} {score:.2f}" for name, score in scores.items()]
    return f"{', '.join(shown)} on {dev}" if shown else ""


def _megabytes(folder: Path) -> str:
    return f"{store.size(folder) / 1e6:.1f} MB"


def _shown(options: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in options.items() if value != "")
