"""Where two trees over the same words differ."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from plait.errors import InputError, excerpt
from plait.sentence import Sentence


class Verdict(Enum):
    """What a system made of a word."""

    SAME = "same"
    OTHER_LABEL = "other label"
    OTHER_HEAD = "other head"


@dataclass(frozen=True, slots=True)
class Difference:
    """A verdict for every word, and how many words with a gold head have it, and its label, right."""

    verdicts: list[Verdict]
    words: int
    heads_right: int
    labels_right: int

    def count(self, verdict: Verdict) -> int:
        return self.verdicts.count(verdict)

    @property
    def scores(self) -> str:
        """Attachment scores of the sentence. Punctuation counts, and labels must be wholly right."""
        if not self.words:
            return "no gold heads"
        uas, las = 100 * self.heads_right / self.words, 100 * self.labels_right / self.words
        return f"UAS {uas:.1f}, LAS {las:.1f}"


def difference(gold: Sentence, system: Sentence) -> Difference:
    _require_same_words(gold, system)
    verdicts = []
    words = heads_right = labels_right = 0
    for one, other in zip(gold, system, strict=True):
        if one.head != other.head:
            verdict = Verdict.OTHER_HEAD
        elif one.deprel != other.deprel:
            verdict = Verdict.OTHER_LABEL
        else:
            verdict = Verdict.SAME
        verdicts.append(verdict)
        if one.head is not None:
            words += 1
            heads_right += verdict is not Verdict.OTHER_HEAD
            labels_right += verdict is Verdict.SAME
    return Difference(verdicts, words, heads_right, labels_right)


def _require_same_words(gold: Sentence, system: Sentence) -> None:
    for number, (one, other) in enumerate(zip(gold.forms, system.forms, strict=False), 1):
        if one != other:
            raise InputError(
                f"word {number} is {excerpt(one)} in the gold sentence and {excerpt(other)} in the system's; "
                "trees over different words cannot be compared."
            )
    if len(gold) != len(system):
        raise InputError(
            f"the gold sentence has {len(gold)} words and the system's {len(system)}; "
            "trees over different words cannot be compared."
        )
