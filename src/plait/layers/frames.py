"""Predicates with their arguments, and graphs over the words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from plait.layers.base import Layer, is_text


class Argument(NamedTuple):
    """A word that plays a role for a predicate, and what the role means there if a list of frames tells."""

    word: int
    role: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """A predicate with its sense and its arguments, in the order of the sentence. A sense that is not known yet is `_`;
    `meaning` is what a list of frames tells of it.
    """

    predicate: int
    sense: str
    arguments: tuple[Argument, ...] = ()
    meaning: str = ""


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
                "arguments": [list(a if a.meaning else a[:2]) for a in frame.arguments],
                **({"meaning": frame.meaning} if frame.meaning else {}),
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
                    tuple(
                        Argument(int(word), str(role), *map(str, more))
                        for word, role, *more in frame["arguments"]
                    ),
                    str(frame.get("meaning", "")),
                )
                for frame in stored
            )
        )

    def fits(self, words: int) -> bool:
        """Predicates and the arguments of each are in order, every word once."""
        every = [[f.predicate for f in self.frames], *([a.word for a in f.arguments] for f in self.frames)]
        told = (text for f in self.frames for text in (f.meaning, *(a.meaning for a in f.arguments)))
        return (
            all(0 < n <= words for numbers in every for n in numbers)
            and all(one < next for numbers in every for one, next in pairwise(numbers))
            and all(is_text(text) for f in self.frames for text in (f.sense, *(a.role for a in f.arguments)))
            and all(not text or is_text(text) for text in told)
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
