"""Order: the words of an unordered tree, put into a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plait.components.order import templates
from plait.components.order.learner import OrderLearner
from plait.components.order.model import Model, Setup
from plait.components.order.options import OrderOptions
from plait.errors import InputError
from plait.layers import WordOrder, WordOrders
from plait.learning.component import Component
from plait.learning.flow import apply, batches
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.tensors import Tensors
from plait.learning.weights import PackedWeights
from plait.sentence import EMPTY, Sentence

_SEED = 1  # of hashes


@dataclass(frozen=True, slots=True)
class OrderFacts:
    """Beside the weights."""

    templates: str
    unit: float


class Order(Component[Model]):
    """Every head with its children is put into a row by beam search, from the top of the tree to the bottom (Bohnet et
    al. 2012, section 4). How the words were numbered makes no difference; places that are fixed (`lin` in MISC) are
    kept.
    """

    kind = "order"
    title = "An order of words"
    topics = ("text-generation", "surface-realization")
    usual_name = "order"
    Options = OrderOptions
    Facts = OrderFacts
    requires = frozenset({"lemmas", "tags", "tree"})
    provides = frozenset({"order"})
    accepts = frozenset({"beam", "nbest"})
    sees_predicted = frozenset({"lifting"})
    shown = "predicted"

    def check(self, lessons: Lessons) -> None:
        if all(lemma == EMPTY for sentence in lessons for lemma in sentence.lemmas):
            raise InputError(f"{lessons.place}: there are no lemmas to learn from.")

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> OrderLearner:
        self.check(lessons)
        setup = Setup(templates.load(self.options.features), self.options.bits, _SEED)
        return OrderLearner(setup, self.options, lessons, dev)

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        """Put the words into their order. With `nbest`, the layer `WordOrders` has the best orders, by the numbers that
        the words then have.
        """
        state = self.state

        def work(batch: list[Sentence]) -> list[list[WordOrder]]:
            return state.orders(
                batch, best=request.nbest, beam=request.beam, threads=request.threads, cancel=request.cancel
            )

        width = request.beam or state.beam
        for batch, found in apply(
            work, batches(sentences, width, request.threads), overlap=request.threads > 1
        ):
            for sentence, orders in zip(batch, found, strict=True):
                first = orders[0].words
                sentence.reorder(first)
                if request.nbest > 1:
                    numbers = {word: number for number, word in enumerate(first, 1)}
                    sentence.put(
                        WordOrders(
                            tuple(WordOrder([numbers[w] for w in each.words], each.score) for each in orders)
                        )
                    )
                yield sentence

    def pack(self) -> tuple[OrderFacts, Tensors]:
        weights = self.state.weights
        return OrderFacts(self.state.setup.templates.source, weights.unit), weights.tensors()

    def unpack(self, facts: OrderFacts, tensors: Tensors) -> None:
        setup = Setup(templates.parse(facts.templates), self.options.bits, _SEED)
        weights = PackedWeights.from_tensors(tensors, setup.cells, facts.unit)
        self._state = Model(setup, weights, self.options.beam)

    def method(self) -> str:
        return (
            f"Domains are ordered by beam search of width {self.options.beam}, from the top of the tree down."
        )
