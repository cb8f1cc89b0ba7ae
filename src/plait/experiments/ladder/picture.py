"""The ladder as a picture: how accurate, against how fast."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from plait.errors import PlaitError
from plait.experiments.ladder.report import Standing
from plait.experiments.ladder.spec import Ladder
from plait.experiments.pictures import save_figure

_COLOR, _BEST = "#1f4e79", "#c0392b"


def draw_ladder(ladder: Ladder, standings: Sequence[Standing]) -> list[Path]:
    """A panel per kind of tags, a point per row; those that no other row beats in both are joined."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
    except ImportError:
        raise PlaitError("Plots need matplotlib: pip install 'plait[plot]'.") from None
    figure = Figure(figsize=(6.4 * len(ladder.tags), 4.6), dpi=150, layout="constrained")
    panels = figure.subplots(1, len(ladder.tags), squeeze=False)[0]
    for panel, tags in zip(panels, ladder.tags, strict=True):
        here = [each for each in standings if each.tags == tags and len(each.scores) == len(ladder.treebanks)]
        best = sorted((each for each in here if _is_unbeaten(each, here)), key=_speed)
        panel.plot(
            [each.words_per_second for each in best],
            [each.mean for each in best],
            color=_BEST,
            linewidth=1,
            alpha=0.5,
        )
        for each in here:
            color = _BEST if each in best else _COLOR
            panel.plot(each.words_per_second, each.mean, "o", color=color, markersize=5)
            panel.annotate(
                each.row.name,
                (each.words_per_second, each.mean),
                xytext=(6, 4),
                textcoords="offset points",
                fontsize=8,
                parse_math=False,
            )
        panel.set_xscale("log")
        panel.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        panel.xaxis.set_minor_formatter(NullFormatter())
        panel.margins(x=0.2, y=0.12)
        panel.set_title(f"{tags} tags", fontsize=10)
        panel.set_xlabel("words per second, one thread")
        panel.set_ylabel("mean dev LAS (CoNLL 2018)")
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(alpha=0.2)
    count = len(ladder.treebanks)
    figure.suptitle(f"Accuracy and speed: {count} treebank{'s' if count > 1 else ''}", fontsize=11)
    return save_figure(figure, ladder.output / "ladder")


def _speed(standing: Standing) -> float:
    return standing.words_per_second


def _is_unbeaten(standing: Standing, others: Sequence[Standing]) -> bool:
    return not any(
        other.mean > standing.mean and other.words_per_second > standing.words_per_second for other in others
    )
