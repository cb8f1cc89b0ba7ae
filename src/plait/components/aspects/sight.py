"""What is seen of a sentence: its words, opinions among them, negation, clauses and ways in the tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from plait.components.aspects.lexicon import NEGATIVE, POSITIVE, Lexicon
from plait.layers import AspectTerm
from plait.sentence import EMPTY, Sentence

NEGATIONS = frozenset(
    (
        *("not", "n't", "nt", "no", "never", "nothing", "neither", "nor", "hardly", "barely", "scarcely"),
        *("without", "cannot", "none", "rarely", "nobody", "nowhere"),
    )
)
CONTRASTS = frozenset(
    ("but", "however", "although", "though", "except", "yet", "despite", "while", "whereas")
)
LINKS = frozenset(
    ("be", "get", "become", "seem", "look", "feel", "taste", "smell", "sound", "remain", "stay", "appear")
)
CONTENT = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "ADV", "INTJ", "NUM"))
# Relations that lead to a clause of its own, if there is a predicate below.
_CLAUSES = ("root", "conj", "ccomp", "advcl", "parataxis", "acl:relcl")
# By a negation that hangs from the head.
_REACHED = frozenset(("amod", "advmod", "xcomp", "obj", "iobj", "ccomp", "obl", "nsubj", "conj"))
_OPPOSITE = {POSITIVE: NEGATIVE, NEGATIVE: POSITIVE, "": ""}
_FAR = 12  # arcs
_WINDOW = 3  # words before which a negation counts where there is no tree


class Sight:
    """Columns over the words, which count from 0 here. Without `trees` every word hangs from the root."""

    def __init__(self, sentence: Sentence, lexicon: Lexicon, *, trees: bool = True) -> None:
        self.size = len(sentence)
        self.trees = trees
        self._lexicon = lexicon
        self.forms = [form.lower() for form in sentence.forms]
        self.written = sentence.forms
        self.lemmas = [
            lemma.lower() if lemma != EMPTY else form
            for lemma, form in zip(sentence.lemmas, self.forms, strict=True)
        ]
        self.tags, self.fine = sentence.upos, sentence.xpos
        self.heads = [(head or 0) - 1 for head in sentence.heads] if trees else [-1] * self.size
        self.labels = sentence.deprels if trees else [EMPTY] * self.size
        self.children: list[list[int]] = [[] for _ in range(self.size)]
        for word, head in enumerate(self.heads):
            if head >= 0:
                self.children[head].append(word)
        self.negates = [form in NEGATIONS for form in self.forms]
        self.plain = [
            lexicon.polarity(*word) for word in zip(self.forms, self.lemmas, self.tags, strict=True)
        ]

    @cached_property
    def polarities(self) -> list[str]:
        """Of opinion words, as they are meant: those that are negated mean the opposite."""
        return [_OPPOSITE[told] if self.negated(word) else told for word, told in enumerate(self.plain)]

    @cached_property
    def scores(self) -> list[float]:
        """How much every word of content praises or, below 0, blames, as it is meant."""
        words = enumerate(zip(self.forms, self.lemmas, self.tags, strict=True))
        return [
            self._lexicon.score(form, lemma, negated=self.negated(word)) if tag in CONTENT else 0.0
            for word, (form, lemma, tag) in words
        ]

    def negated(self, word: int) -> bool:
        """A negation hangs from it, or from its head if that reaches it; without trees, one stands shortly before."""
        if not self.trees:
            return any(self.negates[max(0, word - _WINDOW) : word])
        head = self.heads[word]
        reached = [*self.children[word]]
        if head >= 0 and self.labels[word].partition(":")[0] in _REACHED:
            reached += self.children[head]
        return any(self.negates[each] and not self._only(each) for each in reached if each != word)

    def _only(self, word: int) -> bool:
        """*Not only*, *not just*: no negation."""
        return self.forms[word + 1 : word + 2] in (["only"], ["just"], ["to"])

    @cached_property
    def clauses(self) -> list[int]:
        """By word, the word that its clause is about. Without trees a contrast or a semicolon begins another."""
        if not self.trees:
            starts = [0]
            for form in self.forms:
                starts.append(starts[-1] + (form in CONTRASTS or form == ";"))
            return starts[1:]
        return [self._clause(word) for word in range(self.size)]

    def _clause(self, word: int) -> int:
        for _ in range(self.size):
            if self.heads[word] < 0 or (self.labels[word] in _CLAUSES and self._is_predicate(word)):
                break
            word = self.heads[word]
        return word

    def _is_predicate(self, word: int) -> bool:
        below = {self.labels[child].partition(":")[0] for child in self.children[word]}
        return self.tags[word] in ("VERB", "AUX") or bool(below & {"nsubj", "csubj", "cop"})

    def head(self, words: Sequence[int]) -> int:
        """The word among some that hangs from outside."""
        return next((word for word in words if self.heads[word] not in words), words[-1])

    def above(self, word: int) -> list[int]:
        """The words on the way up, itself first; not endless where the heads are no tree."""
        found = [word]
        while len(found) <= self.size and (word := self.heads[word]) >= 0:
            found.append(word)
        return found

    def distances(self, word: int) -> list[int]:
        """Arcs between a word and every other; without trees, words."""
        if not self.trees:
            return [min(abs(other - word), _FAR) for other in range(self.size)]
        found = [_FAR] * self.size
        waiting = [(word, 0)]
        while waiting:
            each, far = waiting.pop()
            if far < found[each]:
                found[each] = far
                near = [*self.children[each], *([self.heads[each]] if self.heads[each] >= 0 else [])]
                waiting += [(other, far + 1) for other in near]
        return found

    def shape(self, word: int) -> str:
        """*iPhone4* as aAa0."""
        found = re.sub("[^\\W\\d_]", lambda m: "A" if m[0].isupper() else "a", self.written[word])
        return re.sub(r"(.)\1+", r"\1", re.sub(r"\d", "0", found))

    def at(self, column: Sequence[str], word: int) -> str:
        return column[word] if 0 <= word < self.size else "<>"


def words_of(term: AspectTerm) -> list[int]:
    return list(range(term.first - 1, term.last))


def opinion(polarities: Sequence[str]) -> str:
    """One label for what some words say together."""
    good, bad = POSITIVE in polarities, NEGATIVE in polarities
    return ("conflict" if bad else POSITIVE) if good else (NEGATIVE if bad else "neutral")
