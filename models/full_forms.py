"""Give a packaged model the full forms of its treebank and of a lexicon. Nets keep what they have learned; an inflector
learns anew.

    python models/full_forms.py en UD_English-EWT/ --lexicon english.tsv -o en/

`english.tsv` is what models/english_lexicon.py writes. What the card tells is taken from the recipe of the model.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

import plait
from plait import checks
from plait.catalogue.names import packaged
from plait.catalogue.registry import recipe_of
from plait.components.inflector import Inflector
from plait.components.neural import Neural
from plait.formats.folder import find_sections
from plait.learning import registry, store
from plait.pipeline import Pipeline, Recipe, measure
from plait.pipeline.pipeline import PipelineFacts
from plait.sentence import Treebank


@click.command()
@click.argument("name")
@click.argument("treebank")
@click.option("--lexicon", required=True)
@click.option("--model", help="The folder of the model, if it is not that of the package.")
@click.option("-o", "--output", required=True)
def main(name: str, treebank: str, lexicon: str, model: str | None, output: str) -> None:
    """Write the model NAME with the full forms of TREEBANK and of the lexicon, and its scores."""
    recipe = Recipe.from_toml(recipe_of(name).read_text(encoding="utf-8"))
    sections = find_sections(treebank)
    train, dev = (_read(sections[part]) for part in ("train", "dev"))
    folder = Path(model) if model else packaged()[name]
    facts = checks.record(PipelineFacts, store.load(folder).manifest, "the manifest", others=True)
    pipeline = Pipeline(model=recipe.model)
    pipeline.origin_ = facts.origin
    for part in recipe.model.order:
        kind = registry.find(recipe.plan(part).kind)
        learns = kind is Inflector
        component = Inflector(lexicon=lexicon).fit(train, dev=dev) if learns else kind.load(folder / part)
        if isinstance(component, Neural):
            component.options = replace(component.options, lexicon=lexicon)
            component.use_full_forms(train)
        if hasattr(component.options, "lexicon"):
            component.options = replace(component.options, lexicon=Path(lexicon).name)
        pipeline.add(part, component)
    if pipeline.giving("tokens"):
        pipeline.scores_ = measure(pipeline, dev)
    pipeline.save(output, force=True)
    click.echo(pipeline.scores_)


def _read(files: list[Path]) -> Treebank:
    return Treebank([sentence for file in files for sentence in plait.read(file)], path=str(files[0]))


if __name__ == "__main__":
    main()
