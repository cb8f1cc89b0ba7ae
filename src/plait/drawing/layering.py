"""Where the nodes of a directed graph lie: in layers, so that edges lead downwards (Sugiyama, Tagawa and Toda 1981;
Gansner et al. 1993).

Edges that close a cycle are turned round. Every node goes to the layer where its edges are short; edges that pass a
layer get a place in it, so that no line runs through a box. Layers are ordered for few crossings by barycenters and
by exchanging neighbours, and then places move to the middle of their neighbours, as far as the order leaves room.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from plait.cancel import check_cancelled
from plait.errors import InputError

PLACES = 20_000  # of nodes and passing edges: what can be laid out in a few seconds
SWEEPS = 12
_PASSING = 10.0  # the room of an edge that passes a layer
_STRAIGHT = 4.0  # how much more than boxes passing edges pull, so that long lines are straight


@dataclass(frozen=True, slots=True)
class Layout:
    """Places: first the nodes, then one for every layer that an edge passes. `layers` are their numbers, in order;
    `middles` lie side by side. A route leads from the upper node of an edge to the lower one; where the edge is
    `turned`, it points up.
    """

    layers: list[list[int]]
    middles: list[float]
    routes: list[list[int]]
    turned: list[bool]

    @property
    def crossings(self) -> int:
        return _Order(self.layers, self.routes, len(self.middles)).crossings()


def lay_out(widths: Sequence[float], edges: Sequence[tuple[int, int]], gap: float) -> Layout:
    """Nodes count from 0; `gap` is the room between two boxes of a layer. There is no edge from a node to itself."""
    turned = _turned(len(widths), edges)
    downward = [(b, a) if back else (a, b) for (a, b), back in zip(edges, turned, strict=True)]
    ranks = _ranks(len(widths), downward)
    size = len(widths) + len(edges) + sum(ranks[b] - ranks[a] - 1 for a, b in downward)
    if size > PLACES:
        raise InputError(f"the graph has {size:,} places for nodes and edges; up to {PLACES:,} can be drawn.")
    layers: list[list[int]] = [[] for _ in range(max(ranks, default=-1) + 1)]
    for node, rank in enumerate(ranks):
        layers[rank].append(node)
    routes = []
    places = len(widths)
    for a, b in downward:
        passed = ranks[b] - ranks[a] - 1
        routes.append([a, *range(places, places + passed), b])
        for place in range(places, places + passed):
            layers[ranks[a] + 1 + place - places].append(place)
        places += passed
    order = _Order(layers, routes, places)
    order.improve()
    room = [*widths, *[_PASSING] * (places - len(widths))]
    return Layout(order.layers, _middles(order, room, len(widths), gap), routes, turned)


def _turned(size: int, edges: Sequence[tuple[int, int]]) -> list[bool]:
    """Which edges lead back to where a walk through the graph comes from."""
    leaving: list[list[int]] = [[] for _ in range(size)]
    entered = [0] * size
    for number, (a, b) in enumerate(edges):
        leaving[a].append(number)
        entered[b] += 1
    found = [False] * len(edges)
    state = [0] * size  # 1: on the way, 2: done
    for start in sorted(range(size), key=lambda node: (entered[node] > 0, node)):
        todo = [(start, 0)] if not state[start] else []
        while todo:
            node, at = todo.pop()
            state[node] = 1
            if at == len(leaving[node]):
                state[node] = 2
                continue
            todo.append((node, at + 1))
            below = edges[leaving[node][at]][1]
            if state[below] == 1:
                found[leaving[node][at]] = True
            elif not state[below]:
                todo.append((below, 0))
    return found


def _ranks(size: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """The layer of every node: first the longest way to it, then moved to where its edges are shortest. What hangs from
    one node only goes with that.
    """
    entering = Counter(b for _, b in edges)
    leaving = {a for a, _ in edges}
    hanging = {b: a for a, b in edges if entering[b] == 1 and b not in leaving}
    above: list[list[int]] = [[] for _ in range(size)]
    below: list[list[int]] = [[] for _ in range(size)]
    for a, b in edges:
        if b not in hanging:
            above[b].append(a)
            below[a].append(b)
    waiting = [len(heads) for heads in above]
    ready = [node for node in range(size) if not waiting[node]]
    ranks = [0] * size
    for node in ready:
        for other in below[node]:
            ranks[other] = max(ranks[other], ranks[node] + 1)
            waiting[other] -= 1
            if not waiting[other]:
                ready.append(other)
    for _ in range(SWEEPS):
        check_cancelled()
        before = list(ranks)
        for node in reversed(ready):
            ranks[node] = _best_rank(ranks, node, above[node], below[node])
        if ranks == before:
            break
    for node, head in hanging.items():
        ranks[node] = ranks[head] + 1
    lowest = min(ranks, default=0)
    used = {rank: place for place, rank in enumerate(sorted({rank - lowest for rank in ranks}))}
    return [used[rank - lowest] for rank in ranks]


def _best_rank(ranks: Sequence[int], node: int, above: Sequence[int], below: Sequence[int]) -> int:
    """With more edges up than down the node goes up as far as it can, and the other way round."""
    if len(below) > len(above):
        return min(ranks[other] for other in below) - 1
    if len(above) > len(below):
        return max(ranks[other] for other in above) + 1
    return ranks[node]


class _Order:
    """The order of the places in their layers."""

    def __init__(self, layers: Sequence[Sequence[int]], routes: Sequence[Sequence[int]], places: int) -> None:
        self.layers = [list(layer) for layer in layers]
        self.above: list[list[int]] = [[] for _ in range(places)]
        self.below: list[list[int]] = [[] for _ in range(places)]
        for route in routes:
            for here, there in pairwise(route):
                self.below[here].append(there)
                self.above[there].append(here)
        self._at = [0] * places
        for layer in self.layers:
            self._number(layer)

    def improve(self) -> None:
        """The best order of some that begin with that of the numbers, and with those of walks through the graph."""
        walks = [self._walk(self.below, self.above), self._walk(self.above, self.below)]
        best: list[list[int]] = []
        fewest = -1
        given = self.layers
        for layers in (given, *([sorted(each, key=walk.__getitem__) for each in given] for walk in walks)):
            self._take([list(layer) for layer in layers])
            for sweep in range(SWEEPS + 1):
                if sweep:
                    self._sweep(down=sweep % 2 == 1)
                self._exchange()
                found = self.crossings()
                if fewest < 0 or found < fewest:
                    best, fewest = [list(layer) for layer in self.layers], found
                if not found:
                    break
        self._take(best)

    def _take(self, layers: list[list[int]]) -> None:
        self.layers = layers
        for layer in layers:
            self._number(layer)

    def _sweep(self, *, down: bool) -> None:
        neighbours = self.above if down else self.below
        for layer in self.layers if down else reversed(self.layers):
            check_cancelled()
            layer.sort(key=lambda place: (self._wish(place, neighbours[place]), self._at[place]))
            self._number(layer)

    def _walk(self, first: Sequence[Sequence[int]], then: Sequence[Sequence[int]]) -> list[int]:
        """When a walk along edges in both directions comes to every place."""
        found = [-1] * len(self._at)
        clock = 0
        for start in range(len(found)):
            todo = [start]
            while todo:
                place = todo.pop()
                if found[place] < 0:
                    found[place] = clock
                    clock += 1
                    todo += reversed([*first[place], *then[place]])
        return found

    def crossings(self) -> int:
        """How many pairs of lines cross."""
        found = 0
        for layer in self.layers:
            ends: list[int] = []
            for place in layer:
                check_cancelled()
                to = sorted(self._at[other] for other in self.below[place])
                found += sum(len(ends) - bisect_right(ends, end) for end in to)
                for end in to:
                    insort(ends, end)
        return found

    def _number(self, layer: Sequence[int]) -> None:
        for at, place in enumerate(layer):
            self._at[place] = at

    def _wish(self, place: int, neighbours: Sequence[int]) -> float:
        if not neighbours:
            return float(self._at[place])
        return sum(self._at[other] for other in neighbours) / len(neighbours)

    def _exchange(self) -> None:
        """Neighbours change places as long as that saves crossings."""
        for _ in range(SWEEPS):
            changed = False
            for layer in self.layers:
                check_cancelled()
                for at in range(len(layer) - 1):
                    left, right = layer[at], layer[at + 1]
                    if self._crossed(left, right) > self._crossed(right, left):
                        layer[at], layer[at + 1] = right, left
                        self._at[left], self._at[right] = at + 1, at
                        changed = True
            if not changed:
                return

    def _crossed(self, left: int, right: int) -> int:
        found = 0
        for side in (self.above, self.below):
            ends = sorted(self._at[other] for other in side[right])
            found += sum(bisect_left(ends, self._at[one]) for one in side[left])
        return found


def _middles(order: _Order, room: Sequence[float], nodes: int, gap: float) -> list[float]:
    """Places side by side, each near the middle of its neighbours."""
    middles = [0.0] * len(room)
    for layer in order.layers:
        for left, right in pairwise(layer):
            middles[right] = middles[left] + (room[left] + room[right]) / 2 + gap
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for layer in order.layers if down else reversed(order.layers):
            check_cancelled()
            wishes, weights = [], []
            for place in layer:
                # The last sweeps look both ways, so that no layer has the last word.
                near = order.above[place] if down else order.below[place]
                if not near or sweep >= SWEEPS - 4:
                    near = [*order.above[place], *order.below[place]]
                wishes.append(sum(middles[other] for other in near) / len(near) if near else middles[place])
                weights.append(_STRAIGHT if place >= nodes else max(1.0, float(len(near))))
            apart = [(room[left] + room[right]) / 2 + gap for left, right in pairwise(layer)]
            for place, middle in zip(layer, _spread(wishes, weights, apart), strict=True):
                middles[place] = middle
    leftmost = min((middle - room[place] / 2 for place, middle in enumerate(middles)), default=0.0)
    return [middle - leftmost for middle in middles]


def _spread(wishes: Sequence[float], weights: Sequence[float], apart: Sequence[float]) -> list[float]:
    """The places nearest to the wishes, in least squares, that keep their order and distances: those that are too near
    to each other move together (pooling of adjacent violators).
    """
    offsets = [0.0]
    for distance in apart:
        offsets.append(offsets[-1] + distance)
    pools: list[tuple[float, float, int]] = []  # where it begins, its weight, how many
    for wish, weight, offset in zip(wishes, weights, offsets, strict=True):
        mean, heavy, many = wish - offset, weight, 1
        while pools and pools[-1][0] > mean:
            other, more, count = pools.pop()
            mean = (mean * heavy + other * more) / (heavy + more)
            heavy, many = heavy + more, many + count
        pools.append((mean, heavy, many))
    begins = [mean for mean, _, many in pools for _ in range(many)]
    return [begin + offset for begin, offset in zip(begins, offsets, strict=True)]
