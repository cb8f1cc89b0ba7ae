"""Raw text that a teacher annotates, and what came of it: for `plait teach`, and for `plait train --raw`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from plait.cli.common import print_table
from plait.cli.source import Input, Reading, SentenceSource, find_files
from plait.errors import InputError, printable
from plait.formats.files import display_name
from plait.learning import archive, store
from plait.pipeline import Pipeline, Recipe, student
from plait.pipeline.presets import STUDENTS
from plait.pipeline.teach import COMPARED, Report
from plait.sentence import Sentence

STUDENT = f"What learns from it: {', '.join(STUDENTS)}, or any recipe (TOML)."


@dataclass(frozen=True, slots=True)
class RawText:
    """Files to be annotated, by a teacher who is known later."""

    inputs: Sequence[Input]
    reading: Reading

    @classmethod
    def find(cls, paths: Sequence[str], output: str, reading: Reading) -> RawText:
        return cls(find_files(paths, output), reading)

    def sentences(self, teacher: Pipeline) -> Iterator[Sentence]:
        return SentenceSource(teacher, self.reading).of(self.inputs)

    def mark(self) -> str:
        """By which an interrupted training knows that it is about the same text."""
        sizes = (
            (each.name, Path(each.name).stat().st_size) for each in self.inputs if Path(each.name).is_file()
        )
        return "".join(f"# {name} {size}\n" for name, size in sizes)

    def names(self) -> str:
        names = [printable(display_name(Path(each.name).name)) for each in self.inputs]
        return (
            ", ".join(names) if len(names) <= 3 else f"{', '.join(names[:3])} and {len(names) - 3} more files"
        )


def read_recipe(path: str) -> Recipe:
    """A TOML file, or the recipe that a model was made by."""
    place = Path(path)
    if place.is_dir() or place.suffix == archive.SUFFIX:
        return Recipe.from_toml(store.load(place).config, f"{path}: ")
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}.") from None
    return Recipe.from_toml(text, f"{path}: ")


def find_student(name: str) -> Recipe:
    return (
        read_recipe(name)
        if name.endswith((".toml", archive.SUFFIX)) or Path(name).is_file()
        else student(name)
    )


def print_report(report: Report) -> None:
    """What was labelled, and what came of it."""
    left = (
        f"; {report.left_out:,} left out: there before, too long, or a single word" if report.left_out else ""
    )
    click.echo(f"Labelled {report.sentences:,} sentences, {report.words:,} words{left}.")
    if report.student:
        columns = {"teacher": report.teacher, "student": report.student, "agreement": report.agreement}
        rows = [[name, *(f"{scores[name]:.2f}" for scores in columns.values())] for name in COMPARED]
        print_table(("dev set, gold tokens, CoNLL-18 F1", *columns), rows)
