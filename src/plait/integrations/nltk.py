"""Trees as dependency graphs of NLTK, and back."""

from __future__ import annotations

from typing import Any

from plait.errors import InputError
from plait.integrations.cells import cell_of, head_of
from plait.integrations.libraries import library
from plait.sentence import EMPTY, Sentence

_TOP = 0  # the address of the artificial root, there as here


def to_nltk(sentence: Sentence) -> Any:
    """A `DependencyGraph`: `ctag` is UPOS, `tag` XPOS, or UPOS where there is none. Every word needs a head."""
    graph = library("nltk.parse.dependencygraph", "nltk").DependencyGraph()
    heads = sentence.tree()
    for word, head in zip(sentence, heads, strict=True):
        graph.nodes[word.id].update(
            address=word.id,
            word=word.form,
            lemma=word.lemma,
            ctag=word.upos,
            tag=word.upos if word.xpos == EMPTY else word.xpos,
            feats=word.feats,
            head=head,
            rel=word.deprel,
        )
        graph.nodes[head]["deps"][word.deprel].append(word.id)
    roots = [number for number, head in enumerate(heads, 1) if head == _TOP]
    if roots:
        graph.root = graph.nodes[roots[0]]
        graph.top_relation_label = sentence.deprels[roots[0] - 1]
    return graph


def from_nltk(graph: Any) -> Sentence:
    """The sentence of a `DependencyGraph`."""
    size = len(graph.nodes) - 1
    if set(graph.nodes) != set(range(size + 1)):
        raise InputError(f"The addresses of the graph must be the numbers from 0 to {size}.")
    nodes = [graph.nodes[address] for address in range(1, size + 1)]

    def column(name: str) -> list[str]:
        return [cell_of(node[name], f"{name} of node {place}") for place, node in enumerate(nodes, 1)]

    return Sentence(
        forms=column("word"),
        lemmas=column("lemma"),
        upos=column("ctag"),
        xpos=column("tag"),
        feats=column("feats"),
        heads=[
            head_of(node["head"], size, f"The head of node {place}") for place, node in enumerate(nodes, 1)
        ],
        deprels=column("rel"),
    )
