"""What is kept of the expressions of all speakers, and how alike two of them are (Bohnet 2008, 2009)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from plait.evaluation.attributes import dice
from plait.generation.refer.scene import Scene, sizes_of

Expression = frozenset[str]  # of keys: see `Memory.key`


class Memory:
    """The expressions of one domain, by speaker.

    Expressions of different scenes are compared by the names of their attributes; of those that are true or false, by
    name and value, for a beard is told and its absence is not.
    """

    def __init__(
        self, domain: str, expressions: Mapping[str, Sequence[Expression]], truths: Iterable[str]
    ) -> None:
        self.domain = domain
        self.truths = frozenset(truths)
        self.expressions = dict(sorted(expressions.items()))
        self.frequency = Counter(
            key for own in self.expressions.values() for expression in own for key in expression
        )

    def key(self, name: str, value: str) -> str:
        return f"{name}={value}" if name in self.truths else name

    def keys(self, scene: Scene) -> list[str]:
        """Of the attributes of a target, in the order of its bits."""
        return [self.key(name, scene.target[name]) for name in scene.names]

    def expression(self, scene: Scene, said: Iterable[str]) -> Expression:
        """What was said of a scene, as it can be compared."""
        return frozenset(self.key(name, scene.target[name]) for name in said)

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(key.partition("=")[0] if "=" in key else key for key in self.frequency)

    def of_speaker(self, speaker: str) -> Counter[str]:
        return Counter(key for expression in self.expressions.get(speaker, ()) for key in expression)

    @cached_property
    def _likeness(self) -> NDArray[np.float64]:
        """Of every two speakers the mean DICE over all pairs of their expressions."""
        kinds = sorted({each for own in self.expressions.values() for each in own}, key=sorted)
        places = {each: place for place, each in enumerate(kinds)}
        between = np.array([[dice(one, other) for other in kinds] for one in kinds])
        shares = np.zeros((len(self.expressions), len(kinds)))
        for row, own in enumerate(self.expressions.values()):
            for each in own:
                shares[row, places[each]] += 1 / len(own)
        found: NDArray[np.float64] = shares @ between @ shares.T
        return found

    def similarity(self, one: str, other: str) -> float:
        speakers = list(self.expressions)
        return float(self._likeness[speakers.index(one), speakers.index(other)])

    def nearest(self, speaker: str) -> str | None:
        """The other speaker whose expressions are most similar."""
        others = [each for each in self.expressions if each != speaker]
        return max(others, key=lambda each: self.similarity(speaker, each), default=None)

    @cached_property
    def central(self) -> str:
        """The speaker whose expressions are most similar to those of all others: as whom one speaks if nobody is named
        (Bohnet 2009).
        """
        likeness = self._likeness - np.diag(np.diag(self._likeness))
        return list(self.expressions)[int(likeness.sum(axis=1).argmax())]

    def speaker(self, wanted: str | None) -> str:
        return wanted if wanted in self.expressions and wanted is not None else self.central


def learn_memories(
    trials: Iterable[tuple[str, str, Mapping[str, str]]], truths: Mapping[str, Iterable[str]]
) -> dict[str, Memory]:
    """By domain, from triples of domain, speaker and the attributes that were said."""
    found: dict[str, dict[str, list[Expression]]] = defaultdict(lambda: defaultdict(list))
    for domain, speaker, said in trials:
        true = truths.get(domain, ())
        keys = frozenset(f"{name}={value}" if name in true else name for name, value in said.items())
        found[domain][speaker].append(keys)
    return {domain: Memory(domain, own, truths.get(domain, ())) for domain, own in sorted(found.items())}


class Comparison:
    """DICE of every subset of a target's attributes with expressions of the memory, by bits."""

    def __init__(self, scene: Scene, memory: Memory) -> None:
        self._places = {key: place for place, key in enumerate(memory.keys(scene))}
        self.sizes = sizes_of(len(self._places))

    def dice(self, masks: NDArray[np.int64], expression: Expression) -> NDArray[np.float64]:
        own = sum(1 << self._places[key] for key in expression if key in self._places)
        total = self.sizes[masks] + len(expression)
        found: NDArray[np.float64] = 2 * self.sizes[masks & own] / np.maximum(total, 1)
        return found
