"""`plait train`: a parser from a treebank."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import click

from plait import formats, store
from plait.cli.common import Sentences, from_option, lenient_option, print_table
from plait.cli.progress import Follower, follow
from plait.errors import InputError
from plait.features.templates import built_in
from plait.formats.files import display_name
from plait.lifting import ENCODINGS
from plait.parser import Epoch, Parser, ParserOptions
from plait.parser.options import (
    LEARNERS,
    ORACLES_OF,
    PRECISIONS,
    SYSTEMS,
    UPDATES,
    Settings,
)
from plait.sentence import Treebank

_ORACLES = "; ".join(f"{system}: {', '.join(names)}" for system, names in ORACLES_OF.items())


@click.command()
@click.argument("file", metavar="TREEBANK")
@click.option("--dev", help="Choose the best epoch on this file; without it, the last one is kept.")
@click.option("-o", "--output", required=True, metavar="MODEL", help="The folder to write.")
@click.option("--system", type=click.Choice(list(SYSTEMS)), help="The transition system.")
@click.option("--oracle", help=f"What to learn from ({_ORACLES}).")
@click.option("--beam", type=int, help="How many derivations to keep; 1 is greedy search.")
@click.option("--epochs", type=int, help="The most passes over the treebank.")
@click.option("--patience", type=int, help="Stop after so many epochs without a better one.")
@click.option("--seed", type=int, help="Of the order of sentences. Same seed, same model.")
@click.option("--features", metavar="LIST|FILE", help=f"Templates: {', '.join(built_in())}, or a file.")
@click.option("--bits", type=int, help="The table has 2 to this power weights.")
@click.option("--precision", type=click.Choice(PRECISIONS), help="Of the weights in the model.")
@click.option("--learner", type=click.Choice(LEARNERS), help="How large an update is.")
@click.option("--update", type=click.Choice(UPDATES), help="With a beam: when to update.")
@click.option("--explore", type=float, help="Greedy: how often to follow the parser's own mistakes.")
@click.option("--projectivize", type=click.Choice(ENCODINGS), help="Lift crossing arcs (pseudo-projective).")
@click.option("--single-root", type=click.Choice(["auto", "yes", "no"]), help="One root per sentence?")
@click.option("--tags", type=click.Choice(["gold"]), default="gold", show_default=True,
              help="Learn from the tags in the file, the only choice now.")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Any option by its name.")
@click.option("--config", metavar="FILE", help="Options from the table [parser] of a TOML file.")
@click.option("--compact", is_flag=True, help="Leave out weights that matter little; the loss is printed.")
@click.option("--resume", is_flag=True, help="Go on with a training that was interrupted.")
@click.option("--licence", default="", metavar="TEXT", help="The licence of the model, for its card.")
@from_option
@lenient_option
def train(
    file: str,
    dev: str | None,
    output: str,
    tags: str,  # noqa: ARG001
    settings: tuple[str, ...],
    config: str | None,
    compact: bool,
    resume: bool,
    licence: str,
    from_format: str | None,
    lenient: bool,
    **named: Any,
) -> None:
    """Train a parser on TREEBANK and write it to a model folder.

    The options and their defaults are explained in docs/parser.md; the command line goes before --config. Ctrl-C
    ends training and saves the best epoch so far; --resume goes on with it.
    """
    options = _options(config, settings, {name: value for name, value in named.items() if value is not None})
    store.require_free(output)
    checkpoint = Path(f"{output}.checkpoint")
    if checkpoint.exists() and not resume:
        click.echo(f"plait: starting anew; --resume would have gone on from {checkpoint}", err=True)
    sentences = Sentences(lenient=lenient, format=from_format)
    treebank = _read(file, sentences)
    dev_set = _read(dev, sentences) if dev else None
    sentences.report()
    parser = Parser(**options)
    with follow(parser.options.epochs) as follower:
        parser.fit(
            treebank,
            dev=dev_set,
            on_epoch=_Reporter(follower, parser.options, len(treebank)),
            on_progress=follower.on_progress,
            checkpoint=checkpoint,
            resume=resume,
        )
    _print_epochs(parser)
    parser.save(output, licence=licence)
    size = store.size(output)
    if compact:
        loss = parser.compact(dev_set)
        parser.save(output)
        measured = f"{loss:.2f} LAS lost on the dev set" if dev_set else "loss not measured without --dev"
        click.echo(f"Compacted from {_megabytes(size)} to {_megabytes(store.size(output))}; {measured}.")
    _print_saved(parser, output)
    if parser.interrupted_:
        click.echo("plait: interrupted; --resume goes on from the last whole epoch", err=True)
    else:
        checkpoint.unlink(missing_ok=True)


class _Reporter:
    """After every epoch; after the first, also how many sentences nothing is learned from."""

    def __init__(self, follower: Follower, options: ParserOptions, sentences: int) -> None:
        self._follower = follower
        self._options = options
        self._sentences = sentences
        self._said = False

    def __call__(self, epoch: Epoch) -> None:
        if epoch.left_out and not self._said:
            self._said = True
            system = self._options.system
            hint = "" if system == "swap" else " (--projectivize lifts crossing arcs)"
            click.echo(
                f"plait: {epoch.left_out:,} of {self._sentences:,} sentences left out: the system {system!r} "
                f"cannot derive their trees{hint}",
                err=True,
            )
        self._follower.on_epoch(epoch)


def _options(config: str | None, settings: tuple[str, ...], named: dict[str, Any]) -> Settings:
    """The file, then what the command line says."""
    values: dict[str, Any] = {}
    if config:
        try:
            text = Path(config).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{config}: cannot be read: {error}.") from None
        values = ParserOptions.read_table(text, f"{config}: ")
    for setting in settings:
        name, value = ParserOptions.parse_setting(setting)
        values[name] = value
    return cast(Settings, values | named)  # checked by the parser


def _read(path: str, sentences: Sentences) -> Treebank:
    if sentences.lenient:
        return Treebank([sentence for sentence, _ in sentences.trees_of(path)], path=display_name(path))
    return formats.read(path, format=sentences.format)


def _print_epochs(parser: Parser) -> None:
    rows = [
        [
            f"{epoch.number}{' *' if epoch.number == parser.best_epoch_ else ''}",
            *("–" if score is None else f"{score:.2f}" for score in (epoch.las, epoch.uas)),
            f"{epoch.updates:,}",
            f"{epoch.seconds:.1f}",
        ]
        for epoch in parser.history_
    ]
    print_table(
        ("epoch", "dev LAS", "dev UAS", "updates", "seconds"),
        rows,
        note="* is kept. Scores as in CoNLL 2018: labels without subtypes, punctuation included.",
    )


def _print_saved(parser: Parser, output: str) -> None:
    scores = parser.scores_
    told = f", dev LAS {scores['dev_las']:.2f}, UAS {scores['dev_uas']:.2f}" if scores else ""
    click.echo(f"Saved {output}: epoch {parser.best_epoch_}{told}, {_megabytes(store.size(output))}.")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
