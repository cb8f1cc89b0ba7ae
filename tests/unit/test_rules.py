"""Two-level rules: the paper's example, clusters, inheritance, order, limits, what is reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from plait import Cancel, rules
from plait.errors import Cancelled, InputError
from plait.rules import Graph, Limits, explain, from_texts
from plait.rules.instances import element_name

Command = Callable[..., Any]

# The rule of Bohnet, Langjahr and Wanner (2000), section 2.1, in the notation of today.
PAPER = """
lexicon Sem {
  property { type = property }
  'red': property { lex = red }
  'chair' { lex = chair }
}
lexicon Lex {
  red { cat = adj }
  chair { cat = noun }
}
rule property (Sem -> DSynt) {
  leftside:
    ?Xsem -1-> ?Ysem
  conditions:
    Sem::(?Xsem.sem).type = property
    Lex::(Sem::(?Xsem.sem).lex).cat = adj
  rightside:
    ?Xds
    ?Yds
    ?Yds -ATTR-> ?Xds
  correspondence:
    ?Xsem <=> ?Xds
    ?Ysem <=> ?Yds
}
""".replace("'red'", "RED").replace("'chair'", "CHAIR")
RED_CHAIR = Graph.build("Sem", {"r": {"sem": "RED"}, "c": {"sem": "CHAIR"}}, [("r", "1", "c")])


def grammar(text: str) -> rules.Grammar:
    return from_texts({"test.rules": text})


def fired(text: str, graph: Graph) -> list[tuple[str, dict[str, str]]]:
    (step,) = grammar(text).apply(graph).steps
    return [(each.rule.name, each.instance.match.nodes) for each in step.fired]


def test_the_example_of_the_paper() -> None:
    result = grammar(PAPER).apply(RED_CHAIR)
    (step,) = result.steps
    assert [each.rule.name for each in step.fired] == ["property"]
    assert step.fired[0].instance.match.nodes == {"Xsem": "r", "Ysem": "c"}
    assert result.graph.edges == (("c", "ATTR", "r"),)
    assert set(step.correspondences) == {("r", "r", ""), ("c", "c", "")}
    # Its left side is the relation: who speaks of the two nodes is another rule's business.
    assert {element_name(each, RED_CHAIR) for each in step.uncovered} == {
        "the node r",
        "the node c",
        "c.sem",
    }


def test_a_verb_is_no_property() -> None:
    verb = PAPER.replace("cat = adj }", "cat = verb }")
    explained = explain(grammar(verb), RED_CHAIR)
    assert explained.result.graph.nodes == {}
    ((failure,),) = explained.failures
    assert failure.kind == "condition"
    assert failure.reason == (
        "Lex::(Sem::(?Xsem.sem).lex).cat = adj does not hold with ?Xsem = r, ?Ysem = c: "
        "Lex::(Sem::(?Xsem.sem).lex).cat is verb."
    )
    assert verb.splitlines()[failure.place.line - 1].strip() == "Lex::(Sem::(?Xsem.sem).lex).cat = adj"


def test_faults_that_the_papers_editor_shows() -> None:
    """Figure 1: a value that does not exist, and a node that corresponds to two."""
    (misspelt,) = rules.check({"a": PAPER.replace(".cat = adj", ".cat = adk")})
    assert "no entry of Lex has cat = adk; did you mean adj?" in str(misspelt)
    (twice,) = rules.check({"a": PAPER.replace("?Ysem <=> ?Yds", "?Ysem <=> ?Xds")})
    assert "?Xds corresponds to ?Xsem and to ?Ysem: it can be one of them only." in str(twice)
    assert rules.check({"a": PAPER}) == []


LEXICAL = """
rule {a} (A -> B) {{
  left: ?X {{ k = v }}
  right: ?Y {{ was = {a} }}
  correspondence: ?X <=> ?Y
}}
"""


def test_of_two_rules_for_the_same_the_first_fires() -> None:
    graph = Graph.build("A", {"n": {"k": "v"}})
    text = LEXICAL.format(a="one") + LEXICAL.format(a="two")
    assert fired(text, graph) == [("one", {"X": "n"})]
    explained = explain(grammar(text), graph)
    assert explained.failures[0][0].reason == (
        "it matches with ?X = n, but rule one fired: both consume the node n."
    )


def test_the_cluster_that_covers_more_beats_the_order_of_rules() -> None:
    text = """
    rule small (A -> B) { left: ?X }
    rule large (A -> B) { left: ?X; ?X.k }
    """
    assert [name for name, _ in fired(text, Graph.build("A", {"n": {"k": "v"}}))] == ["large"]


def test_a_greedy_choice_would_cover_less() -> None:
    """The chain of three edges: the rule for the middle consumes most of all rules, but two others together more."""
    text = """
    rule middle (A -> B) { left: ?X -b-> ?Y; ?X.k; ?Y.k }
    rule first (A -> B) { left: ?X -a-> ?Y; ?Y.k }
    rule last (A -> B) { left: ?X -c-> ?Y; ?X.k }
    """
    graph = Graph.build(
        "A",
        {"p": {}, "q": {"k": "1"}, "r": {"k": "1"}, "s": {}},
        [("p", "a", "q"), ("q", "b", "r"), ("r", "c", "s")],
    )
    assert [name for name, _ in fired(text, graph)] == ["first", "last"]


def test_one_large_rule_goes_before_several_small_ones() -> None:
    text = """
    rule node (A -> B) { left: ?X }
    rule value (A -> B) { left: ?X.k }
    rule both (A -> B) { left: ?X { k } }
    """
    assert [name for name, _ in fired(text, Graph.build("A", {"n": {"k": "v"}}))] == ["both"]


def test_then_the_rule_that_looks_at_more() -> None:
    text = """
    rule any (A -> B) { left: ?X }
    rule exact (A -> B) { left: ?X; conditions: ?X.k = v }
    """
    assert [name for name, _ in fired(text, Graph.build("A", {"n": {"k": "v"}}))] == ["exact"]


def test_correspondences_must_agree() -> None:
    """Both lexicalizations fit the node; the relation needs an adjective, so the verb is not taken, though first."""
    text = """
    rule verb (A -> B) { left: ?X; conditions: ?X.k = v; right: ?D { cat = verb }; correspondence: ?X <=> ?D }
    rule adj (A -> B) { left: ?X; conditions: ?X.k = v; right: ?D { cat = adj }; correspondence: ?X <=> ?D }
    rule other (A -> B) { left: ?X; conditions: not ?X.k; right: ?D; correspondence: ?X <=> ?D }
    rule attr (A -> B) {
      left: ?X -1-> ?Y
      right: ?N -ATTR-> ?D; ?D { cat = adj }
      correspondence: ?X <=> ?D; ?Y <=> ?N
    }
    """
    graph = Graph.build("A", {"p": {"k": "v"}, "n": {}}, [("p", "1", "n")])
    assert [name for name, _ in fired(text, graph)] == ["adj", "other", "attr"]
    explained = explain(grammar(text), graph)
    (failure,) = explained.failures[0]
    assert failure.rule.name == "verb"
    assert "fired: both consume the node p" in failure.reason
    alone = Graph.build("A", {"p": {"k": "v"}})
    assert [name for name, _ in fired(text, alone)] == ["verb"]


def test_rules_that_consume_nothing_join_where_they_contradict_nobody() -> None:
    text = """
    rule node (A -> B) { left: ?X; right: ?Y { k = 1 }; correspondence: ?X <=> ?Y }
    rule fits (A -> B) { context: ?X; right: ?Y { l = 2 }; correspondence: ?X <=> ?Y }
    rule contradicts (A -> B) { context: ?X; right: ?Y { k = 2 }; correspondence: ?X <=> ?Y }
    """
    graph = Graph.build("A", {"n": {}})
    assert [name for name, _ in fired(text, graph)] == ["node", "fits"]
    assert grammar(text).apply(graph).graph.nodes == {"n": {"k": "1", "l": "2"}}


def test_different_variables_are_different_nodes_and_edges() -> None:
    text = "rule pair (A -> B) { left: ?X -1-> ?Y; ?X -1-> ?Z }"
    one = Graph.build("A", {"a": {}, "b": {}}, [("a", "1", "b")])
    assert fired(text, one) == []
    both = Graph.build("A", {"a": {}, "b": {}}, [("a", "1", "b"), ("a", "2", "b")])
    assert fired("rule fork (A -> B) { left: ?X -1-> ?Y; ?X -2-> ?Z }", both) == []
    assert (
        fired("rule loop (A -> B) { left: ?X -1-> ?Y }", Graph.build("A", {"a": {}}, [("a", "1", "a")])) == []
    )
    assert (
        len(fired("rule loop (A -> B) { left: ?X -1-> ?X }", Graph.build("A", {"a": {}}, [("a", "1", "a")])))
        == 1
    )


def test_two_edges_of_a_pattern_are_two_of_the_graph() -> None:
    text = "rule pair (A -> B) { left: ?X -?r-> ?Y; ?X -?s-> ?Y }"
    nodes: dict[str, dict[str, str]] = {"a": {}, "b": {}}
    assert fired(text, Graph.build("A", nodes, [("a", "1", "b")])) == []
    assert len(fired(text, Graph.build("A", nodes, [("a", "1", "b"), ("a", "2", "b")]))) == 1


def test_roles_tell_several_correspondents_apart() -> None:
    text = """
    rule verb (A -> B) {
      left: ?V
      right: ?M { lex = see }; ?A { lex = will }; ?M -aux-> ?A
      correspondence: ?V <=> ?M; ?V <=> ?A as finite
    }
    rule agreement (A -> B) { context: ?V; right: ?F { number = sg }; correspondence: ?V <=> ?F as finite }
    """
    made = grammar(text).apply(Graph.build("A", {"v": {}})).graph
    assert made.nodes == {"v": {"lex": "see"}, "v_finite": {"lex": "will", "number": "sg"}}
    assert made.edges == (("v", "aux", "v_finite"),)


def test_inheritance() -> None:
    text = """
    lexicon L {
      word { cat = word, level = top }
      noun: word { cat = noun }
      old { level = old }
      chair: noun, old
    }
    rule is (A -> B) {
      left: ?X
      conditions: L::(?X.k) is word; not L::(?X.k) is verb
      right:
        ?Y { cat = L::(?X.k).cat, level = L::(?X.k).level }
        ?Y { none = L::(?X.k).nothing, or = L::(?X.k).nothing or "-" }
      correspondence: ?X <=> ?Y
    }
    """
    made = grammar(text).apply(Graph.build("A", {"x": {"k": "chair"}, "y": {"k": "sofa"}})).graph
    assert made.nodes == {"x": {"cat": "noun", "level": "top", "or": "-"}}


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("?X.a = 1", True),
        ("?X.a = 2 | 1", True),
        ("?X.a != 1", False),
        ("?X.none != 1", True),
        ("?X.none = 1", False),
        ("not ?X.none", True),
        ("?X.a", True),
        ("?X.a < 10", True),
        ("?X.a < -1", False),
        ("?X.w < 10", False),
        ("?X.w starts ch", True),
        ("not ?X.w ends ir", False),
        ("?X.w - ir + ief = chaief", True),
        ("?X.w - er", False),
        ("(?X.none or ?X.a) + 0 = 10", True),
        ("?X -e-> ?", True),
        ("not ?X -f-> ?", True),
        ("not ?X -?-> ?Y", False),
        ("? -e-> ?Y", True),
        ("? -e-> ?X", False),
        ("?r = e", True),
    ],
)
def test_conditions(condition: str, holds: bool) -> None:
    text = f"rule r (A -> B) {{ left: ?X -?r-> ?Y; conditions: {condition} }}"
    graph = Graph.build("A", {"x": {"a": "1", "w": "chair"}, "y": {}}, [("x", "e", "y")])
    assert bool(fired(text, graph)) is holds


def test_several_strata_and_files() -> None:
    first = "rule a (A -> B) { left: ?X; right: ?Y { k = 1 }; correspondence: ?X <=> ?Y }"
    second = "rule b (B -> C) { left: ?X { k = 1 }; right: ?Y { form = yes }; correspondence: ?X <=> ?Y }"
    both = from_texts({"1": second, "2": first})
    assert both.strata == ("A", "B", "C")
    assert both.say(Graph.build("A", {"x": {}})) == "yes"
    assert both.say(Graph.build("B", {"x": {"k": "1"}})) == "yes"
    with pytest.raises(InputError, match="the graph is of the stratum Z; the rules know A, B, C"):
        both.say(Graph.build("Z", {"x": {}}))


def test_order_is_vertical_and_horizontal() -> None:
    text = """
    stratum B ordered {}
    rule word (A -> B) { left: ?X { w }; right: ?Y { form = ?X.w }; correspondence: ?X <=> ?Y }
    rule tree (A -> B) {
      left: ?H -?r-> ?D
      right: ?Y -?r-> ?Z; ?Z -before-> ?Y
      correspondence: ?H <=> ?Y; ?D <=> ?Z
    }
    rule horizontal (A -> B) {
      context: ?H -det-> ?A; ?H -mod-> ?B
      right: ?C -before-> ?D
      correspondence: ?A <=> ?C; ?B <=> ?D
    }
    """
    nodes = {"c": {"w": "chair"}, "r": {"w": "red"}, "v": {"w": "very"}, "t": {"w": "the"}}
    graph = Graph.build("A", nodes, [("c", "mod", "r"), ("r", "adv", "v"), ("c", "det", "t")])
    assert grammar(text).say(graph) == "the very red chair"
    circle = text.replace("?C -before-> ?D", "?C -before-> ?D; ?D -before-> ?C")
    (step,) = grammar(circle).apply(graph).steps
    assert step.notes == ("the order of c, r, t contradicts itself.",)


RULE = "rule r (A -> B) {{ left: ?X -1-> ?Y; {} }}"


def test_explanations_name_the_first_unmet_statement() -> None:
    text = RULE.format("?Y -2-> ?Z; conditions: ?Z.k = 1; ?Z.l = 2")
    nodes = {"a": {}, "b": {}, "c": {"k": "1"}}

    def reason(edges: list[tuple[str, str, str]], more: dict[str, str] | None = None) -> str:
        graph = Graph.build("A", nodes | {"c": {"k": "1", **(more or {})}}, edges)
        ((failure,),) = explain(grammar(text), graph).failures
        return failure.reason

    assert reason([]) == "nothing fits ?X -1-> ?Y."
    assert reason([("a", "1", "b")]) == "nothing fits ?Y -2-> ?Z with ?X = a, ?Y = b."
    both = [("a", "1", "b"), ("b", "2", "c")]
    assert reason(both) == ("?Z.l = 2 does not hold with ?X = a, ?Y = b, ?Z = c: ?Z.l has no value.")
    assert reason(both, {"l": "3"}).endswith(": ?Z.l is 3.")


def test_of_several_places_the_first_is_explained() -> None:
    graph = Graph.build("A", {name: {"k": "1"} for name in "pqr"})
    ((failure,),) = explain(grammar("rule r (A -> B) { left: ?X { k }; conditions: ?X.l }"), graph).failures
    assert failure.reason == "?X.l does not hold with ?X = p: ?X.l has no value."


# Limits


def test_a_hostile_pattern_ends_with_a_message() -> None:
    text = "rule r (A -> B) { left: " + "; ".join(f"?X{i}" for i in range(12)) + " }"
    graph = Graph.build("A", {f"n{i}": {} for i in range(40)})
    with pytest.raises(InputError, match=r"match more than 20,000 times|takes more than 2,000,000 steps"):
        grammar(text).apply(graph)
    never = text.replace(" }", "; conditions: ?X11.k = 1 }")
    with pytest.raises(InputError, match=r"matching the rules of A -> B takes more than 1,000 steps"):
        grammar(never).apply(graph, limits=Limits(match_steps=1000))


def test_a_search_for_clusters_that_is_cut_off_says_so() -> None:
    text = "rule pair (A -> B) { left: ?X -?r-> ?Y; ?X.k; ?Y.k }"
    names = [f"n{i}" for i in range(30)]
    edges = [(a, "1", b) for a in names for b in names if a < b]
    graph = Graph.build("A", {name: {"k": "1"} for name in names}, edges)
    (step,) = grammar(text).apply(graph, limits=Limits(cluster_steps=2000)).steps
    assert step.notes
    assert "another cluster might cover more" in step.notes[0]
    assert len(step.fired) == 15  # what is found is consistent all the same: no node twice
    taken = [name for each in step.fired for name in each.instance.match.nodes.values()]
    assert len(set(taken)) == len(taken)


def test_values_cannot_grow_without_end() -> None:
    double = (
        "rule r{0} (S{0} -> S{1}) {{ left: ?X; right: ?Y {{ k = ?X.k + ?X.k }}; correspondence: ?X <=> ?Y }}"
    )
    text = "\n".join(double.format(i, i + 1) for i in range(14))
    with pytest.raises(InputError, match="more than 1,000 characters"):
        grammar(text).apply(Graph.build("S0", {"x": {"k": "ab"}}))


def test_work_that_nobody_waits_for_ends() -> None:
    text = "rule r (A -> B) { left: " + "; ".join(f"?X{i}" for i in range(12)) + "; conditions: ?X11.k = 1 }"
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        grammar(text).apply(Graph.build("A", {f"n{i}": {} for i in range(40)}), cancel=cancel)
