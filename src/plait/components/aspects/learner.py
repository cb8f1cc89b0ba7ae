"""One pass in which everything is learned: chains and classifiers go to their optimum at once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from plait.components.aspects.baseline import BaselineModel
from plait.components.aspects.learned import LearnedModel
from plait.components.aspects.lexicon import Lexicon
from plait.components.aspects.model import AspectModel, AspectState
from plait.components.aspects.options import AspectOptions
from plait.components.aspects.paper import PaperModel
from plait.components.aspects.sight import Sight
from plait.components.aspects.wordnet import WordNet
from plait.evaluation.aspects import score_aspects
from plait.formats.semeval import review_of
from plait.layers import Aspects
from plait.learning.learner import Learner, Progress, Tensors, Weights
from plait.learning.lessons import Lessons
from plait.sentence import Sentence


class AspectLearner(Learner[AspectState]):
    """Learns once, so that there is one epoch only."""

    metric = "terms_f1"

    def __init__(
        self, lessons: Lessons, dev: Lessons | None, lexicon: Lexicon, options: AspectOptions
    ) -> None:
        self.judged = dev is not None
        self._lessons, self._dev = lessons, dev or ()
        self._lexicon, self._options = lexicon, options
        self._state: AspectState | None = None

    @property
    def finished(self) -> bool:
        return self._state is not None

    def run_epoch(self, number: int, on_progress: Progress, threads: int) -> dict[str, int]:  # noqa: ARG002
        options = self._options
        gold = [sentence.find(Aspects) or Aspects() for sentence in self._lessons]
        sights = [Sight(sentence, self._lexicon, trees=options.trees) for sentence in self._lessons]
        wordnet = WordNet(options.lexicons) if options.lexicons and options.recipe != "baseline" else None
        model: AspectModel
        if options.recipe == "learned":
            kinds = wordnet.kinds if wordnet else {}
            model = LearnedModel.fit(sights, gold, kinds, options.penalty, options.cost)
        elif options.recipe == "paper":
            model = PaperModel.fit(sights, gold, wordnet, options.cost)
        else:
            model = BaselineModel.fit(sights, gold)
        self._state = AspectState(model, self._lexicon, options.trees)
        on_progress(number, len(sights), len(sights))
        return {"terms": sum(len(each.terms) for each in gold)}

    def weights(self) -> Weights:
        found = [each for each in self.tensors().values() if each.dtype == np.float32]
        return np.concatenate([np.zeros(1, np.float32), *(each.astype(np.float32) for each in found)])

    def build(self, weights: Weights) -> AspectState:  # noqa: ARG002 - there are no others
        assert self._state is not None
        return self._state

    def score(self, state: AspectState) -> dict[str, float]:
        gold = [review_of(each, id=str(number)) for number, each in enumerate(self._dev)]
        both = [
            score_aspects(
                gold,
                [
                    review_of(_with(each, state.find(each, keep=keep)), id=str(number))
                    for number, each in enumerate(self._dev)
                ],
            )
            for keep in (False, True)
        ]
        return {
            "terms_f1": both[0].terms_f1,
            "categories_f1": both[0].categories_f1,
            "term_polarity": both[1].term_polarity,
            "category_polarity": both[1].category_polarity,
        }

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        for sentence in self._lessons:
            aspects = sentence.find(Aspects) or Aspects()
            yield repr(
                (sentence.forms, sentence.lemmas, sentence.upos, sentence.heads, sentence.deprels, aspects)
            )
        yield self._lexicon.write()

    def tensors(self) -> Tensors:
        assert self._state is not None
        return self._state.pack()

    def restore(self, tensors: Tensors) -> None:
        self._state = AspectState.unpack(self._options.recipe, tensors, trees=self._options.trees)


def _with(sentence: Sentence, aspects: Aspects) -> Sentence:
    found = sentence.copy()
    found.put(aspects)
    return found
