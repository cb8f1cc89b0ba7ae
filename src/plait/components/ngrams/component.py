"""N-grams: how likely the words of a sentence are in their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import formats
from plait.cancel import Watching, check_cancelled
from plait.components.ngrams.model import Model, words_of
from plait.components.ngrams.options import NgramOptions
from plait.errors import InputError
from plait.layers import Fluency
from plait.learning.component import Component
from plait.learning.flow import batches
from plait.learning.learner import Learner, Progress, Tensors, Weights
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.sentence import Sentence


@dataclass(frozen=True, slots=True)
class NgramFacts:
    """Beside words and tables."""

    order: int


class Ngrams(Component[Model]):
    """Interpolated Kneser-Ney of order 5, for small and large letters alike. A realizer asks it which of the best
    orders is the most usual one (Bohnet et al. 2010, section 5).
    """

    kind = "ngrams"
    title = "A language model"
    topics = ("language-modeling",)
    usual_name = "ngrams"
    Options = NgramOptions
    Facts = NgramFacts
    requires = frozenset({"tokens"})
    provides = frozenset({"fluency"})

    def check(self, lessons: Lessons) -> None:
        if not any(map(len, lessons)):
            raise InputError(f"{lessons.place}: there is no word to learn from.")
        if self.options.raw:
            next(_raw_text(self.options.raw), None)

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> NgramLearner:
        self.check(lessons)
        return NgramLearner(self.options, lessons, dev)

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        for batch in batches(sentences, 1):
            with Watching(request.cancel):
                check_cancelled()
                scores = self.scores([each.forms for each in batch])
            for sentence, score in zip(batch, scores, strict=True):
                sentence.put(Fluency(float(score)))
                yield sentence

    def scores(self, rows: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """The logarithms of the probabilities of rows of words."""
        return self.state.scores([words_of(forms) for forms in rows])

    def pack(self) -> tuple[NgramFacts, Tensors]:
        return NgramFacts(self.state.order), self.state.tensors()

    def unpack(self, facts: NgramFacts, tensors: Tensors) -> None:
        self._state = Model.from_tensors(tensors, facts.order)

    def method(self) -> str:
        return f"Probabilities of up to {self.options.order} words in a row, smoothed by interpolated Kneser-Ney."

    def kept(self) -> str:
        return ""


class NgramLearner(Learner[Model]):
    """Counts, in a single pass."""

    metric = "perplexity"

    def __init__(
        self, options: NgramOptions, lessons: Sequence[Sentence], dev: Sequence[Sentence] | None
    ) -> None:
        self._options = options
        self._text = [words_of(sentence.forms) for sentence in lessons]
        self._dev = [words_of(sentence.forms) for sentence in dev or ()]
        self._model: Model | None = None
        self.judged = dev is not None

    @property
    def finished(self) -> bool:
        return self._model is not None

    def run_epoch(self, number: int, on_progress: Progress, threads: int) -> dict[str, int]:  # noqa: ARG002
        raw = self._options.raw
        more = [words_of(sentence.forms) for sentence in _raw_text(raw)] if raw else []
        usual = 2 if more else 1
        self._model = Model.of(
            self._text + more,
            self._options.order,
            self._options.fewest_words or usual,
            self._options.fewest or usual,
        )
        return {"ngrams": sum(len(table.keys) for table in self._model.tables)}

    def weights(self) -> Weights:
        """None: what is counted is in tables."""
        return np.zeros(0, np.float32)

    def build(self, weights: Weights) -> Model:  # noqa: ARG002
        assert self._model is not None
        return self._model

    def score(self, state: Model) -> dict[str, float]:
        words = sum(len(sentence) + 1 for sentence in self._dev)
        total = float(state.scores(self._dev).sum())
        return {"perplexity": float(np.exp(-total / words)) if words else 0.0}

    def rank(self, scores: dict[str, float]) -> tuple[float, ...]:
        return (-scores["perplexity"],)

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        for sentence in (*self._text, *self._dev):
            yield "\t".join(sentence)

    def tensors(self) -> Tensors:
        return self.build(self.weights()).tensors()

    def restore(self, tensors: Tensors) -> None:
        self._model = Model.from_tensors(tensors, self._options.order)


def _raw_text(path: str) -> Iterator[Sentence]:
    """Sentences whose words are known."""
    found = formats.format_of_suffix(path)
    return formats.stream(path, format="horizontal" if found in ("text", "horizontal") else found)
