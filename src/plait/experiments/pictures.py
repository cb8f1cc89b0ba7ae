"""The results as pictures: learning curves and swaps over the passes (2015, Figures 5 and 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

from plait.errors import OutputError, PlaitError
from plait.experiments.measures import TITLES
from plait.experiments.runner import Outcome
from plait.experiments.spec import Experiment, search_name
from plait.transitions.table import NON_PROJECTIVE

# The same oracle looks the same in every picture; static ones are dashed.
_STYLES: dict[str, tuple[str, str]] = {
    "eager": ("#b8860b", "--"),
    "lazy": ("#1f4e79", "--"),
    "minimal": ("#4f7942", "--"),
    "static": ("#1f4e79", "--"),
    "nd-swap": ("#8e44ad", "-"),
    "nd-all": ("#c0392b", "-"),
    "dynamic": ("#c0392b", "-"),
}
_COLUMNS = 3


def can_draw() -> bool:
    return find_spec("matplotlib") is not None


def draw_pictures(experiment: Experiment, outcomes: Sequence[Outcome]) -> list[Path]:
    """Write them as SVG and PNG into the output folder; the paths, in the order of the experiment."""
    paths = []
    for system, beam in product(experiment.systems, experiment.beams):
        group = [each for each in outcomes if each.cell.system == system and each.cell.options.beam == beam]
        where = f"{system}, {search_name(beam)}"
        stem = f"{system}-beam{beam}"
        paths += _draw(
            experiment,
            group,
            lambda outcome: [epoch.scores.get(experiment.metric, 0.0) for epoch in outcome.history],
            title=f"Learning curves: {where}",
            label=f"dev {TITLES[experiment.metric]}",
            path=experiment.output / f"learning-curves-{stem}",
        )
        if system in NON_PROJECTIVE:
            paths += _draw(
                experiment,
                group,
                Outcome.swaps_per_sentence,
                title=f"Swaps in the derivations learned from: {where}",
                label="swaps per sentence",
                path=experiment.output / f"swaps-{stem}",
                from_zero=True,
            )
    return paths


def _draw(
    experiment: Experiment,
    outcomes: Sequence[Outcome],
    values: Callable[[Outcome], list[float]],
    *,
    title: str,
    label: str,
    path: Path,
    from_zero: bool = False,
) -> list[Path]:
    """A panel per treebank; a line per oracle, the mean of the seeds, in a band from their lowest to highest."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator
    except ImportError:
        raise PlaitError("Plots need matplotlib: pip install 'plait[plot]'.") from None
    count = len(experiment.treebanks)
    columns = min(count, _COLUMNS)
    rows = -(-count // columns)
    figure = Figure(figsize=(max(6.4, 4.2 * columns), 3.4 * rows + 0.5), dpi=150, layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    lines: dict[str, Any] = {}
    for panel, treebank in zip(panels, experiment.treebanks, strict=False):
        for oracle in experiment.oracles:
            curves = [
                values(outcome)
                for outcome in outcomes
                if outcome.cell.treebank == treebank and outcome.cell.options.oracle == oracle
            ]
            if not curves:
                continue
            # Only as far as every seed came, so that the mean is of the same seeds everywhere.
            steps = list(zip(*curves, strict=False))
            epochs = range(1, len(steps) + 1)
            color, style = _STYLES[oracle]
            means = [sum(step) / len(step) for step in steps]
            (lines[oracle],) = panel.plot(
                epochs, means, style, color=color, linewidth=1.4, marker="o", markersize=2.5
            )
            if len(curves) > 1:
                low, high = [min(step) for step in steps], [max(step) for step in steps]
                panel.fill_between(epochs, low, high, color=color, alpha=0.15, linewidth=0)
        if from_zero:
            panel.set_ylim(bottom=0)
        panel.set_title(treebank.name, parse_math=False, fontsize=10)
        panel.set_xlabel("passes")
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
        panel.spines[["top", "right"]].set_visible(False)
    for panel in panels[count:]:
        panel.set_visible(False)
    for panel in panels[::columns]:
        panel.set_ylabel(label)
    figure.suptitle(title, parse_math=False, fontsize=11)
    figure.legend(
        list(lines.values()), list(lines), loc="outside lower center", ncols=len(lines), frameon=False
    )
    return save_figure(figure, path)


def save_figure(figure: Any, path: Path) -> list[Path]:
    """Write it as SVG and PNG; the same results give the same bytes: no date, no random names."""
    from matplotlib import rc_context

    written = [path.with_name(path.name + suffix) for suffix in (".svg", ".png")]
    for target in written:
        try:
            with rc_context({"svg.hashsalt": "plait"}):
                figure.savefig(target, metadata={"Date": None} if target.suffix == ".svg" else None)
        except OSError as error:
            raise OutputError(f"{target}: cannot be written: {error.strerror or error}.") from None
    return written
