"""A realizer: a pipeline that runs the other way, from trees without order to sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from plait.errors import InputError
from plait.formats.shallow import unordered
from plait.generation import stages
from plait.layers import WordOrder, WordOrders
from plait.learning.request import PLAIN, Request
from plait.learning.unordered import checked_heads, heads_of
from plait.pipeline.pipeline import Pipeline
from plait.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Realization:
    """A sentence that says a tree; scores compare those of one tree only."""

    text: str
    score: float
    sentence: Sentence


class Realizer:
    """Says trees: `realizer(tree)`. It needs a pipeline with an `order`; where there is an inflector, the words are
    inflected, otherwise they stay lemmas; where there are n-grams, they judge the best orders.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        found = pipeline.giving("order")
        if found is None:
            raise InputError(
                "This model puts nothing into order. A realizer is learned by: "
                "plait train TREEBANK -o MODEL --parts lifter,order,inflector"
            )
        self.pipeline = pipeline
        self._order = found

    @classmethod
    def load(cls, path: str | Path) -> Realizer:
        return cls(Pipeline.load(path))

    def __call__(self, tree: Sentence) -> str:
        """The sentence that a tree stands for; the order of its words, and their forms, are not looked at."""
        return next(self.realize([tree])).text

    def order(self, tree: Sentence, nbest: int = 1) -> list[WordOrder]:
        """The best orders of the words of a tree, by the numbers they have there."""
        shown = unordered(tree)
        checked_heads(shown)
        list(self.pipeline.annotate([shown], layers=("lifting",)))
        orders: list[WordOrder] = self._order.state.orders([shown], best=nbest)[0]
        return orders

    def domains(self, tree: Sentence) -> list[list[int]]:
        """How the words come into order: every head with its children, from the top to the bottom, each in the order
        that it has in the sentence; words by their numbers in the tree.
        """
        shown = unordered(tree)
        list(self.pipeline.annotate([shown], layers=("lifting",)))
        heads = heads_of(shown)
        places = {word: place for place, word in enumerate(self.order(tree)[0].words)}
        members: dict[int, list[int]] = {head: [head] if head else [] for head in (0, *places)}
        for word, head in enumerate(heads, 1):
            members[head].append(word)
        found, waiting = [], [0]
        for head in waiting:  # grows while it is gone through
            waiting += sorted((word for word in members[head] if word != head), key=places.__getitem__)
            if len(members[head]) > 1:
                found.append(sorted(members[head], key=places.__getitem__))
        return found

    def realize(
        self,
        trees: Iterable[Sentence],
        request: Request = PLAIN,
        *,
        start: str = "tree",
        gold: Collection[str] = (),
    ) -> Iterator[Sentence]:
        """Sentences with their words in order, inflected, and their text as a comment; one for each tree, or for each
        graph, deep tree or order of words if `start` says so. What is `gold` of tree, order and forms is taken from
        what is given (`stages`).
        """
        return stages.realize(self.pipeline, trees, request, start=start, gold=gold)

    def best(
        self,
        trees: Iterable[Sentence],
        nbest: int,
        request: Request = PLAIN,
        *,
        start: str = "tree",
        gold: Collection[str] = (),
    ) -> Iterator[list[Realization]]:
        """The best realizations of every tree that differ, the best first."""
        for sentence in self.realize(trees, replace(request, nbest=nbest), start=start, gold=gold):
            layer = sentence.take(WordOrders)
            orders = layer.orders if layer else (WordOrder(range(1, len(sentence) + 1), 0.0),)
            copies = []
            for order in orders:
                copy = sentence.copy()
                copy.reorder(order.words)
                copies.append(copy)
            stages.inflect(self.pipeline, copies)
            found: dict[str, Realization] = {}
            for copy, order in zip(copies, orders, strict=True):
                found.setdefault(copy.text, Realization(copy.text, order.score, copy))
            yield list(found.values())[:nbest]
