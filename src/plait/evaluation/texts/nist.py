"""NIST (Doddington 2002): n-grams in common weigh as much as they tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp, log, log2

from plait.evaluation.texts.order import Pair

_LONGEST = 5
_BETA = (
    log(0.5) / log(1.5) ** 2
)  # the penalty is 0.5 where the system has two words for three of the reference


def nist_score(pairs: Iterable[Pair]) -> float:
    """The information of an n-gram is log2 of how often its first n - 1 words are in the references, over how often all
    of it is; of a word alone, of how many words there are.
    """
    found = list(pairs)
    counts: Counter[tuple[str, ...]] = Counter()
    for reference, _ in found:
        for size in range(1, _LONGEST + 1):
            counts.update(ngrams(reference, size))
    words = sum(len(reference) for reference, _ in found)
    length = sum(len(system) for _, system in found)
    if not words or not length:
        return 0.0
    total = 0.0
    for size in range(1, _LONGEST + 1):
        gained, there = 0.0, 0
        for reference, system in found:
            own = Counter(ngrams(system, size))
            there += own.total()
            for gram, count in (own & Counter(ngrams(reference, size))).items():
                above = counts[gram[:-1]] if size > 1 else words
                gained += count * log2(above / counts[gram])
        total += gained / there if there else 0.0
    return total * exp(_BETA * log(min(length / words, 1.0)) ** 2)


def ngrams(tokens: Sequence[str], size: int) -> Iterable[tuple[str, ...]]:
    return zip(*(tokens[start:] for start in range(size)), strict=False)
