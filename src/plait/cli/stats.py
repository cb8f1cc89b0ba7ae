"""`plait stats`: how large a treebank is and how far from projective."""

from __future__ import annotations

from functools import partial
from math import isnan

import click

from plait.cli.common import Sentences, print_json, print_table
from plait.cli.options import from_option, json_option, lenient_option
from plait.formats.files import display_name
from plait.trees.statistics import Statistics, measure

_COLUMNS = (
    *("file", "sentences", "words", "% projective", "% non-proj. arcs", "crossing pairs"),
    *("gap degree", "edge degree", "ill-nested", "longest", "labels"),
)


@click.command()
@click.argument("files", nargs=-1, required=True)
@from_option
@lenient_option
@json_option
def stats(files: tuple[str, ...], from_format: str | None, lenient: bool, as_json: bool) -> None:
    """Count the sentences and words of FILES and measure their trees."""
    sentences = Sentences(lenient=lenient, format=from_format, treebank=True)
    counts = [measure(sentences.of(path), partial(sentences.bad_tree, path)) for path in files]
    total = sum(counts, Statistics())
    names = list(map(display_name, files))
    if as_json:
        rows = [{"path": name} | each.as_dict() for name, each in zip(names, counts, strict=True)]
        print_json({"files": rows, "total": total.as_dict()})
    else:
        table = list(map(_row, names, counts))
        if len(counts) > 1:
            table.append(_row("total", total))
        print_table(
            _COLUMNS,
            table,
            note="Trees over syntactic words. An arc is non-projective when some word between head and "
            "dependent is not dominated by the head. Degrees: the highest of any sentence.",
        )
    sentences.report()


def _row(name: str, counts: Statistics) -> list[str]:
    return [
        name,
        f"{counts.sentences:,}",
        f"{counts.words:,}",
        _percent(counts.projective_share),
        _percent(counts.nonprojective_share),
        f"{counts.crossing_pairs:,}",
        str(max(counts.gap_degrees, default=0)),
        str(max(counts.edge_degrees, default=0)),
        f"{counts.ill_nested_sentences:,}",
        str(counts.longest_sentence),
        str(len(counts.labels)),
    ]


def _percent(share: float) -> str:
    return "–" if isnan(share) else f"{share:.2f}"
