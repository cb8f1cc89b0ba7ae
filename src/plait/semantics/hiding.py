"""Graphs without what tells of the sentence they are from: what a generator is given."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

from plait.layers import Edge
from plait.meaning import SemanticNode, SemanticStructure
from plait.sentence import EMPTY, Sentence


def hide_sentences(sentences: Iterable[Sentence], *, seed: int = 0) -> Iterator[Sentence]:
    """The graphs of sentences, with lemmas, tags and features of their words and nothing else, words and nodes in an
    order that the seed decides.
    """
    chance = random.Random(seed)
    for sentence in sentences:
        graph = sentence.find(SemanticStructure)
        assert graph is not None
        shown = meaning_alone(sentence, graph)
        hidden = shown.find(SemanticStructure)
        assert hidden is not None
        words = list(range(1, len(shown) + 1))
        nodes = list(range(1, len(hidden.nodes) + 1))
        chance.shuffle(words)
        chance.shuffle(nodes)
        shown.reorder(words)
        shown.put(renumbered(hidden, words, nodes))
        yield shown


def renumbered(graph: SemanticStructure, words: Sequence[int], nodes: Sequence[int]) -> SemanticStructure:
    """The same graph of words and with nodes in another order, each given by the old numbers; what of either is left
    out is gone, with its edges.
    """
    word_of = {0: 0} | {word: number for number, word in enumerate(words, 1)}
    node_of = {node: number for number, node in enumerate(nodes, 1)}
    old = [graph.nodes[node - 1] for node in nodes]
    edges = [
        Edge(node_of[edge.head], node_of[edge.dependent], edge.label)
        for edge in graph.edges
        if edge.head in node_of and edge.dependent in node_of
    ]
    return SemanticStructure(
        tuple(SemanticNode(node.label, word_of.get(node.word, 0), node.pos) for node in old),
        tuple(sorted(edges)),
        {node_of[node]: most for node, most in sorted(graph.valency.items()) if node in node_of},
    )


def meaning_alone(sentence: Sentence, graph: SemanticStructure) -> Sentence:
    """The words that a graph has nodes for, as lemmas without forms and tree. Where a file tells no lemmas or tags,
    they are those of the nodes.
    """
    nodes = {node.word: node for node in graph.nodes if node.word}
    words = sorted(nodes)
    lemmas = [sentence.lemmas[word - 1] for word in words]
    upos = [sentence.upos[word - 1] for word in words]
    shown = Sentence(
        forms=[EMPTY] * len(words),
        lemmas=[
            _lemma(nodes[word].label) if lemma == EMPTY else lemma
            for word, lemma in zip(words, lemmas, strict=True)
        ],
        upos=[nodes[word].pos if tag == EMPTY else tag for word, tag in zip(words, upos, strict=True)],
        xpos=[sentence.xpos[word - 1] for word in words],
        feats=[sentence.feats[word - 1] for word in words],
        comments=[line for line in sentence.comments if line[1:].lstrip().startswith("sent_id")],
        line=sentence.line,
    )
    shown.put(renumbered(graph, words, range(1, len(graph.nodes) + 1)))
    return shown


def _lemma(label: str) -> str:
    """Without the number of a sense: sell.01."""
    stem, _, number = label.rpartition(".")
    return stem if stem and number.isdigit() else label
