"""`plait evaluate --deep`: the scores of deep-syntactic trees."""

from __future__ import annotations

from plait import formats
from plait.cli.common import print_json, print_table
from plait.errors import FormatError, Problem
from plait.evaluation.deep import DeepScores, score_deep
from plait.formats.deep import to_tree
from plait.formats.files import display_name
from plait.layers import DeepTree

_ROWS = {
    "nodes": "hypernodes",
    "governors (UAP, UAR)": "governors",
    "governors and relations (LAP, LAR)": "labelled",
    "relations (LA-P, LA-R)": "relations",
    "nodes without a word": "added",
    "grammemes of nodes found": "grammemes",
}


def evaluate_deep(gold: str, system: str, format: str | None, *, as_json: bool) -> None:
    scores = score_deep(*(_read(path, format) for path in (gold, system)))
    if as_json:
        print_json(scores.as_dict())
    else:
        _print(scores)


def _read(path: str, format: str | None) -> list[DeepTree]:
    """Deep trees of a file that has them, or of sentences that have them as a layer."""
    found = []
    for sentence in formats.read(path, format=format, treebank=True):
        tree = sentence.find(DeepTree)
        if tree is None:
            try:
                tree = to_tree(sentence)
            except ValueError as error:
                raise FormatError(
                    Problem(f"{error}.", display_name(path), sentence.line, sentence.sent_id)
                ) from None
        found.append(tree)
    return found


def _print(scores: DeepScores) -> None:
    rows = []
    for title, name in _ROWS.items():
        rate = getattr(scores, name)
        rows.append([title, *(f"{value:.2f}" for value in (rate.precision, rate.recall, rate.f1))])
    print_table(
        ("score", "precision", "recall", "F1"),
        rows,
        note="Nodes are matched by the word they stand for (Ballesteros et al. 2014).",
    )
