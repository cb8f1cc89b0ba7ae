"""Passes over a treebank, tag by tag."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.components.tagger.model import Model, Setup
from plait.components.tagger.tags import triples_of
from plait.evaluation.conll18 import universal_features
from plait.learning.flow import batches
from plait.learning.learner import Order, TableLearner, Weights
from plait.sentence import Sentence

_SCORES = ("upos", "xpos", "ufeats", "alltags")


class TagLearner(TableLearner[_core.TaggerTrainer, Model]):
    """Learns the tags of a treebank; `wrong` counts words that got a wrong tag while being learned."""

    metric = "alltags"
    counted = ("words", "wrong")
    chunk = 256

    def __init__(self, setup: Setup, train: Sequence[Sentence], dev: Sequence[Sentence] | None) -> None:
        options = setup.options
        core = _core.TaggerTrainer(setup.core, options.bits, options.step, options.dropout)
        super().__init__([core], len(train), options.seed)
        self._setup = setup
        self._gold = setup.tags.numbers(train)
        self._text = setup.encoder.encode_to_learn(train, self._gold)
        self._judge = None if dev is None else Judge(setup, dev)
        self.judged = dev is not None

    def learn(self, core: _core.TaggerTrainer, order: Order, epoch: int) -> tuple[int, int]:
        seed = self._setup.options.seed * 1_000_003 + epoch * 10_007
        return core.learn(self._text.values, self._text.offsets, self._gold, order, seed)

    def build(self, weights: Weights) -> Model:
        return Model(self._setup, self._setup.pack(weights))

    def score(self, state: Model) -> dict[str, float]:
        assert self._judge is not None
        return self._judge.score(state)

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        yield self._setup.templates.source
        yield from (self._text.values, self._text.offsets, self._gold)
        if self._judge:
            yield from self._judge.data()


class Judge:
    """Tags a dev set, which is encoded once. Scores are shares of words as in CoNLL 2018: of FEATS, universal features
    only.
    """

    def __init__(self, setup: Setup, dev: Sequence[Sentence]) -> None:
        self._texts = [setup.encoder.encode(batch) for batch in batches(dev, 1)]
        self._gold = _comparable([tag for sentence in dev for tag in triples_of(sentence)])
        self._names = _comparable(setup.tags.triples)

    def score(self, model: Model) -> dict[str, float]:
        if not len(self._gold):
            return dict.fromkeys(_SCORES, 0.0)
        found = np.concatenate([model.search(text)[0][:, 0] for text in self._texts])
        right = self._names[found] == self._gold
        shares = (*right.mean(axis=0), right.all(axis=1).mean())
        return {name: 100 * float(share) for name, share in zip(_SCORES, shares, strict=True)}

    def data(self) -> Iterable[NDArray[np.generic]]:
        for text in self._texts:
            yield from (text.values, text.offsets)
        yield self._gold.astype(np.str_)


def _comparable(tags: Sequence[tuple[str, str, str]]) -> NDArray[np.object_]:
    rows = [(upos, xpos, universal_features(feats)) for upos, xpos, feats in tags]
    return np.array(rows, object).reshape(-1, 3)
