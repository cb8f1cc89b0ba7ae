"""Which tags and features are taken for which others (Bohnet and Nivre 2012, Tables 5 and 6)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from plait.evaluation.conll18 import Comparison, Metric
from plait.sentence import EMPTY, parse_pairs


@dataclass(frozen=True, slots=True)
class TagScore(Metric):
    """The words with a tag. `taken_for` tells what the system calls those of the gold file that it has wrong, the most
    frequent first; `_` is no value.
    """

    taken_for: Mapping[str, int] = field(default_factory=dict)

    @property
    def wrong(self) -> int:
        return sum(self.taken_for.values())


MOST_SHOWN = 4  # of what a tag is taken for, in tables; JSON has all

# By the name of a feature, or for a tag by nothing: what a word has.
_Values = Mapping[str, str]


def _tag(cell: str) -> _Values:
    return {"": cell}


def _features(cell: str) -> _Values:
    return {name: f"{name}={value}" for name, value in parse_pairs(cell).items()}


# By the name of a table, the column and what it holds.
TABLES: Mapping[str, tuple[str, Callable[[str], _Values]]] = {
    "upos": ("upos", _tag),
    "xpos": ("xpos", _tag),
    "feature": ("feats", _features),
}


def by_tag(pair: Comparison, table: str, *, punctuation: bool = True) -> dict[str, TagScore]:
    """Per tag of one of the `TABLES`, the most frequent of the gold file first. A feature is taken for another value of
    it. Gold words without a partner are missed, but taken for nothing.
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("gold", "system", "aligned", "correct")}
    taken_for: dict[str, Counter[str]] = defaultdict(Counter)
    for gold, system, aligned in _words(pair, table, punctuation):
        counts["gold"].update(gold.values())
        counts["system"].update(system.values())
        if not aligned:
            continue
        counts["aligned"].update(gold.values())
        for name, tag in gold.items():
            found = system.get(name, EMPTY)
            if found == tag:
                counts["correct"][tag] += 1
            else:
                taken_for[tag][found] += 1
    wanted, given = counts["gold"], counts["system"]
    return {
        tag: TagScore(
            counts["correct"][tag],
            wanted[tag],
            given[tag],
            counts["aligned"][tag],
            dict(sorted(taken_for[tag].items(), key=lambda item: (-item[1], item[0]))),
        )
        for tag in sorted(wanted | given, key=lambda tag: (-wanted[tag], tag))
    }


def _words(pair: Comparison, table: str, punctuation: bool) -> Iterator[tuple[_Values, _Values, bool]]:
    """What words have in the gold file and in the system's, and whether they are partners: otherwise one is empty."""
    column, values_of = TABLES[table]
    gold, system = ([values_of(cell) for cell in each.column(column)] for each in (pair.gold, pair.system))
    counted = pair.verdicts(pair.aligned, punctuation=punctuation)
    partners = zip(pair.alignment.gold_words.tolist(), pair.alignment.system_words.tolist(), strict=True)
    for one, other in partners:
        if counted.gold[one]:
            yield gold[one], system[other], True
    for one in np.flatnonzero(counted.gold & ~pair.aligned).tolist():
        yield gold[one], {}, False
    missing = np.ones(len(pair.system), np.bool_)
    missing[pair.alignment.system_words] = False
    for other in np.flatnonzero(counted.system & missing).tolist():
        yield {}, system[other], False
