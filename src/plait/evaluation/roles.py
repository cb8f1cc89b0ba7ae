"""Scores of predicates, senses and arguments, as in CoNLL 2009 (Hajič et al. 2009, section 5).

Semantic dependencies: one per predicate, from a virtual root, whose label is the number of its sense (what follows the
dot), and one per argument, whose label is its role. Labelled F1 is over all of them, unlabelled F1 forgets the labels.
Macro F1 is of the mean of LAS (whole labels) with labelled precision, and with labelled recall.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from plait.evaluation.conll18 import UNALIGNED, Comparison, Metric, universal_label
from plait.evaluation.document import Document, Ints
from plait.evaluation.resampling import Interval, f1_interval
from plait.layers import Frames
from plait.sentence import EMPTY

_PREDICATE = -1  # in place of an argument: the predicate itself
_GRAMMATICAL = ("aux", "cop")  # labels of predicates that are auxiliaries and copulas
NOTHING = "–"  # in place of a role where there is no argument

ROLE_SCORES = {
    "semantic_f1": "Semantic F1",
    "semantic_unlabeled_f1": "  unlabelled",
    "predicate_f1": "Predicates",
    "sense_accuracy": "Senses (accuracy)",
    "macro_f1": "Macro F1",
}


class Dependency(NamedTuple):
    """A semantic dependency, between words of the gold file, numbered throughout."""

    predicate: int
    argument: int


@dataclass(frozen=True, slots=True)
class RoleScores:
    """In percent, with the counts in `metrics`. `sense_accuracy` is of the gold predicates that were found, by the
    number of the sense; `roleset_accuracy` by the whole of it. `semantic_content_f1` leaves out predicates that are
    auxiliaries and copulas by their label in the gold tree.
    """

    semantic_f1: float
    semantic_precision: float
    semantic_recall: float
    semantic_unlabeled_f1: float
    semantic_content_f1: float
    macro_f1: float
    predicate_f1: float
    sense_accuracy: float
    roleset_accuracy: float
    argument_f1: float
    argument_unlabeled_f1: float
    metrics: dict[str, Metric] = field(repr=False)
    pair: SemanticPair = field(repr=False, compare=False)

    def interval(self, *, samples: int = 1000, seed: int = 0) -> Interval:
        """Of labelled F1: where the middle 95 % of resampled test sets lie."""
        return f1_interval(self.pair.counts(), samples=samples, seed=seed)

    def by_role(self) -> dict[str, Metric]:
        """The arguments of each role, the most frequent one of the gold file first."""
        return self.pair.grouped(lambda _, label: label, arguments=True)

    def by_tag(self) -> dict[str, Metric]:
        """All dependencies by the tag of the gold word that is the predicate: UPOS, or two letters of XPOS."""
        return self.pair.grouped(lambda each, _: self.pair.tag(each.predicate), arguments=False)

    def confusions(self) -> Counter[tuple[str, str]]:
        """How often an argument of a gold role has which role in the system's file; – is none."""
        return self.pair.confusions()

    def as_dict(self) -> dict[str, object]:
        found: dict[str, object] = {
            name: round(value, 2)
            for name in self.__dataclass_fields__
            if isinstance(value := getattr(self, name), float)
        }
        return found | {"semantic_interval": asdict(self.interval())}


class SemanticPair:
    """The dependencies of two files, held against each other."""

    def __init__(self, pair: Comparison) -> None:
        self.pair = pair
        partner = pair.partner.tolist()
        self.gold = dict(_dependencies(pair.gold, list(range(len(pair.gold)))))
        # What has no partner in the gold file is nobody's: no two of them are the same.
        own = [found if found != UNALIGNED else UNALIGNED - 1 - i for i, found in enumerate(partner)]
        self.system = dict(_dependencies(pair.system, own))

    def metric(self, kept: Callable[[Dependency], bool] = lambda _: True, *, labels: bool = True) -> Metric:
        gold, system = ({each for each in side if kept(each)} for side in (self.gold, self.system))
        right = sum(
            not labels or number(self.gold[each]) == number(self.system[each]) for each in gold & system
        )
        return Metric(right, len(gold), len(system))

    def counts(self, *, labels: bool = True) -> Ints:
        """Per gold sentence: right, gold and system dependencies."""
        table = np.zeros((len(self.pair.gold.sentences), 3), np.int64)
        home = self.pair.gold.sentence_numbers
        for each, label in self.gold.items():
            row = table[home[each.predicate]]
            row[1] += 1
            found = self.system.get(each)
            row[0] += found is not None and (not labels or number(found) == number(label))
        for each in self.system:
            table[self._home(each), 2] += 1
        return table

    def verdicts(self, *, labels: bool = True) -> list[bool]:
        """Per gold dependency whether it was found."""
        return [
            each in self.system and (not labels or number(self.system[each]) == number(label))
            for each, label in self.gold.items()
        ]

    def grouped(self, group: Callable[[Dependency, str], str], *, arguments: bool) -> dict[str, Metric]:
        right, gold, system = Counter[str](), Counter[str](), Counter[str]()
        for side, counted in (self.gold, gold), (self.system, system):
            for each, label in side.items():
                if not arguments or each.argument != _PREDICATE:
                    counted[group(each, label)] += 1
        for each, label in self.gold.items():
            if (not arguments or each.argument != _PREDICATE) and number(self.system.get(each, "")) == number(
                label
            ):
                right[group(each, label)] += 1
        names = sorted(gold | system, key=lambda name: (-gold[name], name))
        return {name: Metric(right[name], gold[name], system[name]) for name in names}

    def confusions(self) -> Counter[tuple[str, str]]:
        every = {each for side in (self.gold, self.system) for each in side if each.argument != _PREDICATE}
        return Counter((self.gold.get(each, NOTHING), self.system.get(each, NOTHING)) for each in every)

    def tag(self, word: int) -> str:
        if word < 0:
            return NOTHING
        upos, xpos = self.pair.gold.column("upos")[word], self.pair.gold.column("xpos")[word]
        return upos if upos != EMPTY else xpos[:2] if xpos.isascii() and len(xpos) <= 4 else xpos

    @cached_property
    def grammatical(self) -> list[bool]:
        """For every gold word, whether it is an auxiliary or a copula."""
        return [universal_label(label) in _GRAMMATICAL for label in self.pair.gold.column("deprels")]

    def is_content(self, each: Dependency) -> bool:
        return each.predicate < 0 or not self.grammatical[each.predicate]

    def _home(self, each: Dependency) -> int:
        word = each.predicate
        if word >= 0:
            return int(self.pair.gold.sentence_numbers[word])
        return int(self.pair.alignment.home[UNALIGNED - 1 - word])


def score_roles(pair: Comparison, las: float) -> RoleScores | None:
    """None if the gold file has no frames: there is nothing to compare with."""
    if not any(sentence.find(Frames) for sentence in pair.gold.sentences):
        return None
    each = SemanticPair(pair)
    labeled, unlabeled = each.metric(), each.metric(labels=False)
    predicates = each.metric(lambda one: one.argument == _PREDICATE, labels=False)
    senses = each.metric(lambda one: one.argument == _PREDICATE)
    arguments = each.metric(lambda one: one.argument != _PREDICATE)
    bare = each.metric(lambda one: one.argument != _PREDICATE, labels=False)
    content = each.metric(each.is_content)
    whole = sum(
        each.system.get(one) == sense for one, sense in each.gold.items() if one.argument == _PREDICATE
    )
    return RoleScores(
        semantic_f1=labeled.f1,
        semantic_precision=labeled.precision,
        semantic_recall=labeled.recall,
        semantic_unlabeled_f1=unlabeled.f1,
        semantic_content_f1=content.f1,
        macro_f1=macro_f1(las, labeled.precision, labeled.recall),
        predicate_f1=predicates.f1,
        sense_accuracy=_share(senses.correct, predicates.correct),
        roleset_accuracy=_share(whole, predicates.correct),
        argument_f1=arguments.f1,
        argument_unlabeled_f1=bare.f1,
        metrics={
            "semantic": labeled,
            "semantic_unlabeled": unlabeled,
            "semantic_content": content,
            "predicates": predicates,
            "senses": senses,
            "arguments": arguments,
            "arguments_unlabeled": bare,
        },
        pair=each,
    )


def macro_f1(las: float, precision: float, recall: float) -> float:
    """CoNLL 2009: F1 of the means of LAS with semantic precision and recall."""
    macro_precision, macro_recall = (las + precision) / 2, (las + recall) / 2
    total = macro_precision + macro_recall
    return 2 * macro_precision * macro_recall / total if total else 0.0


def number(label: str) -> str:
    """What counts of a label: of a sense its number. Roles have no dot."""
    return label.rpartition(".")[2]


def _share(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


def _dependencies(document: Document, words: list[int]) -> Iterator[tuple[Dependency, str]]:
    """With the labels; `words` are what the words of the document are called."""
    for offset, sentence in zip(document.offsets.tolist(), document.sentences, strict=False):
        for frame in sentence.find(Frames) or ():
            predicate = words[offset + frame.predicate - 1]
            yield Dependency(predicate, _PREDICATE), frame.sense
            for argument in frame.arguments:
                yield Dependency(predicate, words[offset + argument.word - 1]), argument.role
