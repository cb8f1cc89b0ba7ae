"""The conditions that make an annotation of meaning fit for generation, one function each (Wanner, Mille and Bohnet
2012, definitions 1 and 2). Every function gives the nodes that violate its condition.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from plait.cancel import check_cancelled
from plait.meaning import (
    ASPECT,
    ASPECTS,
    CIRCUMSTANTIAL,
    META,
    SLOTS,
    TIME,
    TIMES,
    InformationStructure,
    SemanticStructure,
)

VERBS = ("VERB", "AUX")
Found = Iterator[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Violation:
    """A condition that does not hold, and for which nodes."""

    condition: str
    nodes: tuple[int, ...]


def labelled(graph: SemanticStructure) -> Found:
    """Edges are A1 to A6, and a node that stands for no word is a meta-semanteme or a value."""
    for edge in graph.edges:
        if edge.label not in SLOTS:
            yield (edge.head, edge.dependent)
    known = {*META, *TIMES, *ASPECTS}
    for number, node in graph:
        if not node.word and node.label not in known:
            yield (number,)


def acyclic(graph: SemanticStructure) -> Found:
    below: defaultdict[int, list[int]] = defaultdict(list)
    waiting: Counter[int] = Counter()
    for edge in graph.edges:
        below[edge.head].append(edge.dependent)
        waiting[edge.dependent] += 1
    free = [number for number, _ in graph if not waiting[number]]
    done = 0
    while free:
        done += 1
        for node in below[free.pop()]:
            waiting[node] -= 1
            if not waiting[node]:
                free.append(node)
    if done < len(graph.nodes):
        yield tuple(number for number, _ in graph if waiting[number] > 0)


def connected(graph: SemanticStructure) -> Found:
    beside: defaultdict[int, set[int]] = defaultdict(set)
    for edge in graph.edges:
        beside[edge.head].add(edge.dependent)
        beside[edge.dependent].add(edge.head)
    reached, open_ = {1}, [1]
    while open_:
        more = beside[open_.pop()] - reached
        reached |= more
        open_ += more
    apart = tuple(number for number, _ in graph if number not in reached)
    if apart:
        yield apart


def valency_respected(graph: SemanticStructure) -> Found:
    """(a) No predicate has more arguments than its frame."""
    for number, most in graph.valency.items():
        if len(graph.arguments(number)) > most:
            yield (number,)


def arguments_present(graph: SemanticStructure) -> Found:
    """(b) The arguments of a node are A1 to Ak, and none between is missing."""
    for number, _ in graph:
        slots = {edge.label for edge in graph.arguments(number)}
        if slots - set(SLOTS[: len(slots)]):
            yield (number,)


def slots_filled_once(graph: SemanticStructure) -> Found:
    """(c)"""
    for number, _ in graph:
        slots = Counter(edge.label for edge in graph.arguments(number))
        if any(count > 1 for count in slots.values()):
            yield (number,)


def circumstantials(graph: SemanticStructure) -> Found:
    """(d) A meta-semanteme has an A1, what is modified, and an A2, the circumstance."""
    for number, node in graph:
        if not node.word and node.label in CIRCUMSTANTIAL:
            slots = sorted(edge.label for edge in graph.arguments(number))
            if slots != ["A1", "A2"]:
                yield (number,)


def verbs_have_time(graph: SemanticStructure) -> Found:
    """(e)"""
    return _verbs_without(graph, TIME, TIMES)


def verbs_have_aspect(graph: SemanticStructure) -> Found:
    """(f)"""
    return _verbs_without(graph, ASPECT, ASPECTS)


def _verbs_without(graph: SemanticStructure, meta: str, values: tuple[str, ...]) -> Found:
    told: Counter[int] = Counter()
    for number, node in graph:
        if node.word or node.label != meta:
            continue
        slots = {edge.label: edge.dependent for edge in graph.arguments(number)}
        value = slots.get("A2")
        if "A1" in slots and value and graph.nodes[value - 1].label in values:
            told[slots["A1"]] += 1
    for number, node in graph:
        if node.word and node.pos in VERBS and told[number] != 1:
            yield (number,)


GRAPH: Mapping[str, Callable[[SemanticStructure], Found]] = {
    "labels": labelled,
    "acyclic": acyclic,
    "connected": connected,
    "a: valency": valency_respected,
    "b: all arguments": arguments_present,
    "c: slots once": slots_filled_once,
    "d: circumstantials": circumstantials,
    "e: time": verbs_have_time,
    "f: aspect": verbs_have_aspect,
}


def embedded_themes(graph: SemanticStructure, sets: InformationStructure) -> Found:
    """(a) A theme with a verb that has an A1 holds a theme and a rheme of its own."""
    names = sorted(name for name in sets.sets if name.startswith("theme_"))
    in_rhemes: defaultdict[int, list[str]] = defaultdict(list)
    for name in names:
        for number in sets.of(_rheme(name)):
            in_rhemes[number].append(name)
    for name in names:
        check_cancelled()
        theme = sets.of(name)
        for number in sorted(theme):
            if graph.nodes[number - 1].pos not in VERBS or not graph.arguments(number):
                continue
            inner = [other for other in in_rhemes[number] if other != name]
            if not any(sets.of(other) | sets.of(_rheme(other)) <= theme for other in inner):
                yield (number,)


def disjoint(graph: SemanticStructure, sets: InformationStructure) -> Found:  # noqa: ARG001
    """(b) Nothing is theme and rheme of the same, given and new, in the fore- and in the background."""
    pairs = [(name, _rheme(name)) for name in sets.sets if name.startswith("theme_")]
    pairs += [(name, "new") for name in sets.sets if name.startswith("given_")]
    for one, other in (*pairs, ("foregrounded", "backgrounded")):
        if both := sets.of(one) & sets.of(other):
            yield tuple(sorted(both))


def everything_said(graph: SemanticStructure, sets: InformationStructure) -> Found:
    """(c) Every node is in the first theme or rheme; and there are no other nodes."""
    outside = {number for number, _ in graph} ^ (sets.of("theme_1") | sets.of("rheme_1"))
    if outside:
        yield tuple(sorted(outside))


INFORMATION: Mapping[str, Callable[[SemanticStructure, InformationStructure], Found]] = {
    "information a: embedded themes": embedded_themes,
    "information b: disjoint": disjoint,
    "information c: everything": everything_said,
}


def violations(graph: SemanticStructure, sets: InformationStructure | None = None) -> Iterator[Violation]:
    """All of them, condition by condition."""
    if not graph.nodes:
        return
    for name, check in GRAPH.items():
        for nodes in check(graph):
            yield Violation(name, nodes)
    if sets is not None and all(1 <= n <= len(graph.nodes) for nodes in sets.sets.values() for n in nodes):
        for name, look in INFORMATION.items():
            for nodes in look(graph, sets):
                yield Violation(name, nodes)


def _rheme(theme: str) -> str:
    return theme.replace("theme_", "rheme_", 1)
