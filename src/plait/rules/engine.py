"""One mapping: all matches of its rules, the cluster that fires, and the structure that it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plait.errors import InputError
from plait.rules import language as lang
from plait.rules.clusters import best_cluster
from plait.rules.graph import Edge, Graph
from plait.rules.index import Index
from plait.rules.instances import Element, Instance, Shared, make
from plait.rules.lexicon import Lexicon
from plait.rules.limits import LIMITS, Budget, Limits
from plait.rules.matching import Matcher
from plait.rules.order import put_in_order
from plait.rules.values import Values


@dataclass(frozen=True, slots=True)
class Firing:
    """An instance that fired, and the names in the target of what it made or spoke of."""

    instance: Instance
    made: Mapping[str, str]
    edges: tuple[Edge, ...]

    @property
    def rule(self) -> lang.Rule:
        return self.instance.rule


@dataclass(frozen=True, slots=True)
class Step:
    """One mapping from stratum to stratum: the inspector's view of it (section 2.4 of the paper)."""

    source: Graph
    target: Graph
    fired: tuple[Firing, ...]
    lost: tuple[Instance, ...]
    correspondences: tuple[tuple[str, str, str], ...]
    uncovered: tuple[Element, ...]
    notes: tuple[str, ...]

    @property
    def mapping(self) -> str:
        return f"{self.source.stratum} -> {self.target.stratum}"


def apply_rules(
    rules: Sequence[lang.Rule],
    lexicons: Mapping[str, Lexicon],
    graph: Graph,
    target: str,
    *,
    ordered: bool = False,
    limits: Limits = LIMITS,
) -> Step:
    """Apply rules to a structure. InputError where that takes more than the limits allow."""
    index = Index(graph)
    values = Values(index, lexicons)
    budget = Budget(limits.match_steps, f"matching the rules of {graph.stratum} -> {target}")
    matcher = Matcher(index, values, budget)
    instances: list[Instance] = []
    for rule in rules:
        for match in matcher.matches(rule):
            if len(instances) >= limits.instances:
                raise InputError(
                    f"the rules of {graph.stratum} -> {target} match more than {limits.instances:,} times "
                    f"(the rule {rule.name} is one of them)."
                )
            instances.append(make(len(instances), rule, match, values, graph))
    cluster = best_cluster(instances, limits.cluster_steps)
    notes = []
    if not cluster.exact:
        notes.append(
            "too many rules compete: the result is consistent, but another cluster might cover more."
        )
    builder = _Builder(target, graph)
    firings = tuple(builder.add(each) for each in cluster.fired)
    made = builder.graph(graph.title)
    if ordered:
        made, problems = put_in_order(made)
        notes += problems
    fired = {each.number for each in cluster.fired}
    return Step(
        graph,
        made,
        firings,
        tuple(each for each in instances if each.number not in fired),
        builder.correspondences,
        _uncovered(graph, cluster.fired),
        tuple(notes),
    )


def _uncovered(graph: Graph, fired: Sequence[Instance]) -> tuple[Element, ...]:
    """What no rule consumed and no rule that fired looked at."""
    covered = {element for each in fired for element in (*each.consumed, *each.read)}
    everything: list[Element] = [("node", name) for name in graph.nodes]
    everything += (("attribute", name, key) for name, values in graph.nodes.items() for key in values)
    everything += (("edge", number) for number in range(len(graph.edges)))
    return tuple(element for element in everything if element not in covered)


class _Builder:
    """The union of right sides, glued by the correspondences."""

    def __init__(self, stratum: str, source: Graph) -> None:
        self._stratum = stratum
        self._source = source
        self._nodes: dict[str, dict[str, str]] = {}
        self._edges: dict[Edge, None] = {}
        self._names: dict[Shared, str] = {}

    @property
    def correspondences(self) -> tuple[tuple[str, str, str], ...]:
        """(source node, target node, role)."""
        return tuple((node, name, role) for (node, role), name in self._names.items())

    def add(self, instance: Instance) -> Firing:
        made: dict[str, str] = {}
        for variable, attributes in instance.settings.items():
            name = self._name(instance, variable)
            made[variable] = name
            self._nodes.setdefault(name, {}).update(attributes)
        edges = []
        for new in instance.rule.right:
            if isinstance(new, lang.NewEdge):
                label = instance.match.labels[new.label] if new.is_variable else new.label
                edges.append(Edge(made[new.source], label, made[new.target]))
        self._edges.update(dict.fromkeys(edges))
        return Firing(instance, made, tuple(edges))

    def _name(self, instance: Instance, variable: str) -> str:
        """What corresponds to a node has its name; others are named after the first node of their rule."""
        shared = instance.shared.get(variable)
        if shared in self._names:
            return self._names[shared]
        node = shared[0] if shared else next(iter(instance.match.nodes.values()))
        role = shared[1] if shared else variable.lower()
        name = wished = f"{node}_{role}" if role else node
        count = 1
        while name in self._nodes or (name in self._source.nodes and not (shared and not role)):
            count += 1
            name = f"{wished}{count}"
        if shared:
            self._names[shared] = name
        return name

    def graph(self, title: str) -> Graph:
        return Graph(self._stratum, self._nodes, tuple(self._edges), title)
