"""Clauses cut out of sentences, and what was taken out of them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from nodes import WH, Node, Words, at, below, children, copied, is_span, lowered, plain, without

_KEPT = {
    "nsubj", "aux", "cop", "advmod", "obj", "iobj", "xcomp", "ccomp", "obl", "compound", "expl", "mark",
}  # fmt: skip
STRANDED = {
    "to", "with", "for", "from", "about", "at", "on", "of", "in", "into", "after", "through", "against", "like",
    "by", "under", "over", "without", "behind", "around", "between", "off", "near", "across", "towards", "upon",
}  # fmt: skip
_TIMES = {
    "year", "month", "week", "day", "time", "morning", "evening", "night", "hour", "minute", "moment", "end", "first",
    "case", "fact", "way", "course", "least", "example", "instance", "addition", "lot", "order", "place",
}  # fmt: skip


# Verbs after which `where` and the like ask about the clause that follows.
_OPINIONS = {
    "think",
    "say",
    "believe",
    "suppose",
    "expect",
    "guess",
    "claim",
    "imagine",
    "hope",
    "suggest",
    "assume",
}


@dataclass
class Clause:
    """A statement: subject first, no punctuation."""

    words: Words
    top: Node
    subject: Words

    @property
    def first_auxiliary(self) -> Node | None:
        found = children(self.words, self.top, "aux", "cop")
        return found[0] if found else None


def clause_of(sentence: Words, longest: int = 16) -> Clause | None:
    """The main clause without what is added to it, if it begins with its subject."""
    words = copied(sentence)
    top = next(word for word in words if word.head is None)
    if top.upos not in {"VERB", "ADJ"}:
        return None
    for child in children(words, top):
        if plain(child) not in _KEPT or (plain(child) in {"mark", "cc"}):
            words = without(words, below(words, child))
    subjects = [word for word in children(words, top, "nsubj") if at(words, word) < at(words, top)]
    if len(subjects) != 1 or subjects[0].label == "nsubj:outer":
        return None
    subject = below(words, subjects[0])
    words = words[at(words, subject[0]) :]
    inside = below(words, top)
    if len(inside) != len(words) or len(words) > longest or not is_span(words, subject):
        return None
    if any(
        word.upos in {"PUNCT", "SYM", "X"} or (word.lemma in WH and word.lemma != "that") for word in words
    ):
        return None
    if top.upos == "ADJ" and not children(words, top, "cop"):
        return None
    if top.upos == "VERB" and not children(words, top, "aux") and top.xpos not in {"VBD", "VBZ", "VBP"}:
        return None
    return Clause(lowered(words), top, subject)


@dataclass
class Gap:
    """What can be asked for: `target` depends on `head`; `case` stays behind, if there is one. Without a
    target nothing is missing, but the clause could say where or when.
    """

    clause: Clause
    head: Node
    target: Node | None
    case: Node | None = None

    @property
    def is_deep(self) -> bool:
        return self.head is not self.clause.top


def gaps(clause: Clause) -> list[Gap]:
    found = []
    for predicate in _chain(clause):
        for word in children(clause.words, predicate, "obj", "obl", "nsubj"):
            gap = _gap(clause, predicate, word)
            if gap:
                found.append(gap)
            if plain(word) == "obj" and word.upos == "NOUN":
                for inner in children(clause.words, word, "nmod"):
                    gap = _gap(clause, word, inner)
                    if gap:
                        found.append(gap)
        if predicate.head is clause.top and plain(predicate) == "ccomp" and clause.top.lemma in _OPINIONS:
            found.append(Gap(clause, predicate, None))
    return found


def _chain(clause: Clause) -> Words:
    """The predicate, and those in clauses that things may be asked out of."""
    found = [clause.top]
    for predicate in found:
        for word in children(clause.words, predicate, "xcomp", "ccomp"):
            marks = {mark.lemma for mark in children(clause.words, word, "mark")}
            later = at(clause.words, word) > at(clause.words, predicate)
            if predicate.lemma == "mean" and plain(word) == "ccomp":  # `What do you mean , I am late ?`
                continue
            if later and word.upos in {"VERB", "ADJ"} and marks <= {"to", "that"} and len(found) < 4:
                found.append(word)
    return found


def _gap(clause: Clause, head: Node, target: Node) -> Gap | None:
    if target.upos not in {"NOUN", "PROPN", "PRON"} or target.lemma in {"there", "myself", "himself", "that"}:
        return None
    phrase = below(clause.words, target)
    if not is_span(clause.words, phrase) or len(phrase) > 6 or target.label.endswith(":unmarked"):
        return None
    before = at(clause.words, target) < at(clause.words, head)
    cases = children(clause.words, target, "case")
    if plain(target) == "nsubj":
        free = plain(head) == "ccomp" and before and not cases
        return Gap(clause, head, target) if free else None
    if before or children(clause.words, target, "conj", "acl", "appos", "nummod"):
        return None
    if plain(target) == "obj":
        return Gap(clause, head, target)
    if (
        len(cases) != 1
        or cases[0] is not phrase[0]
        or cases[0].form not in STRANDED
        or target.lemma in _TIMES
    ):
        return None
    return Gap(clause, head, target, cases[0])


def opened(gap: Gap) -> tuple[Gap, Words]:
    """A copy of the gap in a clause without the target, and the phrase that was there, without its preposition."""
    words = copied(gap.clause.words)
    twin = {id(old): new for old, new in zip(gap.clause.words, words, strict=True)}
    subject = [twin[id(word)] for word in gap.clause.subject]
    head = twin[id(gap.head)]
    target = twin[id(gap.target)] if gap.target else None
    case = twin[id(gap.case)] if gap.case else None
    phrase: Words = []
    if target is not None:
        phrase = without(below(words, target), [case] if case else [])
        words = without(words, phrase)
        if plain(target) == "nsubj":
            words = without(words, [mark for mark in children(words, head, "mark") if mark.form == "that"])
    return Gap(Clause(words, twin[id(gap.clause.top)], subject), head, target, case), phrase


_DO = {"VBD": ("did", "VBD", "Past"), "VBZ": ("does", "VBZ", "Pres"), "VBP": ("do", "VBP", "Pres")}


def inverted(clause: Clause) -> Words | None:
    """In the order of a question: an auxiliary before the subject."""
    auxiliary = clause.first_auxiliary
    if auxiliary is not None:
        place = at(clause.words, auxiliary)
        if place != len(clause.subject) or auxiliary.form[0] in "'’" or auxiliary.form in {"ca", "wo"}:
            return None
        if any(word.form in {"n't", "n’t"} for word in clause.words):
            return None
        return [auxiliary, *without(clause.words, [auxiliary])]
    top = clause.top
    if top.xpos not in _DO or top.lemma == "be":
        return None
    form, xpos, _ = _DO[top.xpos]
    auxiliary = Node(form, "do", "AUX", xpos, top.feats, "aux", top)
    top.form, top.xpos, top.feats = top.lemma, "VB", "VerbForm=Inf"
    return [auxiliary, *clause.words]


_TO_YOU = {
    "I": ("you", "you", "Case=Nom|Person=2|PronType=Prs"),
    "me": ("you", "you", "Case=Acc|Person=2|PronType=Prs"),
    "my": ("your", "your", "Case=Gen|Person=2|Poss=Yes|PronType=Prs"),
}


def to_you(words: Words, random: Random) -> None:
    """Questions are put to somebody: `I` mostly becomes `you`."""
    if random.random() > 0.8 or any(word.form in {"am", "'m", "’m", "was"} for word in words):
        return
    for word in words:
        if word.form in _TO_YOU:
            word.form, word.lemma, word.feats = _TO_YOU[word.form]
        elif "Number=Sing|Person=1" in word.feats:
            word.feats = word.feats.replace("Person=1", "Person=2")
