"""A semantic graph for a terminal: an indented list, as in PENMAN's notation.

It begins with the predicate that has most below it. Every node is listed once, with its number, where the way from
there is shortest; `A1-of` leads from an argument to its predicate. Further edges name a node that is listed elsewhere.

    2 sell.01
    ├ A1 1 she
    └ A2 3 house
      └ A1-of 4 old
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plait.drawing.measure import visible
from plait.layers import Edge
from plait.meaning import InformationStructure, SemanticStructure

_TAGS, _LABELS, _END = "\033[2m", "\033[35m", "\033[0m"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A node below another one; `again` if it is listed elsewhere."""

    node: int
    label: str
    again: bool


def graph_lines(
    graph: SemanticStructure,
    sets: InformationStructure | None = None,
    *,
    colour: bool = False,
    ascii: bool = False,
) -> Iterator[str]:
    """The list, and below it the sets of nodes by number."""
    branch, corner, bar, elsewhere = ("|-", "`-", "| ", " ^") if ascii else ("├ ", "└ ", "│ ", " ↑")
    tops, entries = _spanned(graph)
    for top in tops:
        todo = [(_Entry(top, "", False), "", "")]
        while todo:
            entry, before, indent = todo.pop()
            label = f"{_tinted(entry.label, _LABELS, colour)} " if entry.label else ""
            name = f"{_tinted(str(entry.node), _TAGS, colour)} {visible(graph.nodes[entry.node - 1].label)}"
            yield f"{before}{label}{name}{elsewhere if entry.again else ''}"
            if entry.again:
                continue
            below = entries[entry.node]
            for at in range(len(below) - 1, -1, -1):
                last = at == len(below) - 1
                todo.append(
                    (below[at], indent + (corner if last else branch), indent + ("  " if last else bar))
                )
    if sets and sets.sets:
        yield ""
        for name, nodes in sets.sets.items():
            yield f"{_tinted(visible(name), _TAGS, colour)} {' '.join(map(str, sorted(nodes)))}".rstrip()


def _tinted(content: str, tint: str, colour: bool) -> str:
    return f"{tint}{content}{_END}" if colour else content


def _spanned(graph: SemanticStructure) -> tuple[list[int], dict[int, list[_Entry]]]:
    """Where lists begin, and what stands below every node."""
    size = len(graph.nodes)
    down: list[list[int]] = [[] for _ in range(size + 1)]
    up: list[list[int]] = [[] for _ in range(size + 1)]
    for index, edge in enumerate(graph.edges):
        down[edge.head].append(index)
        up[edge.dependent].append(index)
    for indices in down:
        indices.sort(key=lambda index: (graph.edges[index].label, index))
    entries: dict[int, list[_Entry]] = {node: [] for node in range(1, size + 1)}
    seen: set[int] = set()
    told: set[int] = set()
    tops: list[int] = []
    for top in _beginnings(graph, down):
        if top in seen:
            continue
        tops.append(top)
        seen.add(top)
        waiting = deque([top])
        while waiting:
            node = waiting.popleft()
            for index in (*down[node], *up[node]):
                edge = graph.edges[index]
                other = edge.dependent if edge.head == node else edge.head
                if index in told or (other in seen and edge.head != node):
                    continue  # an edge to a node that is listed already stands below its head
                told.add(index)
                label = visible(edge.label) if edge.head == node else f"{visible(edge.label)}-of"
                entries[node].append(_Entry(other, label, other in seen))
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
    return tops, entries


def _beginnings(graph: SemanticStructure, down: Sequence[Sequence[int]]) -> list[int]:
    """Nodes in the order in which a list may begin: words before others, those that reach most first."""
    reach = {node: _reach(node, down, graph.edges) for node, each in graph if each.word}
    return sorted(
        range(1, len(graph.nodes) + 1),
        key=lambda node: (not graph.nodes[node - 1].word, -reach.get(node, 0), node),
    )


def _reach(start: int, down: Sequence[Sequence[int]], edges: Sequence[Edge]) -> int:
    seen = {start}
    todo = [start]
    while todo:
        for index in down[todo.pop()]:
            below = edges[index].dependent
            if below not in seen:
                seen.add(below)
                todo.append(below)
    return len(seen)
