"""A labeller that puts right what a parser labelled twice (Seeker et al. 2010, section 3.6)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plait.checks import Name
from plait.components.relabel import sight
from plait.components.relabel.assignment import assign, require_solver
from plait.components.relabel.options import RelabelOptions
from plait.errors import InputError
from plait.learning.chooser import Choice, ChoiceLearner, Chooser, Rows
from plait.learning.component import Component
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.tensors import Tensors
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence
from plait.trees import tree_of

_SEED = 1


@dataclass(frozen=True, slots=True)
class RelabelFacts:
    """Beside the weights: all labels, those that a head has once, what is seen."""

    labels: list[Name]
    once: list[Name]
    features: str
    unit: float


class Relabel(Component[Chooser]):
    """Where a head has two children with one label that heads have once, such as two subjects, all its children get
    their labels anew: the best ones by a labeller of its own under the constraint, the parser's label counting too.
    Heads never change. It works after any parser. `once_` are the labels that a head has once.
    """

    kind = "relabel"
    title = "A labeller"
    topics = ("dependency-parsing",)
    usual_name = "relabel"
    Options = RelabelOptions
    Facts = RelabelFacts
    requires = frozenset({"tokens", "tree"})
    provides = frozenset({"labels"})
    sees_predicted = frozenset({"tags", "lemmas"})

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.once_: list[str] = []

    def check(self, lessons: Lessons) -> None:
        require_solver()
        sight.load(self.options.features)
        self._once(lessons)

    def _once(self, lessons: Sequence[Sentence]) -> list[str]:
        options = self.options
        known = {label for sentence in lessons for label in sentence.deprels}
        for name in options.named:
            if name not in known:
                raise InputError(f"labels: no word of the treebank has the label {name!r}.")
        return options.named or sight.labels_once(lessons, options.least, options.doubles)

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> ChoiceLearner:  # noqa: ARG002
        options = self.options
        self.once_ = self._once(lessons)
        counts = Counter(
            label
            for sentence in lessons
            for head, label in zip(sentence.heads, sentence.deprels, strict=True)
            if head
        )
        if not counts:
            raise InputError(f"{lessons.place}: no word has a head, so there are no labels to learn.")
        labels = sorted(counts, key=lambda label: (-counts[label], label))
        choice = Choice(sight.load(options.features), labels, options.bits, _SEED)
        rows, right = [], []
        for sentence in lessons:
            heads = tree_of(sentence)
            words = [word for word, head in enumerate(heads, 1) if head]
            rows.append(rows_of(choice, sentence, heads, words))
            right += [sentence.deprels[word - 1] for word in words]
        return ChoiceLearner(choice, np.concatenate(rows), right, options.step, options.seed)

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        require_solver()
        labeller, trust = self.state, self.options.trust
        choice = labeller.choice
        numbers = {label: number for number, label in enumerate(choice.classes)}
        once = [numbers[label] for label in self.once_ if label in numbers]
        for sentence in sentences:
            heads = tree_of(sentence)
            labels = list(sentence.deprels)
            for words in sight.doubled(heads, sentence.deprels, self.once_).values():
                scores = labeller.scores(rows_of(choice, sentence, heads, words), request.cancel)
                for row, word in enumerate(words):
                    own = numbers.get(sentence.deprels[word - 1])
                    if own is not None:
                        scores[row, own] += trust
                for word, label in zip(
                    words, assign(scores, once, self.options.price or math.inf) or (), strict=False
                ):
                    labels[word - 1] = choice.classes[label]
            if labels != sentence.deprels:
                sentence.deprels = labels
            yield sentence

    def pack(self) -> tuple[RelabelFacts, Tensors]:
        choice, weights = self.state.choice, self.state.weights
        facts = RelabelFacts(choice.classes, self.once_, choice.templates.source, weights.unit)
        return facts, weights.tensors()

    def unpack(self, facts: RelabelFacts, tensors: Tensors) -> None:
        choice = Choice(sight.parse(facts.features, "features"), facts.labels, self.options.bits, _SEED)
        weights = PackedWeights.from_tensors(tensors, choice.cells, facts.unit)
        self.once_ = facts.once
        self._state = Chooser(choice, weights)

    def method(self) -> str:
        return f"Labels that a head has once: {', '.join(self.once_) or 'none'}."


def rows_of(choice: Choice, sentence: Sentence, heads: Sequence[int], words: Sequence[int]) -> Rows:
    """What is seen of these words."""
    seen = sight.Sight(sentence, heads)
    return choice.rows([[seen.text(name, word) for word in words] for name in choice.columns])
