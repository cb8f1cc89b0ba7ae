"""`plait refer`: what to call a thing among others, as a given speaker would."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from plait.catalogue import DEFAULT
from plait.checks import file_name
from plait.cli.common import print_json, print_table
from plait.cli.options import json_option, model_output_option
from plait.cli.subverbs import UsualVerb
from plait.drawing.preferences import Preferences
from plait.errors import InputError, printable
from plait.generation.refer import made
from plait.generation.refer.judging import judge, totals
from plait.generation.refer.model import Origin, Reference, Referrer
from plait.generation.refer.options import METHODS, ReferOptions
from plait.generation.refer.scene import read_scene
from plait.generation.refer.trials import TunaCorpus
from plait.learning import store
from plait.pipeline import Pipeline

MADE = "made"
_SAY = "say"
_COLUMNS = {
    "dice": "DICE",
    "masi": "MASI",
    "accuracy": "accuracy",
    "unique": "unique",
    "minimal": "minimal",
    "length": "length",
}
_WORDS = {
    "string_accuracy": "accuracy",
    "edit": "edit",
    "edit_share": "edit share",
    "bleu": "BLEU",
    "nist": "NIST",
}


class ReferVerb(UsualVerb):
    usual = _SAY


def model_option(function: Any) -> Any:
    text = f"A model that `plait refer train` wrote; `{MADE}` learns at once from made scenes."
    return click.option("-m", "--model", default=MADE, show_default=True, help=text)(function)


def split_option(function: Any) -> Any:
    text = "A list of trials, `domain/id` per line, here or in the folder; otherwise all."
    return click.option("--split", metavar="LIST", help=text)(function)


@click.group(cls=ReferVerb)
def refer() -> None:
    """Refer to the target of a SCENE, a JSON file: which attributes, and in which words.

    A scene is {"target": {"type": "chair", "colour": "red"}, "distractors": [{...}]}; it may name the speaker.
    """


@refer.command(_SAY)
@click.argument("scenes", nargs=-1, required=True, metavar="SCENE...")
@model_option
@click.option(
    "--speaker", metavar="NAME", help="As whom to speak; otherwise as the most central of all speakers."
)
@json_option
def say(scenes: tuple[str, ...], model: str, speaker: str | None, as_json: bool) -> None:
    """Refer to the target of every SCENE."""
    referrer = load_model(model)
    if speaker is not None and speaker not in referrer.speakers:
        known = ", ".join(referrer.speakers[:20]) + (", …" if len(referrer.speakers) > 20 else "")
        raise InputError(f"No speaker {speaker!r} was heard. Available: {known}.")
    for path in scenes:
        scene, named = read_scene(path)
        found = referrer.refer(scene, speaker or named)
        if as_json:
            print_json(asdict(found))
        else:
            click.echo(printable(_shown(found)))


def _shown(found: Reference) -> str:
    told = found.phrase or ", ".join(f"{name} {value}" for name, value in found.attributes.items())
    return told + ("" if found.unique else "  (others fit too)")


@refer.command(short_help="Learn from trials: scenes, and what people said.")
@click.argument("folder", metavar="DIR")
@model_output_option
@click.option("--force", is_flag=True, help="Replace the model that is there.")
@split_option
@click.option("--method", type=click.Choice(METHODS), help="How attributes are chosen.")
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="Any option, such as order=corpus."
)
@click.option(
    "--parser", default=DEFAULT, show_default=True, metavar="MODEL", help="What parses the phrases."
)
@click.option("--no-words", is_flag=True, help="Learn attributes only, and parse nothing.")
@click.option("--licence", metavar="TEXT", default="", help="The licence of the model, for its card.")
def train(
    folder: str,
    output: str,
    force: bool,
    split: str | None,
    method: str | None,
    settings: tuple[str, ...],
    parser: str,
    no_words: bool,
    licence: str,
) -> None:
    """Learn from the trials of DIR: TUNA's XML (DOMAIN/ID.xml), or JSON lines (*.jsonl)."""
    values: dict[str, Any] = {"method": method} if method else {}
    values |= dict(ReferOptions.parse_setting(setting) for setting in settings)
    options = ReferOptions.from_dict(values)
    store.require_free(output, force=force)
    trials = TunaCorpus.read(folder, split)
    origin = Origin(
        corpus=file_name(str(Path(folder).resolve())),
        licence=licence,
        parser="" if no_words or all(t.heads for t in trials) else parser,
    )
    pipeline = Pipeline.load(parser) if origin.parser else None
    referrer = Referrer.fit(trials, options, parser=pipeline, origin=origin, words=not no_words)
    referrer.save(output, force=force)
    size = store.size(output) / 1e6
    click.echo(
        f"Saved {click.format_filename(output)}: {referrer.origin.trials:,} trials of "
        f"{referrer.origin.speakers:,} speakers, {options.method}, {size:.1f} MB."
    )


@refer.command(short_help="Score a model on trials.")
@click.argument("folder", metavar="DIR")
@split_option
@model_option
@click.option("--hide-speaker", is_flag=True, help="Nobody tells who speaks, as in the test of 2009.")
@json_option
def evaluate(folder: str, split: str | None, model: str, hide_speaker: bool, as_json: bool) -> None:
    """Score a model on the trials of DIR: the attributes it chooses, its words, its words for given attributes."""
    referrer = load_model(model)
    trials = TunaCorpus.read(folder, split)
    for domain in sorted({trial.domain for trial in trials} - set(referrer.selector.memories)):
        raise InputError(f"{folder}: nothing was learned of the domain {domain!r}.")
    judged = {
        name: each.as_dict() for name, each in judge(referrer, trials, hide_speaker=hide_speaker).items()
    }
    total = totals(judged)
    if as_json:
        print_json(total | judged)
        return
    _print(judged | {"mean": total})


@refer.command(short_help="Draw what the speakers of a model tell.")
@model_option
@click.option("--domain", metavar="NAME", help="Of which sort of scenes, where a model knows several.")
@click.option("-o", "--output", help="A picture, .svg or .png; otherwise a table is printed.")
def draw(model: str, domain: str | None, output: str | None) -> None:
    """Draw which attributes the speakers of a model tell, and how often."""
    memories = load_model(model).selector.memories
    chosen = domain if domain is not None else next(iter(memories))
    if chosen not in memories or (domain is None and len(memories) > 1):
        raise InputError(f"Which domain, with --domain? Available: {', '.join(memories)}.")
    picture = Preferences(memories[chosen])
    if output is None:
        click.echo(picture.text())
    else:
        picture.save(output)


def _print(tables: Mapping[str, Mapping[str, Any]]) -> None:
    print_table(
        ("attributes", "trials", *_COLUMNS.values(), "DICE, as annotated"),
        [
            [domain, f"{table['trials']:,}", *_cells(table, _COLUMNS), f"{table['raw']['dice']:.3f}"]
            for domain, table in tables.items()
        ],
        note="Against what was told of the target, with the target's own values; as annotated: wrong values and "
        "`other` included.",
    )
    for title, key in (("words", ""), ("words, attributes given", "given")):
        rows = [
            [domain, *_cells(table[key] if key else table, _WORDS)]
            for domain, table in tables.items()
            if "edit" in table
        ]
        if rows:
            click.echo()
            print_table((title, *_WORDS.values()), rows)


def _cells(table: Mapping[str, float], columns: Mapping[str, str]) -> list[str]:
    return [f"{table[name]:.3f}" for name in columns]


def load_model(name: str) -> Referrer:
    """A model from a folder, or the made one."""
    return made.referrer() if name == MADE and not Path(name).exists() else Referrer.load(name)
