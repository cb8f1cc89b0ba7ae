"""Inflector: lemmas in their order become a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plait.components.inflector.agreement import Agreement
from plait.components.inflector.learner import FormLearner
from plait.components.inflector.lexicon import Lexicon, endings_and_list
from plait.components.inflector.model import Model, Setup
from plait.components.inflector.options import InflectorOptions
from plait.components.inflector.spacing import Spacing
from plait.errors import InputError
from plait.features.full_forms import FullForms, read_full_forms
from plait.learning.component import Component
from plait.learning.flow import apply, batches
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.tensors import Tensors
from plait.learning.weights import PackedWeights
from plait.sentence import EMPTY, Sentence


@dataclass(frozen=True, slots=True)
class InflectorFacts:
    """Beside lexicon, spacing and weights."""

    unit: float


class Inflector(Component[Model]):
    """Forms by edit scripts from lemma, tags and neighbours (Bohnet et al. 2010, section 4); then spaces, tokens of
    several words and the capital at the start, as counted in the treebank. Words that lack features agree with those
    around them.
    """

    kind = "inflector"
    title = "An inflector"
    topics = ("text-generation", "surface-realization")
    usual_name = "inflector"
    Options = InflectorOptions
    Facts = InflectorFacts
    requires = frozenset({"lemmas", "tags", "tree"})
    provides = frozenset({"forms"})

    def check(self, lessons: Lessons) -> None:
        if all(lemma == EMPTY for sentence in lessons for lemma in sentence.lemmas):
            raise InputError(f"{lessons.place}: there are no lemmas to learn from.")
        read_full_forms(self.options.lexicon)

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> FormLearner:
        self.check(lessons)
        lexicon, listed = Lexicon.of(lessons), read_full_forms(self.options.lexicon)
        full_forms = endings_and_list(lexicon, listed, self.options.least)
        parts = Agreement.of(lessons), Spacing.of(lessons)
        setup = Setup(lexicon, full_forms, *parts, self.options.bits)
        return FormLearner(setup, self.options, lessons, dev)

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        state = self.state

        def work(batch: list[Sentence]) -> list[list[str]]:
            return state.inflect(batch, request.cancel)

        for batch, rows in apply(work, batches(sentences, 1), overlap=request.threads > 1):
            for sentence, forms in zip(batch, rows, strict=True):
                sentence.forms = forms
                state.setup.spacing.write(sentence)
                yield sentence

    def pack(self) -> tuple[InflectorFacts, Tensors]:
        weights, setup = self.state.weights, self.state.setup
        tensors = weights.tensors()
        for part in (setup.lexicon, setup.full_forms, setup.agreement, setup.spacing):
            tensors |= part.tensors()
        return InflectorFacts(weights.unit), tensors

    def unpack(self, facts: InflectorFacts, tensors: Tensors) -> None:
        full_forms = FullForms.from_tensors(tensors)
        if full_forms is None:
            raise ValueError("there are no endings: it was written by an older version, train it again")
        parts = Agreement.from_tensors(tensors), Spacing.from_tensors(tensors)
        setup = Setup(Lexicon.from_tensors(tensors), full_forms, *parts, self.options.bits)
        self._state = Model(setup, PackedWeights.from_tensors(tensors, setup.cells, facts.unit))

    def method(self) -> str:
        return "Forms follow from lemma, tags, features and neighbours; spaces and capitals are counted."
