"""A log-linear model of what a speaker says of a scene: habits of the speaker and needs of the scene, weighed together.

IS-FP asks whom a speaker resembles; this asks the same of the scene. The score of a subset of the target's attributes
is a sum over its attributes (how often they are said, of such a target, by this speaker, how much they rule out), over
its pairs and its length, and whether it singles out the target. Weights are learned by maximum likelihood with a
penalty; what is said is the identifying subset with the highest expected DICE (minimum Bayes risk), half by these
probabilities and half by what was said of such scenes by such speakers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait.generation.refer.memory import Memory
from plait.generation.refer.neighbours import LOCATION, Neighbours, context_of
from plait.generation.refer.scene import Scene, identifying, sizes_of
from plait.generation.refer.trials import HEAD

_CONTEXT = 0.5  # how far a value of another attribute may matter: a prior, chosen by cross-validation on training data
_VALUE = 0.7
_STEP = 0.1
_MOMENTS = (0.9, 0.999)
_LEAST = 1e-300
_LIKELY = 200  # subsets that the expected DICE is summed over
Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Example:
    scene: Scene
    speaker: str
    said: frozenset[str]


class Shape:
    """The subsets of some attributes, and what is shared by all scenes that have them: pairs and lengths."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        count = len(names)
        masks = np.arange(1 << count)
        self.bits: Array = ((masks[:, None] >> np.arange(count)) & 1).astype(np.float32)
        self.sizes = sizes_of(count)
        pairs = [(i, j) for i in range(count) for j in range(i)]
        columns = [self.bits[:, i] * self.bits[:, j] for i, j in pairs]
        lengths = np.eye(count + 1, dtype=np.float32)[self.sizes]
        self.shared: Array = np.concatenate([*(column[:, None] for column in columns), lengths], axis=1)
        self.titles = [f"{names[i]} & {names[j]}" for i, j in pairs]
        self.titles += [f"{size} attributes" for size in range(count + 1)]


class LogLinear:
    """Weights by the name of what they weigh, and what was heard."""

    def __init__(self, weights: Mapping[str, float], neighbours: Neighbours) -> None:
        self.weights = weights
        self.neighbours = neighbours

    @classmethod
    def learn(
        cls,
        examples: Mapping[str, Sequence[Example]],
        memories: Mapping[str, Memory],
        epochs: int,
        penalty: float,
    ) -> LogLinear:
        """From the examples of every domain; all share the habits of a speaker."""
        columns: dict[str, int] = {}
        tables = []
        for domain, own in examples.items():
            by_shape: defaultdict[tuple[str, ...], list[Example]] = defaultdict(list)
            for example in own:
                by_shape[example.scene.names].append(example)
            for names, alike in by_shape.items():
                tables.append(_Table(Shape(names), alike, memories[domain], columns))
        weights = np.zeros(len(columns), np.float32)
        first, second = np.zeros_like(weights), np.zeros_like(weights)
        for step in range(1, epochs + 1):  # Adam (Kingma and Ba 2015), with steps that become smaller
            slope = -penalty * weights
            for table in tables:
                table.add_slope(weights, slope)
            first = _MOMENTS[0] * first + (1 - _MOMENTS[0]) * slope
            second = _MOMENTS[1] * second + (1 - _MOMENTS[1]) * slope**2
            mean, spread = first / (1 - _MOMENTS[0] ** step), second / (1 - _MOMENTS[1] ** step)
            size = _STEP * (1 - 0.9 * step / epochs)
            weights += (size * mean / (np.sqrt(spread) + 1e-8)).astype(np.float32)
        heard = [
            (domain, each.speaker, memories[domain].expression(each.scene, each.said), context_of(each.scene))
            for domain, own in examples.items()
            for each in own
        ]
        return cls(dict(zip(columns, weights.tolist(), strict=True)), Neighbours(heard))

    def choose(self, scene: Scene, memory: Memory, speaker: str) -> int:
        """The identifying subset of which the most DICE is to be expected, by the model and by neighbours."""
        shape = Shape(scene.names)
        share = self.shares(scene, memory, speaker, shape)
        masks = identifying(scene)
        likely = np.argsort(-share, kind="stable")[:_LIKELY]
        common = shape.sizes[masks[:, None] & likely[None, :]]
        total = shape.sizes[masks][:, None] + shape.sizes[likely][None, :]
        expected = (2 * common / np.maximum(total, 1)) @ share[likely]
        expected += self.neighbours.expected(scene, memory, speaker, masks)
        return int(masks[int(expected.argmax())])

    def likeliest(self, scene: Scene, memory: Memory, speaker: str, count: int) -> list[tuple[int, float]]:
        """The most probable identifying subsets, and the logarithm of how probable each is."""
        share = self.shares(scene, memory, speaker, Shape(scene.names))
        masks = identifying(scene)
        best = masks[np.argsort(-share[masks], kind="stable")[:count]]
        return [(int(mask), float(np.log(max(share[mask], _LEAST)))) for mask in best]

    def shares(self, scene: Scene, memory: Memory, speaker: str, shape: Shape) -> NDArray[np.float64]:
        """How probable each subset is."""
        weight = self.weights.get
        own = [
            sum(weight(title, 0.0) * value for title, value in _features(scene, memory, speaker, name))
            for name in shape.names
        ]
        shared = [weight(f"{memory.domain}: {title}", 0.0) for title in shape.titles]
        scores = shape.bits @ np.array(own) + shape.shared @ np.array(shared)
        scores += (scene.left() == 0) * weight(_unique(memory), 0.0)
        shares: NDArray[np.float64] = np.exp(scores - scores.max())
        shares /= shares.sum()
        return shares


class _Table:
    """Examples with the same attributes, as arrays."""

    def __init__(
        self, shape: Shape, examples: Sequence[Example], memory: Memory, columns: dict[str, int]
    ) -> None:
        def column(title: str) -> int:
            return columns.setdefault(title, len(columns))

        self.shape = shape
        cells = [
            (row, column(title), value)
            for row, (example, name) in enumerate((each, name) for each in examples for name in shape.names)
            for title, value in _features(example.scene, memory, example.speaker, name)
        ]
        self._rows = np.array([row for row, _, _ in cells])
        self._columns = np.array([place for _, place, _ in cells])
        self._values = np.array([value for _, _, value in cells], np.float32)
        self._shared = np.array([column(f"{memory.domain}: {title}") for title in shape.titles])
        self._unique = column(_unique(memory))
        self._right = np.array([each.scene.mask(sorted(each.said)) for each in examples])
        self._alone: Array = np.array([each.scene.left() == 0 for each in examples], np.float32)
        self._size = len(examples) * len(shape.names)

    def add_slope(self, weights: Array, slope: Array) -> None:
        """Add what would make the examples more probable."""
        shape, count = self.shape, len(self._right)
        gained = weights[self._columns] * self._values
        own = np.bincount(self._rows, gained, self._size).astype(np.float32).reshape(count, -1)
        scores = own @ shape.bits.T
        scores += shape.shared @ weights[self._shared]
        scores += self._alone * weights[self._unique]
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= -scores.sum(axis=1, keepdims=True)
        scores[np.arange(count), self._right] += 1
        each = (scores @ shape.bits).ravel()
        slope += np.bincount(self._columns, each[self._rows] * self._values, len(slope)).astype(np.float32)
        slope[self._shared] += scores.sum(axis=0) @ shape.shared
        slope[self._unique] += float((scores * self._alone).sum())


def _unique(memory: Memory) -> str:
    return f"{memory.domain}: identifies"


def _features(scene: Scene, memory: Memory, speaker: str, name: str) -> Iterator[tuple[str, float]]:
    """What speaks for telling an attribute. The values are scales: what has a small one needs more evidence."""
    target, domain = scene.target, memory.domain
    yield f"{domain}: {name}", 1.0
    yield f"{domain}: {name}={target[name]}", _VALUE
    others = len(scene.distractors)
    ruled_out = sum(each.get(name) != target[name] for each in scene.distractors) / max(others, 1)
    yield f"{domain}: {name} rules out", ruled_out
    if ruled_out == 1:
        yield f"{domain}: {name} is enough", 1.0
        yield f"{domain}: enough", 1.0
    elif not ruled_out:
        yield f"{domain}: {name} is useless", 1.0
    for other in scene.names:
        if other != name and other not in LOCATION:
            yield f"{domain}: {name}, {other}={target[other]}", _CONTEXT
    yield f"{speaker} in {domain}: {name}", 1.0
    yield f"{speaker}: {name}", 1.0
    if name in LOCATION:
        yield f"{speaker}: where", 1.0
    elif name != HEAD:
        yield f"{speaker}: what", 0.5
