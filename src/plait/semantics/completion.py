"""Completing a semantic graph: every word is connected with its governor (Bohnet, Wanner, Mille and Burga 2010,
Algorithm 1).

What connects them is learned from pairs that are connected in a corpus, by the tags of both and the relation between
them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Key = tuple[str, str, str]  # tag of the dependent, tag of the governor, relation


@dataclass(frozen=True, slots=True)
class Link:
    """How two words are connected: the label, and whether the governor is the predicate."""

    label: str
    downwards: bool


class CompletionTable:
    """The most frequent link of every key."""

    def __init__(self, links: Mapping[Key, Link]) -> None:
        self.links = dict(links)

    @classmethod
    def learn(cls, seen: Iterable[tuple[Key, Link]]) -> CompletionTable:
        counts: defaultdict[Key, Counter[Link]] = defaultdict(Counter)
        for key, link in seen:
            counts[key][link] += 1
        return cls(
            {
                key: max(found, key=lambda link, found=found: (found[link], link.downwards, link.label))  # type: ignore[misc]
                for key, found in counts.items()
            }
        )

    def link(self, key: Key, defaults: Mapping[str, str], modifiers: Iterable[str]) -> Link:
        """That of the corpus, or else by the relation alone."""
        if key in self.links:
            return self.links[key]
        relation = key[2]
        if relation in modifiers or key[0] in ("ADJ", "NUM", "ADV", "DET"):
            return Link("A1", downwards=False)
        return Link(defaults.get(relation, defaults.get(relation.partition(":")[0], "A1")), downwards=True)


class Components:
    """Which nodes are connected: sets that are joined."""

    def __init__(self) -> None:
        self._above: dict[int, int] = {}

    def _find(self, node: int) -> int:
        while (above := self._above.setdefault(node, node)) != node:
            self._above[node] = node = self._above[above]
        return node

    def together(self, one: int, other: int) -> bool:
        return self._find(one) == self._find(other)

    def join(self, one: int, other: int) -> None:
        self._above[self._find(one)] = self._find(other)
