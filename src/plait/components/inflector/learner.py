"""Passes over the words of a treebank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.components.inflector.candidates import Candidates
from plait.components.inflector.lexicon import keys_of, true_forms
from plait.components.inflector.model import Model, Setup
from plait.components.inflector.options import InflectorOptions
from plait.learning.flow import batches
from plait.learning.learner import Order, TableLearner, Weights
from plait.learning.weights import PackedWeights
from plait.sentence import EMPTY, Sentence

_BLIND = 6  # every so many words are learned as if some of their tags were new


class FormLearner(TableLearner[_core.ClassifierTrainer, Model]):
    """Words in their order; those that the treebank has once are learned as if they were new. Large letters are not the
    classifier's business: of every form there is one way to write it.
    """

    metric = "forms"
    counted = ("updates",)
    chunk = 4096

    def __init__(
        self,
        setup: Setup,
        options: InflectorOptions,
        sentences: Sequence[Sentence],
        dev: Sequence[Sentence] | None,
    ) -> None:
        core = _core.ClassifierTrainer(setup.program, options.bits, len(setup.classes), options.step)
        known = setup.lexicon, setup.full_forms, setup.classes
        usual = Candidates(*known, learning=True)
        partial = [Candidates(*known, skipped=skipped) for skipped in (1, 2, 3)]
        keys = [key for sentence in sentences for key in keys_of(sentence)]
        candidates = [
            (usual if number % _BLIND else partial[number // _BLIND % len(partial)]).of(key)
            for number, key in enumerate(keys)
        ]
        super().__init__([core], len(candidates), options.seed)
        self.judged = dev is not None
        self._dev = dev or ()
        self._setup = setup
        self._examples = setup.encoder.encode(sentences, candidates)
        forms = [form for sentence in sentences for form in true_forms(sentence)]
        self._correct = np.array(
            [
                each.form.lower() == form.lower()
                for form, found in zip(forms, candidates, strict=True)
                for each in found
            ],
            np.uint8,
        )

    def learn(self, core: _core.ClassifierTrainer, order: Order, epoch: int) -> tuple[int]:  # noqa: ARG002
        words = self._examples
        return (core.learn(words.values, words.offsets, words.classes, words.sights, self._correct, order),)

    def build(self, weights: Weights) -> Model:
        return Model(self._setup, PackedWeights.rounded(weights))

    def score(self, state: Model) -> dict[str, float]:
        """Words with their right form, as they stand in the treebank and without regard to large letters."""
        right = small = words = 0
        for batch in batches(self._dev, 1):
            for sentence, forms in zip(batch, state.inflect(batch), strict=True):
                written = sentence.copy()
                written.forms = forms
                self._setup.spacing.write(written)
                for gold, form, lemma in zip(sentence.forms, written.forms, sentence.lemmas, strict=True):
                    if lemma != EMPTY:
                        words += 1
                        right += gold == form
                        small += gold.lower() == form.lower()
        if not words:
            return {"forms": 0.0, "lower": 0.0}
        return {"forms": 100 * right / words, "lower": 100 * small / words}

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        words = self._examples
        yield from (words.values, words.offsets, words.classes, words.sights, self._correct)
        for sentence in self._dev:
            yield from (*sentence.forms, *sentence.lemmas, *sentence.upos, *sentence.xpos, *sentence.feats)
