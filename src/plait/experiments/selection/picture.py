"""The score against the number of templates, as a selection goes on."""

from __future__ import annotations

from pathlib import Path

from plait.errors import PlaitError
from plait.experiments.pictures import save_figure
from plait.experiments.selection.outcome import Outcome
from plait.experiments.selection.report import curve


def draw_selection(outcome: Outcome, path: Path) -> list[Path]:
    """As SVG and PNG beside each other; `path` has no ending."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise PlaitError("Plots need matplotlib: pip install 'plait[plot]'.") from None
    figure = Figure(figsize=(6.4, 3.8), dpi=150, layout="constrained")
    panel = figure.subplots()
    sizes, scores = zip(*curve(outcome.decisions), strict=True)
    panel.plot(sizes, scores, "-", color="#1f4e79", linewidth=1.4, marker="o", markersize=2.5)
    whole = len(outcome.lines)
    panel.axhline(outcome.whole_score, color="#c0392b", linestyle="--", linewidth=1)
    panel.annotate(
        f"all {whole}",
        (0, outcome.whole_score),
        xycoords=("axes fraction", "data"),
        xytext=(4, 3),
        textcoords="offset points",
        color="#c0392b",
        fontsize=9,
    )
    panel.set_xlabel("templates")
    panel.set_ylabel(outcome.name)
    panel.set_title(outcome.treebanks, parse_math=False, fontsize=10)
    panel.spines[["top", "right"]].set_visible(False)
    return save_figure(figure, path)
