"""From semantic graphs to trees and to text, on the toy language."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import plait
from components.quick import PLANS
from plait import InputError, Realizer, Recipe, Sentence
from plait.cli import plait as command
from plait.components.graph2tree import GraphToTree
from plait.components.graph2tree import templates as growths
from plait.errors import FormatError
from plait.layers import Edge, Frames
from plait.meaning import SemanticNode, SemanticStructure
from plait.semantics.complete import WordGraphs, table_from_texts, table_to_texts
from plait.semantics.conditions import acyclic, connected
from plait.semantics.hiding import hide_sentences
from toy import framed, written

TRAIN, DEV = framed(written(200)), framed(written(40, seed=2))
PARTS = ("graph2tree", "lifter", "order", "inflector")


@pytest.fixture(scope="module")
def realizer() -> Realizer:
    recipe = Recipe().only(*PARTS).updated({name: PLANS[name] for name in PARTS})
    return Realizer(plait.train(TRAIN, dev=DEV, recipe=recipe))


def with_graphs(sentences: list[Sentence]) -> list[Sentence]:
    maker = WordGraphs.learn(sentences)
    found = [sentence.copy() for sentence in sentences]
    for sentence in found:
        sentence.put(maker.graph(sentence))
    return found


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(command, [str(argument) for argument in arguments])
    return result.exit_code, str(result.exception or result.output)


def test_completed_graphs_hang_together_and_have_no_cycle() -> None:
    for sentence in with_graphs(list(DEV)):
        graph = sentence.find(SemanticStructure)
        assert graph is not None
        assert [node.word for node in graph.nodes] == list(range(1, len(sentence) + 1))
        assert not list(connected(graph))
        assert not list(acyclic(graph))


def test_what_predicates_tell_is_in_the_graph_and_without_completion_nothing_else() -> None:
    bare = WordGraphs()
    for sentence in DEV:
        frames = sentence.find(Frames)
        told = {(frame.predicate, a.word, a.role) for frame in frames or () for a in frame.arguments}
        assert {tuple(edge) for edge in bare.graph(sentence).edges} == told
        assert told <= {tuple(edge) for edge in WordGraphs.learn(DEV).graph(sentence).edges}


def test_what_completes_graphs_is_kept_as_text() -> None:
    table = WordGraphs.learn(DEV).table
    assert table is not None
    assert table.links
    assert table_from_texts(table_to_texts(table)).links == table.links
    with pytest.raises(ValueError, match="connects nothing"):
        table_from_texts({"NOUN VERB nsubj": "A1"})


def test_trees_are_found(realizer: Realizer) -> None:
    scores = realizer.pipeline["graph2tree"].scores_
    assert scores["uas"] > 95
    assert scores["las"] > 90


def test_graphs_are_said(realizer: Realizer) -> None:
    hidden = list(hide_sentences(with_graphs(list(DEV)), seed=4))
    assert all(set(sentence.forms) == {"_"} and set(sentence.heads) == {None} for sentence in hidden)
    texts = [sentence.text for sentence in realizer.realize(hidden, start="graph")]
    right = sum(text == sentence.detokenized() for text, sentence in zip(texts, DEV, strict=True))
    assert right >= 0.8 * len(DEV)


def test_how_nodes_and_words_are_numbered_makes_no_difference(realizer: Realizer) -> None:
    graphs = with_graphs(list(DEV))
    said = [
        [each.text for each in realizer.realize(hide_sentences(graphs, seed=seed), start="graph")]
        for seed in (1, 2)
    ]
    assert said[0] == said[1]
    assert said[0] == [each.text for each in realizer.realize(graphs, start="graph")]


def test_the_tree_of_a_sentence_is_not_looked_at_where_there_is_a_graph(realizer: Realizer) -> None:
    graphs = with_graphs(list(DEV))
    for sentence in graphs:
        sentence.heads = [None] * len(sentence)
        sentence.deprels = ["_"] * len(sentence)
    expected = [each.text for each in realizer.realize(with_graphs(list(DEV)), start="graph")]
    assert [each.text for each in realizer.realize(graphs, start="graph")] == expected


def test_every_stage_can_be_given(realizer: Realizer) -> None:
    graphs = with_graphs(list(DEV))
    everything = realizer.realize(graphs, start="graph", gold=("tree", "order", "forms"))
    assert [sentence.forms for sentence in everything] == [sentence.forms for sentence in DEV]
    ordered = list(realizer.realize(graphs, start="graph", gold=("order",)))
    assert [sentence.lemmas for sentence in ordered] == [sentence.lemmas for sentence in DEV]
    trees = [each.text for each in realizer.realize(graphs, start="graph", gold=("tree",))]
    assert trees == [realizer(sentence) for sentence in DEV]
    told = list(realizer.realize(graphs, start="graph", gold=("forms",)))
    assert [sorted(sentence.forms) for sentence in told] == [sorted(sentence.forms) for sentence in DEV]
    assert [each.text for each in realizer.realize(DEV, start="order")] == [each.text for each in ordered]


def test_other_names_of_stages_are_refused(realizer: Realizer) -> None:
    with pytest.raises(InputError, match="graph, deep, tree, order"):
        list(realizer.realize(DEV, start="text"))
    with pytest.raises(InputError, match="tree, order, forms"):
        list(realizer.realize(DEV, gold=("lemmas",)))


def test_a_model_that_begins_with_trees_says_so() -> None:
    recipe = Recipe().only("order").updated({"order": PLANS["order"]})
    plain = Realizer(plait.train(TRAIN, recipe=recipe))
    with pytest.raises(InputError, match="--parts graph2tree,lifter,order,inflector"):
        list(plain.realize(DEV, start="graph"))


def test_from_the_command_line(realizer: Realizer, tmp_path: Path) -> None:
    model = tmp_path / "m.plait"
    realizer.pipeline.save(model)
    plait.write(DEV, tmp_path / "dev.conllu")
    graph = tmp_path / "dev.graph.jsonl"
    hide = ("convert", tmp_path / "dev.conllu", "--to", "graph", "--seed", 3)
    assert run(*hide, "-m", model, "-o", graph)[0] == 0
    first = json.loads(graph.read_text().splitlines()[0])
    assert set(first) == {"comments", "words", "semantics"}
    assert all(set(word) <= {"id", "form", "lemma", "upos", "xpos", "feats"} for word in first["words"])
    code, said = run("realize", graph, "-m", model, "--from", "graph")
    assert code == 0
    assert len(said.splitlines()) == len(DEV)
    assert said.splitlines() == [each.text for each in realizer.realize(DEV, start="graph")]
    assert run(*hide, "--no-completion", "-o", graph)[0] == 0
    assert run("realize", graph, "-m", model, "--from", "graph")[1] != said
    assert "graph2tree" in run(*hide, "-m", "en")[1]
    code, given = run(
        "realize", tmp_path / "dev.conllu", "-m", model, "--from", "graph", "--gold", "tree,order"
    )
    assert code == 0
    right = sum(one == sentence.detokenized() for one, sentence in zip(given.splitlines(), DEV, strict=True))
    assert right >= 0.9 * len(DEV)


def test_predicates_of_another_file(tmp_path: Path) -> None:
    plain = written(40, seed=2)
    plait.write(plain, tmp_path / "plain.conllu")
    plait.write(DEV, tmp_path / "roles.conll09")
    both = tmp_path / "both.conllu"
    assert (
        run("convert", tmp_path / "plain.conllu", "--roles", tmp_path / "roles.conll09", "-o", both)[0] == 0
    )
    assert [sentence.find(Frames) for sentence in plait.read(both)] == [each.find(Frames) for each in DEV]
    plait.write(plain[:3], tmp_path / "short.conllu")
    code, told = run("convert", tmp_path / "short.conllu", "--roles", tmp_path / "roles.conll09")
    assert code != 0
    assert "sentence 4 is not the same" in told


def test_a_graph_with_nodes_that_are_no_words() -> None:
    sentence = Sentence(
        forms=["she", "sold", "it"],
        lemmas=["she", "sell", "it"],
        upos=["PRON", "VERB", "PRON"],
        heads=[2, 0, 2],
        deprels=["nsubj", "root", "obj"],
    )
    sentence.put(
        SemanticStructure(
            (
                SemanticNode("TIME"),
                *(SemanticNode(sentence.lemmas[i], i + 1) for i in range(3)),
                SemanticNode("past'"),
            ),
            (Edge(1, 3, "A1"), Edge(1, 5, "A2"), Edge(3, 2, "A1"), Edge(3, 4, "A2")),
        )
    )
    component = GraphToTree(bits=12, epochs=5).fit([sentence])
    found = component.apply([sentence])[0]
    assert (found.heads, found.deprels) == (sentence.heads, sentence.deprels)


def test_neither_graph_nor_tree_is_an_error_with_its_place(realizer: Realizer) -> None:
    bare = Sentence(forms=["a", "b"], lemmas=["a", "b"], comments=["# sent_id = s7"], line=12)
    with pytest.raises(FormatError, match="s7"):
        list(realizer.realize([bare], start="graph"))


@pytest.mark.parametrize(
    ("line", "told"),
    [("S.lema", "lemma"), ("X.lemma", "S or T"), ("dist lemma", "S or T"), ("path T.inn", "in")],
)
def test_faults_of_templates_are_named(line: str, told: str) -> None:
    with pytest.raises(InputError, match=f"2.*{told}"):
        growths.parse(f"bias\n{line}\n", "file")


def test_the_lists_that_come_with_plait() -> None:
    assert growths.built_in() == ["2010", "default"]
    assert len(growths.load("2010").lines) == 7
