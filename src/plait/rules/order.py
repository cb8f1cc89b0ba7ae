"""Nodes in a row, from a tree and statements about what goes before what.

Edges `before` are the statements of vertical and horizontal rules (Bohnet 2008: a head and a dependent; two dependents
of one head); all other edges make the tree. A node and all below it stand together. Edges `next` tell the result.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise

from plait.rules.graph import Edge, Graph

BEFORE, NEXT = "before", "next"
_TIGHT = frozenset(",.;:?!'")


def put_in_order(graph: Graph) -> tuple[Graph, list[str]]:
    """The graph with `next` edges instead of `before`, and what contradicted itself."""
    row, problems = row_of(graph)
    kept = [edge for edge in graph.edges if edge.label not in (BEFORE, NEXT)]
    kept += (Edge(a, NEXT, b) for a, b in pairwise(row))
    return Graph(graph.stratum, graph.nodes, tuple(kept), graph.title), problems


def row_of(graph: Graph) -> tuple[list[str], list[str]]:
    """All nodes in their order; where nothing is said, in that of the graph."""
    place = {name: number for number, name in enumerate(graph.nodes)}
    if chain := _chain(graph):
        return chain, []
    head: dict[str, str] = {}
    before: dict[str, list[str]] = defaultdict(list)
    for source, label, target in graph.edges:
        if label == BEFORE:
            before[source].append(target)
        elif label != NEXT:
            head.setdefault(target, source)
    _break_cycles(head)
    domains: dict[str | None, list[str]] = defaultdict(list)
    for name in graph.nodes:
        if name in head:
            domains[head[name]].append(name)
        else:
            domains[None].append(name)
    row: list[str] = []
    problems: list[str] = []
    stack = _sorted(domains[None], before, place, problems)[::-1]
    expanded: set[str] = set()
    while stack:
        name = stack.pop()
        if name in expanded or not domains[name]:
            row.append(name)
            continue
        expanded.add(name)
        stack += reversed(_sorted([name, *domains[name]], before, place, problems))
    return row, problems


def _chain(graph: Graph) -> list[str]:
    """The row that `next` edges tell, if they tell one of all nodes."""
    following = {edge.source: edge.target for edge in graph.edges if edge.label == NEXT}
    starts = [name for name in graph.nodes if name not in set(following.values())]
    if not following or len(starts) != 1 or len(following) != len(graph.nodes) - 1:
        return []
    row = starts
    while (name := following.get(row[-1])) is not None and len(row) <= len(graph.nodes):
        row.append(name)
    return row if len(row) == len(graph.nodes) else []


def _break_cycles(head: dict[str, str]) -> None:
    """A node whose way up comes back to it becomes a root."""
    done: set[str] = set()
    for start in list(head):
        way: dict[str, None] = {}
        name: str | None = start
        while name is not None and name not in done and name not in way:
            way[name] = None
            name = head.get(name)
        if name in way:
            del head[name]
        done.update(way)


def _sorted(
    names: Sequence[str], before: dict[str, list[str]], place: dict[str, int], problems: list[str]
) -> list[str]:
    """So that every statement holds, and else in the order of the graph; statements that go in a circle are named."""
    inside = set(names)
    waits = dict.fromkeys(names, 0)
    for name in names:
        for later in before[name]:
            if later in inside:
                waits[later] += 1
    ready = [(place[name], name) for name in names if not waits[name]]
    heapify(ready)
    found: list[str] = []
    while len(found) < len(names):
        if not ready:
            rest = [name for name in names if name not in found]
            problems.append(f"the order of {', '.join(rest[:8])} contradicts itself.")
            return found + rest
        _, name = heappop(ready)
        found.append(name)
        for later in before[name]:
            if later in inside:
                waits[later] -= 1
                if not waits[later]:
                    heappush(ready, (place[later], later))
    return found


def words_of(graph: Graph, attribute: str = "form") -> list[str]:
    """The words of a structure in their order; nodes without a form are silent."""
    forms = (graph.nodes[name].get(attribute, "") for name in row_of(graph)[0])
    return [form for form in forms if form]


def joined(words: Sequence[str]) -> str:
    """Words as a text: nothing before what closes; what ends like a sentence begins like one."""
    text = ""
    for word in words:
        text += word if not text or word[0] in _TIGHT else f" {word}"
    return text[:1].upper() + text[1:] if text.endswith((".", "?", "!")) else text
