"""Semantic graphs as the core takes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait.features.encoding import hash_text
from plait.meaning import SemanticStructure
from plait.sentence import EMPTY, Sentence, parse_pairs

Arrays = tuple[
    NDArray[np.uint32],
    NDArray[np.int64],
    NDArray[np.uint8],
    NDArray[np.int32],
    NDArray[np.uint32],
    NDArray[np.int64],
]


@dataclass(frozen=True, slots=True, eq=False)
class EncodedGraphs:
    """Graphs one after the other: a row per node, which of them are words, edges, and where graphs begin."""

    values: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    said: NDArray[np.uint8]
    ends: NDArray[np.int32]
    labels: NDArray[np.uint32]
    edge_offsets: NDArray[np.int64]

    def arrays(self) -> Arrays:
        return self.values, self.offsets, self.said, self.ends, self.labels, self.edge_offsets


class GraphEncoder:
    """Encodes nodes by columns of the words they stand for; a node that stands for none has its label for a lemma."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = list(columns)
        self._known: dict[str, int] = {}

    def encode(self, pairs: Iterable[tuple[Sentence, SemanticStructure]]) -> EncodedGraphs:
        values: list[list[int]] = []
        said: list[int] = []
        ends: list[tuple[int, int]] = []
        labels: list[int] = []
        offsets, edge_offsets = [0], [0]
        for sentence, graph in pairs:
            for _, node in graph:
                values.append([self._hash(text) for text in self._texts(sentence, node.word, node.label)])
                said.append(node.word > 0)
            for edge in graph.edges:
                ends.append((edge.head, edge.dependent))
                labels.append(self._hash(edge.label))
            offsets.append(len(values))
            edge_offsets.append(len(ends))
        return EncodedGraphs(
            np.array(values, np.uint32).reshape(-1, len(self._columns)),
            np.array(offsets, np.int64),
            np.array(said, np.uint8),
            np.array(ends, np.int32).reshape(-1, 2),
            np.array(labels, np.uint32),
            np.array(edge_offsets, np.int64),
        )

    def _hash(self, text: str) -> int:
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = hash_text(text)
        return found

    def _texts(self, sentence: Sentence, word: int, label: str) -> list[str]:
        if not word:
            return [label if name == "lemma" else EMPTY for name in self._columns]
        at = word - 1
        cells = {
            "lemma": sentence.lemmas[at],
            "upos": sentence.upos[at],
            "xpos": sentence.xpos[at],
            "feats": sentence.feats[at],
        }
        features = parse_pairs(cells["feats"]) if len(self._columns) > len(cells) else {}
        return [
            cells[name] if name in cells else features.get(name.removeprefix("feats."), EMPTY)
            for name in self._columns
        ]
