"""States of the spine systems by sheer enumeration: slow, simple, and independent of the code under test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from exhaustive import Nodes, inorder

Element = tuple[Nodes, Nodes]  # the left and the right spine of a tree


class Place(NamedTuple):
    """Stack, bottom first, and buffer, front first, of a state: the trees on them by their spines."""

    stack: tuple[Element, ...]
    buffer: tuple[Element, ...]

    @property
    def final(self) -> bool:
        return len(self.stack) == 1 and not self.buffer


class Move(NamedTuple):
    """The letter and depth of a transition, what comes after it, and the arc (head, dependent) that it builds."""

    letters: str
    after: Place
    arc: tuple[int, int] | None = None


def start(size: int) -> Place:
    words = [((node,), (node,)) for node in range(size + 1)]
    return Place((words[0],), tuple(words[1:]))


def spine_moves(place: Place, *, swaps: bool, single_root: bool = False) -> Iterator[Move]:
    """All that `spine` permits, or with `swaps` all that `spine-swap` does."""
    stack, buffer = place
    if len(stack) >= 2:
        rest, (left2, right2), (left1, right1) = stack[:-2], stack[-2], stack[-1]
        if left2[0] != 0:
            for k, head in enumerate(left1, 1):
                merged = (left1[:k] + left2, right1)
                yield Move(letters("L", k), Place((*rest, merged), buffer), (head, left2[0]))
        if left2[0] != 0 or not single_root or not buffer:
            for k, head in enumerate(right2, 1):
                merged = (left2, right2[:k] + right1)
                yield Move(letters("R", k), Place((*rest, merged), buffer), (head, left1[0]))
        if swaps and 0 < left2[0] < left1[0]:
            yield Move("W", Place((*rest, stack[-1]), (stack[-2], *buffer)))
    if buffer:
        yield Move("S", Place((*stack, buffer[0]), buffer[1:]))


def letters(kind: str, depth: int) -> str:
    return kind if depth == 1 else f"{kind}{depth}"


class CorrectPlaces:
    """The states that lead to a tree, with `swaps` by those that respect its projective order.

    In that order left dependents stand before their head, so LEFT-ARC attaches them and RIGHT-ARC the others;
    `sides` can be given up: then a word may be carried around a tree and attached from the other side.
    """

    def __init__(
        self, heads: Sequence[int], *, swaps: bool = False, single_root: bool = False, sides: bool = True
    ) -> None:
        order = {node: number for number, node in enumerate(inorder(heads))}
        self.start = start(len(heads))

        def gold(place: Place) -> Iterator[Move]:
            for move in spine_moves(place, swaps=swaps, single_root=single_root):
                if move.letters == "W":
                    if order[place.stack[-1][0][0]] < order[place.stack[-2][0][0]]:
                        yield move
                elif move.arc is None:
                    yield move
                elif heads[move.arc[1] - 1] == move.arc[0]:
                    on_its_side = (move.arc[1] < move.arc[0]) == (move.letters[0] == "L")
                    if on_its_side or not sides:
                        yield move

        @cache
        def leads_to_tree(place: Place) -> bool:
            return place.final or any(leads_to_tree(move.after) for move in gold(place))

        @cache
        def fewest_swaps(place: Place) -> int:
            if place.final:
                return 0
            return min(
                (move.letters == "W") + fewest_swaps(move.after)
                for move in gold(place)
                if leads_to_tree(move.after)
            )

        @cache
        def derivations(place: Place) -> int:
            return 1 if place.final else sum(derivations(move.after) for move in gold(place))

        self.gold_moves = lambda place: list(gold(place))
        self.moves = lambda place: [move for move in gold(place) if leads_to_tree(move.after)]
        self.fewest_swaps = lambda: fewest_swaps(self.start)
        self.derivations = lambda: derivations(self.start)

    def __iter__(self) -> Iterator[tuple[Place, list[Move]]]:
        """Every correct state but the last, after one that leads to it, and the correct moves there."""
        pending = [self.start]
        seen = {self.start}
        while pending:
            place = pending.pop()
            if place.final:
                continue
            moves = self.moves(place)
            yield place, moves
            for move in moves:
                if move.after not in seen:
                    seen.add(move.after)
                    pending.append(move.after)


class MostSpineArcs:
    """How many gold arcs can still be built from a state."""

    def __init__(self, heads: Sequence[int], *, swaps: bool = False) -> None:
        @cache
        def most(place: Place) -> int:
            return max(
                (
                    most(move.after) + (move.arc is not None and heads[move.arc[1] - 1] == move.arc[0])
                    for move in spine_moves(place, swaps=swaps)
                ),
                default=0,
            )

        self.most = most
