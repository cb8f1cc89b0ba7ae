"""What a rule file says: strata, lexicons, two-level rules and graphs (Bohnet, Langjahr and Wanner 2000, section 2.1).

A rule is the quintuple (left side, context, conditions, right side, correspondences). Places in the file are kept for
messages and do not count when two rules are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from plait.rules.graph import Graph
from plait.rules.tokens import Place

NOWHERE = Place()


@dataclass(frozen=True, slots=True)
class Literal:
    """A value as it stands there."""

    value: str
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class AttributeOf:
    """`?X.name`: an attribute of a source node."""

    variable: str
    name: str
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class LabelOf:
    """`?r`: the label of an edge `?X -?r-> ?Y`."""

    variable: str
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Lookup:
    """`Lex::(entry).name`: what a lexicon has for an entry, inherited or its own."""

    lexicon: str
    entry: Expression
    name: str
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Combined:
    """`a + b` joins two values, `a - b` cuts an ending off, `a or b` is the first that is there."""

    operator: str
    first: Expression
    second: Expression
    place: Place = NOWHERE


Expression = Literal | AttributeOf | LabelOf | Lookup | Combined


@dataclass(frozen=True, slots=True)
class Test:
    """`name`, or `name = a | b`: an attribute is there, and has one of these values."""

    name: str
    values: tuple[str, ...] = ()
    place: Place = NOWHERE

    def holds(self, value: str | None) -> bool:
        return value is not None and (not self.values or value in self.values)


@dataclass(frozen=True, slots=True)
class NodePattern:
    """`?X`, `?X { number = pl }`."""

    variable: str
    tests: tuple[Test, ...] = ()
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class AttributePattern:
    """`?X.number = pl`: the attribute without its node."""

    variable: str
    test: Test
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class EdgePattern:
    """`?X -1-> ?Y`, or with a variable for the label `?X -?r-> ?Y`."""

    source: str
    label: str
    target: str
    is_variable: bool = False
    place: Place = NOWHERE


Pattern = NodePattern | AttributePattern | EdgePattern


@dataclass(frozen=True, slots=True)
class Comparison:
    """`a = b | c`, `a != b`, `a < b`, `not a starts b`, `a ends b`."""

    left: Expression
    operator: str
    right: tuple[Expression, ...]
    negated: bool = False
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Presence:
    """`?X.number`, `not Lex::(?X.lex).gender`: there is a value, or none."""

    expression: Expression
    negated: bool = False
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Inherits:
    """`Lex::(?X.lex) is noun`: an entry is this one, or inherits from it."""

    lexicon: str
    entry: Expression
    parents: tuple[str, ...]
    negated: bool = False
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class HasEdge:
    """`?X -1-> ?`, `not ? -2-> ?X`: there is such an edge, or none; `?` is any node, `-?->` any label."""

    source: str
    label: str
    target: str
    negated: bool = False
    place: Place = NOWHERE


Condition = Comparison | Presence | Inherits | HasEdge


@dataclass(frozen=True, slots=True)
class NewNode:
    """`?Y { lex = ?X.sem }`."""

    variable: str
    settings: tuple[tuple[str, Expression], ...] = ()
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class NewEdge:
    """`?X -ATTR-> ?Y`."""

    source: str
    label: str
    target: str
    is_variable: bool = False
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Correspondence:
    """`?X <=> ?Y`, or as one of several: `?X <=> ?Z as auxiliary`."""

    source: str
    target: str
    role: str = ""
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Rule:
    """A two-level rule."""

    name: str
    source: str
    target: str
    left: tuple[Pattern, ...]
    context: tuple[Pattern, ...]
    conditions: tuple[Condition, ...]
    right: tuple[NewNode | NewEdge, ...]
    correspondences: tuple[Correspondence, ...]
    place: Place = NOWHERE
    path: str = field(default="", compare=False, repr=False)

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        return self.left + self.context


@dataclass(frozen=True, slots=True)
class Entry:
    """Of a lexicon: `chair: noun { plural = chairs }`."""

    name: str
    parents: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    place: Place = NOWHERE
    path: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LexiconBlock:
    name: str
    entries: tuple[Entry, ...]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Stratum:
    """What its structures may hold; where nothing is said, anything. `ordered`: its nodes are put into a row."""

    name: str
    ordered: bool = False
    attributes: tuple[Test, ...] = ()
    edges: tuple[str, ...] = ()
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Text:
    """A file: the order of strata where it says it, and all else in the order in which it stands there."""

    strata: tuple[str, ...] = ()
    declared: tuple[Stratum, ...] = ()
    lexicons: tuple[LexiconBlock, ...] = ()
    rules: tuple[Rule, ...] = ()
    graphs: tuple[Graph, ...] = ()
    strata_place: Place = NOWHERE


def expressions_of(condition: Condition) -> Iterator[Expression]:
    if isinstance(condition, Comparison):
        yield condition.left
        yield from condition.right
    elif isinstance(condition, Presence):
        yield condition.expression
    elif isinstance(condition, Inherits):
        yield condition.entry


def parts_of(expression: Expression) -> Iterator[Expression]:
    """An expression and all in it."""
    yield expression
    if isinstance(expression, Lookup):
        yield from parts_of(expression.entry)
    elif isinstance(expression, Combined):
        yield from parts_of(expression.first)
        yield from parts_of(expression.second)


def pattern_variables(pattern: Pattern) -> tuple[str, ...]:
    if isinstance(pattern, EdgePattern):
        return (pattern.source, pattern.target)
    return (pattern.variable,)
