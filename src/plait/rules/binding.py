"""What must be right in a rule before it can be applied: variables, sides and correspondences."""

from __future__ import annotations

from collections.abc import Iterator

from plait.errors import Problem
from plait.rules import language as lang
from plait.rules.language import EdgePattern, expressions_of, parts_of, pattern_variables
from plait.rules.tokens import Place


def problem(rule: lang.Rule, place: Place, message: str, *, warning: bool = False) -> Problem:
    """Of a rule, at a place in its file."""
    return Problem(
        f"rule {rule.name}: {message}", rule.path, place.line, column=place.column, warning=warning
    )


def node_variables(rule: lang.Rule) -> set[str]:
    """Of the source."""
    return {variable for pattern in rule.patterns for variable in pattern_variables(pattern)}


def label_variables(rule: lang.Rule) -> set[str]:
    return {each.label for each in rule.patterns if isinstance(each, EdgePattern) and each.is_variable}


def made_variables(rule: lang.Rule) -> set[str]:
    """Of the target."""
    return {
        variable
        for made in rule.right
        for variable in ((made.source, made.target) if isinstance(made, lang.NewEdge) else (made.variable,))
    }


def all_expressions(rule: lang.Rule) -> Iterator[lang.Expression]:
    """Of conditions and of the right side, whole ones."""
    for condition in rule.conditions:
        yield from expressions_of(condition)
    for made in rule.right:
        if isinstance(made, lang.NewNode):
            yield from (expression for _, expression in made.settings)


def binding_problems(rule: lang.Rule) -> Iterator[Problem]:
    """Variables that stand for nothing or for two things, and correspondences that contradict each other."""
    nodes, labels, made = node_variables(rule), label_variables(rule), made_variables(rule)
    for name in sorted(nodes & labels):
        yield problem(rule, rule.place, f"?{name} stands for a node and for a label.")
    for name in sorted((nodes | labels) & made):
        place = next(each.place for each in rule.right if name in _ends(each))
        yield problem(rule, place, f"?{name} stands on both sides; give what corresponds to it another name.")
    yield from _unbound(rule, nodes, labels)
    yield from _correspondences(rule, nodes, made)
    yield from _settings(rule)


def _ends(made: lang.NewNode | lang.NewEdge) -> tuple[str, ...]:
    return (made.source, made.target) if isinstance(made, lang.NewEdge) else (made.variable,)


def _unbound(rule: lang.Rule, nodes: set[str], labels: set[str]) -> Iterator[Problem]:
    for expression in all_expressions(rule):
        for part in parts_of(expression):
            if isinstance(part, lang.AttributeOf) and part.variable not in nodes:
                yield problem(
                    rule, part.place, f"?{part.variable} is not bound: neither left side nor context has it."
                )
            elif isinstance(part, lang.LabelOf) and part.variable not in labels:
                more = (
                    f"; it is a node: say which attribute, such as ?{part.variable}.lex"
                    if part.variable in nodes
                    else ""
                )
                yield problem(rule, part.place, f"?{part.variable} is not bound to a label{more}.")
    for condition in rule.conditions:
        if isinstance(condition, lang.HasEdge):
            for name in (condition.source, condition.target):
                if name and name not in nodes:
                    message = (
                        f"?{name} is not bound: neither left side nor context has it; ? stands for any node."
                    )
                    yield problem(rule, condition.place, message)
    for made in rule.right:
        if isinstance(made, lang.NewEdge) and made.is_variable and made.label not in labels:
            yield problem(rule, made.place, f"?{made.label} is not bound to a label.")


def _correspondences(rule: lang.Rule, nodes: set[str], made: set[str]) -> Iterator[Problem]:
    """One node of the source corresponds to one of the target, for every role (section 2.1 of the paper)."""
    sources: dict[tuple[str, str], str] = {}
    targets: dict[str, str] = {}
    for pair in rule.correspondences:
        if pair.source not in nodes:
            message = f"?{pair.source} is not bound: neither left side nor context has it."
            yield problem(rule, pair.place, message)
        if pair.target not in made:
            yield problem(rule, pair.place, f"?{pair.target} is not on the right side.")
        if pair.target in targets:
            first = targets[pair.target]
            message = (
                f"?{pair.target} corresponds to ?{first} and to ?{pair.source}: it can be one of them only."
            )
            yield problem(rule, pair.place, message)
        elif (pair.source, pair.role) in sources:
            first = sources[pair.source, pair.role]
            yield problem(
                rule,
                pair.place,
                f"?{pair.source} corresponds to ?{first} and to ?{pair.target}: say as what, such as "
                f"?{pair.source} <=> ?{pair.target} as auxiliary.",
            )
        sources.setdefault((pair.source, pair.role), pair.target)
        targets.setdefault(pair.target, pair.source)


def _settings(rule: lang.Rule) -> Iterator[Problem]:
    """An attribute that one rule sets in two ways."""
    known: dict[tuple[str, str], lang.Expression] = {}
    for made in rule.right:
        if isinstance(made, lang.NewNode):
            for name, value in made.settings:
                if known.setdefault((made.variable, name), value) != value:
                    yield problem(rule, made.place, f"?{made.variable}.{name} is set twice.")
