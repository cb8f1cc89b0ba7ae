"""Theme and rheme, given and new, fore- and background, read off a tree (Wanner et al. 2012, section 2.2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from plait.cancel import check_cancelled
from plait.meaning import InformationStructure, SemanticStructure
from plait.semantics.conditions import VERBS
from plait.semantics.reading import Reading


def information(reading: Reading, graph: SemanticStructure) -> InformationStructure:
    """The subject of the main clause is the theme; so in the clauses below, and in those within a theme."""
    sets: defaultdict[str, set[int]] = defaultdict(set)
    everything = {number for number, _ in graph}
    roots = reading.children[0]
    main = _subject(reading, roots[0], graph) if roots else set()
    themes = _Themes(graph, sets)
    themes.add(main, everything - main)
    for word in range(1, len(reading.heads)):
        check_cancelled()
        subject = _subject(reading, word, graph)
        if word not in roots and subject:
            themes.add(subject, _nodes(graph, reading.subtree(word)) - subject)
    numbers = {node.word: number for number, node in graph if node.word}
    for word, number in numbers.items():
        _givenness(reading, word, number, sets)
    for child in roots and reading.children[roots[0]]:
        subjects = [
            each for each in reading.children[roots[0]] if reading.relations[each] in reading.rules.clauses
        ]
        if subjects and child < min(subjects) and reading.relations[child] in reading.rules.fronted:
            sets["foregrounded"] |= _nodes(graph, reading.subtree(child))
    for word in range(1, len(reading.heads)):
        if reading.relations[word] in reading.rules.background:
            sets["backgrounded"] |= _nodes(graph, reading.subtree(word))
    sets["foregrounded"] -= sets["backgrounded"]
    return InformationStructure(
        {name: frozenset(nodes) for name, nodes in sets.items() if nodes or name == "rheme_1"}
    )


class _Themes:
    """Pairs of theme and rheme; a verb with arguments within a theme has a pair there."""

    def __init__(self, graph: SemanticStructure, sets: defaultdict[str, set[int]]) -> None:
        self._graph = graph
        self._sets = sets
        self._count = 0

    def add(self, theme: set[int], rheme: set[int]) -> None:
        self._count += 1
        self._sets[f"theme_{self._count}"] = set(theme)
        self._sets[f"rheme_{self._count}"] = set(rheme)
        for number in sorted(theme):
            arguments = self._graph.arguments(number)
            if self._graph.nodes[number - 1].pos in VERBS and arguments:
                inner = {edge.dependent for edge in arguments if edge.label == "A1"} & theme - {number}
                if inner == theme:
                    inner = set()
                self.add(inner, {number, *(edge.dependent for edge in arguments)} & theme - inner)


def _subject(reading: Reading, word: int, graph: SemanticStructure) -> set[int]:
    found = [child for child in reading.children[word] if reading.relations[child] in reading.rules.clauses]
    return _nodes(graph, reading.subtree(found[0])) if found else set()


def _nodes(graph: SemanticStructure, words: Iterable[int]) -> set[int]:
    """Of words, with the meta-semantemes that modify only them, and their values."""
    inside = set(words)
    found = {number for number, node in graph if node.word in inside}
    for number, node in graph:
        if not node.word:
            arguments = graph.arguments(number)
            if arguments and all(
                edge.dependent in found or not graph.nodes[edge.dependent - 1].word for edge in arguments
            ):
                found |= {number, *(edge.dependent for edge in arguments)}
    return found


def _givenness(reading: Reading, word: int, number: int, sets: defaultdict[str, set[int]]) -> None:
    if reading.pos[word] == "PRON":
        sets["given_1"].add(number)
    if reading.pos[word] not in ("NOUN", "PROPN"):
        return
    articles = (
        reading.lemmas[child] for child in reading.children[word] if reading.relations[child] == "det"
    )
    name = next((reading.rules.given[lemma] for lemma in articles if lemma in reading.rules.given), "")
    sets[name or ("given_1" if reading.pos[word] == "PROPN" else "new")].add(number)
