"""The language of rules: what is wrong is told with line and column, and what looks wrong too."""

from __future__ import annotations

import pytest

from plait import rules
from plait.errors import FormatError
from plait.rules import from_texts


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
        ("stratum A { attributes: colour }\n" + RULE.format("?X.color"), "A has no attribute color; did you mean col"),
        ("stratum A { attributes: n = sing | plur }\n" + RULE.format("?X.n = sin"), "A has no n = sin; did you mean"),
        ("stratum A { attributes: n = sing | plur }\n" + RULE.format("conditions: ?X.n = sin"), "A has no n = sin;"),
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
    with pytest.raises(FormatError, match=r"a:1:40: rule r: .Z is not bound"):
        from_texts({"a": "rule r (A -> B) { left: ?X; conditions:?Z.a }"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#" * 500_000, "the text has 500,000 characters"),
        ("rule r (A -> B) { left: " + "?X;" * 50 + " }", "the rule has 50 statements"),
        ("rule r (A -> B) { left: ?X; conditions: " + "(" * 100 + "a" + ")" * 100 + " }", None),
        ("rule r (A -> B) { left: ?X; conditions: " + " + ".join("a" * 50) + " }", "an expression has at most 40"),
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
