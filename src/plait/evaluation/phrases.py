"""Scores of phrases against what people said (METRICS of TUNA and GREC): without case and punctuation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from plait.evaluation.texts import bleu_counts, bleu_of, exact_score, nist_score

_PUNCTUATION = re.compile(r"[^\w\s]")


@dataclass(frozen=True, slots=True)
class PhraseScores:
    """Means over phrases; `edit` counts words, `edit_share` is over the longer of the two, BLEU goes from 0 to 1."""

    string_accuracy: float
    edit: float
    edit_share: float
    bleu: float
    nist: float

    def as_dict(self) -> dict[str, float]:
        return asdict(self)


def plain_words(phrase: str) -> list[str]:
    """Lower case, punctuation dropped, split at blanks."""
    return _PUNCTUATION.sub("", phrase.lower()).split()


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Levenshtein's: how many words are to be inserted, deleted or replaced."""
    row = list(range(len(other) + 1))
    for number, word in enumerate(one, 1):
        before, row[0] = row[0], number
        for place, second in enumerate(other, 1):
            kept = before + (word != second)
            before, row[place] = row[place], min(kept, row[place] + 1, row[place - 1] + 1)
    return row[-1]


def score_phrases(references: Sequence[str], systems: Sequence[str]) -> PhraseScores:
    pairs = [(plain_words(one), plain_words(other)) for one, other in zip(references, systems, strict=True)]
    edits = [edit_distance(*pair) for pair in pairs]
    longest = [max(map(len, pair), default=0) for pair in pairs]
    count = max(len(pairs), 1)
    shares = (edit / most if most else 0.0 for edit, most in zip(edits, longest, strict=True))
    return PhraseScores(
        string_accuracy=exact_score(pairs),
        edit=sum(edits) / count,
        edit_share=sum(shares) / count,
        bleu=float(bleu_of(bleu_counts(pairs).sum(axis=0, keepdims=True))[0]) / 100,
        nist=nist_score(pairs),
    )
