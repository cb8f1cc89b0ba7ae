"""Scores of chosen attributes (Gatt and Belz 2008): sets of pairs, each a name and a value, against those of people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import asdict, dataclass
from typing import TypeVar

Item = TypeVar("Item")
Pairs = Set[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class AttributeScores:
    """Means over trials, from 0 to 1. `unique` is the share of sets that hold for the target alone, `minimal` the share
    of sets than which no smaller one does; `length` the mean number of attributes.
    """

    trials: int
    dice: float
    masi: float
    accuracy: float
    unique: float
    minimal: float
    length: float

    def as_dict(self) -> dict[str, float]:
        return asdict(self)


def dice(one: Set[Item], other: Set[Item]) -> float:
    """Twice what is common over what there is in both."""
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 1.0


def masi(one: Set[Item], other: Set[Item]) -> float:
    """Jaccard's share, weighed: whole for equal sets, two thirds where one holds the other, else one third."""
    common = len(one & other)
    if not common:
        return float(one == other)
    weight = 1.0 if one == other else 2 / 3 if one <= other or other <= one else 1 / 3
    return weight * common / len(one | other)


def score_attributes(
    pairs: Iterable[tuple[Pairs, Pairs]], unique: Sequence[bool], minimal: Sequence[bool]
) -> AttributeScores:
    """Of pairs of gold and chosen sets, and of every chosen one whether it is unique and minimal."""
    found = list(pairs)
    count = len(found)

    def mean(values: Iterable[float]) -> float:
        return sum(values) / count if count else 0.0

    return AttributeScores(
        trials=count,
        dice=mean(dice(gold, chosen) for gold, chosen in found),
        masi=mean(masi(gold, chosen) for gold, chosen in found),
        accuracy=mean(gold == chosen for gold, chosen in found),
        unique=mean(unique),
        minimal=mean(minimal),
        length=mean(len(chosen) for _, chosen in found),
    )
