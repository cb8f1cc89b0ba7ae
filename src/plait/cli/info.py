"""`plait info`: what a model is."""

from __future__ import annotations

from dataclasses import asdict

import click

from plait import store
from plait.cli.common import json_option, print_json
from plait.parser import Parser


@click.command()
@click.argument("model")
@json_option
def info(model: str, as_json: bool) -> None:
    """Tell what MODEL is: treebank, options, scores, size, licence."""
    parser = Parser.load(model)
    manifest = store.read_manifest(model)
    options, about, scores = parser.options, parser.about_, parser.scores_
    if as_json:
        print_json(
            {
                "model": model,
                "size": store.size(model),
                **manifest,
                "options": asdict(options),
            }
        )
        return
    facts = {
        "model": f"{model}, a {manifest['kind']}, {store.size(model) / 1e6:.1f} MB",
        "written by": f"plait {manifest.get('plait', '?')}, format {manifest['format']}",
        "treebank": f"{about['treebank'] or 'unnamed'}: {about['sentences']:,} sentences, {about['words']:,} words",
        "licence": about["licence"] or "unknown",
        "labels": f"{len(parser.labels_)}",
        "system": f"{options.system}, oracle {options.chosen_oracle}, beam {options.beam}",
        "features": options.chosen_features,
        "epochs": f"{parser.best_epoch_} kept of {len(parser.history_)}",
    }
    if scores:
        facts["scores"] = (
            f"LAS {scores['dev_las']:.2f}, UAS {scores['dev_uas']:.2f} on {about['dev'] or 'dev'}"
        )
    told = ("system", "oracle", "beam", "features")
    others = {name: value for name, value in asdict(options).items() if name not in told and value != ""}
    facts["options"] = ", ".join(f"{name} {value}" for name, value in others.items())
    width = max(map(len, facts)) + 2
    for name, value in facts.items():
        click.echo(f"{name:{width}}{value}")
