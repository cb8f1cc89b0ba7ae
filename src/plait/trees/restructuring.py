"""Prepositional phrases with a noun phrase inside, from flat ones, and back (Seeker et al. 2010, section 3.2).

In the Tiger treebank determiner, adjectives and noun are all children of the preposition. Restructured, the noun stays
its child and takes the others, so that a parser sees noun phrases with and without a preposition alike. Each label of a
word that moved gets a mark, by which the way back is exact; a parser that has learned such labels gives trees that can
go it too. A label that ends in the mark is one of a tree that has been restructured.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from plait.errors import FormatError, NotATreeError, Problem
from plait.sentence import Sentence
from plait.trees.measures import tree_of

MARK = "⇡"


@dataclass(frozen=True, slots=True)
class FlatPhrases:
    """How a treebank writes them. The paper does not print the tags of heads: the first list of which a child has one
    counts, and of several such children the last. What belongs to the preposition itself stays there: what has one of
    the labels or tags `kept`, and modifiers before it.
    """

    prepositions: frozenset[str]
    label: str
    heads: tuple[frozenset[str], ...]
    modifier: str
    kept: frozenset[str]

    def find_head(self, children: Sequence[int], labels: Sequence[str], tags: Sequence[str]) -> int:
        """The child that takes the others; 0 if there is none."""
        inside = [child for child in children if labels[child - 1] == self.label]
        for wanted in self.heads:
            found = [child for child in inside if tags[child - 1] in wanted]
            if found:
                return found[-1]
        return 0

    def stays(self, child: int, preposition: int, label: str, tag: str) -> bool:
        if label in self.kept or tag in self.kept or label.endswith(MARK):
            return True
        return label == self.modifier and child < preposition


TIGER = FlatPhrases(
    prepositions=frozenset({"APPR", "APPRART", "APPO"}),
    label="NK",
    heads=(
        frozenset({"NN", "NE"}),
        frozenset({"PPER", "PDS", "PIS", "PRELS", "PWS", "PPOSS", "FM", "TRUNC"}),
        frozenset({"CARD", "ADJA"}),
    ),
    modifier="MO",
    kept=frozenset({"AC", "APZR", "PUNC", "$,", "$.", "$("}),
)


def restructure_pp(
    heads: Sequence[int], labels: Sequence[str], tags: Sequence[str], phrases: FlatPhrases = TIGER
) -> tuple[list[int], list[str]]:
    """Heads and labels with a noun phrase in every prepositional phrase that has a head for it. Done again it changes
    nothing.
    """
    children: dict[int, list[int]] = {}
    for word, head in enumerate(heads, 1):
        children.setdefault(head, []).append(word)
    moved, marked = list(heads), list(labels)
    for preposition, below in children.items():
        if not preposition or tags[preposition - 1] not in phrases.prepositions:
            continue
        noun = phrases.find_head(below, labels, tags)
        for child in below if noun else ():
            if child != noun and not phrases.stays(child, preposition, labels[child - 1], tags[child - 1]):
                moved[child - 1] = noun
                marked[child - 1] += MARK
    return moved, marked


def restore_pp(heads: Sequence[int], labels: Sequence[str]) -> tuple[list[int], list[str]]:
    """The way back: a word with a mark goes to the head of its head. One whose head hangs from the root, as a parser
    may have it, stays. The heads are a tree again, since words go to one that dominates them.
    """
    restored = list(heads)
    for word, (head, label) in enumerate(zip(heads, labels, strict=True)):
        if label.endswith(MARK) and head and heads[head - 1]:
            restored[word] = heads[head - 1]
    return restored, [label.removesuffix(MARK) or label for label in labels]


def restructured(sentences: Iterable[Sentence], phrases: FlatPhrases = TIGER) -> Iterator[Sentence]:
    """Copies of sentences, restructured; tags are XPOS, or UPOS where that is empty."""
    for sentence in sentences:
        tags = [
            fine if fine != "_" else plain for fine, plain in zip(sentence.xpos, sentence.upos, strict=True)
        ]
        yield _with_tree(sentence, *restructure_pp(_heads(sentence), sentence.deprels, tags, phrases))


def restored(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Copies of sentences as they were before, or as a parser that has learned from such means them."""
    for sentence in sentences:
        yield _with_tree(sentence, *restore_pp(_heads(sentence), sentence.deprels))


def _heads(sentence: Sentence) -> list[int]:
    try:
        return tree_of(sentence)
    except NotATreeError as error:
        raise FormatError(Problem(str(error), "", sentence.line, sentence.sent_id)) from None


def _with_tree(sentence: Sentence, heads: list[int], labels: list[str]) -> Sentence:
    copy = sentence.copy()
    if heads != copy.heads or labels != copy.deprels:
        copy.heads, copy.deprels = list(heads), labels
        copy.deps, copy.empty_nodes = ["_"] * len(heads), []  # of the other tree
    return copy
