"""What a parser is told: strict names and values, and what the treebank itself decides."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

import plait
from plait import InputError, Parser
from plait.parser import ParserOptions
from plait.parser.options import Settings
from toy import quick_parser, toy

TRAIN, DEV = toy(80), toy(30, seed=2)


def test_options_are_strict() -> None:
    assert set(Settings.__annotations__) == {field.name for field in fields(ParserOptions)}
    for message, options in (
        ("No option 'sistem'. Did you mean 'system'?", {"sistem": "swap"}),
        ("No option 'zzz'. Available: system, ", {"zzz": 1}),
        ("beam must be a whole number, not '8'", {"beam": "8"}),
        ("beam must be a whole number, not True", {"beam": True}),
        ("beam is 0 but must be from 1 to 4,096", {"beam": 0}),
        ("No oracle 'dynamic' for system 'swap'. Available: eager, lazy,", {"oracle": "dynamic"}),
        ("No system 'hybrid'. Available: swap, standard, eager, spine, spine-swap.", {"system": "hybrid"}),
        ("projectivize goes with the others", {"projectivize": "head"}),
    ):
        with pytest.raises(InputError) as caught:
            Parser(**options)  # type: ignore[arg-type]
        assert message in str(caught.value)


def test_options_survive_their_file() -> None:
    options = ParserOptions(beam=3, explore=0.25, features='odd "path"\\here.txt')
    assert ParserOptions.from_toml(options.to_toml()) == options
    for text in "", "beam = 3", "[parser]\nbeam = 3\n[other]", "[parser", "parser = 3":
        with pytest.raises(InputError):
            ParserOptions.from_toml(text)
    assert ParserOptions.parse_setting("explore=0.5") == ("explore", 0.5)
    for setting in "beam", "beam=x", "bem=3":
        with pytest.raises(InputError):
            ParserOptions.parse_setting(setting)


def test_what_has_not_learned_cannot_parse(tmp_path: Path) -> None:
    for use in (
        lambda: Parser().parse(DEV),
        lambda: Parser().save(tmp_path / "x"),
        lambda: Parser().compact(),
    ):
        with pytest.raises(InputError, match="has not learned anything yet"):
            use()
    for search in {"beam": 0}, {"threads": 0}:
        with pytest.raises(InputError, match="must be from 1"):
            quick_parser(epochs=1).fit(TRAIN).parse(DEV, **search)


def test_columns_that_say_nothing_are_left_out_of_the_features(tmp_path: Path) -> None:
    parser = quick_parser(epochs=1).fit(TRAIN)
    assert {"lemma", "feats"} <= set(parser.about_["silent"])
    assert not {"form", "upos", "xpos"} & set(parser.about_["silent"])
    parser.save(tmp_path / "toy")
    seen = plait.Parser.load(tmp_path / "toy")._fitted.setup.templates
    assert seen.lines == parser._fitted.setup.templates.lines
    assert "lemma" not in seen.columns


def test_more_features_than_the_core_can_hold_are_bad_input(tmp_path: Path) -> None:
    sides = [f"S{i}.{side}{j}.{side}1.form" for i in range(10) for side in ("left", "right") for j in (1, 2)]
    (tmp_path / "deep.txt").write_text("\n".join(sides))
    with pytest.raises(InputError, match=r"deep.txt, toy1.conllu: too many addresses"):
        quick_parser(features=str(tmp_path / "deep.txt")).fit(TRAIN)
