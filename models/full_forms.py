"""Give a packaged model the full forms of its treebank and of a lexicon; what it has learned stays as it is.

    python models/full_forms.py en UD_English-EWT/ --lexicon english.tsv -o en/

`english.tsv` is what models/english_lexicon.py writes.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

import plait
from plait.components.neural import Neural
from plait.formats.folder import find_sections
from plait.pipeline import measure
from plait.sentence import Treebank


@click.command()
@click.argument("model")
@click.argument("treebank")
@click.option("--lexicon", required=True)
@click.option("-o", "--output", required=True)
def main(model: str, treebank: str, lexicon: str, output: str) -> None:
    """Write MODEL with the full forms of TREEBANK and of the lexicon, and the scores of the whole."""
    pipeline = plait.load(model)
    sections = find_sections(treebank)
    train, dev = (_read(sections[name]) for name in ("train", "dev"))
    neural = pipeline["neural"]
    assert isinstance(neural, Neural)
    neural.options = replace(neural.options, lexicon=lexicon)
    neural.use_full_forms(train)
    neural.options = replace(neural.options, lexicon=Path(lexicon).name)
    pipeline.scores_ = measure(pipeline, dev)
    pipeline.save(output, force=True)
    click.echo(pipeline.scores_)


def _read(files: list[Path]) -> Treebank:
    return Treebank([sentence for file in files for sentence in plait.read(file)], path=str(files[0]))


if __name__ == "__main__":
    main()
