"""Passes over a lexicon: every word as if it were new."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.lemmas.encoding import Encoded
from plait.lemmas.lexicon import Key
from plait.lemmas.model import Setup
from plait.lemmas.options import LemmatizerOptions


@dataclass(frozen=True, slots=True)
class Epoch:
    """One pass over the words of the lexicon. The accuracy is of the dev set, as Lemmas in CoNLL 2018."""

    number: int
    seconds: float
    words: int
    updates: int
    accuracy: float | None = None


def best_of(epochs: list[Epoch]) -> Epoch:
    """The epoch with the highest accuracy, the first of several; without a dev set the last one."""
    if epochs[-1].accuracy is None:
        return epochs[-1]
    return max(epochs, key=lambda epoch: (epoch.accuracy or 0.0, -epoch.number))


class Trainer:
    """Trains one set of weights; `averaged` are their mean over all words so far."""

    def __init__(self, setup: Setup, options: LemmatizerOptions) -> None:
        self.options = options
        self.epochs: list[Epoch] = []
        lemmas = setup.lemmas
        examples = [*lemmas.items(), *mistag(lemmas, options.mistagged, options.seed)]
        candidates = [setup.candidates.of(key) for key, _ in examples]
        self._data = Encoded.of((key for key, _ in examples), candidates)
        self._correct = np.array(
            [
                candidate.lemma == lemma
                for (_, lemma), found in zip(examples, candidates, strict=True)
                for candidate in found
            ],
            np.uint8,
        )
        self._core = _core.ClassifierTrainer(
            setup.program, options.bits, setup.lexicon.shared + 1, options.step
        )

    @property
    def averaged(self) -> NDArray[np.float32]:
        return self._core.averaged()

    @property
    def is_done(self) -> bool:
        """All epochs are run, or the last ones brought nothing better."""
        count = len(self.epochs)
        return count >= self.options.epochs or (
            count > 0 and count - best_of(self.epochs).number >= self.options.patience
        )

    def run_epoch(self) -> Epoch:
        """One pass, in an order that depends on the seed and the number of the epoch only."""
        start = time.perf_counter()
        data, number = self._data, len(self.epochs) + 1
        order = np.random.default_rng([self.options.seed, number]).permutation(len(data.values))
        updates = self._core.learn(
            data.values, data.offsets, data.classes, data.sights, self._correct, order.astype(np.int64)
        )
        return Epoch(number, time.perf_counter() - start, len(order), updates)


def mistag(lemmas: dict[Key, str], share: float, seed: int) -> list[tuple[Key, str]]:
    """A share of the words with the tags of another word that ends alike and is written alike; the lemma stays. What
    the lexicon has with these tags is not among them.
    """
    chance = random.Random(seed)
    alike: defaultdict[tuple[str, bool], list[Key]] = defaultdict(list)
    for key in lemmas:
        alike[_writing(key[0])].append(key)
    found: dict[Key, str] = {}
    for key, lemma in lemmas.items():
        if chance.random() < share:
            wrong = (key[0], *chance.choice(alike[_writing(key[0])])[1:])
            if wrong not in lemmas:
                found[wrong] = lemma
    return list(found.items())


def _writing(form: str) -> tuple[str, bool]:
    return form.lower()[-2:], form == form.lower()
