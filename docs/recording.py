"""Records a minute at the terminal as an animated SVG: python docs/recording.py [FILE]

The commands run for real, in a terminal of their own, and what they print is shown, colours included.
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

SCENES = (  # each begins with an empty screen
    ("# Text in, trees with crossing arcs out.", 'plait parse "Who did you send the letter to?"'),
    (
        "# Your language: a treebank in, a parser out.",
        "plait stats treebank.conllu | head -2 | cut -c1-106",
        "plait train treebank.conllu -o my.plait --preset fast --components tokenizer,tagger,parser 2>&1 | tail -1",
        'plait parse "What did they vote for?" -m my.plait',
    ),
    (
        "# How is such a tree derived? S shift, L and R arcs, W swap.",
        'plait parse "A man came who nobody knew." --to conllu -o man.conllu',
        "plait oracle man.conllu --derivations",
        "# And back: the tree without order, put into words.",
        "plait convert man.conllu --to t1 -o bag.t1.conllu",
        "plait realize bag.t1.conllu -m en-say",
    ),
)
TREEBANK = Path(__file__).parent.parent / "tests" / "data" / "crossing-english.conllu"
COLUMNS, ROWS = 110, 20
KEY, ANSWER, READING = 0.04, 0.4, 6.0  # seconds: to type a key, until a command answers, to read a screen
CELL, LINE, EDGE, SIZE = 7.8, 18, 14, 13
FORE, BACK, PROMPT, REMARK = "#d7dce4", "#1d232e", "#8fce8f", "#8a93a3"
COLOURS = {
    "31": "#f08a6b",
    "32": "#8fce8f",
    "33": "#e8b45c",
    "34": "#8ab4f8",
    "35": "#d59af0",
    "36": "#7fd4d4",
}
_STYLE = re.compile(r"\x1b\[([0-9;]*)m")

Piece = tuple[float, int, float, str]  # since when, at which row, at which column, and what it is as SVG


def printed_by(command: str, folder: Path) -> list[str]:
    """What a command prints in a terminal, line by line."""
    shell = f'plait() {{ {shlex.quote(sys.executable)} -m plait "$@"; }}; {command}'
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": str(COLUMNS), "TERM": "xterm-256color"}
    with subprocess.Popen(
        ["bash", "-c", shell], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    ):
        os.close(theirs)
        printed = b""
        try:
            while piece := os.read(ours, 4096):
                printed += piece
        except OSError:
            pass  # a terminal ends with an error when its last writer has gone
    os.close(ours)
    text = printed.decode().replace("\r", "").rstrip("\n")
    return text.split("\n") if text else []


def coloured(line: str) -> str:
    """A line with the terminal's colours, as SVG."""
    parts, colour, bold = [], "", False
    for number, part in enumerate(_STYLE.split(line)):
        if number % 2:
            codes = part.split(";") if part else ["0"]
            bold = ("1" in codes or bold) and "0" not in codes
            colour = next(
                (COLOURS[code] for code in codes if code in COLOURS), "" if "0" in codes else colour
            )
        elif part:
            style = (f' fill="{colour}"' if colour else "") + (' font-weight="bold"' if bold else "")
            parts.append(f"<tspan{style}>{escape(part)}</tspan>" if style else escape(part))
    return "".join(parts)


def played(scene: Sequence[str], folder: Path) -> Iterator[Piece]:
    """The pieces of a scene; the last one is empty and tells when it ends."""
    time, row = 0.5, 0
    for entry in scene:
        if entry.startswith("#"):
            yield time, row, 0, f'<tspan fill="{REMARK}">{escape(entry)}</tspan>'
            time, row = time + 1, row + 1
            continue
        yield time, row, 0, f'<tspan fill="{PROMPT}">$</tspan>'
        for column in range(0, len(entry), 3):
            yield time, row, 2 + column, escape(entry[column : column + 3])
            time += 3 * KEY
        row, time = row + 1, time + ANSWER
        for line in printed_by(entry, folder):
            yield time, row, 0, coloured(line)
            row += 1
        time += 1
    if row > ROWS:
        raise SystemExit(f"{row} lines are too many for a screen: {scene[0]}")
    yield time + READING, row, 0, ""


def animated(scenes: Sequence[Sequence[Piece]]) -> str:
    """All scenes one after the other, for ever."""
    whole = sum(scene[-1][0] for scene in scenes)
    width, height = COLUMNS * CELL + 2 * EDGE, ROWS * LINE + 2 * EDGE
    rules, shown, start, names = [], [], 0.0, 0
    for scene in scenes:
        end = start + scene[-1][0]
        for time, row, column, content in scene[:-1]:
            names += 1
            first, last = 100 * (start + time) / whole, 100 * end / whole
            rules.append(
                f"@keyframes t{names}{{0%,{first:.3f}%{{opacity:0}}"
                f"{first + 0.001:.3f}%,{last - 0.001:.3f}%{{opacity:1}}"
                f"{last:.3f}%,100%{{opacity:0}}}}#t{names}{{animation:t{names} {whole:.1f}s infinite}}"
            )
            x, y = EDGE + column * CELL, EDGE + (row + 0.8) * LINE
            shown.append(f'<text id="t{names}" x="{x:.1f}" y="{y:.1f}" xml:space="preserve">{content}</text>')
        start = end
    font = f"{SIZE}px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img">'
        "<title>Plait at the terminal</title>"
        f"<style>text{{font:{font};fill:{FORE}}}{''.join(rules)}</style>"
        f'<rect width="100%" height="100%" rx="8" fill="{BACK}"/>{"".join(shown)}</svg>\n'
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "file", nargs="?", type=Path, default=Path(__file__).parent / "pictures" / "terminal.svg"
    )
    target = parser.parse_args().file
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(TREEBANK, Path(folder, "treebank.conllu"))
        target.write_text(animated([list(played(scene, Path(folder))) for scene in SCENES]), encoding="utf-8")
