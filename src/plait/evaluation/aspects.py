"""Scores of SemEval-2014 task 4 (Pontiki et al. 2014, section 4): its four subtasks."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TypeVar

from plait.errors import InputError, excerpt
from plait.formats.semeval import Review

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class AspectScores:
    """In percent. Terms and categories: over distinct exact spans and over names, all sentences together. Polarities:
    the share of gold terms and categories that have the right one; those that the system does not have do not.
    """

    terms_precision: float
    terms_recall: float
    terms_f1: float
    categories_precision: float
    categories_recall: float
    categories_f1: float
    term_polarity: float
    category_polarity: float
    terms: int
    categories: int

    def as_dict(self) -> dict[str, float]:
        return asdict(self)


def score_aspects(gold: Sequence[Review], system: Sequence[Review]) -> AspectScores:
    """Sentences are matched by id; InputError unless both have the same ones."""
    found = {each.id: each for each in system}
    for one, other, name in ((gold, found, "system"), (system, {each.id for each in gold}, "gold")):
        for each in one:
            if each.id not in other:
                raise InputError(f"Sentence {excerpt(each.id)} is missing in the {name} file.")
    terms, others = (
        {(r.id, s.start, s.end): s.polarity for r in rs for s in r.terms} for rs in (gold, system)
    )
    names, found_names = (
        {(r.id, c.name): c.polarity for r in rs for c in r.categories} for rs in (gold, system)
    )
    return AspectScores(
        *_rates(terms, others),
        *_rates(names, found_names),
        _share(terms, others),
        _share(names, found_names),
        len(terms),
        len(names),
    )


def _rates(gold: Mapping[Key, str], system: Mapping[Key, str]) -> tuple[float, float, float]:
    right = len(gold.keys() & system.keys())
    total = len(gold) + len(system)
    return (
        100 * right / len(system) if system else 0.0,
        100 * right / len(gold) if gold else 0.0,
        200 * right / total if total else 0.0,
    )


def _share(gold: Mapping[Key, str], system: Mapping[Key, str]) -> float:
    right = sum(system.get(key) == polarity for key, polarity in gold.items())
    return 100 * right / len(gold) if gold else 0.0
