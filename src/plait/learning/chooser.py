"""A linear classifier over rows of columns with names: the hash kernel for whatever is decided one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.cancel import Cancel
from plait.features.columns import ColumnTemplates
from plait.features.encoding import hash_text
from plait.learning.learner import Order, TableLearner, Weights
from plait.learning.weights import PackedWeights

Rows = NDArray[np.uint32]
# As the core takes them: rows, where the candidates of each begin, their classes, and what each has of its own.
Examples = tuple[Rows, NDArray[np.int64], NDArray[np.int32], NDArray[np.uint32]]
State = TypeVar("State")


class Classes:
    """What is to be chosen and what can be seen of it, before anything is learned."""

    def __init__(self, templates: ColumnTemplates, classes: Sequence[str], bits: int, seed: int) -> None:
        """ValueError if the core cannot hold that much."""
        self.templates = templates
        self.columns = templates.columns
        self.classes = list(classes)
        self.bits = bits
        self.program = templates.compile(seed)
        self.width = len(self.classes) + 1  # one weight that all classes share

    @property
    def cells(self) -> int:
        """The size of the table of weights."""
        return (1 << self.bits) + self.width


class Choice(Classes):
    """All classes can be chosen, whatever is seen."""

    def rows(self, columns: Sequence[Sequence[str]]) -> Rows:
        """From the texts of every column."""
        if not columns or not columns[0]:
            return np.zeros((0, len(self.columns)), np.uint32)
        known: dict[str, int] = {}
        for text in {text for column in columns for text in column}:
            known[text] = hash_text(text)
        return np.array([[known[text] for text in column] for column in columns], np.uint32).T.copy()

    def examples(self, rows: Rows) -> Examples:
        """Every row has every class as a candidate."""
        count, classes = len(rows), len(self.classes)
        offsets = np.arange(count + 1, dtype=np.int64) * classes
        candidates = np.tile(np.arange(classes, dtype=np.int32), count)
        return rows, offsets, candidates, np.zeros(len(candidates), np.uint32)


class Chooser:
    """A choice and its weights."""

    def __init__(self, choice: Choice, weights: PackedWeights) -> None:
        self.choice = choice
        self.weights = weights
        self._core = weights.to_core(choice.bits, choice.width)

    def choose(self, rows: Rows, cancel: Cancel | None = None) -> list[str]:
        """The best class of every row."""
        if not len(rows):
            return []
        examples = self.choice.examples(rows)
        places = _core.choose_candidates(self._core, self.choice.program, *examples, cancel)
        return [self.choice.classes[place] for place in (places - examples[1][:-1]).tolist()]

    def scores(self, rows: Rows, cancel: Cancel | None = None) -> NDArray[np.float32]:
        """Of every class, row by row."""
        examples = self.choice.examples(rows)
        found = _core.score_candidates(self._core, self.choice.program, *examples, cancel)
        scores: NDArray[np.float32] = found.reshape(-1, len(self.choice.classes))
        return scores * np.float32(self.weights.unit or 1)


class ClassifierLearner(TableLearner[_core.ClassifierTrainer, State]):
    """Learns from examples whose candidates are correct or not."""

    metric = ""
    counted = ("updates",)
    chunk = 4096

    def __init__(
        self, classes: Classes, examples: Examples, correct: NDArray[np.uint8], step: float, seed: int
    ) -> None:
        core = _core.ClassifierTrainer(classes.program, classes.bits, len(classes.classes), step)
        super().__init__([core], len(examples[0]), seed)
        self.cells = classes.cells
        self._names = classes.classes
        self._examples = examples
        self._correct = correct

    def learn(self, core: _core.ClassifierTrainer, order: Order, epoch: int) -> tuple[int]:  # noqa: ARG002
        return (core.learn(*self._examples, self._correct, order),)

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        return (*self._examples, self._correct, *self._names)


class ChoiceLearner(ClassifierLearner[Chooser]):
    """Learns from rows and the class of each."""

    def __init__(self, choice: Choice, rows: Rows, right: Sequence[str], step: float, seed: int) -> None:
        self.choice = choice
        numbers = {name: number for number, name in enumerate(choice.classes)}
        correct = np.zeros((len(rows), len(choice.classes)), np.uint8)
        correct[np.arange(len(rows)), [numbers[name] for name in right]] = 1
        super().__init__(choice, choice.examples(rows), correct.ravel(), step, seed)

    def build(self, weights: Weights) -> Chooser:
        return Chooser(self.choice, PackedWeights.rounded(weights))
