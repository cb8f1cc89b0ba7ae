"""The order of what is around a noun: head and dependent, dependent and dependent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from plait.generation.refer.branches import Branch, adjective_class

_CLASS = 3.0  # how many times seen the other way round outweighs the class of adjectives
_MOST = 6  # so many in all orders; more are inserted one by one


@dataclass(frozen=True, slots=True)
class Part:
    """Something to be ordered: its words, the attributes it tells, its side of the noun."""

    words: tuple[str, ...]
    names: frozenset[str]
    before: bool


class Precedence:
    """How often one attribute is told before another, on the same side of the noun, weighed by who said it."""

    def __init__(self, phrases: Iterable[tuple[float, Sequence[Branch]]]) -> None:
        counts: dict[tuple[str, str], float] = {}
        for weight, branches in phrases:
            for place, first in enumerate(branches):
                for second in branches[place + 1 :]:
                    if first.before == second.before:
                        for pair in ((one, other) for one in first.names for other in second.names):
                            counts[pair] = counts.get(pair, 0.0) + weight
        self._counts = counts

    def order(self, parts: Sequence[Part]) -> list[Part]:
        """The best order of parts on one side."""
        if len(parts) <= 1:
            return list(parts)
        if len(parts) > _MOST:
            found = self.order(parts[:_MOST])
            for part in parts[_MOST:]:
                tries = [[*found[:place], part, *found[place:]] for place in range(len(found) + 1)]
                found = max(tries, key=self._score)
            return found
        return list(max(permutations(parts), key=self._score))

    def _score(self, parts: Sequence[Part]) -> float:
        return sum(
            self._before(first, second) for place, first in enumerate(parts) for second in parts[place + 1 :]
        )

    def _before(self, first: Part, second: Part) -> float:
        """How much speaks for this order of two."""
        score = 0.0
        for one in first.names:
            for other in second.names:
                score += self._counts.get((one, other), 0.0) - self._counts.get((other, one), 0.0)
        classes = [adjective_class(part.words[-1]) for part in (first, second)]
        if first.before and classes[0] is not None and classes[1] is not None:
            score += _CLASS * ((classes[0] < classes[1]) - (classes[0] > classes[1]))
        return score
