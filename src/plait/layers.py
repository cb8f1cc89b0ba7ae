"""Typed layers of a sentence, beside its columns: what does not fit into one cell per word.

A layer is kept by its type: `sentence.put(Frames(...))`, `sentence.find(Frames)`; what one component makes for another
is taken away with `sentence.take(...)` when it has served. Its name is its key in JSON lines.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

from plait.checks import is_cell


class Layer(ABC):
    """What all layers share. A layer is not changed once it is made: a sentence and its copies share it."""

    name: ClassVar[str]

    @abstractmethod
    def to_json(self) -> Any: ...

    @classmethod
    @abstractmethod
    def from_json(cls, stored: Any) -> Self:
        """What `to_json` gave; KeyError, TypeError or ValueError if it is something else."""

    @abstractmethod
    def fits(self, words: int) -> bool:
        """Whether it can be of a sentence of so many words."""


class Argument(NamedTuple):
    """A word that plays a role for a predicate."""

    word: int
    role: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A predicate with its sense and its arguments, in the order of the sentence."""

    predicate: int
    sense: str
    arguments: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class Frames(Layer):
    """The predicates of a sentence, in the order of their words."""

    name: ClassVar[str] = "frames"

    frames: tuple[Frame, ...]

    def __iter__(self) -> Iterator[Frame]:
        return iter(self.frames)

    def to_json(self) -> list[dict[str, Any]]:
        return [
            {
                "predicate": frame.predicate,
                "sense": frame.sense,
                "arguments": [list(a) for a in frame.arguments],
            }
            for frame in self.frames
        ]

    @classmethod
    def from_json(cls, stored: Any) -> Frames:
        return cls(
            tuple(
                Frame(
                    int(frame["predicate"]),
                    str(frame["sense"]),
                    tuple(Argument(int(word), str(role)) for word, role in frame["arguments"]),
                )
                for frame in stored
            )
        )

    def fits(self, words: int) -> bool:
        numbers = [n for f in self.frames for n in (f.predicate, *(a.word for a in f.arguments))]
        return all(1 <= number <= words for number in numbers) and all(
            is_text(text) for f in self.frames for text in (f.sense, *(a.role for a in f.arguments))
        )


class Edge(NamedTuple):
    """From a head to a dependent, both by number; 0 is the root."""

    head: int
    dependent: int
    label: str


@dataclass(frozen=True, slots=True)
class Graph(Layer):
    """A graph over the words, in which a word may have more than one head, or none."""

    name: ClassVar[str] = "graph"

    edges: tuple[Edge, ...]

    def heads(self, word: int) -> list[Edge]:
        return [edge for edge in self.edges if edge.dependent == word]

    def dependents(self, word: int) -> list[Edge]:
        return [edge for edge in self.edges if edge.head == word]

    def to_json(self) -> list[list[Any]]:
        return [list(edge) for edge in self.edges]

    @classmethod
    def from_json(cls, stored: Any) -> Graph:
        return cls(tuple(Edge(int(head), int(dependent), str(label)) for head, dependent, label in stored))

    def fits(self, words: int) -> bool:
        return all(
            0 <= e.head <= words and 1 <= e.dependent <= words and is_text(e.label) for e in self.edges
        )


class Candidate(NamedTuple):
    """A tag with the lemma it goes with, and by how much less probable it is than the best one: 0 to 1."""

    upos: str
    xpos: str
    feats: str
    lemma: str
    margin: float


@dataclass(frozen=True, slots=True)
class Candidates(Layer):
    """What the words of a sentence may be tagged as, where a parser chooses (Bohnet and Nivre 2012).

    The tags in the sentence are the best ones, of rank 0; `others` are those of rank 1, 2 ... of words that have
    several, by number of the word. To learn from, `right` are the ranks of the right ones where they are not 0.
    """

    name: ClassVar[str] = "candidates"

    others: Mapping[int, Sequence[Candidate]] = field(default_factory=dict)
    right: Mapping[int, int] = field(default_factory=dict)

    def sizes(self, words: int) -> Iterator[int]:
        """How many candidates each word has."""
        return (1 + len(self.others.get(word, ())) for word in range(1, words + 1))

    def chosen(self, ranks: Sequence[int]) -> dict[int, Candidate]:
        """What the words are that are not left with the tags in the sentence."""
        return {word: self.others[word][rank - 1] for word, rank in enumerate(ranks, 1) if rank > 0}

    def to_json(self) -> dict[str, Any]:
        return {"others": self.others, "right": self.right}

    @classmethod
    def from_json(cls, stored: Any) -> Candidates:
        return cls(
            {int(word): [Candidate(*each) for each in tags] for word, tags in stored["others"].items()},
            {int(word): int(rank) for word, rank in stored["right"].items()},
        )

    def fits(self, words: int) -> bool:
        return all(
            1 <= word <= words and all(is_text(text) for tag in tags for text in tag[:4])
            for word, tags in self.others.items()
        )


@dataclass(frozen=True, slots=True)
class GuideTree(Layer):
    """The tree of another parser, which one that is guided looks at (Nivre and McDonald 2008)."""

    name: ClassVar[str] = "guide"

    heads: Sequence[int]
    labels: Sequence[str]

    def to_json(self) -> list[Sequence[Any]]:
        return [self.heads, self.labels]

    @classmethod
    def from_json(cls, stored: Any) -> GuideTree:
        heads, labels = stored
        return cls([int(head) for head in heads], [str(label) for label in labels])

    def fits(self, words: int) -> bool:
        return _is_tree(self.heads, self.labels, words)


@dataclass(frozen=True, slots=True)
class Parse:
    """One tree of a sentence. Scores compare trees of one sentence only."""

    heads: list[int]
    labels: list[str]
    score: float
    tags: Mapping[int, Candidate] = field(default_factory=dict)  # by word, where they are not those it has


@dataclass(frozen=True, slots=True)
class Alternatives(Layer):
    """The best trees of a sentence that differ, the best first, where several were asked for."""

    name: ClassVar[str] = "alternatives"

    parses: tuple[Parse, ...]

    def __iter__(self) -> Iterator[Parse]:
        return iter(self.parses)

    def to_json(self) -> list[dict[str, Any]]:
        return [
            {"heads": parse.heads, "labels": parse.labels, "score": parse.score, "tags": parse.tags}
            for parse in self.parses
        ]

    @classmethod
    def from_json(cls, stored: Any) -> Alternatives:
        return cls(
            tuple(
                Parse(
                    [int(head) for head in parse["heads"]],
                    [str(label) for label in parse["labels"]],
                    float(parse["score"]),
                    {int(word): Candidate(*tag) for word, tag in parse["tags"].items()},
                )
                for parse in stored
            )
        )

    def fits(self, words: int) -> bool:
        return all(_is_tree(parse.heads, parse.labels, words) for parse in self.parses)


def is_text(value: object) -> bool:
    """Whether it can stand in a cell of a treebank."""
    return isinstance(value, str) and is_cell(value)


def _is_tree(heads: Sequence[int], labels: Sequence[str], words: int) -> bool:
    return (
        len(heads) == len(labels) == words
        and all(0 <= head <= words for head in heads)
        and all(map(is_text, labels))
    )


LAYERS: Mapping[str, type[Layer]] = {
    layer.name: layer for layer in (Frames, Graph, Candidates, GuideTree, Alternatives)
}
