"""What `parsing.py` measured, as a Markdown table and a picture."""

from __future__ import annotations

import json
from math import log10
from pathlib import Path
from typing import Any

from parsing_candidates import sees, split

_COLUMNS = (
    *("parser", "reads", "LAS", "UAS", "words/s", "core only", "file to file", "training", "passes"),
    *("memory: training", "parsing", "model"),
)
_NAMES = {"plait": "Plait", "udpipe": "UDPipe", "spacy": "spaCy"}
_COLORS = {"plait": "#c0392b", "udpipe": "#1f4e79", "spacy": "#4f7942"}
_NEAR = 0.06  # of a picture's height; and as many decades of speed times four
_NOTE = (
    "Dev set; CoNLL-18 LAS and UAS (labels without subtypes, punctuation counted), gold words and sentences. "
    "words/s: sentences in memory, the library's own objects in and out; core only: integers in and out; file to "
    "file: CoNLL-U read and written; models loaded before, best of three after a warm-up. Training: CPU seconds; "
    "memory: peak of the process."
)


def report(folder: Path) -> None:
    """Print the table of all candidates whose results are in the folder; write it and the picture there."""
    rows = [json.loads(path.read_text()) for path in folder.glob("*.json")]
    rows.sort(
        key=lambda row: (
            list(_COLORS).index(row["candidate"].split("-")[0]),
            split(row["candidate"])[2],
            row["candidate"],
        )
    )
    if not rows:
        print("Nothing was measured.")
        return
    table = make_table(folder.name, rows)
    (folder / "table.md").write_text(table, encoding="utf-8")
    print(table)
    draw(folder, rows)


def make_table(title: str, rows: list[dict[str, Any]]) -> str:
    lines = ["| " + " | ".join(_COLUMNS) + " |", "|---|---|" + "---:|" * (len(_COLUMNS) - 2)]
    lines += ["| " + " | ".join(_cells(row)) + " |" for row in rows]
    versions = sorted({f"{_NAMES[row['candidate'].split('-')[0]]} {row['version']}" for row in rows})
    threads = [f"{row['candidate']}: {row['threads']} threads" for row in rows if row["threads"] > 1]
    note = f"{_NOTE} {', '.join(versions)}; one thread{' but for ' + ', '.join(threads) if threads else ''}."
    return f"### {title}\n\n" + "\n".join(lines) + f"\n\n{note}\n"


def _cells(row: dict[str, Any]) -> list[str]:
    training = row["training"]
    return [
        display_name(row["candidate"]),
        sees(row["candidate"]),
        f"{row['las']:.2f}",
        f"{row['uas']:.2f}",
        *(_speed(row, which) for which in ("memory", "core", "file")),
        f"{training['cpu_seconds']:,.0f} s",
        str(training["epochs"]),
        f"{training['memory_mb']:,.0f} MB",
        f"{row['memory_mb']:,.0f} MB",
        f"{training['model_mb']:.1f} MB",
    ]


def display_name(candidate: str) -> str:
    package, _, search = candidate.partition("-")
    return f"{_NAMES[package]}, {search.replace('beam', 'beam ')}"


def _speed(row: dict[str, Any], which: str) -> str:
    seconds = row.get(f"{which}_seconds")
    if not seconds:
        return "–"
    two_digits = float(f"{row['words'] / seconds:.2g}")  # what a machine repeats
    return f"{two_digits:,.0f}"


def draw(folder: Path, rows: list[dict[str, Any]]) -> None:
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import LogLocator, NullFormatter
    except ImportError:
        print("No picture: matplotlib is not installed.")
        return
    figure = Figure(figsize=(6.4, 4.2), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    height = max(row["las"] for row in rows) - min(row["las"] for row in rows)
    placed: list[tuple[float, float]] = []
    for row in rows:
        speed, las = row["words"] / row["memory_seconds"], row["las"]
        color = _COLORS[row["candidate"].split("-")[0]]
        axes.scatter(speed, las, s=36, color=color, zorder=2)
        # A second label at about the same place goes below its point.
        below = any(
            abs(log10(speed / other)) < 4 * _NEAR and abs(las - score) <= _NEAR * height
            for other, score in placed
        )
        placed.append((speed, las))
        axes.annotate(
            display_name(row["candidate"]),
            (speed, las),
            xytext=(0, -15 if below else 7),
            textcoords="offset points",
            ha="center",
            color=color,
            fontsize=9,
        )
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.margins(x=0.18, y=0.15)
    axes.set_xlabel("words per second, one thread, sentences in memory (log scale)")
    axes.set_ylabel("LAS (CoNLL-18, dev set)")
    axes.set_title(folder.name, parse_math=False)
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    for suffix in ("svg", "png"):
        figure.savefig(folder / f"picture.{suffix}")
