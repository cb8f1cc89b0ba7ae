"""`plait lattice`: all correct derivations of one sentence as a picture."""

from __future__ import annotations

from itertools import islice

import click

from plait.cli.common import Sentences, print_json
from plait.cli.options import from_option, json_option
from plait.drawing.lattice import draw_lattice
from plait.errors import FormatError, InputError, Problem, printable
from plait.formats.files import STANDARD, display_name, open_sink
from plait.sentence import Sentence
from plait.transitions import SYSTEMS, LatticeTooLargeError, NotDerivableError, build_lattice
from plait.trees import tree_of


@click.command()
@click.argument("file")
@click.option("-o", "--output", default=STANDARD, show_default=True, help="The SVG file to write.")
@click.option("--sentence", "number", type=click.IntRange(1, 10**9), default=1, show_default=True,
              help="Which sentence of the file, counted from 1.")  # fmt: skip
@click.option("--system", default="swap", show_default=True, help=f"One of {', '.join(SYSTEMS)}.")
@click.option("--oracle", help="Its derivations only; otherwise all correct ones.")
@click.option("--single-root", is_flag=True, help="Permit the arc from the root only as the last one.")
@click.option("--limit", type=click.IntRange(1, 10**6), default=1000, show_default=True,
              help="Give up when there are more states.")  # fmt: skip
@from_option
@json_option
def lattice(
    file: str,
    output: str,
    number: int,
    system: str,
    oracle: str | None,
    single_root: bool,
    limit: int,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Draw all correct derivations of a sentence of FILE as a lattice, with their number."""
    sentence = _sentence(file, number, from_format)
    try:
        tree_of(sentence)
        found = build_lattice(sentence, system=system, oracle=oracle, single_root=single_root, limit=limit)
    except LatticeTooLargeError as error:
        raise _at(file, sentence, f"{error}; --limit allows more, --oracle nd-swap needs fewer.") from None
    except NotDerivableError as error:
        raise _at(file, sentence, f"{error}.") from None
    if output != STANDARD or not as_json:
        with open_sink(output) as sink:
            sink.write(draw_lattice(found).encode())
    if as_json:
        print_json(
            {"derivations": found.derivations, "states": len(found.states), "transitions": len(found.edges)}
        )
    elif output != STANDARD:
        click.echo(f"{printable(output)}: {found.derivations:,} derivations, {len(found.states):,} states")


def _sentence(file: str, number: int, from_format: str | None) -> Sentence:
    read = 0
    for read, sentence in enumerate(islice(Sentences(format=from_format, treebank=True).of(file), number), 1):
        if read == number:
            return sentence
    raise InputError(f"{display_name(file)}: there is no sentence {number}; the file has {read:,}.")


def _at(file: str, sentence: Sentence, reason: str) -> FormatError:
    return FormatError(Problem(reason, display_name(file), sentence.line, sentence.sent_id))
