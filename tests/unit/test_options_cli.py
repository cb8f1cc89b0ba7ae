"""One grammar for the command line: an option is spelt and limited alike in every verb that has it."""

from __future__ import annotations

from collections import defaultdict

import click
import pytest
from click.testing import CliRunner

from plait.cli import GROUPS, VERBS, plait
from plait.cli.options import GRAPH, STARTS, T1, TREE

SHARED = {
    "--from": [],
    "--json": [],
    "--lenient": [],
    "--model": ["-m"],
    "--output": ["-o"],
    "--seed": [],
    "--text": [],
    "--threads": [],
    "--to": [],
}
# Where an option means the same and still says more: several models, a picture, a folder.
OWN_TEXT = {
    "--from": {"realize"},
    "--model": {"convert", "serve"},
    "--output": {"adapt", "cluster", "draw", "lattice", "parse", "teach", "train"},
    "--text": {"evaluate"},
    "--to": {"convert", "parse"},
}
SAYS_AT_WHAT = {"--seed", "--threads"}


def options() -> dict[str, dict[str, click.Option]]:
    """Every long name, and the options of that name by verb."""
    context = click.Context(plait)
    found: dict[str, dict[str, click.Option]] = defaultdict(dict)
    for verb in VERBS:
        command = plait.get_command(context, verb)
        assert command is not None
        for option in command.params:
            if isinstance(option, click.Option):
                for name in option.opts:
                    found[name][verb] = option
    return found


OPTIONS = options()


def values(option: click.Option) -> dict[str, object]:
    facts = option.type.to_info_dict()
    if isinstance(option.type, click.Choice):
        facts["choices"] = [
            choice for choice in option.type.choices if choice not in (T1, TREE, GRAPH, *STARTS)
        ]
    return facts


@pytest.mark.parametrize("name", SHARED)
def test_an_option_is_the_same_everywhere(name: str) -> None:
    found = OPTIONS[name]
    assert len(found) > 1
    first = next(iter(found.values()))
    texts = set()
    for verb, option in found.items():
        assert sorted(option.opts) == sorted([name, *SHARED[name]]), verb
        assert values(option) == values(first), verb
        assert option.is_flag == first.is_flag, verb
        if verb not in OWN_TEXT.get(name, ()):
            texts.add(option.help)
    assert len(texts) == 1 or name in SAYS_AT_WHAT


def test_a_letter_stands_for_one_option() -> None:
    letters = defaultdict(set)
    for name, found in OPTIONS.items():
        if not name.startswith("--"):
            letters[name] |= {
                long for option in found.values() for long in option.opts if long.startswith("--")
            }
    assert letters == {"-m": {"--model"}, "-o": {"--output"}}


def test_what_can_be_read_leniently_can_be_told_its_format() -> None:
    assert set(OPTIONS["--lenient"]) - set(OPTIONS["--from"]) == {"tokenize"}  # whose input is always text


def test_help_shows_every_verb_once_in_its_group() -> None:
    shown = CliRunner().invoke(plait, ["--help"]).output
    heading = ""
    found = defaultdict(list)
    for line in shown.splitlines():
        if line.endswith(":") and not line.startswith(" "):
            heading = line.removesuffix(":")
        elif line.startswith("  ") and not line.startswith("   ") and heading in GROUPS:
            found[heading].append(line.split()[0])
    assert found == {title: list(verbs) for title, verbs in GROUPS.items()}
    assert len(VERBS) == sum(map(len, GROUPS.values()))


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_of_the_table_explains_itself(verb: str) -> None:
    result = CliRunner().invoke(plait, [verb, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: plait {verb} ")
