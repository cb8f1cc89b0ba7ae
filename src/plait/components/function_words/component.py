"""From deep trees to surface trees: which function words content words need, and what relations and features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plait.checks import Cell
from plait.components.function_words import templates
from plait.components.function_words.analysis import ABOVE, Decisions, read
from plait.components.function_words.building import build
from plait.components.function_words.choosing import KeyedChoice, KeyedChooser
from plait.components.function_words.learner import FunctionLearner
from plait.components.function_words.model import Model
from plait.components.function_words.options import FunctionWordsOptions
from plait.errors import InputError
from plait.layers import DeepTree
from plait.learning.component import Component
from plait.learning.flow import apply, batches
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.several import own_tensors
from plait.learning.tensors import Tensors
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence


@dataclass(frozen=True, slots=True)
class KindFacts:
    """A kind of decision: its classes, and which of them a key has."""

    kind: Cell
    classes: list[str]
    keys: dict[str, list[int]]
    unit: float


@dataclass(frozen=True, slots=True)
class FunctionWordsFacts:
    """Beside the weights."""

    templates: str
    kinds: list[KindFacts]


class FunctionWords(Component[Model]):
    """Deep parsing (Ballesteros, Bohnet, Mille and Wanner 2014) the other way round: for every node of a deep tree,
    classifiers choose the function words above it and below it, its surface relation and its features, among those
    that such nodes had in a treebank. The words of the sentence are written anew, in no order.
    """

    kind = "function_words"
    title = "Function words of deep trees"
    topics = ("text-generation", "deep-syntax")
    usual_name = "function_words"
    Options = FunctionWordsOptions
    Facts = FunctionWordsFacts
    requires = frozenset({"deep"})
    provides = frozenset({"words"})

    def check(self, lessons: Lessons) -> None:
        if not any(sentence.find(DeepTree) for sentence in lessons):
            raise InputError(f"{lessons.place}: there are no deep trees to learn from.")
        templates.load(self.options.features)

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> FunctionLearner:
        self.check(lessons)
        judged = None if dev is None else _pairs(dev)
        return FunctionLearner(templates.load(self.options.features), self.options, _pairs(lessons), judged)

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        """Sentences without a deep tree stay as they are."""
        state = self.state

        def work(batch: list[Sentence]) -> list[list[Decisions]]:
            return state.decide([_tree(sentence) for sentence in batch], request.cancel)

        for batch, found in apply(work, batches(sentences, 1, request.threads), overlap=request.threads > 1):
            for sentence, decisions in zip(batch, found, strict=True):
                if decisions:
                    build(sentence, _tree(sentence), decisions)
                yield sentence

    def pack(self) -> tuple[FunctionWordsFacts, Tensors]:
        tensors: Tensors = {}
        kinds = []
        source = ""
        for kind, chooser in self.state.choosers.items():
            choice = chooser.choice
            source = choice.templates.source
            keys = {key: numbers.tolist() for key, numbers in choice.keys.items()}
            kinds.append(KindFacts(kind, choice.classes, keys, chooser.weights.unit))
            tensors |= {f"{kind}.{name}": each for name, each in chooser.weights.tensors().items()}
        return FunctionWordsFacts(source, kinds), tensors

    def unpack(self, facts: FunctionWordsFacts, tensors: Tensors) -> None:
        lines = templates.parse(facts.templates)
        choosers = {}
        for number, each in enumerate(facts.kinds):
            if each.kind == ABOVE or each.kind.startswith("+"):
                for name in each.classes:
                    read(name)
            choice = KeyedChoice(lines, each.classes, each.keys, self.options.bits, number + 1)
            weights = PackedWeights.from_tensors(own_tensors(each.kind, tensors), choice.cells, each.unit)
            choosers[each.kind] = KeyedChooser(choice, weights)
        self._state = Model(choosers)

    def method(self) -> str:
        return f"Decided of every node, in this order: {', '.join(self.state.choosers)}."


def _tree(sentence: Sentence) -> DeepTree:
    return sentence.find(DeepTree) or DeepTree(())


def _pairs(sentences: Iterable[Sentence]) -> list[tuple[Sentence, DeepTree]]:
    return [(sentence, tree) for sentence in sentences if (tree := sentence.find(DeepTree)) is not None]
