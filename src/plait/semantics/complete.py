"""Semantic graphs in which every word of a sentence is a node: what predicates tell, completed where it does not hang
together (Bohnet, Wanner, Mille and Burga 2010, section 3.2 and Algorithm 1).

Such a graph has the roles of the corpus as they are, and function words and punctuation too; `convert` makes the other
kind, without them.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping

from plait.layers import Edge
from plait.meaning import SemanticNode, SemanticStructure
from plait.semantics.completion import CompletionTable, Components, Key, Link
from plait.semantics.reading import Reading
from plait.semantics.rules import ConversionRules, load
from plait.sentence import Sentence

_OTHERS = "AM"  # what a governor has that is no argument of its own


class WordGraphs:
    """Makes graphs of trees with predicates. With a `table` they are completed, without one they stay as they are."""

    def __init__(self, table: CompletionTable | None = None, rules: ConversionRules | None = None) -> None:
        self.table = table
        self.rules = rules or load()

    @classmethod
    def learn(cls, sentences: Iterable[Sentence], rules: ConversionRules | None = None) -> WordGraphs:
        """With what connects words and their governors in these sentences, most often."""
        rules = rules or load()
        return cls(CompletionTable.learn(_links(sentences, rules)), rules)

    def graph(self, sentence: Sentence) -> SemanticStructure:
        """Of a sentence with a tree; node k is word k."""
        reading = Reading(sentence, self.rules)
        growing = _Growing(len(sentence))
        for predicate, argument, role in _roles(reading):
            growing.add(predicate, argument, role)
        if self.table is not None:
            self._complete(reading, growing)
        senses = {frame.predicate: frame.sense for frame in reading.frames if frame.sense != "_"}
        nodes = [
            SemanticNode(
                senses.get(word, lemma if lemma != "_" else sentence.forms[word - 1]), word, reading.pos[word]
            )
            for word, lemma in enumerate(sentence.lemmas, 1)
        ]
        return SemanticStructure(tuple(nodes), tuple(growing.edges()))

    def _complete(self, reading: Reading, growing: _Growing) -> None:
        """Breadth first from the root: what is in one piece with its governor stays as it is."""
        assert self.table is not None
        open_ = deque(reading.children[0])
        while open_:
            word = open_.popleft()
            open_ += reading.children[word]
            above = reading.heads[word]
            if above > 0 and not growing.together(word, above):
                link = self._link(_key(reading, word))
                ends = (above, word) if link.downwards else (word, above)
                growing.add(*ends, link.label)

    def _link(self, key: Key) -> Link:
        assert self.table is not None
        if key in self.table.links:
            return self.table.links[key]
        tag, _, relation = key
        if relation in self.rules.modifiers or tag in ("ADJ", "NUM", "ADV", "DET"):
            return Link("A1", downwards=False)
        plain = self.rules.completion.get(relation, self.rules.completion.get(relation.partition(":")[0]))
        return Link(plain or _OTHERS, downwards=True)


class _Growing:
    """Edges that stay acyclic, at most one between two nodes in one direction."""

    def __init__(self, words: int) -> None:
        self._below: list[dict[int, str]] = [{} for _ in range(words + 1)]
        self._pieces = Components()

    def add(self, head: int, dependent: int, label: str) -> None:
        """Unless it would close a cycle; a first edge between two pieces never does."""
        if head == dependent or dependent in self._below[head] or self._leads(dependent, head):
            return
        self._below[head][dependent] = label
        self._pieces.join(head, dependent)

    def together(self, one: int, other: int) -> bool:
        return self._pieces.together(one, other)

    def edges(self) -> Iterator[Edge]:
        for head, below in enumerate(self._below):
            for dependent, label in sorted(below.items()):
                yield Edge(head, dependent, label)

    def _leads(self, start: int, goal: int) -> bool:
        if not self._pieces.together(start, goal):
            return False
        seen, open_ = {start}, [start]
        while open_:
            for node in self._below[open_.pop()]:
                if node == goal:
                    return True
                if node not in seen:
                    seen.add(node)
                    open_.append(node)
        return False


def _roles(reading: Reading) -> Iterator[tuple[int, int, str]]:
    for frame in reading.frames:
        for argument in frame.arguments:
            yield frame.predicate, argument.word, argument.role


def _links(sentences: Iterable[Sentence], rules: ConversionRules) -> Iterator[tuple[Key, Link]]:
    """Of words that are connected with their governors by a predicate."""
    for sentence in sentences:
        reading = Reading(sentence, rules)
        roles: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
        for predicate, argument, role in _roles(reading):
            roles[predicate, argument].append(role)
        for word, above in enumerate(reading.heads[1:], 1):
            if any(" " in name for name in _key(reading, word)):  # no model could keep it
                continue
            for role in roles.get((above, word), ()):
                yield _key(reading, word), Link(role, downwards=True)
            for role in roles.get((word, above), ()):
                yield _key(reading, word), Link(role, downwards=False)


def _key(reading: Reading, word: int) -> Key:
    return reading.pos[word], reading.pos[reading.heads[word]], reading.relations[word]


def table_to_texts(table: CompletionTable) -> Mapping[str, str]:
    """As a manifest keeps it: tags and relation, and what connects them."""
    return {
        " ".join(key): f"{'>' if link.downwards else '<'}{link.label}"
        for key, link in sorted(table.links.items())
    }


def table_from_texts(texts: Mapping[str, str]) -> CompletionTable:
    """ValueError if it is none."""
    links = {}
    for text, told in texts.items():
        tag, above, relation = text.split(" ")
        if told[:1] not in ("<", ">") or not told[1:]:
            raise ValueError(f"{told!r} connects nothing")
        links[tag, above, relation] = Link(told[1:], downwards=told[0] == ">")
    return CompletionTable(links)
