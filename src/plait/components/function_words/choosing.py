"""A linear classifier whose candidates depend on a key of the example: what was seen with the key can be chosen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.cancel import Cancel
from plait.features.columns import ColumnTemplates
from plait.learning.chooser import Classes, ClassifierLearner, Examples, Rows
from plait.learning.learner import Weights
from plait.learning.weights import PackedWeights


class KeyedChoice(Classes):
    """What there is to choose from, before anything is learned. A key that was never seen has all classes."""

    def __init__(
        self,
        templates: ColumnTemplates,
        classes: Sequence[str],
        keys: Mapping[str, Sequence[int]],
        bits: int,
        seed: int,
    ) -> None:
        super().__init__(templates, classes, bits, seed)
        self.keys = {key: np.array(numbers, np.int32) for key, numbers in keys.items()}
        if any(len(each) == 0 or each.min() < 0 or each.max() >= len(classes) for each in self.keys.values()):
            raise ValueError("a key has a class that is not there")
        self._all = np.arange(len(self.classes), dtype=np.int32)

    @classmethod
    def learn(
        cls, templates: ColumnTemplates, seen: Iterable[tuple[str, str]], fewest: int, bits: int, seed: int
    ) -> KeyedChoice:
        """From pairs of key and class; classes seen fewer than so many times are left out."""
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        total: Counter[str] = Counter()
        for key, name in seen:
            counts[key][name] += 1
            total[name] += 1
        most = max(total.values(), default=0)
        classes = sorted(
            (name for name, count in total.items() if count >= min(fewest, most)),
            key=lambda n: (-total[n], n),
        )
        numbers = {name: number for number, name in enumerate(classes)}
        keys = {
            key: sorted(numbers[name] for name in own if name in numbers)
            for key, own in sorted(counts.items())
        }
        return cls(templates, classes, {key: own for key, own in keys.items() if own}, bits, seed)

    def candidates(self, key: str) -> NDArray[np.int32]:
        return self.keys.get(key, self._all)

    def examples(self, rows: Rows, keys: Sequence[str]) -> Examples:
        lists = [self.candidates(key) for key in keys]
        offsets = np.zeros(len(lists) + 1, np.int64)
        np.cumsum([len(each) for each in lists], out=offsets[1:])
        flat = np.concatenate(lists) if lists else np.zeros(0, np.int32)
        return rows, offsets, flat, np.zeros(len(flat), np.uint32)


class KeyedChooser:
    """A choice and its weights."""

    def __init__(self, choice: KeyedChoice, weights: PackedWeights) -> None:
        self.choice = choice
        self.weights = weights
        self._core = weights.to_core(choice.bits, choice.width)

    def choose(self, rows: Rows, keys: Sequence[str], cancel: Cancel | None = None) -> list[str]:
        if not len(rows):
            return []
        examples = self.choice.examples(rows, keys)
        places = _core.choose_candidates(self._core, self.choice.program, *examples, cancel)
        return [self.choice.classes[number] for number in examples[2][places].tolist()]


class KeyedLearner(ClassifierLearner[KeyedChooser]):
    """Learns from rows, the key and the class of each; rows whose class cannot be chosen are left out."""

    def __init__(
        self,
        choice: KeyedChoice,
        rows: Rows,
        keys: Sequence[str],
        right: Sequence[str],
        step: float,
        seed: int,
    ) -> None:
        self.choice = choice
        numbers = {name: number for number, name in enumerate(choice.classes)}
        # Where there is nothing to choose from there is nothing to learn.
        used = [
            at
            for at, (key, name) in enumerate(zip(keys, right, strict=True))
            if len(choice.candidates(key)) > 1 and numbers.get(name, -1) in choice.candidates(key)
        ]
        examples = choice.examples(rows[used], [keys[at] for at in used])
        _, offsets, flat, _ = examples
        wanted = np.repeat(np.array([numbers[right[at]] for at in used], np.int32), np.diff(offsets))
        super().__init__(choice, examples, (flat == wanted).astype(np.uint8), step, seed)

    def build(self, weights: Weights) -> KeyedChooser:
        return KeyedChooser(self.choice, PackedWeights.rounded(weights))
