"""All matches of a rule: sub-graphs of the source that are isomorphic to its left side and context.

Different variables stand for different nodes, different edges of a pattern for different edges. A match goes on from
the statement with the fewest candidates to those that hang together with it; conditions are looked at as soon as what
they speak of is known. `matches_as_written` keeps to the order of the rule, for whoever explains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from plait.cancel import check_cancelled
from plait.rules import language as lang
from plait.rules.index import Index
from plait.rules.language import AttributePattern, EdgePattern, NodePattern, expressions_of, parts_of
from plait.rules.limits import Budget
from plait.rules.values import Values

Statement = lang.Pattern | lang.Condition
_OFTEN = 255  # steps between two looks at the flag that ends work


@dataclass(slots=True)
class Match:
    """What the variables of a rule stand for. `edges` are the numbers of edges by the number of their pattern."""

    nodes: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    edges: dict[int, int] = field(default_factory=dict)

    def copy(self) -> Match:
        return Match(dict(self.nodes), dict(self.labels), dict(self.edges))


def condition_variables(condition: lang.Condition) -> set[str]:
    """The variables of nodes and of labels that it speaks of."""
    if isinstance(condition, lang.HasEdge):
        return {condition.source, condition.target} - {""}
    return {
        part.variable
        for expression in expressions_of(condition)
        for part in parts_of(expression)
        if isinstance(part, lang.AttributeOf | lang.LabelOf)
    }


class Matcher:
    """Finds matches in one source, within a budget."""

    def __init__(self, index: Index, values: Values, budget: Budget) -> None:
        self._index = index
        self._values = values
        self._budget = budget
        self._steps = 0

    def matches(self, rule: lang.Rule) -> Iterator[Match]:
        """All of them; the order is that of the source, and the same every time."""
        patterns = rule.patterns
        sizes = [self._size(pattern) for pattern in patterns]
        if 0 in sizes:
            return
        plan = self._plan(rule, sizes)
        yield from self._search(plan, 0, Match(), None)

    def matches_as_written(self, rule: lang.Rule, reached: Callable[[int, Match], None]) -> Iterator[Match]:
        """The same, statement by statement; `reached` hears how many of them hold for which match."""
        plan: list[tuple[int, Statement]] = list(enumerate(rule.patterns))
        plan += enumerate(rule.conditions, len(plan))
        yield from self._search(plan, 0, Match(), reached)

    def _plan(self, rule: lang.Rule, sizes: Sequence[int]) -> list[tuple[int, Statement]]:
        patterns = rule.patterns
        waiting = list(range(len(patterns)))
        conditions = [(condition_variables(each), each) for each in rule.conditions]
        known: set[str] = set()
        plan: list[tuple[int, Statement]] = []
        while waiting:

            def cost(number: int) -> tuple[int, int, int]:
                open_ends = sum(v not in known for v in lang.pattern_variables(patterns[number]))
                linked = open_ends < len(lang.pattern_variables(patterns[number]))
                return (0 if linked else 1, open_ends if linked else sizes[number], number)

            number = min(waiting, key=cost)
            waiting.remove(number)
            pattern = patterns[number]
            plan.append((number, pattern))
            known.update(lang.pattern_variables(pattern))
            if isinstance(pattern, EdgePattern) and pattern.is_variable:
                known.add(pattern.label)
            ready = [pair for pair in conditions if pair[0] <= known]
            conditions = [pair for pair in conditions if not pair[0] <= known]
            plan += ((-1, condition) for _, condition in ready)
        return plan

    def _size(self, pattern: lang.Pattern) -> int:
        """How many places of the source it may fit, at most."""
        if isinstance(pattern, EdgePattern):
            return len(self._index.all_edges if pattern.is_variable else self._labelled(pattern.label))
        tests = (pattern.test,) if isinstance(pattern, AttributePattern) else pattern.tests
        sizes = [len(self._index.nodes_with(test.name, test.values)) for test in tests]
        return min(sizes, default=len(self._index.graph.nodes))

    def _labelled(self, label: str) -> Sequence[int]:
        return self._index.by_label.get(label, ())

    def _search(
        self,
        plan: Sequence[tuple[int, Statement]],
        at: int,
        match: Match,
        reached: Callable[[int, Match], None] | None,
    ) -> Iterator[Match]:
        if reached:
            reached(at, match)
        if at == len(plan):
            yield match.copy()
            return
        number, statement = plan[at]
        if isinstance(statement, EdgePattern):
            yield from self._edges(plan, at, match, reached, number, statement)
        elif isinstance(statement, NodePattern | AttributePattern):
            for name in self._nodes(statement, match):
                new = statement.variable not in match.nodes
                match.nodes[statement.variable] = name
                yield from self._search(plan, at + 1, match, reached)
                if new:
                    del match.nodes[statement.variable]
        else:
            self._step()
            if self._values.holds(statement, match.nodes, match.labels):
                yield from self._search(plan, at + 1, match, reached)

    def _step(self) -> None:
        self._budget.spend()
        self._steps += 1
        if not self._steps & _OFTEN:
            check_cancelled()

    def _nodes(self, pattern: NodePattern | AttributePattern, match: Match) -> Iterator[str]:
        tests = (pattern.test,) if isinstance(pattern, AttributePattern) else pattern.tests
        bound = match.nodes.get(pattern.variable)
        if bound is not None:
            candidates: Sequence[str] = (bound,)
        elif tests:
            candidates = min((self._index.nodes_with(t.name, t.values) for t in tests), key=len)
        else:
            candidates = list(self._index.graph.nodes)
        taken = set(match.nodes.values())
        for name in candidates:
            self._step()
            attributes = self._index.graph.nodes[name]
            if (bound is not None or name not in taken) and all(
                t.holds(attributes.get(t.name)) for t in tests
            ):
                yield name

    def _edges(
        self,
        plan: Sequence[tuple[int, Statement]],
        at: int,
        match: Match,
        reached: Callable[[int, Match], None] | None,
        number: int,
        pattern: EdgePattern,
    ) -> Iterator[Match]:
        nodes, labels = match.nodes, match.labels
        source, target = nodes.get(pattern.source), nodes.get(pattern.target)
        label = labels.get(pattern.label) if pattern.is_variable else pattern.label
        for edge in self._edge_candidates(source, label, target):
            self._step()
            a, r, b = self._index.graph.edges[edge]
            if source not in (None, a) or target not in (None, b) or label not in (None, r):
                continue
            if (a == b) is not (pattern.source == pattern.target) or edge in match.edges.values():
                continue
            fresh = [
                (variable, name)
                for variable, name, old in ((pattern.source, a, source), (pattern.target, b, target))
                if old is None
            ]
            if any(name in nodes.values() for _, name in fresh):
                continue
            new_label = pattern.is_variable and pattern.label not in labels
            nodes.update(fresh)
            match.edges[number] = edge
            if new_label:
                labels[pattern.label] = r
            yield from self._search(plan, at + 1, match, reached)
            for variable, _ in fresh:
                nodes.pop(variable, None)
            del match.edges[number]
            if new_label:
                del labels[pattern.label]

    def _edge_candidates(self, source: str | None, label: str | None, target: str | None) -> Sequence[int]:
        found: list[Sequence[int]] = [self._labelled(label) if label else self._index.all_edges]
        if source is not None:
            found.append(self._index.leaving.get(source, ()))
        if target is not None:
            found.append(self._index.entering.get(target, ()))
        return min(found, key=len)
