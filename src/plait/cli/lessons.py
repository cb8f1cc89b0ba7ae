"""What is learned from, as a user names it: a file, or a folder with files for training and dev."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from plait import formats
from plait.cli.common import Sentences
from plait.formats.deep import with_deep_trees
from plait.formats.files import display_name
from plait.formats.folder import find_sections, with_deep
from plait.formats.shallow import answered, holds_answers
from plait.sentence import Sentence, Treebank


def read_both(treebank: str, dev: str | None, sentences: Sentences) -> tuple[Treebank, Treebank | None]:
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
        found = [
            sentence
            for pair in with_deep([Path(file) for file in files])
            for sentence in _pair(*pair, sentences)
        ]
    name = display_name(files[0]) if len(files) == 1 else str(Path(files[0]).parent)
    return Treebank(found, path=name)


def _pair(surface: Path, deep: Path | None, sentences: Sentences) -> Iterable[Sentence]:
    """The sentences of a file, with deep trees if there is a file of these."""
    found: Sequence[Sentence] = formats.read(surface, format=sentences.format)
    if deep is not None and all(map(holds_answers, found)):
        found = [answered(sentence) for sentence in found]
    return found if deep is None else with_deep_trees(found, formats.read(deep), display_name(deep))
