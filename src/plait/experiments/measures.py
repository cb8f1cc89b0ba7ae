"""The columns of an experiment's tables: what a parser has right, as papers count it.

`las` has labels without subtypes, as in CoNLL 2018; all else wants whole labels. Names that end in `_no_punct` do not
count words with gold UPOS PUNCT. `crossing_…` is about non-projective arcs (see `plait.evaluation.breakdowns`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plait.evaluation import evaluate
from plait.evaluation.scores import Scores
from plait.sentence import Sentence
from plait.trees import tree_of

Counts = NDArray[np.int64]

NO_PUNCT = "_no_punct"
_TITLES = {
    "las": "LAS",
    "las_full": "LAS, whole labels",
    "uas": "UAS",
    "exact_labeled": "exact match, labelled",
    "exact_unlabeled": "exact match, unlabelled",
    "crossing_precision": "crossing P",
    "crossing_recall": "crossing R",
    "crossing_f1": "crossing F1",
}
TITLES = _TITLES | {name + NO_PUNCT: f"{title}, no punctuation" for name, title in _TITLES.items()}
COLUMNS = tuple(TITLES)
# Those that an epoch can be chosen by, and rows be compared by: sums over sentences.
METRICS = tuple(name for name in COLUMNS if not name.startswith("crossing"))


def convention(metric: str) -> str:
    """What is counted, in words."""
    name = metric.removesuffix(NO_PUNCT)
    labels = {
        "las": "LAS as in CoNLL 2018: labels without subtypes",
        "las_full": "LAS with whole labels",
        "uas": "UAS",
        "exact_labeled": "Sentences with every head and whole label right",
        "exact_unlabeled": "Sentences with every head right",
    }[name]
    ignored = metric.endswith(NO_PUNCT)
    return f"{labels}, {'words with gold UPOS PUNCT not counted' if ignored else 'punctuation counted'}"


def measure(gold: Sequence[Sentence], parsed: Sequence[Sentence]) -> dict[str, float]:
    """All columns, in percent."""
    scores = evaluate(gold, parsed)
    columns = _columns(scores)
    return columns | {
        name + NO_PUNCT: value for name, value in _columns(scores.without_punctuation()).items()
    }


def _columns(scores: Scores) -> dict[str, float]:
    crossing = scores.nonprojective
    return {
        "las": scores.las,
        "las_full": scores.las_full,
        "uas": scores.uas,
        "exact_labeled": scores.exact_labeled,
        "exact_unlabeled": scores.exact_unlabeled,
        "crossing_precision": crossing.precision,
        "crossing_recall": crossing.recall,
        "crossing_f1": crossing.f1,
    }


def by_sentence(gold: Sequence[Sentence], parsed: Sequence[Sentence], metric: str) -> Counts:
    """A row per sentence with the same words: how much of it is right by one of `METRICS`, and how much there is."""
    name = metric.removesuffix(NO_PUNCT)
    rows = []
    for given, found in zip(gold, parsed, strict=True):
        words = zip(tree_of(given), tree_of(found), given.deprels, found.deprels, given.upos, strict=True)
        rights = [
            head == ours and (name in ("uas", "exact_unlabeled") or _is_same(label, own, name == "las"))
            for head, ours, label, own, tag in words
            if not (metric.endswith(NO_PUNCT) and tag == "PUNCT")
        ]
        rows.append((all(rights), 1) if name.startswith("exact") else (sum(rights), len(rights)))
    return np.array(rows, np.int64).reshape(-1, 2)


def _is_same(wanted: str, found: str, without_subtype: bool) -> bool:
    return wanted == found or (without_subtype and wanted.split(":")[0] == found.split(":")[0])
