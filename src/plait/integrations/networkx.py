"""Trees as directed graphs of networkx, and back."""

from __future__ import annotations

from typing import Any

from plait.errors import InputError
from plait.integrations.cells import cell_of, head_of, is_cell
from plait.integrations.libraries import library
from plait.sentence import Sentence, Treebank

_CELLS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "misc")


def to_networkx(given: Sentence | Treebank) -> Any:
    """A `DiGraph` with an edge from every head to its dependent, labelled `deprel`; the artificial root is no node.

    Nodes are the numbers of words, which count from 1; of a treebank or document `(place, number)`, where the places of
    sentences count from 0. They have what the columns tell of the word.
    """
    graph = library("networkx", "networkx").DiGraph()
    if isinstance(given, Sentence):
        _add(graph, given, lambda number: number)
    else:
        for place, sentence in enumerate(given.sentences):
            _add(graph, sentence, lambda number, place=place: (place, number))
    return graph


def _add(graph: Any, sentence: Sentence, name: Any) -> None:
    for word in sentence:
        graph.add_node(name(word.id), **{cell: getattr(word, cell) for cell in _CELLS})
    for word in sentence:
        if word.head:
            graph.add_edge(name(word.head), name(word.id), deprel=word.deprel)


def from_networkx(graph: Any) -> Sentence:
    """The sentence of a graph whose nodes are 1, 2, 3 … and have at least a `form`, with at most one head each. Heads
    and labels are those of the edges; a word without one hangs from the root, unless its `head` is None.
    """
    size = len(graph)
    if set(graph) != set(range(1, size + 1)):
        raise InputError(f"The nodes of the graph must be the numbers from 1 to {size}.")
    columns: dict[str, list[Any]] = {cell: [] for cell in _CELLS}
    for number in range(1, size + 1):
        node = dict(graph.nodes[number])
        if not is_cell(node.get("form")):
            raise InputError(f"Node {number} has no form that can stand in a treebank.")
        edges = list(graph.in_edges(number, data=True))
        if len(edges) > 1:
            raise InputError(f"Node {number} has {len(edges)} heads; a word of a tree has one.")
        if edges:
            node |= {"head": edges[0][0], "deprel": edges[0][2].get("deprel")}
        elif node.get("head", 0) is not None:
            node["head"] = 0
        for cell in _CELLS:
            place, value = f"{cell} of node {number}", node.get(cell)
            columns[cell].append(head_of(value, size, place) if cell == "head" else cell_of(value, place))
    return Sentence(
        forms=columns["form"],
        lemmas=columns["lemma"],
        upos=columns["upos"],
        xpos=columns["xpos"],
        feats=columns["feats"],
        heads=columns["head"],
        deprels=columns["deprel"],
        misc=columns["misc"],
    )
