"""Passes over graphs with their trees: whole trees are grown, and learned from where they are wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.components.graph2tree.model import Model, Setup
from plait.learning.learner import Order, TableLearner, Weights
from plait.learning.weights import PackedWeights
from plait.meaning import SemanticStructure
from plait.sentence import Sentence

Pair = tuple[Sentence, SemanticStructure]
NO_WORD = -1


class GrowLearner(TableLearner[_core.GrowTrainer, Model]):
    """Passive-aggressive steps on whole trees."""

    metric = "las"
    counted = ("trees", "wrong", "updates")

    def __init__(self, setup: Setup, pairs: Sequence[Pair], dev: Sequence[Pair] | None) -> None:
        options = setup.options
        cores = [
            _core.GrowTrainer(
                setup.program, options.bits, len(setup.labels), options.best, options.reach, options.step
            )
            for _ in range(options.mix)
        ]
        super().__init__(cores, len(pairs), options.seed)
        self.judged = dev is not None
        self._setup = setup
        self._graphs = setup.encoder.encode(pairs)
        numbers = {label: number for number, label in enumerate(setup.labels)}
        right = [right_tree(sentence, graph) for sentence, graph in pairs]
        self._heads = np.array([head for heads, _ in right for head in heads], np.int32)
        self._labels = np.array(
            [numbers[label] if label else NO_WORD for _, labels in right for label in labels], np.int32
        )
        self._dev = setup.encoder.encode(dev or ())
        self._right = [right_tree(sentence, graph) for sentence, graph in dev or ()]

    def learn(self, core: _core.GrowTrainer, order: Order, epoch: int) -> tuple[int, ...]:  # noqa: ARG002
        return core.learn(*self._graphs.arrays(), self._heads, self._labels, order)

    def build(self, weights: Weights) -> Model:
        return Model(self._setup, PackedWeights.rounded(weights))

    def score(self, state: Model) -> dict[str, float]:
        """Of words, punctuation included, in percent."""
        words = heads_right = both_right = 0
        for (heads, labels), (own, names) in zip(state.grow(self._dev), self._right, strict=True):
            for head, label, right, name in zip(heads, labels, own, names, strict=True):
                if right == NO_WORD:
                    continue
                words += 1
                heads_right += head == right
                both_right += head == right and label == name
        return {"uas": 100 * heads_right / max(words, 1), "las": 100 * both_right / max(words, 1)}

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        yield from self._graphs.arrays()
        yield self._heads
        yield self._labels
        yield from self._dev.arrays()
        yield from self._setup.labels
        yield self._setup.templates.source


def right_tree(sentence: Sentence, graph: SemanticStructure) -> tuple[list[int], list[str]]:
    """By node, its head among the nodes and its label. A word that has no node is passed over on the way up."""
    numbers = {node.word: number for number, node in graph if node.word}
    heads, labels = [], []
    for _, node in graph:
        above = sentence.heads[node.word - 1] if node.word else None
        while above and above not in numbers:
            above = sentence.heads[above - 1]
        heads.append(numbers.get(above or 0, 0) if node.word else NO_WORD)
        labels.append(sentence.deprels[node.word - 1] if node.word else "")
    return heads, labels
