"""Draws the ways of data through the house, for docs/architecture.md: python docs/ways.py [FOLDER]

A way is a table: rooms from top to bottom, steps from left to right, each in its room, and arrows between them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

WIDTH, HEIGHT = 138, 66  # of a box
STEP, LANE = 162, 88  # from box to box
LEFT, TOP = 122, 14
INK, SOFT, PAPER, STRIPE, BOX = "#1e293b", "#64748b", "#ffffff", "#f1f5f9", "#ffffff"
DARK = {INK: "#f1f5f9", SOFT: "#94a3b8", PAPER: "#0f172a", STRIPE: "#1e293b", BOX: "#0f172a"}


@dataclass(frozen=True)
class Step:
    """A box: in which column and room, which file, what happens there (lines)."""

    column: int
    room: str
    file: str
    what: str


@dataclass(frozen=True)
class Way:
    title: str
    rooms: tuple[str, ...]
    steps: tuple[Step, ...]
    also: tuple[tuple[int, int, str], ...] = ()  # arrows that go back or branch off: from, to, why
    instead: tuple[tuple[int, int], ...] = ()  # arrows between neighbours that are not there


WAYS = {
    "parse": Way(
        "plait parse: from files and texts to trees",
        ("cli", "drawing", "pipeline", "components", "learning", "features", "formats", "core"),
        (
            Step(0, "cli", "parse, source", "which texts and\nfiles are meant"),
            Step(1, "learning", "store", "the model: files,\nsums, all texts"),
            Step(2, "pipeline", "pipeline", "what nobody\naccepts: refused"),
            Step(3, "formats", "files, blocks", "sentences, or\npieces of text"),
            Step(4, "components", "tokenizer", "text to words;\nonly for text"),
            Step(5, "components", "tagger … vote", "one after the\nother"),
            Step(6, "learning", "flow, arcs", "sentences in\nbatches"),
            Step(7, "features", "encoding", "words to integers"),
            Step(8, "core", "search, kernel", "the best classes,\ntransitions, trees"),
            Step(9, "learning", "attachment", "arcs into the\nsentence"),
            Step(10, "formats", "conll, jsonl …", "whole sentences\nout"),
            Step(10, "drawing", "tree, terminal", "or pictures"),
        ),
        also=((9, 11, ""), (9, 5, "next component")),
        instead=((10, 11),),
    ),
    "train": Way(
        "plait train: from a treebank to a model",
        ("cli", "pipeline", "components", "learning", "features", "formats", "core"),
        (
            Step(0, "cli", "train", "options, place of\nthe model: checked"),
            Step(1, "pipeline", "recipe", "tables to plans,\nalso nested ones"),
            Step(2, "formats", "folder, files", "train and dev set"),
            Step(3, "learning", "workshop", "MODEL.checkpoint/\nemptied or resumed"),
            Step(4, "pipeline", "train", "each component\nin turn"),
            Step(5, "learning", "lessons, jackknife", "as others predict\nit, fold by fold"),
            Step(6, "components", "component", "prepare: a learner"),
            Step(7, "features", "compiler, encoding", "templates, words\nto integers"),
            Step(8, "core", "learn", "one pass over\nthe examples"),
            Step(9, "learning", "epochs", "dev score, best one,\npatience, Ctrl-C"),
            Step(10, "learning", "store, card", "beside, synced,\nrenamed"),
        ),
        also=((9, 8, "next epoch"), (9, 4, "next component")),
    ),
    "oracle": Way(
        "plait oracle: from trees to derivations",
        ("cli", "drawing", "learning", "transitions", "trees", "formats", "core"),
        (
            Step(0, "cli", "oracle", "system, oracle;\nwhat goes together"),
            Step(1, "formats", "conll …", "sentences with\ntheir trees"),
            Step(2, "trees", "measures, lifting", "is it a tree, is it\nprojective; lifted"),
            Step(3, "learning", "flow", "batches"),
            Step(4, "transitions", "table, batch", "names to codes"),
            Step(5, "core", "oracles, derive", "derivations,\ncounts of swaps"),
            Step(6, "transitions", "state, kinds", "letters, replayed\nstep by step"),
            Step(7, "cli", "oracle", "steps, letters,\ntable, JSON"),
            Step(7, "drawing", "growth", "--plot"),
        ),
        also=((6, 8, ""),),
        instead=((7, 8),),
    ),
    "server": Way(
        "A request to the server: POST /api/parse",
        ("server: loop", "server: processes", "drawing", "pipeline", "components", "core"),
        (
            Step(0, "server: loop", "connections", "headers and body\nin time, or 408"),
            Step(1, "server: loop", "security, routes", "which path, and\nwho asks"),
            Step(2, "server: loop", "work, limits", "room for one more,\nor 503; a Cancel"),
            Step(3, "server: processes", "worker", "turns of 20 ms; short\nwork has its own"),
            Step(4, "server: processes", "questions", "the JSON is read\nand checked"),
            Step(5, "server: processes", "sentences", "words counted,\na few at a time"),
            Step(6, "pipeline", "pipeline", "annotate (request\nwith the Cancel)"),
            Step(7, "components", "tokenizer … vote", "as in plait parse"),
            Step(8, "core", "search, cancel", "looks at the Cancel\nas it works"),
            Step(9, "drawing", "tree", "SVG, if asked for"),
            Step(10, "server: loop", "work, observed", "sent as it is made;\ncounted, timed"),
        ),
        also=((9, 3, "next turn"),),
    ),
}


def draw(way: Way, name: str) -> str:
    columns = 1 + max(step.column for step in way.steps)
    width, height = LEFT + columns * STEP, TOP * 2 + len(way.rooms) * LANE
    told = "; ".join(f"{step.room}: {step.file} ({step.what})" for step in way.steps).replace("\n", " ")
    dark = "".join(
        f"#{name} [fill='{light}']{{fill:{other}}}#{name} [stroke='{light}']{{stroke:{other}}}"
        for light, other in DARK.items()
    )
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" role="img" aria-labelledby="{name}-title {name}-desc" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif">',
        f'<title id="{name}-title">{escape(way.title)}</title>',
        f'<desc id="{name}-desc">{escape(told)}</desc>',
        f"<style>@media screen{{#{name}{{max-width:100%;height:auto}}}}"
        f"@media (prefers-color-scheme:dark){{{dark}}}</style>",
        f'<defs><marker id="{name}-tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="6" markerHeight="6" '
        f'orient="auto"><path d="M0 0L8 4L0 8z" fill="{SOFT}"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        *(line for row, room in enumerate(way.rooms) for line in _lane(row, room, width)),
        *(line for arrow in _arrows(way) for line in _arrow(way, *arrow, name)),
        *(line for step in way.steps for line in _box(way, step)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _lane(row: int, room: str, width: int) -> Iterator[str]:
    y = TOP + row * LANE
    if row % 2 == 0:
        yield f'<rect x="0" y="{y}" width="{width}" height="{LANE}" fill="{STRIPE}"/>'
    yield _text(12, y + LANE / 2 + 5, room, 14, INK, "start", "600")


def _arrows(way: Way) -> Iterator[tuple[int, int, str]]:
    for index in range(len(way.steps) - 1):
        if (index, index + 1) not in way.instead:
            yield index, index + 1, ""
    yield from way.also


def _place(way: Way, step: Step) -> tuple[float, float]:
    """The middle of a box."""
    return LEFT + (step.column + 0.5) * STEP - 8, TOP + (way.rooms.index(step.room) + 0.5) * LANE


def _arrow(way: Way, start: int, end: int, why: str, name: str) -> Iterator[str]:
    """To the right: from side to side, with one bend in the gap before the target. Back: below or above both."""
    (x1, y1), (x2, y2) = _place(way, way.steps[start]), _place(way, way.steps[end])
    if x2 > x1:
        bend = x2 - STEP / 2
        path = f"M{x1 + WIDTH / 2} {y1}H{bend}V{y2}H{x2 - WIDTH / 2}"
        dashes = ""
    else:
        # Out of the top or the bottom of the box, along a gap between lanes, into the other box.
        down = y2 >= y1
        way_out = y1 + (HEIGHT / 2 if down else -HEIGHT / 2)
        gap = y1 + (LANE / 2 if down else -LANE / 2)
        way_in = y2 + (HEIGHT / 2 if gap > y2 else -HEIGHT / 2)
        shift = 16  # beside the arrows that come from the left
        path = f"M{x1 + shift} {way_out}V{gap}H{x2 + shift}V{way_in}"
        dashes = ' stroke-dasharray="5 4"'
        yield _text(x1 + shift - 6, gap - 5 if gap < y1 else gap + 14, why, 12, SOFT, "end")
    yield (
        f'<path d="{path}" fill="none" stroke="{SOFT}" stroke-width="1.5"{dashes} marker-end="url(#{name}-tip)"/>'
    )


def _box(way: Way, step: Step) -> Iterator[str]:
    x, y = _place(way, step)
    yield (
        f'<rect x="{x - WIDTH / 2}" y="{y - HEIGHT / 2}" width="{WIDTH}" height="{HEIGHT}" rx="7" fill="{BOX}" '
        f'stroke="{SOFT}" stroke-width="1.2"/>'
    )
    lines: Sequence[str] = step.what.split("\n")
    first = y - 7 * len(lines) + 2
    yield _text(x, first, step.file, 12.5, INK, "middle", "600")
    for number, line in enumerate(lines, 1):
        yield _text(x, first + 15 * number + 1, line, 12, SOFT, "middle")


def _text(x: float, y: float, content: str, size: float, fill: str, anchor: str, weight: str = "400") -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{fill}" text-anchor="{anchor}">'
        f"{escape(content)}</text>"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent / "pictures")
    folder = parser.parse_args().folder
    folder.mkdir(exist_ok=True)
    for name, way in WAYS.items():
        (folder / f"way-{name}.svg").write_text(draw(way, f"way-{name}"), encoding="utf-8")
