"""Passes over a treebank until enough, the best one kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.evaluation.conll18 import universal_features
from plait.flow import batches
from plait.sentence import Sentence
from plait.tagger.model import Model, Setup
from plait.tagger.tags import triples_of

_CHUNK = 256  # sentences between two looks at the keyboard

# The number of the epoch, how many sentences of it are done, and of how many.
Progress = Callable[[int, int, int], None]


class Score(NamedTuple):
    """Shares of words of a dev set in percent, as in CoNLL 2018: of FEATS, universal features only."""

    upos: float
    xpos: float
    ufeats: float
    alltags: float


@dataclass(frozen=True, slots=True)
class Epoch:
    """One pass over the training set, and the scores of the dev set after it, if there is one."""

    number: int
    seconds: float
    words: int
    wrong: int  # words that got a wrong tag while being learned
    upos: float | None = None
    xpos: float | None = None
    ufeats: float | None = None
    alltags: float | None = None


def best_of(epochs: Sequence[Epoch]) -> Epoch:
    """The epoch with the highest AllTags, the first of several; without a dev set the last one."""
    if epochs[-1].alltags is None:
        return epochs[-1]
    return max(epochs, key=lambda epoch: (epoch.alltags or 0.0, -epoch.number))


class Judge:
    """Tags a dev set, which is encoded once."""

    def __init__(self, setup: Setup, dev: Sequence[Sentence]) -> None:
        self._texts = [setup.encoder.encode(batch) for batch in batches(dev, 1)]
        self._gold = _comparable([tag for sentence in dev for tag in triples_of(sentence)])
        self._names = _comparable(setup.tags.triples)

    def score(self, model: Model) -> Score:
        if not len(self._gold):
            return Score(0.0, 0.0, 0.0, 0.0)
        found = np.concatenate([model.search(text)[0][:, 0] for text in self._texts])
        right = self._names[found] == self._gold
        return Score(*(100 * float(share) for share in (*right.mean(axis=0), right.all(axis=1).mean())))


def _comparable(tags: Sequence[tuple[str, str, str]]) -> NDArray[np.object_]:
    rows = [(upos, xpos, universal_features(feats)) for upos, xpos, feats in tags]
    return np.array(rows, object).reshape(-1, 3)


class Training:
    """Runs the learner, and the judge after every epoch if there is one."""

    def __init__(self, setup: Setup, train: Sequence[Sentence], judge: Judge | None) -> None:
        self.epochs: list[Epoch] = []
        self.best: NDArray[np.float32] | None = None
        self.interrupted = False
        self._setup = setup
        self._judge = judge
        self._gold = setup.tags.numbers(train)
        self._text = setup.encoder.encode_to_learn(train, self._gold)
        options = setup.options
        self._core = _core.TaggerTrainer(setup.core, options.bits, options.step, options.dropout)

    def run(
        self, on_epoch: Callable[[Epoch], None] | None = None, on_progress: Progress | None = None
    ) -> None:
        """Until all epochs are run or there is nothing better for a while. An interrupt ends it too, once there
        is an epoch to keep.
        """
        try:
            while not self._is_done:
                epoch = self._run_epoch(on_progress)
                weights = self._core.averaged()
                if self._judge:
                    score = self._judge.score(Model(self._setup, self._setup.pack(weights)))
                    epoch = replace(epoch, **score._asdict())
                self.epochs.append(epoch)
                if best_of(self.epochs) is epoch:
                    self.best = weights
                if on_epoch:
                    on_epoch(epoch)
        except KeyboardInterrupt:
            if self.best is None:
                raise
            self.interrupted = True

    @property
    def _is_done(self) -> bool:
        count, options = len(self.epochs), self._setup.options
        return count >= options.epochs or (
            count > 0 and count - best_of(self.epochs).number >= options.patience
        )

    def _run_epoch(self, on_progress: Progress | None) -> Epoch:
        """One pass, in an order that depends on the seed and the number of the epoch only."""
        start = time.perf_counter()
        number, seed = len(self.epochs) + 1, self._setup.options.seed
        size = len(self._text.offsets) - 1
        order = np.random.default_rng([seed, number]).permutation(size).astype(np.int64)
        totals = np.zeros(2, np.int64)
        for first in range(0, size, _CHUNK):
            totals += self._core.learn(
                self._text.values,
                self._text.offsets,
                self._gold,
                order[first : first + _CHUNK],
                seed * 1_000_003 + number * 10_007,
            )
            if on_progress:
                on_progress(number, min(first + _CHUNK, size), size)
        words, wrong = totals.tolist()
        return Epoch(number, time.perf_counter() - start, words, wrong)
