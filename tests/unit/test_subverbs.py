"""A verb whose usual meaning needs no sub-verb."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from plait.cli.subverbs import UsualVerb


@click.group(cls=UsualVerb)
def things() -> None:
    """Things, and what to do with them."""


@things.command()
@click.argument("what")
@click.option("--loud", is_flag=True, help="Louder.")
def apply(what: str, loud: bool) -> None:
    """Say it."""
    click.echo(what.upper() if loud else what)


@things.command()
@click.argument("file")
def train(file: str) -> None:
    """Learn it."""
    click.echo(f"learned {file}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["A text."], "A text."),
        (["--loud", "a"], "A"),
        (["train", "x"], "learned x"),
        (["./train"], "./train"),
        (["apply", "train"], "train"),
    ],
)
def test_the_usual_command_need_not_be_named(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(things, arguments)
    assert (result.exit_code, result.output) == (0, said + "\n")


def test_help_shows_both() -> None:
    result = CliRunner().invoke(things, ["--help"])
    assert result.exit_code == 0
    for wanted in ("WHAT", "--loud", "train", "Learn it."):
        assert wanted in result.output


def test_without_arguments_the_usual_command_says_what_it_lacks() -> None:
    result = CliRunner().invoke(things, [])
    assert result.exit_code == 2
    assert "WHAT" in result.output
