"""Graphs from sentences: their trees, and their annotation of meaning."""

from __future__ import annotations

from collections.abc import Mapping

from plait.errors import InputError
from plait.meaning import SemanticStructure
from plait.rules.graph import Edge, Graph
from plait.sentence import EMPTY, Sentence, parse_pairs


def of_tree(sentence: Sentence, stratum: str = "SSynt") -> Graph:
    """A node for every word, `w1` and so on: columns and features are attributes, relations are edges."""
    nodes: dict[str, dict[str, str]] = {}
    edges = []
    for word in sentence:
        columns = {"form": word.form, "lemma": word.lemma, "upos": word.upos, "xpos": word.xpos}
        features = parse_pairs(word.feats)
        nodes[f"w{word.id}"] = {k: v for k, v in (columns | features).items() if v and v != EMPTY}
        if word.head:
            edges.append(Edge(f"w{word.head}", word.deprel or EMPTY, f"w{word.id}"))
    return Graph(stratum, nodes, tuple(edges), sentence.text)


def of_meaning(sentence: Sentence, stratum: str = "Sem") -> Graph:
    """The graph of meaning of a sentence: labels as `sem`, and of words their lemma and part of speech."""
    structure = sentence.find(SemanticStructure)
    if structure is None:
        raise InputError("there is no annotation of meaning; plait convert --to semantics makes it.")
    nodes: dict[str, dict[str, str]] = {}
    for number, node in structure:
        nodes[f"n{number}"] = {"sem": node.label} | ({"pos": node.pos} if node.pos != EMPTY else {})
        if node.word:
            nodes[f"n{number}"]["lemma"] = sentence.lemmas[node.word - 1]
    edges = tuple(dict.fromkeys(Edge(f"n{e.head}", e.label, f"n{e.dependent}") for e in structure.edges))
    return Graph(stratum, nodes, edges, sentence.text)


def of_attributes(attributes: Mapping[str, str], stratum: str = "Con") -> Graph:
    """A thing and what is known of it, such as type=chair, colour=red: one node."""
    return Graph(stratum, {"x": dict(attributes)})
