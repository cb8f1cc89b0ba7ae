"""A rule that matches somewhere: what it consumes of the source, what it reads, and what it would make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from plait.rules import language as lang
from plait.rules.graph import Graph
from plait.rules.language import AttributePattern, EdgePattern, NodePattern, expressions_of, parts_of
from plait.rules.matching import Match
from plait.rules.values import Values

# Of the source: ("node", x), ("edge", its number), ("attribute", x, name).
Element = tuple[str | int, ...]
# A node of the target that others may speak of too: the source node, and the role of the correspondence.
Shared = tuple[str, str]


@dataclass(frozen=True)
class Instance:
    """`number` orders instances: by rule, then as they were found."""

    number: int
    rule: lang.Rule
    match: Match
    consumed: frozenset[Element]
    read: frozenset[Element]
    settings: Mapping[str, Mapping[str, str]]

    @cached_property
    def shared(self) -> dict[str, Shared]:
        """The variables of the right side that stand for nodes which other instances may make too."""
        return {pair.target: (self.match.nodes[pair.source], pair.role) for pair in self.rule.correspondences}

    @cached_property
    def claims(self) -> dict[tuple[Shared, str], str]:
        """The values of attributes of shared nodes: instances that fire together agree on them."""
        return {
            (self.shared[variable], name): value
            for variable, attributes in self.settings.items()
            if variable in self.shared
            for name, value in attributes.items()
        }

    def disagreement(self, other: Instance, graph: Graph) -> str:
        """Why the two cannot fire together; empty if they can."""
        for element in sorted(
            self.consumed & other.consumed, key=lambda each: (each[0] != "node", str(each))
        ):
            return f"both consume {element_name(element, graph)}"
        for (node, role), name in sorted(self.claims.keys() & other.claims.keys()):
            mine, theirs = self.claims[(node, role), name], other.claims[(node, role), name]
            if mine != theirs:
                what = f"what corresponds to {node}" + (f" as {role}" if role else "")
                return f"{what} would have {name} = {mine} and {theirs}"
        return ""


def element_name(element: Element, graph: Graph) -> str:
    """As messages name it."""
    kind, name = element[0], element[1]
    if kind == "edge":
        return f"the edge {graph.edges[int(name)]}"
    return f"the node {name}" if kind == "node" else f"{name}.{element[2]}"


def consumed(patterns: Sequence[lang.Pattern], match: Match) -> Iterator[Element]:
    """Nodes that stand for themselves, with the attributes that are named; attributes alone; edges, not their ends."""
    for number, pattern in enumerate(patterns):
        if isinstance(pattern, EdgePattern):
            yield "edge", match.edges[number]
        elif isinstance(pattern, AttributePattern):
            yield "attribute", match.nodes[pattern.variable], pattern.test.name
        elif isinstance(pattern, NodePattern):
            name = match.nodes[pattern.variable]
            yield "node", name
            yield from (("attribute", name, test.name) for test in pattern.tests)


def make(number: int, rule: lang.Rule, match: Match, values: Values, graph: Graph) -> Instance:
    """The instance of a rule for a match; settings without a value are left out."""
    settings: dict[str, dict[str, str]] = {}
    for made in rule.right:
        for variable in (made.source, made.target) if isinstance(made, lang.NewEdge) else (made.variable,):
            settings.setdefault(variable, {})
        if isinstance(made, lang.NewNode):
            for name, expression in made.settings:
                if (value := values.of(expression, match.nodes, match.labels)) is not None:
                    settings[made.variable][name] = value
    read: set[Element] = set()
    for variable, name in _looked_at(rule):
        node = match.nodes[variable]
        if name in graph.nodes[node]:
            read.add(("attribute", node, name))
    taken = frozenset(consumed(rule.left, match))
    return Instance(number, rule, match, taken, frozenset(read - taken), settings)


def _looked_at(rule: lang.Rule) -> Iterator[tuple[str, str]]:
    """Attributes that conditions and the right side speak of."""
    expressions = [each for condition in rule.conditions for each in expressions_of(condition)]
    expressions += (
        value for made in rule.right if isinstance(made, lang.NewNode) for _, value in made.settings
    )
    for expression in expressions:
        for part in parts_of(expression):
            if isinstance(part, lang.AttributeOf):
                yield part.variable, part.name
