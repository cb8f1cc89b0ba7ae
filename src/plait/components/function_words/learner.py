"""Passes over pairs of surface and deep trees: one classifier for each kind of decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from plait.components.function_words.analysis import (
    ABOVE,
    NOTHING,
    RELATION,
    SILENT,
    TAG,
    Decisions,
    analyse,
    read,
)
from plait.components.function_words.choosing import KeyedChoice, KeyedChooser, KeyedLearner
from plait.components.function_words.model import Model, Views, key_of, order_of
from plait.components.function_words.options import FunctionWordsOptions
from plait.features.columns import ColumnTemplates
from plait.layers import DeepTree
from plait.learning.learner import Weights
from plait.learning.several import SeveralLearner
from plait.sentence import Sentence

_FEWEST_OF_SLOT = 5
Pair = tuple[Sentence, DeepTree]


class FunctionLearner(SeveralLearner[Model, KeyedChooser]):
    """All at once; what is decided earlier, a decision sees as it is in the treebank."""

    metric = "f1"

    def __init__(
        self,
        templates: ColumnTemplates,
        options: FunctionWordsOptions,
        pairs: Sequence[Pair],
        dev: Sequence[Pair] | None,
    ) -> None:
        self.judged = dev is not None
        trees = [tree for _, tree in pairs]
        right = [analyse(sentence, tree) for sentence, tree in pairs]
        self._dev = [tree for _, tree in dev or ()]
        self._right = [analyse(sentence, tree) for sentence, tree in dev or ()]
        counts = Counter(
            sorted(slot for own in right for each in own for slot in each if slot.startswith("+"))
        )
        slots = [slot for slot, count in counts.most_common() if count >= _FEWEST_OF_SLOT]
        flat = [decisions for own in right for decisions in own]
        # Filled one kind after the other: what a decision sees is what was decided before it.
        growing: list[list[Decisions]] = [[{} for _ in tree] for tree in trees]
        seen = [decisions for own in growing for decisions in own]
        views = Views(trees, growing)
        self.parts: dict[str, KeyedLearner] = {}
        for number, kind in enumerate(order_of(slots)):
            keys = [key for tree in trees for key in key_of(kind, tree)]
            said = [
                at for at, decisions in enumerate(flat) if kind == ABOVE or decisions.get(ABOVE) != SILENT
            ]
            names = [flat[at].get(kind, NOTHING) for at in said]
            own_keys = [keys[at] for at in said]
            choice = KeyedChoice.learn(
                templates, zip(own_keys, names, strict=True), options.fewest, options.bits, number + 1
            )
            if not choice.classes:
                continue
            rows = views.rows(templates)[said]
            self.parts[kind] = KeyedLearner(choice, rows, own_keys, names, options.step, options.seed)
            for decisions, whole in zip(seen, flat, strict=True):
                if whole.get(kind, NOTHING) != NOTHING:
                    decisions[kind] = whole[kind]

    def build(self, weights: Weights) -> Model:
        return Model(self.built(weights))

    def score(self, state: Model) -> dict[str, float]:
        return score_decisions(self._right, state.decide(self._dev))

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        yield from super().data()
        for tree, own in zip(self._dev, self._right, strict=True):
            yield str(tree.to_json())
            yield str(own)


def score_decisions(
    right: Sequence[Sequence[Decisions]], found: Sequence[Sequence[Decisions]]
) -> dict[str, float]:
    """In percent: function words with the right lemma and relation at the right node, precision, recall and F1; surface
    relations; tags with features.
    """
    both = wanted = given = 0
    equal: Counter[str] = Counter()
    words = 0
    for own, others in zip(right, found, strict=True):
        for one, other in zip(own, others, strict=True):
            here, there = function_words(one), function_words(other)
            both += (here & there).total()
            wanted += here.total()
            given += there.total()
            if one.get(ABOVE) != SILENT:
                words += 1
                for kind in (RELATION, TAG):
                    equal[kind] += one.get(kind) == other.get(kind)
    precision, recall = 100 * both / max(given, 1), 100 * both / max(wanted, 1)
    return {
        "f1": 2 * precision * recall / max(precision + recall, 1e-9),
        "precision": precision,
        "recall": recall,
        "relations": 100 * equal[RELATION] / max(words, 1),
        "tags": 100 * equal[TAG] / max(words, 1),
    }


def function_words(decisions: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """Lemmas and relations of those that a node has, above and below."""
    pieces = [
        piece
        for kind, text in decisions.items()
        if kind == ABOVE or kind.startswith("+")
        for piece in read(text)
    ]
    return Counter((piece.lemma, piece.relation) for piece in pieces)
