"""What holds for all rule files and graphs: they are read as they were written, and clusters are the best ones."""

from __future__ import annotations

import re
from itertools import chain, combinations, permutations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from plait.errors import PlaitError
from plait.rules import Graph, check, explain, from_texts, graphs_of, parse, render
from plait.rules import language as lang
from plait.rules.clusters import best_cluster
from plait.rules.graph import read_json, write_json
from plait.rules.index import Index
from plait.rules.instances import Instance
from plait.rules.limits import Budget
from plait.rules.matching import Match, Matcher
from plait.rules.values import Values

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
_WORDS = st.sampled_from(
    ["a", "b", "not", "is", "or", "as", "left", "-5", "x-y", "past'", "the end", "", '"', "\\", "é"]
)
VALUES = _WORDS | _TEXT
NAMES = st.sampled_from(["A", "B", "Lex", "Sem", "left", "rule", "not", "is", "x-1", "n'"])
VARIABLES = st.sampled_from(["X", "Y", "Z", "x1", "left"])
LABELS = VALUES.filter(bool)

EXPRESSIONS: st.SearchStrategy[Any] = st.recursive(
    st.builds(lang.Literal, VALUES)
    | st.builds(lang.AttributeOf, VARIABLES, VALUES)
    | st.builds(lang.LabelOf, VARIABLES),
    lambda inner: (
        st.builds(lang.Lookup, NAMES, inner, VALUES)
        | st.builds(lang.Combined, st.sampled_from(["+", "-", "or"]), inner, inner)
    ),
    max_leaves=8,
)
TESTS = st.builds(lang.Test, VALUES, st.lists(VALUES, max_size=3).map(tuple))
EDGES = st.builds(lang.EdgePattern, VARIABLES, LABELS, VARIABLES, st.just(False)) | st.builds(
    lang.EdgePattern, VARIABLES, VARIABLES, VARIABLES, st.just(True)
)
PATTERNS = (
    st.builds(lang.NodePattern, VARIABLES, st.lists(TESTS, max_size=3).map(tuple))
    | st.builds(lang.AttributePattern, VARIABLES, TESTS)
    | EDGES
)
SOME = st.lists(EXPRESSIONS, min_size=1, max_size=3).map(tuple)
SIGNS = st.sampled_from(["=", "!=", "<", ">=", "starts", "ends"])
CONDITIONS = (
    st.builds(lang.Comparison, EXPRESSIONS, SIGNS, SOME, st.booleans())
    | st.builds(lang.Presence, EXPRESSIONS, st.booleans())
    | st.builds(
        lang.Inherits, NAMES, EXPRESSIONS, st.lists(VALUES, min_size=1, max_size=2).map(tuple), st.booleans()
    )
    | st.builds(lang.HasEdge, VARIABLES, st.just("") | LABELS, st.just("") | VARIABLES, st.booleans())
)
SETTINGS = st.dictionaries(VALUES, EXPRESSIONS, max_size=3).map(lambda found: tuple(found.items()))
RIGHT = st.builds(lang.NewNode, VARIABLES, SETTINGS) | st.builds(
    lang.NewEdge, VARIABLES, LABELS, VARIABLES, st.just(False)
)
RULES = st.builds(
    lang.Rule,
    VALUES,
    NAMES,
    NAMES,
    st.lists(PATTERNS, min_size=1, max_size=4).map(tuple),
    st.lists(PATTERNS, max_size=2).map(tuple),
    st.lists(CONDITIONS, max_size=4).map(tuple),
    st.lists(RIGHT, max_size=3).map(tuple),
    st.lists(st.builds(lang.Correspondence, VARIABLES, VARIABLES, st.just("") | NAMES), max_size=2).map(
        tuple
    ),
)
ATTRIBUTES = st.dictionaries(VALUES, VALUES, max_size=3)
ENTRIES = st.builds(
    lang.Entry, VALUES, st.lists(VALUES, max_size=2).map(tuple), ATTRIBUTES.map(lambda d: tuple(d.items()))
)


@st.composite
def graphs(draw: st.DrawFn, values: st.SearchStrategy[str] = VALUES) -> Graph:
    nodes = draw(st.dictionaries(values, st.dictionaries(values, values, max_size=3), max_size=5))
    ends = st.sampled_from(sorted(nodes)) if nodes else st.nothing()
    edges = (
        draw(st.lists(st.tuples(ends, values.filter(bool), ends), max_size=6, unique=True)) if nodes else []
    )
    return Graph.build(draw(NAMES), nodes, edges, draw(VALUES))


TEXTS = st.builds(
    lang.Text,
    st.lists(NAMES, max_size=3, unique=True).map(tuple),
    st.lists(
        st.builds(lang.Stratum, NAMES, st.booleans(), st.lists(TESTS, max_size=2).map(tuple),
                  st.lists(VALUES, max_size=2).map(tuple)), max_size=2).map(tuple),
    st.lists(st.builds(lang.LexiconBlock, NAMES, st.lists(ENTRIES, max_size=3).map(tuple)), max_size=2).map(tuple),
    st.lists(RULES, max_size=3).map(tuple),
    st.lists(graphs(), max_size=2).map(tuple),
)  # fmt: skip


@given(TEXTS)
@settings(max_examples=150, deadline=None)
def test_what_is_written_is_read_again(text: lang.Text) -> None:
    written = render(text)
    assert parse(written) == text
    assert render(parse(written)) == written


@given(graphs())
@settings(max_examples=100, deadline=None)
def test_graphs_are_read_as_they_are_written(graph: Graph) -> None:
    assert graphs_of(str(graph)) == [graph]
    assert read_json(write_json([graph])) == [graph]


PIECES = st.sampled_from(
    ["rule", "lexicon", "graph", "stratum", "strata", "a", "A", "B", "->", "(", ")", "{", "}", "left:", "right:",
     "context:", "conditions:", "correspondence:", "?X", "?Y", "?", "-1->", "-?r->", "?r", "<=>", "=", "!=", ".", "::",
     "|", "+", "or", "not", "is", "as", '"q"', '"', "\n", ";", ",", ":", "#", "-", "ordered", "attributes:", "edges:",
     "é", "\x00", "\\"]
)  # fmt: skip


_CHAIN = "another file says another order of strata."


@given(st.lists(PIECES, max_size=60).map(" ".join) | st.text(max_size=80))
@settings(max_examples=300, deadline=None)
def test_whatever_is_read_gives_a_message_with_a_place_or_a_file(text: str) -> None:
    lines = text.split("\n")
    for problem in check({"f": text}):
        assert problem.path == "f"
        if problem.message != _CHAIN:
            assert 1 <= problem.line <= len(lines)
            assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1


@given(st.lists(st.lists(PIECES, max_size=12).map(" ".join), max_size=5), graphs(st.sampled_from("ab1")))
@settings(max_examples=200, deadline=None)
def test_whatever_can_be_read_can_be_applied_and_explained(parts: list[str], graph: Graph) -> None:
    text = "\n".join(f"rule r{i} (A -> B) {{ left: ?X -1-> ?Y; {part} }}" for i, part in enumerate(parts))
    try:
        explained = explain(from_texts({"f": text}), Graph("A", graph.nodes, graph.edges))
    except PlaitError:
        return
    assert explained.result.graph.stratum == "B"


# Clusters against all subsets

_RULE = lang.Rule("r", "A", "B", (), (), (), (), ())
ELEMENTS = st.frozensets(st.sampled_from([("node", name) for name in "abcdef"]), min_size=1, max_size=3)


@st.composite
def instances(draw: st.DrawFn) -> list[Instance]:
    found = []
    for number in range(draw(st.integers(1, 7))):
        value = draw(st.sampled_from(["", "1", "2"]))
        rule = lang.Rule(
            f"r{number}", "A", "B", (), (), (), (), (lang.Correspondence("X", "Y"),) if value else ()
        )
        read = frozenset(("attribute", "a", str(i)) for i in range(draw(st.integers(0, 2))))
        consumed = draw(ELEMENTS) if draw(st.integers(0, 5)) else frozenset()
        made = {"Y": {"k": value}} if value else {}
        found.append(Instance(number, rule, Match({"X": draw(st.sampled_from("ab"))}), consumed, read, made))
    return found


def agree(some: tuple[Instance, ...]) -> bool:
    return not any(
        a.consumed & b.consumed or any(b.claims.get(key, value) != value for key, value in a.claims.items())
        for a, b in combinations(some, 2)
    )


@given(instances())
@settings(max_examples=300, deadline=None)
def test_the_cluster_is_the_best_of_all_consistent_ones(all_of_them: list[Instance]) -> None:
    cluster = best_cluster(all_of_them)
    assert cluster.exact
    fired = tuple(cluster.fired)
    assert agree(fired)
    for other in all_of_them:  # maximal
        assert other in fired or not agree((*fired, other))
    consumers = [each for each in all_of_them if each.consumed]

    def worth(some: tuple[Instance, ...]) -> tuple[int, int, int, tuple[int, ...]]:
        order = tuple(-each.number for each in some)
        return sum(len(e.consumed) for e in some), -len(some), sum(len(e.read) for e in some), order

    subsets = chain.from_iterable(combinations(consumers, size) for size in range(len(consumers) + 1))
    best = max(filter(agree, subsets), key=worth)
    assert tuple(each for each in fired if each.consumed) == best


def test_bounds_are_exact_to_the_last_attribute_that_is_read() -> None:
    """The heaviest instance first gives two attributes read in all; the best cluster has three."""

    def instance(number: int, elements: str, reads: int, value: str) -> Instance:
        rule = lang.Rule(f"r{number}", "A", "B", (), (), (), (), (lang.Correspondence("X", "Y"),))
        consumed = frozenset(("node", name) for name in elements)
        read = frozenset(("attribute", elements[0], str(i)) for i in range(reads))
        return Instance(number, rule, Match({"X": "a"}), consumed, read, {"Y": {"k": value}})

    some = [
        instance(0, "abc", 2, "1"),
        instance(1, "def", 0, "1"),
        instance(2, "abc", 1, "2"),
        instance(3, "def", 2, "2"),
    ]
    assert [each.number for each in best_cluster(some).fired] == [2, 3]


@given(instances())
@settings(max_examples=50, deadline=None)
def test_a_search_that_is_cut_off_is_consistent_too(all_of_them: list[Instance]) -> None:
    fired = tuple(best_cluster(all_of_them, steps=1).fired)
    assert agree(fired)
    assert all(other in fired or not agree((*fired, other)) for other in all_of_them)


# Matching against all assignments


def by_enumeration(rule: lang.Rule, graph: Graph, values: Values) -> set[tuple[Any, ...]]:
    """Every way to give variables different nodes and edges of the pattern different edges, tried out."""
    variables = sorted({name for pattern in rule.patterns for name in lang.pattern_variables(pattern)})
    wanted = [(i, each) for i, each in enumerate(rule.patterns) if isinstance(each, lang.EdgePattern)]
    found = set()
    for nodes in permutations(graph.nodes, len(variables)):
        bound = dict(zip(variables, nodes, strict=True))
        for edges in permutations(range(len(graph.edges)), len(wanted)):
            labels: dict[str, str] = {}
            for (_, pattern), edge in zip(wanted, edges, strict=True):
                source, label, target = graph.edges[edge]
                fits = (source, target) == (bound[pattern.source], bound[pattern.target])
                known = labels.setdefault(pattern.label, label) if pattern.is_variable else pattern.label
                if not fits or known != label:
                    break
            else:
                if all(
                    test.holds(graph.nodes[bound[each.variable]].get(test.name))
                    for each in rule.patterns
                    if not isinstance(each, lang.EdgePattern)
                    for test in (each.tests if isinstance(each, lang.NodePattern) else (each.test,))
                ) and all(values.holds(condition, bound, labels) for condition in rule.conditions):
                    numbers = tuple((i, edge) for (i, _), edge in zip(wanted, edges, strict=True))
                    found.add((tuple(sorted(bound.items())), numbers))
    return found


@given(
    st.lists(st.sampled_from(["?X -1-> ?Y", "?Y -2-> ?Z", "?X { a }", "?Y.b = 1", "?Z", "?X -?r-> ?Z", "?X -?s-> ?Y",
                              "?Y -?r-> ?X", "?Z -1-> ?Z"]), min_size=1, max_size=4, unique=True),
    st.lists(st.sampled_from(["?X.a = ?Y.b", "not ?Y -1-> ?", "?X.a", "?Y.b != 1"]), max_size=1, unique=True),
    st.lists(st.tuples(*map(st.sampled_from, ("pqr", "12", "pqr"))), min_size=2, max_size=5, unique=True),
    st.lists(st.dictionaries(st.sampled_from("ab"), st.sampled_from("12"), max_size=2), min_size=3, max_size=3),
)  # fmt: skip
@settings(max_examples=300, deadline=None)
def test_all_matches_are_found_whatever_the_order(
    left: list[str], conditions: list[str], edges: list[tuple[str, str, str]], nodes: list[dict[str, str]]
) -> None:
    graph = Graph.build("A", dict(zip("pqr", nodes, strict=True)), edges)
    speakers = [each for each in conditions if {"?X", "?Y"} <= set(re.findall(r"\?\w", " ".join(left)))]
    text = f"rule r (A -> B) {{ left: {'; '.join(left)}; conditions: {'; '.join(speakers)} }}"
    (rule,) = from_texts({"": text}).rules
    index = Index(graph)
    values = Values(index, {})
    matcher = Matcher(index, values, Budget(10**6, ""))

    def key(match: Match) -> tuple[Any, ...]:
        return tuple(sorted(match.nodes.items())), tuple(sorted(match.edges.items()))

    planned = list(map(key, matcher.matches(rule)))
    assert sorted(planned) == sorted(by_enumeration(rule, graph, values))
    assert sorted(planned) == sorted(map(key, matcher.matches_as_written(rule, lambda *_: None)))
