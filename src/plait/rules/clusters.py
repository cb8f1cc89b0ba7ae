"""Which instances fire: a maximal consistent cluster (Bohnet, Langjahr and Wanner 2000, section 2.4).

In a cluster nothing of the source is consumed twice, and all agree on the attributes of what corresponds to a node. The
one that consumes most of the source is taken; of several, the one with fewer and so larger rules; then the one whose
rules look at more of the source; then the one whose rules stand earlier. Instances that consume nothing join in the
order of rules wherever they contradict nobody.

Instances that conflict with each other, directly or by way of others, are solved apart from all others: exactly, by a
search that leaves out what cannot become better (every element of the source is worth at most its share of the best
instance that consumes it).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from plait.cancel import check_cancelled
from plait.rules.instances import Element, Instance, Shared
from plait.rules.limits import LIMITS

# One weight for three wishes, in this order: consume much, fire few, read much.
_CONSUMED, _FIRED = 1 << 40, 1 << 20
_TOO_LARGE = 400_000  # instances times elements of a group for which no exact search is begun


@dataclass(frozen=True, slots=True)
class Cluster:
    """`exact` is False where the search for the best one was cut off."""

    fired: list[Instance]
    exact: bool = True


def best_cluster(instances: Sequence[Instance], steps: int = LIMITS.cluster_steps) -> Cluster:
    """Deterministic; `steps` bound the search in every group of conflicting instances."""
    chosen: list[Instance] = []
    exact = True
    for group in _groups([each for each in instances if each.consumed]):
        search = _Search(group, steps)
        chosen += search.best
        exact = exact and search.exact
    state = _State()
    for each in chosen:
        state.add(each)
    for each in instances:
        if not each.consumed and state.allows(each):
            state.add(each)
            chosen.append(each)
    return Cluster(sorted(chosen, key=lambda each: each.number), exact)


def _groups(instances: Sequence[Instance]) -> list[list[Instance]]:
    """Those that conflict, directly or by way of others, in order."""
    parent = list(range(len(instances)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    def join(numbers: Iterable[int]) -> None:
        first, *others = numbers
        for other in others:
            parent[max(root(first), root(other))] = min(root(first), root(other))

    users: dict[Element, list[int]] = defaultdict(list)
    claimants: dict[Hashable, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for i, each in enumerate(instances):
        for element in each.consumed:
            users[element].append(i)
        for key, value in each.claims.items():
            claimants[key][value].append(i)
    for numbers in users.values():
        join(numbers)
    for values in claimants.values():
        if len(values) > 1:
            join(i for numbers in values.values() for i in numbers)
    groups: dict[int, list[Instance]] = defaultdict(list)
    for i, each in enumerate(instances):
        groups[root(i)].append(each)
    return list(groups.values())


class _State:
    """What a cluster has used and claimed so far."""

    def __init__(self) -> None:
        self.used: set[Element] = set()
        self._claims: dict[tuple[Shared, str], list[str]] = defaultdict(list)

    def allows(self, each: Instance) -> bool:
        return self.used.isdisjoint(each.consumed) and all(
            not self._claims[key] or self._claims[key][-1] == value for key, value in each.claims.items()
        )

    def add(self, each: Instance) -> None:
        self.used |= each.consumed
        for key, value in each.claims.items():
            self._claims[key].append(value)

    def remove(self, each: Instance) -> None:
        self.used -= each.consumed
        for key in each.claims:
            self._claims[key].pop()


class _Search:
    """The best cluster of a group: instances are put in before they are left out, in order, so that of equally good
    clusters the one with earlier rules is found first.
    """

    def __init__(self, group: Sequence[Instance], steps: int) -> None:
        self.exact = True
        self._group = group
        self._weights = [
            len(each.consumed) * _CONSUMED - _FIRED + min(len(each.read), _FIRED - 1) for each in group
        ]
        self.best = self._greedy()
        elements = len({element for each in group for element in each.consumed})
        self._cost = 1 + elements // 16  # of a step: bounds are sums over elements
        if len(group) * elements > _TOO_LARGE:
            self.exact = False
        elif len(group) > 1:
            self._steps = steps
            self._search()

    def _greedy(self) -> list[Instance]:
        """The heaviest first: what to beat, and the result where the search is cut off."""
        state, found = _State(), []
        order = sorted(range(len(self._group)), key=lambda i: (-self._weights[i], i))
        for i in order:
            if state.allows(self._group[i]):
                state.add(self._group[i])
                found.append(i)
        self._floor = sum(self._weights[i] for i in found)
        return [self._group[i] for i in sorted(found)]

    def _search(self) -> None:
        bounds = self._shares()
        state = _State()
        chosen: list[int] = []
        weight, best = 0, -1
        # A stack of decisions: (instance, whether it was put in). Recursion would be as deep as there are instances.
        stack: list[tuple[int, bool]] = []
        i = 0
        while True:
            self._steps -= self._cost
            if self._steps < 0:
                self.exact = False
                return
            check_cancelled()
            more = weight + self._bound(bounds, i, state)
            dead = more < self._floor or more <= best
            if i == len(self._group) or dead:
                if not dead and weight > best:
                    best = weight
                    self.best = [self._group[k] for k in chosen]
                while stack and not stack[-1][1]:
                    stack.pop()
                if not stack:
                    return
                i, _ = stack.pop()
                chosen.pop()
                state.remove(self._group[i])
                weight -= self._weights[i]
                stack.append((i, False))
                i += 1
                continue
            if state.allows(self._group[i]):
                state.add(self._group[i])
                chosen.append(i)
                weight += self._weights[i]
                stack.append((i, True))
            else:
                stack.append((i, False))
            i += 1

    def _shares(self) -> list[dict[Element, int]]:
        """For every place in the order, what an element can still bring at most."""
        shares: dict[Element, int] = {}
        found: list[dict[Element, int]] = [{}]
        for each, weight in zip(reversed(self._group), reversed(self._weights), strict=True):
            share = -(-weight // len(each.consumed))
            changed = dict(shares)
            for element in each.consumed:
                changed[element] = max(share, changed.get(element, 0))
            found.append(changed)
            shares = changed
        return found[::-1]

    @staticmethod
    def _bound(bounds: Sequence[dict[Element, int]], i: int, state: _State) -> int:
        return sum(share for element, share in bounds[i].items() if element not in state.used)
