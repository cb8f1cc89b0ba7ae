"""A graph that grows, and stays acyclic with every slot filled once."""

from __future__ import annotations

from collections.abc import Mapping

from plait.layers import Edge
from plait.meaning import SLOTS, SemanticNode, SemanticStructure
from plait.semantics.completion import Components


class Builder:
    """Lexical nodes first, in the order of their words; meta-semantemes and values as they come."""

    def __init__(self, lexical: list[SemanticNode]) -> None:
        self._nodes = list(lexical)
        self._slots: list[dict[str, int]] = [{} for _ in lexical]
        self._components = Components()

    def add(self, head: int, label: str, dependent: int) -> bool:
        """False if it would close a cycle, or no slot is free. One that is taken is given up for the next."""
        slots = self._slots[head - 1]
        free = [slot for slot in SLOTS[SLOTS.index(label) :] if slot not in slots]
        free = free or [slot for slot in SLOTS if slot not in slots]
        if head == dependent or not free or self._leads(dependent, head):
            return False
        slots[free[0]] = dependent
        self._components.join(head, dependent)
        return True

    def add_meta(self, label: str, modified: int, circumstance: int) -> int:
        """`modified` <-A1- label -A2-> `circumstance`; nothing leads to a meta-semanteme, so no cycle closes."""
        number = self._new(label)
        self._slots[number - 1] = {"A1": modified, "A2": circumstance}
        self._components.join(number, modified)
        self._components.join(number, circumstance)
        return number

    def add_value(self, label: str, node: int, value: str) -> None:
        self.add_meta(label, node, self._new(value))

    def _new(self, label: str) -> int:
        self._nodes.append(SemanticNode(label))
        self._slots.append({})
        return len(self._nodes)

    def together(self, one: int, other: int) -> bool:
        return self._components.together(one, other)

    def arguments(self, node: int) -> Mapping[str, int]:
        return self._slots[node - 1]

    def _leads(self, start: int, goal: int) -> bool:
        seen, open_ = {start}, [start]
        while open_:
            node = open_.pop()
            if node == goal:
                return True
            for below in self._slots[node - 1].values():
                if below not in seen:
                    seen.add(below)
                    open_.append(below)
        return False

    def finish(self, valency: Mapping[int, int]) -> SemanticStructure:
        """The arguments of every node become A1 to Ak, in their order."""
        edges = [
            Edge(head, slots[label], SLOTS[place])
            for head, slots in enumerate(self._slots, 1)
            for place, label in enumerate(sorted(slots))
        ]
        return SemanticStructure(tuple(self._nodes), tuple(edges), dict(valency))
