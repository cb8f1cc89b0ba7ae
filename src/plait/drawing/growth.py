"""Transitions against sentence length, as a picture (Nivre 2009, Figure 5)."""

from __future__ import annotations

from pathlib import Path

from numpy.typing import ArrayLike

from plait.errors import InputError, OutputError, PlaitError
from plait.transitions.comparison import Growth


def draw_growth(
    lengths: ArrayLike, transitions: ArrayLike, growth: Growth, path: str | Path, *, title: str = ""
) -> None:
    """Write the picture; the suffix of the path says in which format."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise PlaitError("Plots need matplotlib: pip install 'plait[plot]'.") from None
    figure = Figure(figsize=(6.4, 4.8), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    axes.scatter(lengths, transitions, s=10, color="#1f4e79", alpha=0.35, linewidths=0)
    right = max(axes.get_xlim()[1], 1.0)
    axes.plot([0, right], [0, growth.slope * right], color="#c0392b", linewidth=1.2, label=str(growth))
    axes.set_xlim(0, right)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("sentence length n (words)")
    axes.set_ylabel("transitions m")
    # Names of files and oracles are text, never mathematics.
    axes.set_title(title, parse_math=False)
    axes.legend(loc="upper left", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    try:
        figure.savefig(path)
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}.") from None
