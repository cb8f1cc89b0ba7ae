"""Annotation of meaning that a generator can start from, as layers of a sentence (Wanner, Mille and Bohnet 2012).

Nodes count from 1. Those that stand for a word are lexical units; the others are meta-semantemes such as LOC or TIME,
and values of time and aspect such as past'.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from plait.layers import LAYERS, Edge, Layer, is_text

CIRCUMSTANTIAL = ("LOC", "TMP", "EXT", "MNR", "CAU", "DIR", "SPEC", "ELAB", "ADDR")
TIME, ASPECT = "TIME", "TCST"
META = (*CIRCUMSTANTIAL, TIME, ASPECT)
TIMES = ("past'", "present'", "future'")
ASPECTS = ("imperfective'", "durative'", "semelfactive'", "iterative'", "telic'", "atelic'", "nil'")
SLOTS = tuple(f"A{number}" for number in range(1, 7))


@dataclass(frozen=True, slots=True)
class SemanticNode:
    """A label, the word it stands for (0: none), and the part of speech of that."""

    label: str
    word: int = 0
    pos: str = "_"


@dataclass(frozen=True, slots=True)
class SemanticStructure(Layer):
    """A labelled, acyclic, connected graph. Edges go from a predicate to its arguments, A1 to A6; `valency` is how many
    arguments a node may have at most, where that is known.
    """

    name: ClassVar[str] = "semantics"

    nodes: tuple[SemanticNode, ...]
    edges: tuple[Edge, ...]
    valency: Mapping[int, int] = field(default_factory=dict)
    _by_head: Mapping[int, list[Edge]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        found: dict[int, list[Edge]] = {}
        for edge in self.edges:
            found.setdefault(edge.head, []).append(edge)
        object.__setattr__(self, "_by_head", found)

    def __iter__(self) -> Iterator[tuple[int, SemanticNode]]:
        return enumerate(self.nodes, 1)

    def arguments(self, node: int) -> list[Edge]:
        return self._by_head.get(node, [])

    def to_json(self) -> dict[str, Any]:
        return {
            "nodes": [[node.label, node.word, node.pos] for node in self.nodes],
            "edges": [list(edge) for edge in self.edges],
            "valency": self.valency,
        }

    @classmethod
    def from_json(cls, stored: Any) -> SemanticStructure:
        return cls(
            tuple(SemanticNode(str(label), int(word), str(pos)) for label, word, pos in stored["nodes"]),
            tuple(Edge(int(head), int(to), str(label)) for head, to, label in stored["edges"]),
            {int(node): int(most) for node, most in stored["valency"].items()},
        )

    def fits(self, words: int) -> bool:
        count = len(self.nodes)
        return (
            all(0 <= node.word <= words and is_text(node.label) and is_text(node.pos) for node in self.nodes)
            and all(
                1 <= e.head <= count and 1 <= e.dependent <= count and is_text(e.label) for e in self.edges
            )
            and all(1 <= node <= count and most >= 0 for node, most in self.valency.items())
        )


@dataclass(frozen=True, slots=True)
class InformationStructure(Layer):
    """Sets of nodes by name: theme_1, rheme_1, theme_2 ..., given_1 to given_3, new, foregrounded, backgrounded."""

    name: ClassVar[str] = "information"

    sets: Mapping[str, frozenset[int]]

    def of(self, name: str) -> frozenset[int]:
        return self.sets.get(name, frozenset())

    def to_json(self) -> dict[str, Sequence[int]]:
        return {name: sorted(nodes) for name, nodes in self.sets.items()}

    @classmethod
    def from_json(cls, stored: Any) -> InformationStructure:
        return cls({str(name): frozenset(int(node) for node in nodes) for name, nodes in stored.items()})

    def fits(self, words: int) -> bool:  # noqa: ARG002
        return all(is_text(name) and all(node >= 1 for node in nodes) for name, nodes in self.sets.items())


ALL_LAYERS: Mapping[str, type[Layer]] = {
    **LAYERS,
    SemanticStructure.name: SemanticStructure,
    InformationStructure.name: InformationStructure,
}
