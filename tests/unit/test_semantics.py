"""Annotation of meaning: conditions, completion, conversion, files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plait
from conftest import Result
from plait import Sentence
from plait.errors import FormatError
from plait.layers import Argument, Edge, Frame, Frames
from plait.meaning import InformationStructure, SemanticNode, SemanticStructure
from plait.semantics.completion import CompletionTable, Link
from plait.semantics.conditions import GRAPH, INFORMATION, violations
from plait.semantics.convert import Converter
from plait.semantics.rules import load
from strategies import trees

RULES = load()
TAGS = ("NOUN", "VERB", "ADJ", "ADV", "DET", "ADP", "AUX", "PRON", "PUNCT")
LABELS = ("nsubj", "obj", "amod", "det", "case", "aux", "punct", "conj", "appos", "vocative", "cop", "mark")


def sold() -> Sentence:
    """She has quickly sold the old house in Paris, with PropBank's predicate."""
    sentence = Sentence(
        forms=["She", "has", "quickly", "sold", "the", "old", "house", "in", "Paris", "."],
        lemmas=["she", "have", "quickly", "sell", "the", "old", "house", "in", "Paris", "."],
        upos=["PRON", "AUX", "ADV", "VERB", "DET", "ADJ", "NOUN", "ADP", "PROPN", "PUNCT"],
        feats=["_", "Tense=Pres", "_", "Tense=Past|VerbForm=Part", "_", "_", "_", "_", "_", "_"],
        heads=[4, 4, 4, 0, 7, 7, 4, 9, 4, 4],
        deprels=["nsubj", "aux", "advmod", "root", "det", "amod", "obj", "case", "obl", "punct"],
    )
    roles = (Argument(1, "A0"), Argument(3, "AM-MNR"), Argument(7, "A1"), Argument(9, "AM-LOC"))
    sentence.put(Frames((Frame(4, "sell.01", roles),)))
    return sentence


def converted(sentence: Sentence) -> tuple[SemanticStructure, InformationStructure]:
    Converter(RULES, valencies={"sell.01": 4}).convert(sentence)
    graph, sets = sentence.find(SemanticStructure), sentence.find(InformationStructure)
    assert graph is not None
    assert sets is not None
    return graph, sets


def edges_of(graph: SemanticStructure) -> set[tuple[str, str, str]]:
    return {
        (graph.nodes[edge.head - 1].label, edge.label, graph.nodes[edge.dependent - 1].label)
        for edge in graph.edges
    }


def test_a_sentence_by_hand() -> None:
    graph, sets = converted(sold())
    assert edges_of(graph) == {
        ("sell.01", "A1", "she"),  # A0 counts from A1
        ("sell.01", "A2", "house"),
        ("old", "A1", "house"),  # a modifier is a predicate
        ("in", "A1", "Paris"),  # a preposition that is not governed
        ("MNR", "A1", "sell.01"),
        ("MNR", "A2", "quickly"),
        ("LOC", "A1", "sell.01"),
        ("LOC", "A2", "Paris"),
        ("TIME", "A1", "sell.01"),
        ("TIME", "A2", "past'"),
        ("TCST", "A1", "sell.01"),
        ("TCST", "A2", "telic'"),
    }
    names = {name: {graph.nodes[node - 1].label for node in nodes} for name, nodes in sets.sets.items()}
    assert names["theme_1"] == {"she"}
    assert names["rheme_1"] == {node.label for node in graph.nodes} - {"she"}
    assert "house" in names["given_1"]
    assert not list(violations(graph, sets))


BASE = SemanticStructure(
    (
        SemanticNode("see.01", 1, "VERB"),
        SemanticNode("dog", 2, "NOUN"),
        SemanticNode("TIME"),
        SemanticNode("past'"),
        SemanticNode("TCST"),
        SemanticNode("nil'"),
    ),
    (Edge(1, 2, "A1"), Edge(3, 1, "A1"), Edge(3, 4, "A2"), Edge(5, 1, "A1"), Edge(5, 6, "A2")),
    {1: 2},
)
WRONG = {
    "labels": replace(BASE, edges=(Edge(1, 2, "AM-TMP"), *BASE.edges[1:])),
    "acyclic": replace(BASE, edges=(*BASE.edges, Edge(2, 1, "A1"))),
    "connected": replace(BASE, edges=BASE.edges[1:]),
    "a: valency": replace(BASE, valency={1: 0}),
    "b: all arguments": replace(BASE, edges=(Edge(1, 2, "A2"), *BASE.edges[1:])),
    "c: slots once": replace(BASE, edges=(Edge(1, 4, "A1"), *BASE.edges)),
    "d: circumstantials": replace(
        BASE, nodes=(*BASE.nodes, SemanticNode("LOC")), edges=(*BASE.edges, Edge(7, 1, "A1"))
    ),
    "e: time": replace(BASE, nodes=(*BASE.nodes[:3], SemanticNode("nil'"), *BASE.nodes[4:])),
    "f: aspect": replace(BASE, nodes=(*BASE.nodes[:5], SemanticNode("past'"))),
}


def test_a_graph_that_is_fit() -> None:
    assert not list(violations(BASE))
    assert set(WRONG) == set(GRAPH)


@pytest.mark.parametrize("condition", WRONG)
def test_every_condition_can_be_violated(condition: str) -> None:
    assert condition in {violation.condition for violation in violations(WRONG[condition])}


@pytest.mark.parametrize(
    ("condition", "sets"),
    [
        ("information a: embedded themes", {"theme_1": {1, 2}, "rheme_1": {3, 4, 5, 6}}),
        ("information b: disjoint", {"theme_1": {2}, "rheme_1": {1, 2, 3, 4, 5, 6}}),
        ("information b: disjoint", {"rheme_1": {1, 2, 3, 4, 5, 6}, "given_2": {2}, "new": {2}}),
        ("information c: everything", {"theme_1": {2}, "rheme_1": {1, 3, 4, 5}}),
    ],
)
def test_conditions_on_the_information_structure(condition: str, sets: dict[str, set[int]]) -> None:
    assert condition in INFORMATION
    found = violations(BASE, InformationStructure({name: frozenset(each) for name, each in sets.items()}))
    assert condition in {violation.condition for violation in found}


def test_a_theme_with_a_clause_of_its_own() -> None:
    sets = {"theme_1": {1, 2}, "rheme_1": {3, 4, 5, 6}, "theme_2": {2}, "rheme_2": {1}}
    information = InformationStructure({name: frozenset(each) for name, each in sets.items()})
    assert not list(violations(BASE, information))


@given(trees(), st.data())
def test_every_tree_becomes_one_connected_acyclic_graph(heads: list[int], data: st.DataObject) -> None:
    size = len(heads)
    words = st.lists(st.sampled_from(TAGS), min_size=size, max_size=size)
    labels = st.lists(st.sampled_from(LABELS), min_size=size, max_size=size)
    sentence = Sentence(
        forms=["w"] * size, upos=data.draw(words), heads=list(heads), deprels=data.draw(labels)
    )
    number = st.integers(1, size)
    role = st.sampled_from(["A0", "A1", "A2", "AM-LOC", "AM-ADV", "R-A0", "C-A1"])
    arguments = st.lists(st.builds(Argument, number, role), max_size=4)
    frames = data.draw(st.lists(st.builds(Frame, number, st.just("x.01"), arguments.map(tuple)), max_size=3))
    sentence.put(Frames(tuple({frame.predicate: frame for frame in frames}.values())))
    Converter(RULES).convert(sentence)
    graph, sets = sentence.find(SemanticStructure), sentence.find(InformationStructure)
    assert graph is not None
    broken = {violation.condition for violation in violations(graph, sets)}
    assert broken <= {"information a: embedded themes"}


def test_what_connects_words_is_learned() -> None:
    seen = [(("NOUN", "NOUN", "nmod"), Link("A2", downwards=True))] * 2
    seen.append((("NOUN", "NOUN", "nmod"), Link("A1", downwards=False)))
    table = CompletionTable.learn(seen)
    assert table.link(("NOUN", "NOUN", "nmod"), RULES.completion, RULES.modifiers) == Link("A2", True)
    assert table.link(("ADJ", "NOUN", "amod"), {}, RULES.modifiers) == Link("A1", False)
    assert table.link(("NOUN", "VERB", "obl:agent"), RULES.completion, ()) == Link("A1", True)


def test_files_keep_everything(tmp_path: Path) -> None:
    sentence = sold()
    before = converted(sentence)
    for name in ("a.jsonl", "a.sem"):
        plait.write([sentence, sentence], tmp_path / name)
        again = plait.read(tmp_path / name)[1]
        assert (again.find(SemanticStructure), again.find(InformationStructure)) == before
        assert again.forms == sentence.forms


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("1\tx\tNOUN\t1\t_\n", 1, "a line with the words is missing"),
        ("words\tx\n2\tx\tNOUN\t1\t_\n", 2, "node 1 is expected"),
        ("words\tx\n1\tx\tNOUN\n", 2, "5 or 6 columns, not 3"),
        ("words\tx\n1\tx\tNOUN\tone\t_\n", 2, "a number is expected, not 'one'"),
        ("words\tx\n1\tx\tNOUN\t1\tA1\n", 2, "an argument such as A1=3 is expected"),
        ("words\tx\n1\tx\tNOUN\t2\t_\n", 1, "is not there"),
        ("words\tx\n1\tx\tNOUN\t1\t_\ntheme_1\t2\n", 1, "a set holds a node that is not there"),
    ],
)
def test_files_that_are_wrong(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = tmp_path / "a.sem"
    path.write_text(text)
    with pytest.raises(FormatError, match=message) as error:
        plait.read(path)
    assert error.value.problem.line == line


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    from plait.formats import FORMATS
    from plait.formats.blocks import Block, is_unreadable

    block = Block(text, 1, suspect=is_unreadable(text))
    format = FORMATS["semantics"]
    assert (format.parse(block) is None) == bool(format.diagnose(block))


def test_the_command_line(plait_command: Callable[..., Result], tmp_path: Path) -> None:
    plait.write([sold()], tmp_path / "a.conll09")
    done = plait_command("convert", "a.conll09", "--to", "semantics", "-o", "a.sem")
    assert done.status == 0, done.err
    assert "100.0 % of 1 sentences meet all conditions" in done.err
    assert plait_command("validate", "a.sem").status == 0
    path = tmp_path / "a.sem"
    path.write_text(path.read_text().replace("past'", "yesterday'"))
    done = plait_command("validate", "a.sem")
    assert done.status == 2
    assert "condition e: time is violated by node" in done.out
    assert "(sell.01)" in done.out
