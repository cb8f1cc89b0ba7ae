"""`plait evaluate --aspects`: the scores of SemEval-2014 task 4."""

from __future__ import annotations

from plait.cli.common import print_json, print_table
from plait.evaluation.aspects import score_aspects
from plait.formats.semeval import read_reviews


def evaluate_aspects(gold: str, system: str, *, as_json: bool) -> None:
    scores = score_aspects(read_reviews(gold), read_reviews(system))
    told = scores.as_dict()
    if as_json:
        print_json(told)
        return
    rates = ("precision", "recall", "f1")
    rows = [[name, *(f"{told[f'{name}_{rate}']:.2f}" for rate in rates)] for name in ("terms", "categories")]
    print_table(("found", "precision", "recall", "F1"), rows)
    print_table(
        ("right polarity", "gold", "accuracy"),
        [
            ["terms", f"{scores.terms:,}", f"{scores.term_polarity:.2f}"],
            ["categories", f"{scores.categories:,}", f"{scores.category_polarity:.2f}"],
        ],
        note="Exact spans. Accuracy is over all gold terms and categories: `plait aspects --given-terms` has them all.",
    )
