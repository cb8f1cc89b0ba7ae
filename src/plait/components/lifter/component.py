"""Lifter: arcs of an unordered tree moved up, so that a projective order can say it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plait.components.lifter import templates
from plait.components.lifter.learner import LiftLearner
from plait.components.lifter.model import Model, Setup
from plait.components.lifter.options import LifterOptions
from plait.errors import InputError
from plait.layers import LiftedTree
from plait.learning.component import Component
from plait.learning.flow import apply, batches
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.tensors import Tensors
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence

_SEED = 1  # of hashes


@dataclass(frozen=True, slots=True)
class LifterFacts:
    """Beside the weights."""

    templates: str
    unit: float


class Lifter(Component[Model]):
    """Pseudo-projective parsing backwards (Bohnet et al. 2012, section 3): for every word, from the deepest to the
    highest, how many steps its arc is lifted. The tree stays as it is; the layer `LiftedTree` has the lifted heads.
    """

    kind = "lifter"
    title = "A lifter of crossing arcs"
    topics = ("text-generation", "surface-realization")
    usual_name = "lifter"
    Options = LifterOptions
    Facts = LifterFacts
    requires = frozenset({"lemmas", "tags", "tree"})
    provides = frozenset({"lifting"})
    accepts = frozenset({"beam"})

    def check(self, lessons: Lessons) -> None:
        if not len(lessons):
            raise InputError(f"{lessons.place}: there are no trees to learn from.")

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> LiftLearner:
        self.check(lessons)
        return LiftLearner(Setup(templates.load(self.options.features), self.options, _SEED), lessons, dev)

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        state = self.state

        def work(batch: list[Sentence]) -> list[list[int]]:
            return state.lift(batch, beam=request.beam, threads=request.threads, cancel=request.cancel)

        width = request.beam or self.options.beam
        for batch, rows in apply(
            work, batches(sentences, width, request.threads), overlap=request.threads > 1
        ):
            for sentence, heads in zip(batch, rows, strict=True):
                sentence.put(LiftedTree(heads))
                yield sentence

    def pack(self) -> tuple[LifterFacts, Tensors]:
        weights = self.state.weights
        return LifterFacts(self.state.setup.templates.source, weights.unit), weights.tensors()

    def unpack(self, facts: LifterFacts, tensors: Tensors) -> None:
        setup = Setup(templates.parse(facts.templates), self.options, _SEED)
        self._state = Model(setup, PackedWeights.from_tensors(tensors, setup.cells, facts.unit))

    def method(self) -> str:
        return f"Arcs are lifted by logistic regression; search: {self.options.search}, {self.options.beam} trees."
