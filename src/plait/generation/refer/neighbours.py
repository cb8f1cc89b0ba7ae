"""Neighbours: what was said of scenes like this one by speakers like this one, each counted as far as it is alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import exp

import numpy as np
from numpy.typing import NDArray

from plait.generation.refer.memory import Comparison, Expression, Memory
from plait.generation.refer.scene import Masks, Scene

LOCATION = frozenset({"x-dimension", "y-dimension"})
_SPEAKER, _SCENE = 10.0, 0.7  # how fast a neighbour counts less the less alike speakers and scenes are
Context = Mapping[
    str, tuple[str, float]
]  # of attributes: the value of the target, the share of distractors without it


def context_of(scene: Scene) -> dict[str, tuple[str, float]]:
    """What matters of a scene for what is said: places do not, for they are hardly ever the same."""
    count = max(len(scene.distractors), 1)
    return {
        name: (value, sum(each.get(name) != value for each in scene.distractors) / count)
        for name, value in sorted(scene.target.items())
        if name not in LOCATION
    }


class Neighbours:
    """What was said, by domain: speaker, scene and expression."""

    def __init__(self, heard: Iterable[tuple[str, str, Expression, Context]]) -> None:
        self.heard = list(heard)
        self._by_domain: defaultdict[str, list[tuple[str, Expression, Context]]] = defaultdict(list)
        for domain, speaker, expression, context in self.heard:
            self._by_domain[domain].append((speaker, expression, context))

    def expected(self, scene: Scene, memory: Memory, speaker: str, masks: Masks) -> NDArray[np.float64]:
        """The mean DICE of subsets with all that was said, weighed; nothing for somebody not heard in this domain."""
        found: NDArray[np.float64] = np.zeros(len(masks))
        if speaker not in memory.expressions:
            return found
        own = context_of(scene)
        weights: dict[Expression, float] = {}
        for other, expression, context in self._by_domain[memory.domain]:
            apart = 0.0 if other == speaker else 1.0 - memory.similarity(speaker, other)
            weight = exp(-_SPEAKER * apart - _SCENE * _difference(own, context))
            weights[expression] = weights.get(expression, 0.0) + weight
        comparison = Comparison(scene, memory)
        for expression, weight in weights.items():
            found += weight * comparison.dice(masks, expression)
        total = sum(weights.values())
        return found / total if total else found


def _difference(one: Context, other: Context) -> float:
    """Of two scenes: attributes with other values, and how differently they tell things apart."""
    return sum(
        (other.get(name, ("", 0.0))[0] != value) + abs(other.get(name, ("", 0.0))[1] - share)
        for name, (value, share) in one.items()
    )
