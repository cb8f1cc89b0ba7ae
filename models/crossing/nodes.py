"""Trees whose words know their heads, so that words can be moved, left out and put in without counting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from plait import Sentence

WH = {"who", "whom", "whose", "what", "which", "where", "when", "why", "how", "that"}
END = {".", "?", "!"}


@dataclass(eq=False, slots=True)
class Node:
    """A word; `head` is None for the root."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    label: str
    head: Node | None = None


Words = list[Node]


def tree_of(sentence: Sentence) -> Words:
    columns = (
        sentence.forms,
        sentence.lemmas,
        sentence.upos,
        sentence.xpos,
        sentence.feats,
        sentence.deprels,
    )
    words = [Node(*row) for row in zip(*columns, strict=True)]
    for word, head in zip(words, sentence.tree(), strict=True):
        word.head = words[head - 1] if head else None
    return words


def sentence_of(words: Words) -> Sentence:
    """With a capital at the beginning."""
    words[0].form = words[0].form[:1].upper() + words[0].form[1:]
    place = {id(word): number for number, word in enumerate(words, 1)}
    return Sentence(
        forms=[word.form for word in words],
        lemmas=[word.lemma for word in words],
        upos=[word.upos for word in words],
        xpos=[word.xpos for word in words],
        feats=[word.feats for word in words],
        deprels=[word.label for word in words],
        heads=[place[id(word.head)] if word.head else 0 for word in words],
    )


def copied(words: Sequence[Node]) -> Words:
    """Twins, whose heads are twins where these are among them."""
    twins = {id(word): replace(word) for word in words}
    for twin in twins.values():
        twin.head = twins.get(id(twin.head), twin.head)
    return list(twins.values())


def spoken(template: str, head: Node | None = None) -> Words:
    """Words from `form/lemma/UPOS/XPOS/feats/label/head`, heads counted from 1; 0 is the head that is given."""
    rows = [item.split("/") for item in template.split()]
    words = [Node(form, lemma, upos, xpos, feats, label) for form, lemma, upos, xpos, feats, label, _ in rows]
    for word, row in zip(words, rows, strict=True):
        word.head = words[int(row[-1]) - 1] if int(row[-1]) else head
    return words


def below(words: Iterable[Node], top: Node) -> Words:
    """The word and all that depends on it, in order."""
    found = []
    for word in words:
        above: Node | None = word
        while above is not None and above is not top:
            above = above.head
        if above is top:
            found.append(word)
    return found


def children(words: Iterable[Node], head: Node, *labels: str) -> Words:
    return [word for word in words if word.head is head and (not labels or plain(word) in labels)]


def plain(word: Node) -> str:
    return word.label.split(":")[0]


def at(words: Sequence[Node], node: Node) -> int:
    return next(place for place, word in enumerate(words) if word is node)


def is_span(words: Sequence[Node], part: Sequence[Node]) -> bool:
    return at(words, part[-1]) - at(words, part[0]) + 1 == len(part)


def without(words: Sequence[Node], *parts: Sequence[Node]) -> Words:
    gone = {id(word) for part in parts for word in part}
    return [word for word in words if id(word) not in gone]


def lowered(words: Words) -> Words:
    """Without the capital of a sentence's first word, unless it is always there."""
    first = words[0]
    if first.upos != "PROPN" and first.form != "I" and first.form[1:].islower() | (len(first.form) == 1):
        first.form = first.form[0].lower() + first.form[1:]
    return words
