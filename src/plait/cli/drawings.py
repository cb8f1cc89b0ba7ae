"""Drawings in the terminal and as files, for the verbs that draw."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from plait.cli.streams import can_print
from plait.drawing.saving import Picture
from plait.drawing.strands import UNICODE
from plait.errors import printable


def print_drawing(drawing: Picture, *, heading: Iterable[str] = (), in_ascii: bool = False) -> None:
    """Print a drawing as the terminal can show it: in ASCII where it has no lines, with ? for other characters."""
    in_ascii = in_ascii or not can_print(UNICODE.characters)
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    encoding = sys.stdout.encoding or "utf-8"
    lines = "\n".join([*heading, drawing.text(colour=colour, ascii=in_ascii)])
    click.echo(lines.encode(encoding, "replace").decode(encoding))


def save_numbered(drawings: Iterable[tuple[int, Picture]], path: Path) -> None:
    """Save every picture under the name with its number in it, and say what it shows."""
    for number, drawing in drawings:
        save(drawing, path.with_stem(f"{path.stem}-{number}"))


def save_all(drawings: Iterator[Picture], path: Path) -> None:
    """Save pictures: one under the name itself, several under numbered ones."""
    first, second = next(drawings, None), next(drawings, None)
    if first is None:
        return
    if second is None:
        save(first, path)
    else:
        save_numbered(enumerate([first, second], 1), path)
        save_numbered(enumerate(drawings, 3), path)


def save(drawing: Picture, path: Path) -> None:
    drawing.save(path)
    click.echo(f"{printable(str(path))}: {drawing.summary}")
