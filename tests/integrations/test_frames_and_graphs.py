"""Sentences as data frames of pandas, graphs of networkx and of NLTK, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import plait
from plait import Document, InputError, NotATreeError, PlaitError, Sentence, Treebank
from plait.integrations.libraries import library
from strategies import sentences, trees

CROSSING = Path(__file__).resolve().parents[1] / "data" / "crossing-english.conllu"


@pytest.fixture(scope="module")
def document() -> Document:
    return plait.load("en")("Who did you send the letter to? Don't  worry.")


@pytest.fixture(scope="module")
def treebank() -> Treebank:
    return plait.read(CROSSING)


def bare(sentence: Sentence) -> Sentence:
    """What has a place in a row for every word."""
    twin = sentence.copy()
    twin.comments, twin.multiword_tokens, twin.empty_nodes, twin.layers = [], [], [], {}
    twin.newline, twin.ending, twin.leading = "\n", "\n\n", ""
    return twin


# pandas


def test_a_document_is_a_frame(document: Document) -> None:
    pandas = pytest.importorskip("pandas")
    frame = document.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns)[:4] == ["sentence", "id", "form", "lemma"]
    assert frame["form"].tolist() == [word.form for word in document.words]
    assert frame["sentence"].tolist() == [0] * 8 + [1] * 4
    assert all(document.text[row.start : row.end] == row.form for row in frame.itertuples())
    assert frame.loc[frame.deprel == "root", "form"].tolist() == ["send", "worry"]
    assert frame["head"].dtype == frame["start"].dtype == "Int64"
    assert frame["deps"].isna().all()
    assert "sentence" not in document[1].to_pandas().columns
    counts = frame.groupby("upos")["form"].count()
    assert counts["PRON"] == 2


def test_a_frame_is_a_treebank(treebank: Treebank) -> None:
    pytest.importorskip("pandas")
    from plait.integrations.pandas import from_pandas

    assert from_pandas(treebank.to_pandas()).sentences == [bare(sentence) for sentence in treebank]
    assert len(from_pandas(treebank[:0].to_pandas())) == 0


@given(sentences())
def test_any_sentence_is_a_frame(sentence: Sentence) -> None:
    pytest.importorskip("pandas")
    from plait.integrations.pandas import from_pandas

    assert from_pandas(sentence.to_pandas()).sentences == [bare(sentence)]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"word": ["a"]}, "a column 'form' is needed"),
        ({"form": ["a", None]}, "Row 1 has no form"),
        ({"form": ["a", 3]}, "Row 1 has no form"),
        ({"form": ["a", "b"], "id": [0, 1]}, "Row 0 has the id 0, not 1: words count from 1"),
        ({"form": ["a", "b"], "head": [0, 3]}, "The head in row 1 must be a number from 0 to 2, not '3"),
        (
            {"form": ["a", "b", "c"], "sentence": [0, 1, 0]},
            "The rows of the sentence 0 do not stand together",
        ),
    ],
)
def test_a_frame_that_is_no_treebank(rows: dict[str, Any], message: str) -> None:
    pandas = pytest.importorskip("pandas")
    from plait.integrations.pandas import from_pandas

    with pytest.raises(InputError, match=message):
        from_pandas(pandas.DataFrame(rows))


# networkx


def test_a_sentence_is_a_graph(document: Document) -> None:
    networkx = pytest.importorskip("networkx")
    graph = document[0].to_networkx()
    assert networkx.is_arborescence(graph)
    assert graph.nodes[4]["form"] == "send"
    assert graph.edges[1, 7]["deprel"] == "case"
    assert networkx.shortest_path(graph.to_undirected(), 7, 4) == [7, 1, 4]
    assert sorted(networkx.descendants(graph, 6) | {6}) == [word.id for word in document[0][6].subtree]


def test_a_document_is_a_graph_of_trees(document: Document) -> None:
    networkx = pytest.importorskip("networkx")
    graph = document.to_networkx()
    assert networkx.number_weakly_connected_components(graph) == 2
    assert graph.nodes[1, 3]["form"] == document[1][3].form == "worry"


def test_a_graph_is_a_sentence(treebank: Treebank) -> None:
    pytest.importorskip("networkx")
    from plait.integrations.networkx import from_networkx

    assert [from_networkx(each.to_networkx()) for each in treebank] == [bare(each) for each in treebank]


@given(trees())
def test_any_tree_is_a_graph_and_back(heads: list[int]) -> None:
    networkx = pytest.importorskip("networkx")
    from plait.integrations.networkx import from_networkx

    sentence = Sentence(forms=["a"] * len(heads), heads=list(heads), deprels=["d"] * len(heads))
    assert networkx.is_branching(sentence.to_networkx())
    assert from_networkx(sentence.to_networkx()) == sentence


def test_graphs_that_are_no_trees() -> None:
    networkx = pytest.importorskip("networkx")
    from plait.integrations.networkx import from_networkx

    with pytest.raises(InputError, match="must be the numbers from 1 to 2"):
        from_networkx(networkx.DiGraph([(0, 1)]))
    graph = networkx.DiGraph([(1, 3), (2, 3)])
    with pytest.raises(InputError, match="Node 1 has no form"):
        from_networkx(graph)
    networkx.set_node_attributes(graph, "a", "form")
    with pytest.raises(InputError, match="Node 3 has 2 heads"):
        from_networkx(graph)
    graph.remove_edge(2, 3)
    graph.nodes[1]["lemma"] = 3
    with pytest.raises(InputError, match="lemma of node 1 must be a text"):
        from_networkx(graph)


# NLTK


def test_a_sentence_is_a_dependency_graph(document: Document) -> None:
    nltk = pytest.importorskip("nltk.parse.dependencygraph")
    graph = document[0].to_nltk()
    assert isinstance(graph, nltk.DependencyGraph)
    assert (("Who", "PRON"), "case", ("to", "ADP")) in list(graph.triples())
    assert graph.tree().label() == "send"
    assert not graph.contains_cycle()
    again = nltk.DependencyGraph(graph.to_conll(10), top_relation_label="root", cell_separator="\t")
    assert [node["head"] for _, node in sorted(again.nodes.items())][1:] == document[0].heads
    assert [each.root["word"] for each in document.to_nltk()] == ["send", "worry"]
    assert graph.nx_graph is not None


def test_a_dependency_graph_is_a_sentence(treebank: Treebank) -> None:
    pytest.importorskip("nltk")
    from plait.integrations.nltk import from_nltk

    for sentence in treebank:
        found = from_nltk(sentence.to_nltk())
        assert (found.forms, found.heads, found.deprels) == (sentence.forms, sentence.heads, sentence.deprels)
        assert (found.upos, found.lemmas, found.feats) == (sentence.upos, sentence.lemmas, sentence.feats)


def test_a_dependency_graph_needs_heads() -> None:
    pytest.importorskip("nltk")
    with pytest.raises(NotATreeError, match="word 1 has no head"):
        Sentence(forms=["a"]).to_nltk()


# What is not installed.


def test_what_is_not_installed_names_its_extra() -> None:
    with pytest.raises(PlaitError, match=r"nowhere_at_all is not installed: pip install 'plait\[some\]'"):
        library("nowhere_at_all.inside", "some")


def test_what_lacks_something_itself_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half_there.py").write_text("import nowhere_at_all", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="nowhere_at_all"):
        library("half_there", "some")
