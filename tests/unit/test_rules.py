"""Two-level rules: the paper's example, clusters, inheritance, order, limits, what is reported."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plait import Cancel, Sentence, rules
from plait.errors import Cancelled, FormatError, InputError
from plait.layers import Edge as LayerEdge
from plait.meaning import SemanticNode, SemanticStructure
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
    assert fired("rule loop (A -> B) { left: ?X -1-> ?Y }", Graph.build("A", {"a": {}}, [("a", "1", "a")])) == []
    assert len(fired("rule loop (A -> B) { left: ?X -1-> ?X }", Graph.build("A", {"a": {}}, [("a", "1", "a")]))) == 1


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
      right: ?Y { cat = L::(?X.k).cat, level = L::(?X.k).level, none = L::(?X.k).nothing, or = L::(?X.k).nothing or "-" }
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


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("rule a (A -> B) {\n  left: ?X -1->\n}", 3, 1, "a variable such as ?X is expected, not '}'."),
        ("rule a (A -> B) {\n  left: ?X %\n}", 2, 12, "'%' cannot stand here."),
        ("rule a (A B) {}", 1, 11, "-> is expected, not 'B'."),
        ("rule a (A -> B) { right: ?X }", 1, 1, "the rule a has neither a left side nor a context."),
        ("rule a (A -> B) { ?X }", 1, 19, "a part of the rule is expected, such as left:, not '?X'."),
        ("rule a (A -> B) { left: ? }", 1, 25, "? without a name can only stand in a condition about edges."),
        ("lexicon L { a { b = 1, b = 2 } }", 1, 24, "the attribute b is there twice."),
        ('graph A { x { a = "1 } }', 1, 19, "a text without an end cannot stand here."),
        ("graph A {\n  x -1-> y\n}", 2, 3, "the edge x -1-> y leads to a node 'x' that is not there."),
        ("graph A { x; x }", 1, 14, "the node x is there twice."),
        ("strata A -> B -> A", 1, 19, "a stratum is named twice: a mapping never leads back."),
        ("stratum A { colours: b }", 1, 13, "a stratum has attributes: and edges:, not colours:."),
        ("rules a", 1, 1, "'rules' cannot stand here: strata, stratum, lexicon, rule, graph can."),
        ("rule a (A -> B) { left: ?X", 1, 27, "a part of the rule"),
        ('rule a (A -> B) { left: ?X -""-> ?Y }', 1, 28, "a label cannot be empty."),
    ],
)  # fmt: skip
def test_errors_have_line_and_column(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(FormatError) as found:
        rules.parse(text, "a.rules")
    problem = found.value.problem
    assert (problem.line, problem.column) == (line, column)
    if not text.endswith("?X"):
        assert problem.message == message
    assert str(found.value).startswith(f"a.rules:{line}:{column}: ")


def test_all_faults_of_a_file_are_told() -> None:
    text = "rule a (A -> B) { left: }\nrule b (A -> B) { left: ?X; bad }\nrule c (A -> B) { left: ?X }\nlexicon {"
    assert [problem.line for problem in rules.check({"": text})] == [1, 2, 4]


RULE = "rule r (A -> B) {{ left: ?X -1-> ?Y; {} }}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RULE.format("conditions: ?Z.a = 1"), "?Z is not bound: neither left side nor context has it."),
        (RULE.format("conditions: not ?Z -1-> ?"), "?Z is not bound: neither left side nor context has it; ? st"),
        (RULE.format("conditions: ?X = 1"), "?X is not bound to a label; it is a node: say which attribute, such"),
        (RULE.format("right: ?Z { a = ?W.a }"), "?W is not bound"),
        (RULE.format("right: ?V -?r-> ?W"), "?r is not bound to a label."),
        (RULE.format("right: ?X"), "?X stands on both sides; give what corresponds to it another name."),
        (RULE.format("correspondence: ?X <=> ?Z"), "?Z is not on the right side."),
        (RULE.format("right: ?Z; correspondence: ?W <=> ?Z"), "?W is not bound"),
        (RULE.format("right: ?Z; ?W; correspondence: ?X <=> ?Z; ?X <=> ?W"), "?X corresponds to ?Z and to ?W: say as"),
        (RULE.format("right: ?Z; correspondence: ?X <=> ?Z; ?Y <=> ?Z"), "?Z corresponds to ?X and to ?Y"),
        (RULE.format("right: ?Z { a = 1 }; ?Z { a = 2 }"), "?Z.a is set twice."),
        ("rule r (A -> B) { left: ?X -?X-> ?Y }", "?X stands for a node and for a label."),
        (RULE.format("conditions: L::x.y"), "there is no lexicon L."),
        (RULE.format("conditions: ?X.a = 1; ?X.a = 2"), "it can never fire: ?X.a would need two values."),
        (RULE.format("conditions: ?X.a = 1; not ?X.a"), "it can never fire: ?X.a must be there and must not."),
        (RULE.format("conditions: ?X.a = 1; ?X.a != 1 | 2"), "it can never fire: ?X.a must be what it must not be."),
        (RULE.format("conditions: not ?X -1-> ?"), "it can never fire: an edge must be there and must not."),
        (RULE.format("conditions: 1 > 2"), "it can never fire: two values that stand there are not so."),
        (RULE.format("context: ?X { k = 1 | 2 }; ?Y.k = 3; ?X { k = 3 }"), "it can never fire: ?X.k would need"),
        ("stratum A { attributes: colour }\n" + RULE.format("?X.color"), "A has no attribute color; did you mean colour?"),
        ("stratum A { attributes: n = sing | plur }\n" + RULE.format("?X.n = sin"), "A has no n = sin; did you mean sing?"),
        ("stratum A { attributes: n = sing | plur }\n" + RULE.format("conditions: ?X.n = sin"), "A has no n = sin; did"),
        ("stratum A { edges: 2 }\n" + RULE.format(""), "A has no edge 1."),
        ("stratum B { edges: det }\n" + RULE.format("right: ?Z -dat-> ?W"), "B has no edge dat; did you mean det?"),
        ("stratum B { attributes: lex }\n" + RULE.format("right: ?Z { lax = 1 }"), "B has no attribute lax; did you"),
        ("lexicon L { a { b = 1 } }\n" + RULE.format("conditions: L::(?X.k).c"), "no entry of L has an attribute c."),
        ("lexicon L { a { b = 1 } }\n" + RULE.format("conditions: L::(?X.k) is c"), "L has no entry c."),
        ("lexicon L { a { b = 1 } }\n" + RULE.format("conditions: L::c.b"), "L has no entry c."),
        (RULE.format("") + "\n" + RULE.format("?X.a"), "another rule has this name already, in line 1."),
        ("lexicon L {\n a: b\n}", "a inherits from b, which L does not have."),
        ("lexicon L {\n a: b; b: a\n}", "a inherits from itself, by way of b."),
        ("strata A -> B -> C\nrule r (A -> C) { left: ?X }", "but the strata are A -> B -> C."),
        (RULE.format("") + "\nrule s (A -> C) { left: ?X }", "but A is mapped to B already."),
        (RULE.format("") + "\nrule s (B -> A) { left: ?X }", "but the mappings make no chain of strata."),
        (
            "rule r (A -> B) { left: ?X; right: ?Y { k = 1 } }\nrule s (B -> C) { left: ?X { k = 2 } }",
            "warning: rule s: it can fire only where a graph begins in B: no rule makes k = 2.",
        ),
        (
            "rule r (A -> B) { left: ?X; right: ?Y -q-> ?Z }\nrule s (B -> C) { left: ?X -p-> ?Y }",
            "warning: rule s: it can fire only where a graph begins in B: no rule makes an edge p.",
        ),
        (RULE.format("") + "\n" + RULE.format("").replace("rule r", "rule s"), "that one is preferred."),
    ],
)  # fmt: skip
def test_what_is_checked(text: str, message: str) -> None:
    found = [str(problem) for problem in rules.check({"a.rules": text})]
    assert any(message in each for each in found), found
    assert all(each.startswith("a.rules:") for each in found)
    if "warning" not in message and "preferred" not in message and "this name" not in message:
        assert all(": warning: " not in each for each in found)


def test_what_cannot_be_applied_is_refused() -> None:
    with pytest.raises(FormatError, match="a:1:40: rule r: .Z is not bound"):
        from_texts({"a": "rule r (A -> B) { left: ?X; conditions:?Z.a }"})


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
    assert reason(both) == (
        "?Z.l = 2 does not hold with ?X = a, ?Y = b, ?Z = c: ?Z.l has no value."
    )
    assert reason(both, {"l": "3"}).endswith(": ?Z.l is 3.")


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
    double = "rule r{0} (S{0} -> S{1}) {{ left: ?X; right: ?Y {{ k = ?X.k + ?X.k }}; correspondence: ?X <=> ?Y }}"
    text = "\n".join(double.format(i, i + 1) for i in range(14))
    with pytest.raises(InputError, match="more than 1,000 characters"):
        grammar(text).apply(Graph.build("S0", {"x": {"k": "ab"}}))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#" * 500_000, "the text has 500,000 characters"),
        ("rule r (A -> B) { left: " + "?X;" * 50 + " }", "the rule has 50 statements"),
        ("rule r (A -> B) { left: ?X; conditions: " + "(" * 100 + "a" + ")" * 100 + " }", None),
        ("rule r (A -> B) { left: ?X; conditions: " + " + ".join("a" * 50) + " }", "an expression has at most 40 parts"),
        ("rule r (A -> B) { left: ?X; conditions: " + "L::(" * 60 + "a", "an expression has at most 40 parts"),
        ("strata " + " -> ".join(f"S{i}" for i in range(20)), "there may be at most 16 strata"),
        ("lexicon L { a: " + ",".join(f"p{i}" for i in range(50)) + " }", "inherits from fewer than 40"),
        ("graph A {" + ";".join(f"n{i}" for i in range(3000)) + "}", "nodes of a graph: 3,000, but at most 2,000"),
    ],
)  # fmt: skip
def test_sizes_are_bounded(text: str, message: str | None) -> None:
    with pytest.raises(FormatError) as found:
        rules.parse(text)
    assert message is None or message in str(found.value)


def test_work_that_nobody_waits_for_ends() -> None:
    text = "rule r (A -> B) { left: " + "; ".join(f"?X{i}" for i in range(12)) + "; conditions: ?X11.k = 1 }"
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        grammar(text).apply(Graph.build("A", {f"n{i}": {} for i in range(40)}), cancel=cancel)


# From sentences, and the command


def test_graphs_of_sentences() -> None:
    sentence = Sentence(forms=["Dogs", "bark"], lemmas=["dog", "bark"], upos=["NOUN", "VERB"], feats=["Number=Plur", "_"],
                        heads=[2, 0], deprels=["nsubj", "root"])  # fmt: skip
    tree = rules.of_tree(sentence)
    assert tree.nodes["w1"] == {"form": "Dogs", "lemma": "dog", "upos": "NOUN", "Number": "Plur"}
    assert tree.edges == (("w2", "nsubj", "w1"),)
    with pytest.raises(InputError, match="no annotation of meaning"):
        rules.of_meaning(sentence)
    nodes = (SemanticNode("bark", 2, "VB"), SemanticNode("dog", 1, "NN"), SemanticNode("TIME"))
    sentence.put(SemanticStructure(nodes, (LayerEdge(1, 2, "A1"),)))
    graph = rules.of_meaning(sentence)
    assert graph.nodes["n1"] == {"sem": "bark", "pos": "VB", "lemma": "bark"}
    assert graph.nodes["n3"] == {"sem": "TIME"}
    assert graph.edges == (("n1", "A1", "n2"),)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "paper.rules").write_text(PAPER, encoding="utf-8")
    (tmp_path / "chair.graphs").write_text(str(RED_CHAIR), encoding="utf-8")
    return str(tmp_path / "paper.rules"), str(tmp_path / "chair.graphs")


def test_the_command_applies(plait_command: Command, files: tuple[str, str], tmp_path: Path) -> None:
    done = plait_command("rules", "apply", *files)
    assert done.status == 0
    assert done.out == "graph DSynt {\n  r\n  c\n  c -ATTR-> r\n}\n"
    assert done.err == "plait: Sem -> DSynt leaves uncovered: the node r, the node c, c.sem\n"
    stored = json.loads(plait_command("rules", "apply", *files, "--json").out)
    (tmp_path / "again.json").write_text(json.dumps(RED_CHAIR.to_json()), encoding="utf-8")
    again = json.loads(plait_command("rules", "apply", files[0], str(tmp_path / "again.json"), "--json").out)
    assert stored == again
    assert stored["results"][0]["graph"]["edges"] == [["c", "ATTR", "r"]]


def test_the_command_explains(plait_command: Command, files: tuple[str, str]) -> None:
    done = plait_command("rules", "explain", *files)
    assert "  + property: ?Xsem = r, ?Ysem = c\n" in done.out
    assert "  ! uncovered: the node r\n" in done.out
    stored = json.loads(plait_command("rules", "explain", *files, "--json").out)
    (firing,) = stored["results"][0]["steps"][0]["fired"]
    assert firing["consumed"] == {"nodes": [], "edges": [0], "attributes": []}
    assert firing["bindings"] == {"Xsem": "r", "Ysem": "c"}
    assert plait_command("rules", "explain", *files, "--rule", "nothing").status == 2


def test_the_command_checks(plait_command: Command, files: tuple[str, str]) -> None:
    assert plait_command("rules", "check", files[0]).status == 0
    assert plait_command("rules", "check", "english").err == "0 errors, 0 warnings\n"
    path = Path(files[0])
    path.write_text(PAPER.replace("adj\n", "adk\n"), encoding="utf-8")
    done = plait_command("rules", "check", str(path))
    assert done.status == 2
    assert f"{path}:16:5: rule property: no entry of Lex has cat = adk; did you mean adj?" in done.out
    stored = json.loads(plait_command("rules", "check", str(path), "--json").out)
    assert (stored["errors"], stored["problems"][0]["line"]) == (1, 16)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("apply", "missing.rules", "g"), "missing.rules: cannot be read"),
        (("apply", "english", "missing.graphs"), "missing.graphs"),
        (("apply", "english", "{bad}"), ":1:"),
        (("apply", "english", "{json}"), "the nodes of a graph in JSON are objects of texts"),
    ],
)
def test_bad_input_is_one_line(
    plait_command: Command, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    places = {"bad": tmp_path / "bad.graphs", "json": tmp_path / "bad.json"}
    places["bad"].write_text("graph {", encoding="utf-8")
    places["json"].write_text('{"stratum": "A", "nodes": [1]}', encoding="utf-8")
    done = plait_command("rules", *(argument.format(**places) for argument in arguments))
    assert done.status == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_trees_of_a_treebank_can_be_mapped(plait_command: Command, tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_text(
        "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8"
    )
    (tmp_path / "t.rules").write_text(
        "rule subject (UD -> Sem) { left: ?V -nsubj-> ?S; right: ?P { sem = ?V.lemma }; ?P -1-> ?A; ?A { sem = ?S.lemma }"
        "; correspondence: ?V <=> ?P; ?S <=> ?A }", encoding="utf-8"
    )  # fmt: skip
    done = plait_command("rules", "apply", str(tmp_path / "t.rules"), str(tmp_path / "t.conllu"))
    assert done.out == (
        'graph Sem "Dogs bark" {\n  w2 { sem = bark }\n  w1 { sem = dog }\n  w2 -1-> w1\n}\n'
    )
