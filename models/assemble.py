"""A pipeline from parts that were trained apart: a tokenizer, an exported net, and components that learned on top.

The net gets its swap head from the training part of the treebank, and its calibration from the dev part.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

import plait
from plait.components.neural import Neural
from plait.formats.folder import find_sections
from plait.learning.lessons import Lessons
from plait.pipeline import Pipeline, Recipe, measure
from plait.sentence import Treebank


@click.command()
@click.argument("recipe_file")
@click.option("--tokenizer", required=True, help="A model with a tokenizer.")
@click.option("--net", required=True, help="A folder with net.json and weights.safetensors.")
@click.option("--treebank", required=True, help="A folder with train and dev.")
@click.option("--more", help="A model with the components that come after.")
@click.option("-o", "--output", required=True)
def main(recipe_file: str, tokenizer: str, net: str, treebank: str, more: str | None, output: str) -> None:
    """Put the model of RECIPE_FILE together."""
    recipe = Recipe.from_toml(Path(recipe_file).read_text(encoding="utf-8"), f"{recipe_file}: ")
    sections = find_sections(treebank)
    train, dev = (_read(sections[name]) for name in ("train", "dev"))
    neural = Neural.from_export(net)
    neural.options = recipe.plan("neural").options
    neural.learn_swap_head(train)
    neural.calibrate(dev)
    lessons = Lessons.of(train)
    origin = replace(lessons.origin(Lessons.of(dev)), treebank=recipe.model.treebank)
    neural.origin_ = origin
    pipeline = Pipeline(model=recipe.model)
    pipeline.add("tokenizer", plait.load(tokenizer)["tokenizer"])
    pipeline.add("neural", neural)
    for name, component in plait.load(more).components.items() if more else ():
        pipeline.add(name, component)
    pipeline.origin_ = replace(origin, licence=recipe.model.licence)
    pipeline.scores_ = measure(pipeline, dev)
    pipeline.save(output, force=True)
    click.echo(pipeline.scores_)


def _read(files: list[Path]) -> Treebank:
    return Treebank([sentence for file in files for sentence in plait.read(file)], path=str(files[0]))


if __name__ == "__main__":
    main()
