"""The inspector (section 2.4 of the paper): which rules fired with which bindings, which did not, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plait.cancel import Cancel, Watching
from plait.errors import InputError
from plait.rules import language as lang
from plait.rules.engine import Firing, Step
from plait.rules.grammar import Grammar, Result
from plait.rules.graph import Graph
from plait.rules.index import Index
from plait.rules.instances import Element, Instance, element_name
from plait.rules.limits import Budget
from plait.rules.matching import Match, Matcher
from plait.rules.printing import show, show_condition, show_pattern
from plait.rules.tokens import Place, written
from plait.rules.values import Values

_STEPS, _ALL_STEPS = 50_000, 500_000  # to find out why a rule did not fire, and all that did not


@dataclass(frozen=True, slots=True)
class Failure:
    """A rule that did not fire. `kind` is pattern, condition, conflict or unknown; `place` that of the statement."""

    rule: lang.Rule
    kind: str
    reason: str
    place: Place


@dataclass(frozen=True, slots=True)
class Explanation:
    """Every step with the rules that did not fire in it."""

    result: Result
    failures: tuple[tuple[Failure, ...], ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "text": self.result.text,
            "steps": [
                step_json(step, failed) for step, failed in zip(self.result.steps, self.failures, strict=True)
            ],
        }


def explain(grammar: Grammar, graph: Graph, *, cancel: Cancel | None = None) -> Explanation:
    """Apply a grammar and tell all about it."""
    result = grammar.apply(graph, cancel=cancel)
    with Watching(cancel):
        failures = tuple(failures_of(grammar, step) for step in result.steps)
    return Explanation(result, failures)


def failures_of(grammar: Grammar, step: Step) -> tuple[Failure, ...]:
    """The rules of a mapping that did not fire; for all of them together there are as many steps as for a few."""
    fired = {id(each.rule) for each in step.fired}
    index = Index(step.source)
    values = Values(index, grammar.lexicons)
    lost: dict[int, Instance] = {}
    for each in step.lost:
        lost.setdefault(id(each.rule), each)
    left = _ALL_STEPS
    found = []
    for rule in grammar.mapping(step.source.stratum, step.target.stratum):
        if id(rule) in fired:
            continue
        if id(rule) in lost:
            found.append(_beaten(lost[id(rule)], step))
            continue
        budget = Budget(min(_STEPS, left), "finding out why a rule did not fire")
        before = budget.left
        found.append(_why_not(rule, index, values, budget))
        left -= before - max(0, budget.left)
    return tuple(found)


def _why_not(rule: lang.Rule, index: Index, values: Values, budget: Budget) -> Failure:
    furthest, best = -1, Match()

    def reached(count: int, match: Match) -> None:
        nonlocal furthest, best
        if count > furthest:
            furthest, best = count, match.copy()

    matcher = Matcher(index, values, budget)
    try:
        for _ in matcher.matches_as_written(rule, reached):
            break
    except InputError:
        return Failure(rule, "unknown", "it takes too long to find out why.", rule.place)
    bound = bindings(best)
    place = f" with {bound}" if bound else ""
    patterns = rule.patterns
    if furthest < len(patterns):
        statement = patterns[furthest]
        return Failure(rule, "pattern", f"nothing fits {show_pattern(statement)}{place}.", statement.place)
    condition = rule.conditions[furthest - len(patterns)]
    reason = f"{show_condition(condition)} does not hold{place}{_found(condition, best, values)}."
    return Failure(rule, "condition", reason, condition.place)


def _found(condition: lang.Condition, match: Match, values: Values) -> str:
    """What is there instead."""
    if isinstance(condition, lang.HasEdge):
        return ""
    expression = (
        condition.left
        if isinstance(condition, lang.Comparison)
        else condition.entry
        if isinstance(condition, lang.Inherits)
        else condition.expression
    )
    if isinstance(expression, lang.Literal):
        return ""
    value = values.of(expression, match.nodes, match.labels)
    if value is None:
        return f": {show(expression)} has no value"
    return f": {show(expression)} is {written(value)}"


def _beaten(instance: Instance, step: Step) -> Failure:
    """A match that lost against what fired."""
    bound = bindings(instance.match)
    for firing in step.fired:
        if reason := instance.disagreement(firing.instance, step.source):
            told = f"it matches with {bound}, but rule {firing.rule.name} fired: {reason}."
            return Failure(instance.rule, "conflict", told, instance.rule.place)
    return Failure(
        instance.rule, "conflict", f"it matches with {bound}, and was left out.", instance.rule.place
    )


def bindings(match: Match) -> str:
    """As `?X = chair, ?r = 1`."""
    return ", ".join(f"?{name} = {written(value)}" for name, value in (match.nodes | match.labels).items())


def step_json(step: Step, failures: tuple[Failure, ...]) -> dict[str, Any]:
    return {
        "mapping": step.mapping,
        "source": step.source.to_json(),
        "target": step.target.to_json(),
        "fired": [_firing_json(firing) for firing in step.fired],
        "failed": [
            {
                "rule": each.rule.name,
                "path": each.rule.path,
                "line": each.rule.place.line,
                "kind": each.kind,
                "reason": each.reason,
                "at": each.place.line,
            }
            for each in failures
        ],
        "correspondences": [list(each) for each in step.correspondences],
        "uncovered": [element_name(each, step.source) for each in step.uncovered],
        "notes": list(step.notes),
    }


def _firing_json(firing: Firing) -> dict[str, Any]:
    instance = firing.instance
    return {
        "rule": firing.rule.name,
        "path": firing.rule.path,
        "line": firing.rule.place.line,
        "bindings": instance.match.nodes,
        "labels": instance.match.labels,
        "consumed": _elements_json(instance.consumed),
        "read": _elements_json(instance.read),
        "made": dict(firing.made),
        "set": {variable: dict(found) for variable, found in instance.settings.items()},
        "edges": [list(edge) for edge in firing.edges],
    }


def _elements_json(elements: frozenset[Element]) -> dict[str, Any]:
    found = sorted(elements, key=str)
    return {
        "nodes": [each[1] for each in found if each[0] == "node"],
        "edges": sorted(int(each[1]) for each in found if each[0] == "edge"),
        "attributes": [list(each[1:]) for each in found if each[0] == "attribute"],
    }
