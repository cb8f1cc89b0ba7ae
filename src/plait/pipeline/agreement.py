"""Sentences on which parsers agree (Pekar, Yu, El-karef and Bohnet 2014, section on co-training).

Parsers that differ make different mistakes. Where all of them find the same tree it is most often right, so it can be
learned from like one of a treebank. In co-training the learner is one of those that agree, in tri-training it is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from plait.sentence import Sentence

LEAST = 7  # words: short sentences are those that all get right, and nothing is learned from them (Table 12)
MOST = 20_000  # sentences; more do not help (Table 13)


def agreed(
    parses: Iterable[Iterable[Sentence]], *, least: int = LEAST, most: int | None = MOST
) -> Iterator[Sentence]:
    """Of the same sentences as several parsers found them, those with `least` words on which all agree in every head
    and label, in their order, at most so many; as the first parser has them.
    """
    same = (rivals[0] for rivals in zip(*parses, strict=True) if len(rivals[0]) >= least and _agree(rivals))
    return islice(same, most)


def _agree(rivals: tuple[Sentence, ...]) -> bool:
    first = rivals[0]
    return all(other.heads == first.heads and other.deprels == first.deprels for other in rivals[1:])
