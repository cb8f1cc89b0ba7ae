"""What papers report beside the shared task's metrics. Labels are whole here, subtypes included.

- `las_full`: right head and whole label.
- `tlas`: tag, head and label right (Bohnet and Nivre 2012, section 3.1), the tag being UPOS.
- `pmlas`: tag, all features, head and label right; Ballesteros and Bohnet 2014, section 4.3, name
  its parts, and that all must be right for a word is our reading.
- exact match: sentences whose whole tree is right (Nivre 2009, Table 1).
- non-projective arcs: precision over those of the system, recall over those of the gold file (Nivre,
  Kuhlmann and Hall 2009, Table 2).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import compress

import numpy as np

from plait.evaluation.conll18 import Comparison, Metric, Verdicts, universal_label
from plait.evaluation.document import ROOT, Bools, Ints

ARC_LENGTHS = ((1, 1), (2, 2), (3, 6), (7, 10), (11, None))
SENTENCE_LENGTHS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 50), (51, None))


@dataclass(frozen=True, slots=True)
class ArcScore:
    """How well arcs of some kind are found, where gold and system may disagree on which arcs are of it.

    Precision: of the `system` arcs of this kind, those that are right. Recall: of the `gold` ones, those the
    system has. An arc may be of the kind in one tree only, so there is a count of right arcs for each side.
    """

    gold: int
    system: int
    gold_found: int
    system_right: int

    @property
    def precision(self) -> float:
        return 100 * (self.system_right / self.system) if self.system else 0.0

    @property
    def recall(self) -> float:
        return 100 * (self.gold_found / self.gold) if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class LengthScore:
    """The sentences of some length: shares of their gold words, and of the sentences, that are right."""

    sentences: int
    words: int
    uas: float
    las: float
    exact: float


def paper_verdicts(pair: Comparison, *, punctuation: bool = True) -> dict[str, Verdicts]:
    """The scores over words that are not among those of the shared task."""
    las = pair.heads & pair.full_labels
    rights = {"las_full": las, "tlas": las & pair.upos, "pmlas": las & pair.upos & pair.all_feats}
    return {name: pair.verdicts(right, punctuation=punctuation) for name, right in rights.items()}


def exact_match(pair: Comparison, right: Bools, *, punctuation: bool = True) -> float:
    """The percentage of gold sentences that the system delimits alike and in which every word is right."""
    return _percent(exact_sentences(pair, right, punctuation=punctuation))


def exact_sentences(pair: Comparison, right: Bools, *, punctuation: bool = True) -> Bools:
    """Which gold sentences are wholly right: no gold word wrong or missing, no system word too many."""
    verdicts = pair.verdicts(right, punctuation=punctuation)
    count = len(pair.gold.sentences)
    wrong = np.bincount(pair.gold.sentence_numbers[verdicts.gold & ~right], minlength=count)
    unpartnered = verdicts.system & (pair.partner[:ROOT] < 0)
    surplus = np.bincount(pair.alignment.home[unpartnered], minlength=count)
    faultless: Bools = (wrong + surplus) == 0
    return pair.alignment.same_sentences & faultless


def nonprojective(pair: Comparison, *, labeled: bool = True, punctuation: bool = True) -> ArcScore:
    right = pair.heads & pair.full_labels if labeled else pair.heads
    return _arc_score(
        pair, right, pair.gold.nonprojective, pair.system.nonprojective, punctuation=punctuation
    )


def nonprojective_in_both(pair: Comparison, *, punctuation: bool = True) -> Metric:
    """Arcs right in head and label that are non-projective in both trees.

    Stricter than `nonprojective`: a right arc may be non-projective in the system's tree only because a wrong
    one cuts through it.
    """
    verdicts = pair.verdicts(pair.heads & pair.full_labels, punctuation=punctuation)
    gold, system = pair.gold.nonprojective & verdicts.gold, pair.system.nonprojective & verdicts.system
    both = verdicts.right & gold & pair.at_partner(system)
    return Metric(int(both.sum()), int(gold.sum()), int(system.sum()))


def by_label(pair: Comparison, *, full_labels: bool = False, punctuation: bool = True) -> dict[str, Metric]:
    """Per label, its arcs with the right head and label; most frequent in the gold file first."""
    right = pair.heads & (pair.full_labels if full_labels else pair.labels)
    counted = pair.verdicts(right, punctuation=punctuation)
    gold, system = (
        document.column("deprels") if full_labels else list(map(universal_label, document.column("deprels")))
        for document in (pair.gold, pair.system)
    )
    correct, wanted, given, aligned = (
        Counter(compress(labels, which.tolist()))
        for labels, which in (
            (gold, counted.right),
            (gold, counted.gold),
            (system, counted.system),
            (gold, counted.aligned),
        )
    )
    labels = sorted(wanted | given, key=lambda label: (-wanted[label], label))
    return {label: Metric(correct[label], wanted[label], given[label], aligned[label]) for label in labels}


def by_arc_length(
    pair: Comparison, *, full_labels: bool = False, punctuation: bool = True
) -> dict[str, ArcScore]:
    """Per distance between head and dependent in words (McDonald and Nivre 2007); roots apart."""
    right = pair.heads & (pair.full_labels if full_labels else pair.labels)
    gold, system = pair.gold.arc_lengths, pair.system.arc_lengths
    bins = {"root": (0, 0)} | {_bin_name(low, high): (low, high) for low, high in ARC_LENGTHS}
    return {
        name: _arc_score(
            pair, right, _within(gold, *limits), _within(system, *limits), punctuation=punctuation
        )
        for name, limits in bins.items()
    }


def by_sentence_length(
    pair: Comparison, *, full_labels: bool = False, punctuation: bool = True
) -> dict[str, LengthScore]:
    """Per number of words in the gold sentence; lengths without a sentence are left out."""
    las = pair.heads & (pair.full_labels if full_labels else pair.labels)
    exact = exact_sentences(pair, las, punctuation=punctuation)
    counted = pair.verdicts(las, punctuation=punctuation).gold
    table = {}
    for low, high in SENTENCE_LENGTHS:
        sentences = _within(pair.gold.sizes, low, high)
        if sentences.any():
            words = counted & sentences[pair.gold.sentence_numbers]
            table[_bin_name(low, high)] = LengthScore(
                sentences=int(sentences.sum()),
                words=int(words.sum()),
                uas=_percent(pair.heads[words]),
                las=_percent(las[words]),
                exact=_percent(exact[sentences]),
            )
    return table


def _arc_score(
    pair: Comparison, right: Bools, gold_kind: Bools, system_kind: Bools, *, punctuation: bool
) -> ArcScore:
    verdicts = pair.verdicts(right, punctuation=punctuation)
    gold_arcs = gold_kind & verdicts.gold
    return ArcScore(
        gold=int(gold_arcs.sum()),
        system=int((system_kind & verdicts.system).sum()),
        gold_found=int((gold_arcs & right).sum()),
        system_right=int((pair.at_partner(system_kind) & verdicts.right).sum()),
    )


def _within(values: Ints, low: int, high: int | None) -> Bools:
    return (values >= low) if high is None else (values >= low) & (values <= high)


def _bin_name(low: int, high: int | None) -> str:
    if high is None:
        return f"{low}+"
    return str(low) if low == high else f"{low}-{high}"


def _percent(right: Bools) -> float:
    return 100 * (int(right.sum()) / len(right)) if len(right) else 0.0
