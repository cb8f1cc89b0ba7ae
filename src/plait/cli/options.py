"""Options that mean the same wherever they stand; `tests/unit/test_options_cli.py` looks at every verb."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from plait.catalogue import DEFAULT
from plait.formats import FORMATS
from plait.learning.archive import SUFFIX

Function = TypeVar("Function", bound=Callable[..., Any])

T1 = "t1"  # what `--to` takes beside the formats where order and forms may be hidden
GRAPH = "graph"  # and where the tree may be hidden too
STARTS = (
    "graph",
    "tree",
    "order",
)  # what `--from` takes beside the formats where one may begin at several stages
TREE = "tree"  # what `--to` takes beside the formats where a tree may be drawn

_THREADS = click.IntRange(1, 4096)
_SEED = click.IntRange(0, 2**31 - 1)
_TO = "The format to write; otherwise the suffix of the output tells, or it is conllu."


def json_option(function: Function) -> Function:
    text = "Print one JSON object and nothing else."
    return click.option("--json", "as_json", is_flag=True, help=text)(function)


def lenient_option(function: Function) -> Function:
    text = "Leave out bad sentences and say how many; in plain text, replace bytes that are not UTF-8."
    return click.option("--lenient", is_flag=True, help=text)(function)


def from_option(function: Function) -> Function:
    text = "The format of the input, if the content misleads."
    return click.option("--from", "from_format", type=click.Choice(list(FORMATS)), help=text)(function)


def from_or_start_option(function: Function) -> Function:
    text = (
        "What FILE holds: semantic graphs (graph), deep trees (deep), trees (tree, the default), or words in their "
        "order (order); or, of trees, their format, if the content misleads."
    )
    return click.option("--from", "source", type=click.Choice([*FORMATS, *STARTS]), help=text)(function)


def to_option(function: Function) -> Function:
    return click.option("--to", "to_format", type=click.Choice(list(FORMATS)), help=_TO)(function)


def to_or_shallow_option(function: Function) -> Function:
    text = (
        f"{_TO} {T1}: CoNLL-U without order and forms, as the shared tasks on surface realization have it; {GRAPH}: "
        "JSON lines with a semantic graph of every word, without order, forms and tree."
    )
    return click.option("--to", "to_format", type=click.Choice([*FORMATS, T1, GRAPH]), help=text)(function)


def to_or_tree_option(function: Function) -> Function:
    text = f"{_TO} A TEXT becomes a drawing ({TREE}) by default."
    return click.option("--to", "to_format", type=click.Choice([*FORMATS, TREE]), help=text)(function)


def output_option(function: Function) -> Function:
    text = "Where to write; .gz and .xz compress."
    return click.option("-o", "--output", default="-", show_default=True, help=text)(function)


def model_output_option(function: Function) -> Function:
    text = f"What to write: one file, if it ends in {SUFFIX}, or a folder."
    return click.option("-o", "--output", required=True, metavar="MODEL", help=text)(function)


def model_option(function: Function) -> Function:
    text = "A model: a file or folder, or a name (plait models list)."
    return click.option("-m", "--model", default=DEFAULT, show_default=True, help=text)(function)


def threads_option(text: str, *, all_cores: bool = False) -> Callable[[Function], Function]:
    """How many work side by side, which never changes what is found; the text says at what."""
    default = (os.cpu_count() or 1) if all_cores else 1
    shown = "all cores" if all_cores else True
    return click.option("--threads", type=_THREADS, default=default, show_default=shown, help=text)


def seed_option(text: str, default: int | None = None) -> Callable[[Function], Function]:
    return click.option("--seed", type=_SEED, default=default, show_default=True, help=text)


def as_text_option(function: Function) -> Function:
    text = "The arguments are texts, whatever they look like."
    return click.option("--text", "as_text", is_flag=True, help=text)(function)


def lines_option(function: Function) -> Function:
    return click.option("--lines", is_flag=True, help="Every line of the text is one sentence.")(function)


def ranges_option(function: Function) -> Function:
    text = "Write to MISC where in the text every token stands (TokenRange)."
    return click.option("--ranges", is_flag=True, help=text)(function)


def text_options(function: Function) -> Function:
    """What a user may know of a text."""
    text = "Every line of the text is one sentence, its words separated by spaces."
    return click.option("--tokenized", is_flag=True, help=text)(lines_option(ranges_option(function)))
