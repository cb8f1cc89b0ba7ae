"""A graph with what is needed to find its parts without looking at all of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from plait.rules.graph import Graph


class Index:
    """Edges by label and by their ends, as numbers in `graph.edges`; nodes by attribute and value."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.all_edges = range(len(graph.edges))
        self.by_label: dict[str, list[int]] = defaultdict(list)
        self.leaving: dict[str, list[int]] = defaultdict(list)
        self.entering: dict[str, list[int]] = defaultdict(list)
        self.by_attribute: dict[str, list[str]] = defaultdict(list)
        self.by_value: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._ends: set[tuple[str | None, str | None, str | None]] = set()
        for number, (source, label, target) in enumerate(graph.edges):
            self.by_label[label].append(number)
            self.leaving[source].append(number)
            self.entering[target].append(number)
            for a in (source, None):
                for b in (label, None):
                    for c in (target, None):
                        self._ends.add((a, b, c))
        for name, attributes in graph.nodes.items():
            for attribute, value in attributes.items():
                self.by_attribute[attribute].append(name)
                self.by_value[attribute, value].append(name)

    def has_edge(self, source: str | None, label: str | None, target: str | None) -> bool:
        """Whether there is such an edge; None stands for anything."""
        return (source, label, target) in self._ends

    def nodes_with(self, attribute: str, values: Sequence[str]) -> list[str]:
        if not values:
            return self.by_attribute.get(attribute, [])
        if len(values) == 1:
            return self.by_value.get((attribute, values[0]), [])
        nodes = self.graph.nodes
        return [name for name in self.by_attribute.get(attribute, []) if nodes[name][attribute] in values]
