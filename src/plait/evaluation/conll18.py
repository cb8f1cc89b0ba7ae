"""The metrics of the CoNLL 2018 shared task, word by word.

Definitions: Zeman et al. 2018, "CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal
Dependencies"; https://universaldependencies.org/conll18/evaluation.html. Labels lose their
subtype (`nmod:poss` counts as `nmod`), punctuation counts, and features outside the universal ones do not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import eq

import numpy as np

from plait.evaluation.alignment import Alignment, Overlap, align
from plait.evaluation.document import ROOT, Bools, Document, Ints
from plait.sentence import EMPTY

# fmt: off
CONTENT_LABELS = frozenset(
    (
        "acl", "advcl", "advmod", "amod", "appos", "ccomp", "compound", "conj", "csubj", "dep", "discourse",
        "dislocated", "expl", "fixed", "flat", "goeswith", "iobj", "list", "nmod", "nsubj", "nummod", "obj",
        "obl", "orphan", "parataxis", "reparandum", "root", "vocative", "xcomp"
    )
)
FUNCTION_LABELS = frozenset(
    (
        "aux", "case", "cc", "clf", "cop", "det", "mark"
    )
)
UNIVERSAL_FEATURES = frozenset(
    (
        "Abbr", "Animacy", "Aspect", "Case", "Definite", "Degree", "Evident", "Foreign", "Gender", "Mood",
        "NumType", "Number", "Person", "Polarity", "Polite", "Poss", "PronType", "Reflex", "Tense",
        "VerbForm", "Voice"
    )
)
# fmt: on
UNALIGNED = -2


def universal_label(label: str) -> str:
    return label.partition(":")[0]


@lru_cache(maxsize=4096)
def universal_features(feats: str) -> str:
    return "|".join(
        sorted(entry for entry in feats.split("|") if entry.partition("=")[0] in UNIVERSAL_FEATURES)
    )


def sorted_features(feats: str) -> str:
    return "|".join(sorted(feats.split("|")))


@dataclass(frozen=True, slots=True)
class Metric:
    """Counts, and what follows from them in percent. `aligned` is None for tokens and sentences."""

    correct: int
    gold: int
    system: int
    aligned: int | None = None

    @property
    def precision(self) -> float:
        return 100 * (self.correct / self.system) if self.system else 0.0

    @property
    def recall(self) -> float:
        return 100 * (self.correct / self.gold) if self.gold else 0.0

    @property
    def f1(self) -> float:
        total = self.system + self.gold
        return 100 * (2 * self.correct / total) if total else 0.0

    @property
    def aligned_accuracy(self) -> float | None:
        if self.aligned is None:
            return None
        return 100 * (self.correct / self.aligned) if self.aligned else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """One metric, word by word: which gold words are right, and which words on either side count at all."""

    right: Bools
    gold: Bools
    system: Bools
    aligned: Bools

    def metric(self) -> Metric:
        return Metric(
            correct=int(self.right.sum()),
            gold=int(self.gold.sum()),
            system=int(self.system.sum()),
            aligned=int(self.aligned.sum()),
        )


class Comparison:
    """Two documents word against word: every score is read off this.

    The properties that say what is right hold one boolean per gold word, false for words without a partner.
    """

    def __init__(self, gold: Document, system: Document) -> None:
        self.gold = gold
        self.system = system
        self.alignment: Alignment = align(gold, system)
        self.aligned: Bools = np.zeros(len(gold), np.bool_)
        self.aligned[self.alignment.gold_words] = True
        # The gold partner of every system word. One entry more, so that the head ROOT (-1) finds itself.
        self.partner: Ints = np.full(len(system) + 1, UNALIGNED)
        self.partner[self.alignment.system_words] = self.alignment.gold_words
        self.partner[ROOT] = ROOT

    def equal(self, gold: Ints, system: Ints) -> Bools:
        """Where the partners carry equal numbers."""
        words = self.alignment.gold_words
        return self._at_gold(gold[words] == system[self.alignment.system_words])

    def _same(self, column: str, simplified: Callable[[str], str] | None = None) -> Bools:
        """Where the partners carry the same string, or strings that are the same when simplified."""
        gold = self.gold.entries(column, self.alignment.gold_words)
        system = self.system.entries(column, self.alignment.system_words)
        same = np.fromiter(map(eq, gold, system), np.bool_, len(gold))
        if simplified:
            # Few strings differ, so that few have to be simplified.
            for i in np.flatnonzero(~same).tolist():
                same[i] = simplified(gold[i]) == simplified(system[i])
        return self._at_gold(same)

    def _at_gold(self, of_pairs: Bools) -> Bools:
        """What holds of pairs of partners, as one boolean per gold word."""
        result = np.zeros(len(self.gold), np.bool_)
        result[self.alignment.gold_words] = of_pairs
        return result

    def at_partner(self, system: Bools) -> Bools:
        """A property of system words, carried over to their gold partners."""
        return self._at_gold(system[self.alignment.system_words])

    @cached_property
    def heads(self) -> Bools:
        return self.equal(self.gold.heads, self.partner[self.system.heads])

    @cached_property
    def labels(self) -> Bools:
        return self._same("deprels", universal_label)

    @cached_property
    def full_labels(self) -> Bools:
        return self._same("deprels")

    @cached_property
    def upos(self) -> Bools:
        return self._same("upos")

    @cached_property
    def xpos(self) -> Bools:
        return self._same("xpos")

    @cached_property
    def feats(self) -> Bools:
        return self._same("feats", universal_features)

    @cached_property
    def all_feats(self) -> Bools:
        """Features of every name, in any order."""
        return self._same("feats", sorted_features)

    @cached_property
    def lemmas(self) -> Bools:
        """A gold lemma `_` means that the treebank has none: any lemma is right then."""
        missing = self.gold.having("lemmas", EMPTY.__eq__)
        return self._same("lemmas") | (missing & self.aligned)

    @cached_property
    def function_words(self) -> Bools:
        """Where the function words that depend on a word are all found and all right (for MLAS).

        As many on both sides, and each gold one right in head, label, tag and features: then the partners'
        function words are the same ones, because no two words have the same partner.
        """
        gold, system = self._with_label(FUNCTION_LABELS)
        found = gold & self.heads & self.labels & self.upos & self.feats
        wanted = self._dependents(self.gold, gold)
        none_missing: Bools = wanted == self._dependents(self.gold, found)
        return none_missing & self.equal(wanted, self._dependents(self.system, system))

    @staticmethod
    def _dependents(document: Document, which: Bools) -> Ints:
        """For every word, how many of these words depend on it."""
        heads = document.heads[which]
        return np.bincount(heads[heads != ROOT], minlength=len(document))

    def _with_label(self, labels: frozenset[str]) -> tuple[Bools, Bools]:
        return (
            self.gold.having("deprels", lambda label: universal_label(label) in labels),
            self.system.having("deprels", lambda label: universal_label(label) in labels),
        )

    @cached_property
    def content(self) -> tuple[Bools, Bools]:
        """The words CLAS, MLAS and BLEX are about: by label, those of content words."""
        return self._with_label(CONTENT_LABELS)

    @cached_property
    def punctuation(self) -> tuple[Bools, Bools]:
        """Words whose gold UPOS is PUNCT; a system word without a gold partner is judged by its own UPOS."""
        gold = self.gold.having("upos", "PUNCT".__eq__)
        system = self.system.having("upos", "PUNCT".__eq__)
        system[self.alignment.system_words] = gold[self.alignment.gold_words]
        return gold, system

    def verdicts(self, right: Bools, *, content: bool = False, punctuation: bool = True) -> Verdicts:
        gold: Bools = np.ones(len(self.gold), np.bool_)
        system: Bools = np.ones(len(self.system), np.bool_)
        if content:
            gold, system = self.content
        if not punctuation:
            gold, system = gold & ~self.punctuation[0], system & ~self.punctuation[1]
        return Verdicts(right=right & gold, gold=gold, system=system, aligned=self.aligned & gold)


def word_verdicts(
    pair: Comparison, *, full_labels: bool = False, punctuation: bool = True
) -> dict[str, Verdicts]:
    """The metrics over words by lower-case name, if asked with whole labels or without punctuation."""
    las = pair.heads & (pair.full_labels if full_labels else pair.labels)
    rights = {
        "words": pair.aligned,
        "upos": pair.upos,
        "xpos": pair.xpos,
        "ufeats": pair.feats,
        "alltags": pair.upos & pair.xpos & pair.feats,
        "lemmas": pair.lemmas,
        "uas": pair.heads,
        "las": las,
    }
    content_rights = {
        "clas": las,
        "mlas": las & pair.upos & pair.feats & pair.function_words,
        "blex": las & pair.lemmas,
    }
    return {
        name: pair.verdicts(right, content=content, punctuation=punctuation)
        for group, content in ((rights, False), (content_rights, True))
        for name, right in group.items()
    }


def metrics(pair: Comparison, *, full_labels: bool = False, punctuation: bool = True) -> dict[str, Metric]:
    """All thirteen, in the order of the shared task."""

    def of(overlap: Overlap) -> Metric:
        return Metric(overlap.correct, overlap.gold, overlap.system)

    result = {"tokens": of(pair.alignment.tokens), "sentences": of(pair.alignment.sentences)}
    verdicts = word_verdicts(pair, full_labels=full_labels, punctuation=punctuation)
    return result | {name: each.metric() for name, each in verdicts.items()}
