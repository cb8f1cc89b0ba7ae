"""`plait evaluate --mentions`: the scores of what was said at the mentions of texts."""

from __future__ import annotations

from plait.cli.common import print_json, print_table
from plait.errors import InputError
from plait.evaluation.mentions import score_chains, score_mentions
from plait.formats.grec import read_mentions
from plait.formats.mention_columns import is_xml, read_chains

_TITLES = {
    "type_accuracy": "type accuracy",
    "type_precision": "type precision",
    "type_recall": "type recall",
    "string_accuracy": "string accuracy",
    "edit": "mean edit distance, words",
    "normalized_edit": "mean normalized edit distance",
    **{"bleu1": "BLEU-1", "bleu2": "BLEU-2", "bleu3": "BLEU-3", "nist": "NIST"},
    "label_accuracy": "label accuracy",
}


def evaluate_mentions(gold: str, system: str, *, as_json: bool) -> None:
    """Texts in XML, or columns of chains."""
    kinds = [is_xml(path) for path in (gold, system)]
    if kinds[0] != kinds[1]:
        raise InputError("One of the files is XML, the other is not.")
    scores = (
        score_mentions(read_mentions(gold), read_mentions(system))
        if kinds[0]
        else score_chains(read_chains(gold), read_chains(system))
    ).as_dict()
    if as_json:
        print_json(scores)
        return
    rows = [[title, f"{scores[name]:.3f}"] for name, title in _TITLES.items() if name in scores]
    rows += [
        [f"  type accuracy, {name or 'other'}", f"{value:.3f}"]
        for name, value in scores.get("by_domain", {}).items()
    ]
    print_table(
        ("score", f"{scores['references']:,} mentions"), rows, note="As in the GREC tasks (2009, 2010)."
    )
