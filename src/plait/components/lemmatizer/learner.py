"""Passes over a lexicon: every word as if it were new."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.components.lemmatizer.encoding import Encoded
from plait.components.lemmatizer.lexicon import Key
from plait.components.lemmatizer.model import Model, Setup
from plait.components.lemmatizer.options import LemmatizerOptions
from plait.learning.flow import batches
from plait.learning.learner import Order, TableLearner, Weights
from plait.learning.weights import PackedWeights
from plait.sentence import EMPTY, Sentence


class LemmaLearner(TableLearner[_core.ClassifierTrainer, Model]):
    """Words of the lexicon, and some of them with the tags of others."""

    metric = "lemmas"
    counted = ("updates",)
    chunk = 4096

    def __init__(self, setup: Setup, options: LemmatizerOptions, dev: Sequence[Sentence] | None) -> None:
        lemmas = setup.lemmas
        examples = [*lemmas.items(), *mistag(lemmas, options.mistagged, options.seed)]
        core = _core.ClassifierTrainer(setup.program, options.bits, setup.lexicon.shared + 1, options.step)
        super().__init__([core], len(examples), options.seed)
        candidates = [setup.candidates.of(key) for key, _ in examples]
        self.judged = dev is not None
        self._dev = dev or ()
        self._setup = setup
        self._examples = Encoded.of((key for key, _ in examples), candidates)
        self._correct = np.array(
            [
                candidate.lemma == lemma
                for (_, lemma), found in zip(examples, candidates, strict=True)
                for candidate in found
            ],
            np.uint8,
        )

    def learn(self, core: _core.ClassifierTrainer, order: Order, epoch: int) -> tuple[int]:  # noqa: ARG002
        examples = self._examples
        return (
            core.learn(
                examples.values, examples.offsets, examples.classes, examples.sights, self._correct, order
            ),
        )

    def build(self, weights: Weights) -> Model:
        return Model(self._setup, PackedWeights.rounded(weights))

    def score(self, state: Model) -> dict[str, float]:
        """As Lemmas in CoNLL 2018: where the treebank has no lemma, any is right."""
        right = words = 0
        for batch in batches(self._dev, 1):
            for sentence, lemmas in zip(batch, state.lemmatize(batch), strict=True):
                words += len(lemmas)
                pairs = zip(sentence.lemmas, lemmas, strict=True)
                right += sum(gold in (EMPTY, lemma) for gold, lemma in pairs)
        return {"lemmas": 100 * right / words if words else 0.0}

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        examples = self._examples
        yield from (examples.values, examples.offsets, examples.classes, examples.sights, self._correct)
        for sentence in self._dev:
            yield from (*sentence.forms, *sentence.upos, *sentence.xpos, *sentence.feats, *sentence.lemmas)


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
