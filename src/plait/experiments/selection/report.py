"""The result of a selection: a list of templates with what each gained, and a log."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from plait.errors import OutputError
from plait.experiments.selection.outcome import Outcome
from plait.experiments.selection.search import Decision
from plait.folders import write_file

_COLUMNS = (
    "step",
    "action",
    "list",
    "template",
    "rank",
    "gain",
    "spread",
    "shuffles",
    "score",
    "templates",
    "reason",
)


def write_lists(outcome: Outcome, path: Path) -> list[Path]:
    """One file, or where there are several lists a folder of them: kept lines in the order of the list they are from,
    each with its gain, and the others as comments.
    """
    files = outcome.lines.files
    if files == [""]:
        return [_write(path, _text(outcome, ""))]
    return [_write(path / f"{file}.txt", _text(outcome, file)) for file in files]


def write_log(outcome: Outcome, path: Path) -> Path:
    """Every decision in turn, as CSV."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for step, decision in enumerate(outcome.decisions):
        line = outcome.lines[decision.line] if decision.line >= 0 else None
        gain = decision.gain
        writer.writerow(
            [
                step,
                decision.action,
                line.file if line else "",
                line.text if line else "",
                outcome.rank(decision.line) if line else "",
                f"{gain.points:.4f}" if gain else "",
                f"{gain.spread:.4f}" if gain else "",
                gain.shuffles if gain else "",
                f"{decision.score:.4f}",
                decision.size,
                decision.reason,
            ]
        )
    return _write(path, stream.getvalue())


def _text(outcome: Outcome, file: str) -> str:
    numbers = [number for number, line in enumerate(outcome.lines.every) if line.file == file]
    kept = [number for number in numbers if number in outcome.chosen]
    width = max((len(outcome.lines[number].text) for number in kept), default=0)
    gains = ", and what it gained" if any(each.gain for each in outcome.decisions) else ""
    head = [
        f"# {len(kept)} of {len(numbers)} templates, chosen on {outcome.treebanks}: {outcome.name} "
        f"{outcome.score:.2f} on parts of the training set",
        f"# that were not learned from, {outcome.whole_score:.2f} with all. Each with its rank{gains}.",
    ]
    body = [f"{outcome.lines[number].text:{width}}  # {_comment(outcome, number)}" for number in kept]
    rest = [number for number in numbers if number not in outcome.chosen]
    tail = [f"# {outcome.lines[number].text}: {_comment(outcome, number)}" for number in rest]
    return "\n".join([*head, "", *body, *(["", "# Not chosen", *tail] if tail else [])]) + "\n"


def _comment(outcome: Outcome, number: int) -> str:
    decision = outcome.last(number)
    parts = [f"rank {outcome.rank(number)}"]
    if decision is None:
        return ", ".join([*parts, "not tried"])
    if decision.gain:
        # Of a template that was begun with, the trial was without it.
        worth = -decision.gain.points if decision.action in ("stay", "drop") else decision.gain.points
        parts.append(f"{worth + 0.0:+.2f}")
    if decision.action == "stay":
        parts.append("from the beginning")
    if decision.reason:
        parts.append(decision.reason)
    return ", ".join(parts)


def curve(decisions: Sequence[Decision]) -> list[tuple[int, float]]:
    """Number of templates and score, at the beginning and after every change, or of all that were measured."""
    measured = [(each.size, each.score) for each in decisions if each.action == "measure"]
    if measured:
        return sorted({*measured, (decisions[0].size, decisions[0].score)})
    return [(each.size, each.score) for each in decisions if each.action in ("begin", "keep", "drop")]


def _write(path: Path, text: str) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, text.encode("utf-8"))
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}.") from None
    return path
