"""Texts as `plait evaluate --text` scores them and `plait realize` writes them: a sentence per line, or several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TypeVar

import click

from plait.cli.common import print_json, print_table
from plait.errors import FormatError, Problem
from plait.evaluation import texts
from plait.formats.files import open_source
from plait.formats.text import pieces

Function = TypeVar("Function", bound=Callable[..., Any])

BETWEEN = " ||| "  # in lists of several texts: the number of the sentence, the text, its score (as Moses writes them)
_TITLES = {
    "bleu": "BLEU",
    "nist": "NIST",
    "ter": "TER",
    "chrf": "chrF",
    "edit": "edit",
    "exact": "exact, %",
    "first_three": "first three, %",
    "last_three": "last three, %",
}


def text_score_options(function: Function) -> Function:
    options = (
        click.option("--tokenize", type=click.Choice(texts.TOKENIZERS), default="13a", show_default=True,
                     help="With --text: cut tokens as sacreBLEU does, or only at white space."),
        click.option("--lowercase", is_flag=True, help="With --text: large and small letters are the same."),
        click.option("--nbest", is_flag=True, help="With --text: SYSTEM has several texts per sentence, as "
                     "`plait realize --nbest` writes them; the score of the shared task."),
        click.option("--compare", metavar="FILE", help="With --text: another system, and whether it differs in BLEU."),
    )  # fmt: skip
    for option in reversed(options):
        function = option(function)
    return function


def evaluate_texts(
    gold: str, system: str, tokenize: str, lowercase: bool, nbest: bool, compare: str | None, *, as_json: bool
) -> None:
    """Score the lines of one file against those of another."""
    how: dict[str, Any] = {"tokenize": tokenize, "lowercase": lowercase}
    references = read_lines(gold)
    lists = read_nbest(system) if nbest else [[line] for line in read_lines(system)]
    scores = texts.evaluate_texts(references, [each[0] for each in lists], **how)
    result: dict[str, Any] = scores.as_dict()
    if nbest:
        result["nbest_bleu"] = texts.score_nbest(references, lists, **how)
    if compare:
        other = read_lines(compare)
        difference = texts.compare_texts(references, [each[0] for each in lists], other, **how)
        result["compare"] = asdict(difference)
    if as_json:
        print_json(result)
        return
    rows = [
        [_TITLES[name], f"{result[name]:.2f}" if result[name] > 1 else f"{result[name]:.4f}"]
        for name in _TITLES
    ]
    if nbest:
        rows.append(["BLEU, n-best", f"{result['nbest_bleu']:.2f}"])
    print_table(("score", "system"), rows, note=f"{scores.sentences:,} sentences; tokens: {tokenize}"
                f"{', lower-cased' if lowercase else ''}. TER and edit are shares.")  # fmt: skip
    if compare:
        print_table(
            ("BLEU", ""),
            [
                ["system", f"{difference.a:.2f}"],
                ["compared", f"{difference.b:.2f}"],
                ["difference", f"{difference.difference:+.2f}"],
                ["95 % interval", f"{difference.low:+.2f} to {difference.high:+.2f}"],
                ["p", f"{difference.p:.4f}"],
            ],
            note=f"Paired bootstrap over sentences, {difference.samples:,} samples.",
        )


def read_lines(path: str) -> list[str]:
    """The lines of a text; an empty one is a sentence too, since lines are counted."""
    with open_source(path) as source:
        lines = "".join(pieces(source)).split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return [line.rstrip("\r") for line in lines]


def read_nbest(path: str) -> list[list[str]]:
    """Texts by the number of their sentence, which begins every line."""
    found: list[list[str]] = []
    for number, line in enumerate(read_lines(path), 1):
        cells = line.split(BETWEEN.strip())
        first = cells[0].strip()
        if (
            len(cells) < 2
            or not (first.isascii() and first.isdigit())
            or int(first) not in (len(found), len(found) - 1)
        ):
            message = "the number of the sentence, from 0, and a text are expected, with ||| between them."
            raise FormatError(Problem(message, path, number))
        if int(first) == len(found):
            found.append([])
        found[-1].append(cells[1].strip())
    return found
