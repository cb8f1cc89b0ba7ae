"""Drawings of deep trees and of graphs of meaning."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plait
from conftest import Result
from plait import InputError, Sentence
from plait.drawing.layering import lay_out
from plait.layers import DeepNode, DeepTree, Edge, Frames
from plait.meaning import InformationStructure, SemanticNode, SemanticStructure
from strategies import trees
from toy_deep import spanish

Command = Callable[..., Result]
SVG = "{http://www.w3.org/2000/svg}"
LABELS = ("she", "sell.01", "TIME", "past'", "<b>&", "]]>", "\"'>", "书书书", "قرأ", "x" * 40)


@st.composite
def graphs(draw: st.DrawFn, *, acyclic: bool = False) -> Sentence:
    """Any graph, fit for generation or not."""
    size = draw(st.integers(1, 9))
    nodes = [SemanticNode(draw(st.sampled_from(LABELS)), draw(st.integers(0, 1))) for _ in range(size)]
    number = st.integers(1, size)
    edges = draw(
        st.lists(st.builds(Edge, number, number, st.sampled_from(["A1", "A2", "<A3>"])), max_size=16)
    )
    if acyclic:
        edges = [edge for edge in edges if edge.head < edge.dependent]
    sentence = Sentence(forms=["w"])
    sentence.put(SemanticStructure(tuple(nodes), tuple(edges)))
    if draw(st.booleans()):
        sentence.put(InformationStructure({"theme_1": frozenset(draw(st.sets(number)))}))
    return sentence


def graph_of(sentence: Sentence) -> SemanticStructure:
    graph = sentence.find(SemanticStructure)
    assert graph is not None
    return graph


def boxes_of(root: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of every box."""
    found = []
    for rect in root.iterfind(f"{SVG}g[@class='node']/{SVG}rect"):
        x, y, width, height = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
        found.append((x, y, x + width, y + height))
    return found


@given(graphs())
def test_every_node_is_drawn_once_and_no_two_boxes_overlap(sentence: Sentence) -> None:
    graph = graph_of(sentence)
    picture = sentence.draw(layer=SemanticStructure).svg
    assert picture == sentence.draw(layer=SemanticStructure).svg
    root = ElementTree.fromstring(picture)
    drawn = [group.findtext(f"{SVG}text") for group in root.iterfind(f"{SVG}g[@class='node']")]
    assert drawn == [node.label for node in graph.nodes]
    boxes = boxes_of(root)
    assert len(boxes) == len(graph.nodes)
    for one, other in combinations(boxes, 2):
        assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
    across, down = float(root.attrib["width"]), float(root.attrib["height"])
    assert all(x >= 0 and y >= 0 and right <= across and bottom <= down for x, y, right, bottom in boxes)


@given(graphs())
def test_every_edge_has_a_line_an_arrowhead_and_a_label(sentence: Sentence) -> None:
    edges = graph_of(sentence).edges
    root = ElementTree.fromstring(sentence.draw(layer=SemanticStructure).svg)
    lines = root.findall(f"{SVG}path[@class='arc plain']")
    heads = root.findall(f"{SVG}path[@class='ink plain']")
    labels = [each.text or "" for each in root.iterfind(f"{SVG}text[@class='ink plain']")]
    loops = [edge for edge in edges if edge.head == edge.dependent]
    assert len(heads) == len(edges) - len(loops)
    assert len(lines) == len(heads) + len({edge.head for edge in loops})
    assert sorted(" ".join(labels).split()) == sorted(edge.label for edge in edges)


@given(graphs(acyclic=True))
def test_predicates_stand_above_their_arguments(sentence: Sentence) -> None:
    boxes = boxes_of(ElementTree.fromstring(sentence.draw(layer=SemanticStructure).svg))
    for edge in graph_of(sentence).edges:
        assert boxes[edge.head - 1][3] < boxes[edge.dependent - 1][1]


@given(st.integers(1, 10).flatmap(lambda size: st.tuples(
    st.lists(st.floats(1, 300), min_size=size, max_size=size),
    st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).filter(lambda e: e[0] != e[1]), max_size=20),
)))  # fmt: skip
def test_layouts_keep_their_distances_and_count_their_crossings(
    given_: tuple[list[float], list[tuple[int, int]]],
) -> None:
    widths, edges = given_
    layout = lay_out(widths, edges, 5.0)
    half = [each / 2 for each in widths]
    rank: dict[int, int] = {}
    at: dict[int, int] = {}
    for number, layer in enumerate(layout.layers):
        for left, right in pairwise(layer):
            needed = 5 + sum(half[place] if place < len(half) else 0 for place in (left, right))
            assert layout.middles[right] - layout.middles[left] >= needed - 1e-6
        rank |= dict.fromkeys(layer, number)
        at |= {place: index for index, place in enumerate(layer)}
    assert sorted(at) == list(range(len(layout.middles)))
    pieces = [piece for route in layout.routes for piece in pairwise(route)]
    assert all(rank[b] == rank[a] + 1 for a, b in pieces)
    crossed = sum(
        rank[a] == rank[c] and (at[a] - at[c]) * (at[b] - at[d]) < 0
        for (a, b), (c, d) in combinations(pieces, 2)
    )
    assert layout.crossings == crossed
    for (a, b), route, turned in zip(edges, layout.routes, layout.turned, strict=True):
        assert (route[0], route[-1]) == ((b, a) if turned else (a, b))


@given(trees(max_size=14))
def test_a_tree_has_no_crossings_whatever_the_order_of_its_nodes(heads: list[int]) -> None:
    edges = [(head - 1, node) for node, head in enumerate(heads) if head]
    layout = lay_out([20.0] * len(heads), edges, 5.0)
    assert layout.crossings == 0
    assert not any(layout.turned)


def test_what_hangs_from_one_node_is_right_below_it() -> None:
    """TIME, with its value, is above sell.01, and not above persuade.01 (0 -> 1, 2 -> 1, 2 -> 3)."""
    layout = lay_out([20.0] * 5, [(0, 1), (1, 4), (2, 4), (2, 3)], 5.0)
    assert [sorted(layer) for layer in layout.layers] == [[0], [1, 2], [3, 4]]


def test_graphs_that_are_too_large_are_refused() -> None:
    sentence = Sentence(forms=["w"])
    chain = [Edge(node, node + 1, "A1") for node in range(1, 400)]
    far = [Edge(1, node, "A2") for node in range(2, 401)]
    sentence.put(SemanticStructure(tuple([SemanticNode("x")] * 400), (*chain, *far)))
    with pytest.raises(InputError, match="places"):
        sentence.draw(layer=SemanticStructure)
    sentence.put(SemanticStructure(tuple([SemanticNode("x")] * 2001), ()))
    with pytest.raises(InputError, match="2,001 nodes"):
        sentence.draw(layer=SemanticStructure)


@given(graphs())
def test_the_list_has_every_node_and_every_edge_once(sentence: Sentence) -> None:
    graph = graph_of(sentence)
    lines = str(sentence.draw(layer=SemanticStructure)).split("\n\n")[0].splitlines()
    tops = [line for line in lines if line[0].isdigit()]
    assert len(lines) == len(tops) + len(graph.edges)
    listed = [line for line in lines if not line.endswith("↑")]
    numbers = [int(next(part for part in line.split() if part.isdigit())) for line in listed]
    assert sorted(numbers) == list(range(1, len(graph.nodes) + 1))


def persuaded() -> Sentence:
    sentence = Sentence(forms=["They", "persuaded", "her", "to", "sell", "it"])
    labels = ("they", "persuade.01", "she", "sell.01", "it")
    nodes = [SemanticNode(label, word) for word, label in zip((1, 2, 3, 5, 6), labels, strict=True)]
    nodes += [SemanticNode("past'"), SemanticNode("TIME")]
    edges = [(2, 1, "A1"), (2, 3, "A2"), (2, 4, "A3"), (4, 3, "A1"), (4, 5, "A2"), (7, 2, "A1"), (7, 6, "A2")]
    sentence.put(SemanticStructure(tuple(nodes), tuple(Edge(*each) for each in edges)))
    sentence.put(InformationStructure({"theme_1": frozenset({1})}))
    return sentence


def test_a_list_by_hand() -> None:
    drawing = persuaded().draw(layer=SemanticStructure)
    assert str(drawing).splitlines() == [
        "2 persuade.01",
        "├ A1 1 they",
        "├ A2 3 she",
        "├ A3 4 sell.01",
        "│ ├ A1 3 she ↑",
        "│ └ A2 5 it",
        "└ A1-of 7 TIME",
        "  └ A2 6 past'",
        "",
        "theme_1 1",
    ]
    assert drawing.text(ascii=True).isascii()
    assert "\033[35mA1-of\033[0m" in drawing.text(colour=True)
    assert drawing.summary == "7 nodes, 7 edges, 0 crossings"


def test_kinds_of_nodes_and_the_theme_look_different() -> None:
    root = ElementTree.fromstring(persuaded().draw(layer=SemanticStructure).svg)
    groups = root.findall(f"{SVG}g[@class='node']")
    looks = [(rect.attrib["class"], rect.attrib["rx"]) for g in groups for rect in g.findall(f"{SVG}rect")]
    they, persuade, *_, value, meta = looks
    assert len({they, persuade, value, meta}) == 4
    assert "theme" in [each.text for each in root.iter(f"{SVG}text")]
    assert groups[1].findtext(f"{SVG}title") == "2 persuade.01: 2 persuaded"


def dropped() -> Sentence:
    """(ella) ha comido en casa"""
    sentence = Sentence(forms=["ha", "comido", "en", "casa"])
    nodes = (
        DeepNode(2, (1, 2), "comer", "VV", "tense=PAST", 0, "ROOT"),
        DeepNode(4, (3, 4), "casa", "NN", "_", 1, "II"),
        DeepNode(0, (), "ella", "_", "_", 1, "I", 2),
    )
    sentence.put(DeepTree(nodes))
    return sentence


def test_deep_nodes_show_their_words_and_those_without_one_are_dashed() -> None:
    drawing = dropped().draw(layer=DeepTree)
    assert drawing.summary == "3 nodes, 1 of them without a word"
    lines = str(drawing).splitlines()
    assert [line.strip(" ─┬┼└►│").split() for line in lines] == [
        ["comer", "VV", "ha", "comido", "ROOT"],
        ["casa", "NN", "en", "casa", "II"],
        ["[ella]", "I"],
    ]
    root = ElementTree.fromstring(drawing.svg)
    words = root.findall(f"{SVG}g[@class='word']")
    texts = [[each.text for each in word.iterfind(f"{SVG}g/{SVG}text")] for word in words]
    assert texts[0] == ["comer", "VV", "ha comido"]
    assert [len(word.findall(f".//{SVG}rect[@stroke-dasharray]")) for word in words] == [0, 0, 1]
    assert words[0].findtext(f"{SVG}title") == "comer: VV, ROOT; tense=PAST"


@given(trees(), st.sampled_from(LABELS))
def test_every_deep_node_is_drawn_once(heads: list[int], label: str) -> None:
    sentence = Sentence(forms=[label])
    nodes = (
        DeepNode(at % 2, (1,) * (at % 2), label, label, "_", head, label, 1) for at, head in enumerate(heads)
    )
    sentence.put(DeepTree(tuple(nodes)))
    picture = sentence.draw(layer=DeepTree).svg
    assert picture == sentence.draw(layer=DeepTree).svg
    words = ElementTree.fromstring(picture).findall(f"{SVG}g[@class='word']")
    assert [word.findtext(f"{SVG}g/{SVG}text") for word in words] == [label] * len(heads)


def test_a_deep_tree_without_nodes() -> None:
    sentence = Sentence(forms=["."])
    sentence.put(DeepTree(()))
    assert str(sentence.draw(layer=DeepTree)) == ""
    ElementTree.fromstring(sentence.draw(layer=DeepTree).svg)


@pytest.mark.parametrize("layer", [DeepTree, SemanticStructure, Frames])
def test_what_is_not_there_cannot_be_drawn(layer: type[plait.layers.Layer]) -> None:
    with pytest.raises(InputError, match=r"there is no|no picture"):
        Sentence(forms=["a"]).draw(layer=layer)


def test_the_command_line(plait_command: Command, tmp_path: Path) -> None:
    plait.write(spanish(3), tmp_path / "a.jsonl")
    plait.write(spanish(3), tmp_path / "a.deep", format="deep")
    plait.write([persuaded()], tmp_path / "b.sem")
    both = dropped()
    both.heads, both.deprels = [0, 1, 2, 3], ["root", "x", "y", "z"]
    both.layers |= persuaded().layers
    both.forms += ["a", "b"]
    for column in (both.lemmas, both.upos, both.xpos, both.feats, both.deprels, both.deps, both.misc):
        column += ["_"] * (6 - len(column))
    both.heads += [1, 1]
    plait.write([both], tmp_path / "c.jsonl")
    done = plait_command("draw", tmp_path / "a.deep")
    assert "1 2" in done.out, "of words in another file the numbers are shown"
    assert "ROOT" in done.out
    done = plait_command("draw", tmp_path / "a.jsonl", "--deep", "--sentence", "2", "-o", tmp_path / "a.svg")
    assert done.status == 0, done.err
    assert "deep-syntactic tree" in (tmp_path / "a.svg").read_text()
    done = plait_command("draw", tmp_path / "b.sem", "-o", "-")
    assert "A semantic graph of 7 nodes" in done.out
    assert "├ A1 1 they" in plait_command("draw", tmp_path / "b.sem").out
    assert "root" in plait_command("draw", tmp_path / "c.jsonl").out
    assert "[ella]" in plait_command("draw", tmp_path / "c.jsonl", "--deep").out
    assert "A1-of" in plait_command("draw", tmp_path / "c.jsonl", "--meaning").out
    done = plait_command("draw", tmp_path / "b.sem", "--deep")
    assert done.status == 2
    assert "b.sem:1: there is no deep tree" in done.err
    done = plait_command("draw", tmp_path / "c.jsonl", "--deep", "--against", tmp_path / "c.jsonl")
    assert done.status == 2
