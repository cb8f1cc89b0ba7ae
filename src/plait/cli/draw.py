"""`plait draw`: trees in the terminal or as pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import click

from plait.cli.common import Sentences, require_other_file
from plait.cli.drawings import print_drawing, save, save_numbered
from plait.cli.options import from_option
from plait.drawing.measure import visible
from plait.drawing.picture import Drawing, drawing_of
from plait.drawing.saving import Picture, require_picture_name
from plait.drawing.tree import WIDTH
from plait.errors import FormatError, InputError, Problem
from plait.formats.deep import has_deep_nodes
from plait.formats.files import STANDARD, display_name, open_sink
from plait.formats.tabular import whole_number
from plait.layers import DeepTree, Layer
from plait.meaning import SemanticStructure
from plait.sentence import Sentence

_LAYERS: dict[str, type[Layer]] = {"deep": DeepTree, "meaning": SemanticStructure}
Pair = tuple[Sentence, Sentence | None]


@click.command()
@click.argument("file")
@click.option("--sentence", "which", default="1", show_default=True, metavar="WHICH",
              help="Which sentences: a number counted from 1, a range such as 3-7, all, or a sent_id.")  # fmt: skip
@click.option("-o", "--output", metavar="PICTURE",
              help="Write .svg, .png or .tex; - prints SVG. Several sentences become numbered files.")  # fmt: skip
@click.option("--against", metavar="FILE", help="A system's trees over the same words: show the differences.")
@click.option(
    "--deep", "layer", flag_value="deep", help="Draw deep-syntactic trees, where there are others too."
)
@click.option(
    "--meaning", "layer", flag_value="meaning", help="Draw graphs of meaning, where there are trees too."
)
@click.option("--lemmas", is_flag=True, help="Show lemmas too.")
@click.option("--ascii", "in_ascii", is_flag=True, help="Draw the arcs of the terminal in ASCII.")
@click.option("--width", type=click.IntRange(0, 10**6), default=int(WIDTH), show_default=True,
              help="How many pixels wide a picture may be, unless a word needs more; 0: one row.")  # fmt: skip
@from_option
def draw(
    file: str,
    which: str,
    output: str | None,
    against: str | None,
    layer: str | None,
    lemmas: bool,
    in_ascii: bool,
    width: int,
    from_format: str | None,
) -> None:
    """Draw trees of FILE in the terminal, the first one unless --sentence says otherwise.

    Files of deep trees and of annotation of meaning are drawn as such; in others, --deep and --meaning choose them.
    Non-projective arcs have a colour of their own and, where there is none, a * beside the label.
    """
    choice = Choice.of(which)
    if output not in (None, STANDARD):
        require_picture_name(output)
        require_other_file(file, output)
    if output == STANDARD and choice.several:
        raise click.UsageError(
            "Standard output takes one picture: give -o a file name, or choose a sentence."
        )
    if layer and against:
        raise click.UsageError(f"--against compares surface trees: it does not go with --{layer}.")
    if file == against == STANDARD:
        raise click.UsageError("Standard input is one file: FILE and --against cannot both be -.")
    for number, (sentence, system) in _chosen(choice, file, against, from_format):
        try:
            kind = _LAYERS[layer] if layer else _layer_of(sentence) if system is None else None
            drawing: Picture
            if kind is None:
                drawing = Drawing(sentence, against=system, lemmas=lemmas, width=width or None)
            else:
                drawing = drawing_of(sentence, kind, width=width or None)
        except InputError as error:
            faulty = sentence if against is None or system is None else system
            place = Problem(str(error), display_name(against or file), faulty.line, sentence.sent_id)
            raise FormatError(place) from None
        if output is None:
            print_drawing(drawing, heading=_heading(sentence), in_ascii=in_ascii)
            click.echo()
        elif output == STANDARD:
            with open_sink(STANDARD) as sink:
                sink.write(drawing.svg.encode())
        elif choice.several:
            save_numbered([(number, drawing)], Path(output))
        else:
            save(drawing, Path(output))


def _layer_of(sentence: Sentence) -> type[Layer] | None:
    """What a sentence has instead of a surface tree; None if it has one."""
    if has_deep_nodes(sentence):
        return DeepTree
    return SemanticStructure if set(sentence.heads) == {None} and sentence.find(SemanticStructure) else None


def _heading(sentence: Sentence) -> Iterator[str]:
    if sentence.sent_id:
        yield f"# sent_id = {visible(sentence.sent_id)}"
    yield f"# text = {visible(sentence.text)}"


@dataclass(frozen=True, slots=True)
class Choice:
    """Which sentences of a file: those from `first` to `last`, or the one with this `sent_id`."""

    first: int = 1
    last: int | None = None
    sent_id: str = ""

    @classmethod
    def of(cls, text: str) -> Choice:
        if text == "all":
            return cls()
        if (match := re.fullmatch(r"([0-9]+)(?:-([0-9]+))?", text)) is None:
            return cls(sent_id=text)
        first, last = whole_number(match[1]), whole_number(match[2] or match[1])
        if first is None or last is None or not 1 <= first <= last:
            raise InputError(f"--sentence {text[:40]}: sentences count from 1, and a range goes up.")
        return cls(first, last)

    @property
    def several(self) -> bool:
        return not self.sent_id and self.first != self.last

    def takes(self, number: int, sentence: Sentence) -> bool:
        if self.sent_id:
            return sentence.sent_id == self.sent_id
        return number >= self.first and (self.last is None or number <= self.last)


def _chosen(
    choice: Choice, file: str, against: str | None, from_format: str | None
) -> Iterator[tuple[int, Pair]]:
    """The chosen sentences with their numbers, as they are read."""
    number = 0
    complete = False
    for number, pair in enumerate(_pairs(file, against, from_format), 1):
        if not complete and choice.takes(number, pair[0]):
            yield number, pair
            complete = bool(choice.sent_id) or number == choice.last
        # With a second file the rest is read too: only then are both known to have equally many sentences.
        if complete and against is None:
            return
    if complete or (choice.last is None and not choice.sent_id):
        return
    what = f"sentence with sent_id {choice.sent_id!r}" if choice.sent_id else f"sentence {choice.last}"
    raise InputError(f"{display_name(file)}: there is no {what}; the file has {number:,} sentences.")


def _pairs(file: str, against: str | None, from_format: str | None) -> Iterator[Pair]:
    gold = Sentences(format=from_format, treebank=True).of(file)
    if against is None:
        yield from ((sentence, None) for sentence in gold)
        return
    counts = [0, 0]
    for pair in zip_longest(gold, Sentences(format=from_format, treebank=True).of(against)):
        counts = [count + (each is not None) for count, each in zip(counts, pair, strict=True)]
        # Past the end of one file, the other is only counted.
        if counts[0] == counts[1]:
            yield pair
    if counts[0] != counts[1]:
        raise InputError(
            f"{display_name(file)} has {counts[0]:,} sentences and {display_name(against)} {counts[1]:,}; "
            "they must be the same text."
        )
