"""What expressions are worth and whether conditions hold, for given nodes of the source."""

from __future__ import annotations

import re
from collections.abc import Mapping

from plait.errors import InputError
from plait.rules import language as lang
from plait.rules.index import Index
from plait.rules.lexicon import Lexicon
from plait.rules.limits import LIMITS
from plait.rules.printing import show

_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")


class Values:
    """The source and the lexicons; `nodes` and `labels` of a call are what variables stand for."""

    def __init__(self, index: Index, lexicons: Mapping[str, Lexicon]) -> None:
        self._index = index
        self._lexicons = lexicons

    def of(
        self, expression: lang.Expression, nodes: Mapping[str, str], labels: Mapping[str, str]
    ) -> str | None:
        """Its value; None where there is none."""
        if isinstance(expression, lang.Literal):
            return expression.value
        if isinstance(expression, lang.AttributeOf):
            return self._index.graph.nodes[nodes[expression.variable]].get(expression.name)
        if isinstance(expression, lang.LabelOf):
            return labels[expression.variable]
        if isinstance(expression, lang.Lookup):
            entry = self.of(expression.entry, nodes, labels)
            lexicon = self._lexicons.get(expression.lexicon)
            return None if entry is None or lexicon is None else lexicon.find(entry, expression.name)
        first = self.of(expression.first, nodes, labels)
        if expression.operator == "or":
            return first if first is not None else self.of(expression.second, nodes, labels)
        second = self.of(expression.second, nodes, labels)
        if first is None or second is None:
            return None
        if expression.operator == "-":
            return first.removesuffix(second) if first.endswith(second) else None
        if len(first) + len(second) > LIMITS.value:
            raise InputError(
                f"the value of {show(expression)[:80]} has more than {LIMITS.value:,} characters."
            )
        return first + second

    def holds(self, condition: lang.Condition, nodes: Mapping[str, str], labels: Mapping[str, str]) -> bool:
        if isinstance(condition, lang.HasEdge):
            found = self._index.has_edge(
                nodes[condition.source] if condition.source else None,
                condition.label or None,
                nodes[condition.target] if condition.target else None,
            )
            return found is not condition.negated
        if isinstance(condition, lang.Inherits):
            entry = self.of(condition.entry, nodes, labels)
            lexicon = self._lexicons.get(condition.lexicon)
            is_one = (
                entry is not None
                and lexicon is not None
                and any(lexicon.inherits(entry, each) for each in condition.parents)
            )
            return is_one is not condition.negated
        if isinstance(condition, lang.Presence):
            return (self.of(condition.expression, nodes, labels) is None) is condition.negated
        left = self.of(condition.left, nodes, labels)
        right = [self.of(each, nodes, labels) for each in condition.right]
        if condition.operator == "!=":
            found = left is None or left not in right
        else:
            found = left is not None and any(
                each is not None and compare(left, condition.operator, each) for each in right
            )
        return found is not condition.negated


def compare(left: str, operator: str, right: str) -> bool:
    """Texts are equal, begin and end; numbers are less and more, and other texts are neither."""
    if operator == "=":
        return left == right
    if operator == "starts":
        return left.startswith(right)
    if operator == "ends":
        return left.endswith(right)
    if not _NUMBER.fullmatch(left) or not _NUMBER.fullmatch(right):
        return False
    a, b = float(left), float(right)
    return {"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[operator]
