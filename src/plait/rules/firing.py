"""Rules that can never fire, found without a graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from plait.errors import Problem
from plait.rules import language as lang
from plait.rules.binding import problem
from plait.rules.grammar import Grammar
from plait.rules.language import EdgePattern, NodePattern
from plait.rules.order import NEXT
from plait.rules.values import compare

Wanted = tuple[str, str]  # a variable and an attribute of it


def never_fires(grammar: Grammar) -> Iterator[Problem]:
    """Contradictions within a rule; wishes that the mapping before it never fulfils; rules that lose every time."""
    for rule in grammar.rules:
        yield from _contradictions(rule)
    for source, target in pairwise(grammar.strata):
        rules = grammar.mapping(source, target)
        if source != grammar.strata[0] and source not in grammar.declared:
            before = grammar.strata[grammar.strata.index(source) - 1]
            offer = _Offer.of(grammar.mapping(before, source))
            for rule in rules:
                yield from offer.missing(rule)
        first: dict[tuple[object, ...], lang.Rule] = {}
        for rule in rules:
            same = first.setdefault((rule.left, rule.context, rule.conditions), rule)
            if same is not rule and rule.left:
                message = (
                    f"it matches what rule {same.name} in line {same.place.line} matches, which stands before it: "
                    "that one is preferred."
                )
                yield problem(rule, rule.place, message, warning=True)


def _contradictions(rule: lang.Rule) -> Iterator[Problem]:
    wanted: dict[Wanted, set[str] | None] = {}

    def want(key: Wanted, values: tuple[str, ...]) -> bool:
        """Whether the attribute can still have a value."""
        known = wanted.get(key)
        if values:
            wanted[key] = set(values) if known is None else known & set(values)
        else:
            wanted.setdefault(key, None)
        return wanted[key] is None or bool(wanted[key])

    def never(where: lang.Pattern | lang.Condition, why: str) -> Problem:
        return problem(rule, where.place, f"it can never fire: {why}.")

    for pattern in rule.patterns:
        if isinstance(pattern, EdgePattern):
            continue
        tests = pattern.tests if isinstance(pattern, NodePattern) else (pattern.test,)
        for test in tests:
            if not want((pattern.variable, test.name), test.values):
                yield never(pattern, f"?{pattern.variable}.{test.name} would need two values")
    for condition in rule.conditions:
        if isinstance(condition, lang.Comparison):
            literals = tuple(each.value for each in condition.right if isinstance(each, lang.Literal))
            if len(literals) < len(condition.right):
                continue
            left = condition.left
            if isinstance(left, lang.Literal):
                if condition.operator != "!=" and (
                    any(compare(left.value, condition.operator, each) for each in literals)
                    is condition.negated
                ):
                    yield never(condition, "two values that stand there are not so")
            elif isinstance(left, lang.AttributeOf):
                key = (left.variable, left.name)
                refuses = (condition.operator == "!=") is not condition.negated
                if condition.operator not in ("=", "!="):
                    continue
                if not refuses and not want(key, literals):
                    yield never(condition, f"?{left.variable}.{left.name} would need two values")
                elif refuses and (known := wanted.get(key)) and known <= set(literals):
                    yield never(condition, f"?{left.variable}.{left.name} must be what it must not be")
        elif isinstance(condition, lang.Presence) and isinstance(condition.expression, lang.AttributeOf):
            key = (condition.expression.variable, condition.expression.name)
            if condition.negated and key in wanted:
                yield never(condition, f"?{key[0]}.{key[1]} must be there and must not")
            elif not condition.negated:
                want(key, ())
        elif isinstance(condition, lang.HasEdge) and condition.negated:
            for pattern in rule.patterns:
                if isinstance(pattern, EdgePattern) and _forbids(condition, pattern):
                    yield never(condition, "an edge must be there and must not")


def _forbids(condition: lang.HasEdge, pattern: EdgePattern) -> bool:
    return (
        condition.source in ("", pattern.source)
        and condition.target in ("", pattern.target)
        and (not condition.label or (condition.label == pattern.label and not pattern.is_variable))
    )


@dataclass(slots=True)
class _Offer:
    """What the rules of a mapping can make; None where it may be anything."""

    labels: set[str] | None = field(default_factory=lambda: {NEXT})
    values: dict[str, set[str] | None] = field(default_factory=dict)

    @classmethod
    def of(cls, rules: list[lang.Rule]) -> _Offer:
        offer = cls()
        for rule in rules:
            for made in rule.right:
                if isinstance(made, lang.NewEdge):
                    if made.is_variable:
                        offer.labels = None
                    elif offer.labels is not None:
                        offer.labels.add(made.label)
                    continue
                for name, value in made.settings:
                    known = offer.values.setdefault(name, set())
                    if isinstance(value, lang.Literal) and known is not None:
                        known.add(value.value)
                    else:
                        offer.values[name] = None
        return offer

    def missing(self, rule: lang.Rule) -> Iterator[Problem]:
        def never(where: lang.Pattern, what: str) -> Problem:
            message = f"it can fire only where a graph begins in {rule.source}: no rule makes {what}."
            return problem(rule, where.place, message, warning=True)

        for pattern in rule.patterns:
            if isinstance(pattern, EdgePattern):
                if not pattern.is_variable and self.labels is not None and pattern.label not in self.labels:
                    yield never(pattern, f"an edge {pattern.label}")
                continue
            for test in pattern.tests if isinstance(pattern, NodePattern) else (pattern.test,):
                if test.name not in self.values:
                    yield never(pattern, f"an attribute {test.name}")
                    continue
                known = self.values[test.name]
                if known is not None and test.values and known.isdisjoint(test.values):
                    yield never(pattern, f"{test.name} = {' | '.join(test.values)}")
