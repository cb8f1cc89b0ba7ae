"""Trees and derivations by sheer enumeration: slow, simple, and independent of the code under test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

Nodes = tuple[int, ...]
# Letter, stack and buffer after it, and the arc (head, dependent) that it builds.
Move = tuple[str, Nodes, Nodes, tuple[int, int] | None]


def all_trees(size: int) -> Iterator[list[int]]:
    """Every tree over so many words, several roots included: (size + 1) ** (size - 1) of them."""
    for heads in product(range(size + 1), repeat=size):
        if all(reaches_root(heads, word) for word in range(1, size + 1)):
            yield list(heads)


def reaches_root(heads: Sequence[int], word: int) -> bool:
    for _ in heads:
        word = heads[word - 1]
        if word == 0:
            return True
    return False


def inorder(heads: Sequence[int], node: int = 0) -> list[int]:
    """The projective order, by recursion."""
    dependents = [word for word, head in enumerate(heads, 1) if head == node]
    left = [one for word in dependents if word < node for one in inorder(heads, word)]
    right = [one for word in dependents if word > node for one in inorder(heads, word)]
    return [*left, node, *right]


def swap_moves(stack: Nodes, buffer: Nodes) -> Iterator[Move]:
    """All that the swap system permits."""
    if len(stack) >= 2:
        rest, i, j = stack[:-2], stack[-2], stack[-1]
        if i != 0:
            yield "L", (*rest, j), buffer, (j, i)
        yield "R", (*rest, i), buffer, (i, j)
        if 0 < i < j:
            yield "W", (*rest, j), (i, *buffer), None
    if buffer:
        yield "S", (*stack, buffer[0]), buffer[1:], None


def eager_moves(stack: Nodes, buffer: Nodes, headed: frozenset[int]) -> Iterator[Move]:
    """All that the arc-eager system permits, given which words have heads."""
    front = buffer[0]
    if stack and stack[-1] not in headed:
        yield "L", stack[:-1], buffer, (front, stack[-1])
    if stack and front != 0:
        yield "R", (*stack, front), buffer[1:], (stack[-1], front)
    if stack and stack[-1] in headed:
        yield "D", stack[:-1], buffer, None
    if front != 0:
        yield "S", (*stack, front), buffer[1:], None


class CorrectStates:
    """Which states of the swap system lead to a tree, by swaps that respect its projective order."""

    def __init__(self, heads: Sequence[int]) -> None:
        self.heads = heads
        self.start: tuple[Nodes, Nodes] = (0,), tuple(range(1, len(heads) + 1))
        order = {node: place for place, node in enumerate(inorder(heads))}

        def sensible(stack: Nodes, buffer: Nodes) -> Iterator[Move]:
            for move in swap_moves(stack, buffer):
                letter, _, _, arc = move
                if arc is not None:
                    waiting = any(heads[word - 1] == arc[1] for word in (*stack, *buffer) if word != 0)
                    if heads[arc[1] - 1] == arc[0] and not waiting:
                        yield move
                elif letter == "S" or order[stack[-1]] < order[stack[-2]]:
                    yield move

        @cache
        def leads_to_tree(stack: Nodes, buffer: Nodes) -> bool:
            if stack == (0,) and not buffer:
                return True
            return any(leads_to_tree(*move[1:3]) for move in sensible(stack, buffer))

        @cache
        def fewest_swaps(stack: Nodes, buffer: Nodes) -> int:
            if stack == (0,) and not buffer:
                return 0
            return min(
                (move[0] == "W") + fewest_swaps(*move[1:3])
                for move in sensible(stack, buffer)
                if leads_to_tree(*move[1:3])
            )

        self.moves = lambda stack, buffer: [
            move for move in sensible(stack, buffer) if leads_to_tree(*move[1:3])
        ]
        self.fewest_swaps = lambda: fewest_swaps(*self.start)

    def __iter__(self) -> Iterator[tuple[tuple[Nodes, Nodes], dict[str, tuple[Nodes, Nodes]]]]:
        """Every correct state but the last, after one that leads to it, and its successors by letter."""
        pending = [self.start]
        seen = {self.start}
        while pending:
            state = pending.pop()
            if state == ((0,), ()):
                continue
            after = {move[0]: move[1:3] for move in self.moves(*state)}
            yield state, after
            new = [successor for successor in after.values() if successor not in seen]
            seen.update(new)
            pending += new


class MostArcs:
    """How many gold arcs can still be built from a state of the swap system, by whatever swaps."""

    def __init__(self, heads: Sequence[int]) -> None:
        @cache
        def most(stack: Nodes, buffer: Nodes) -> int:
            return max(
                (
                    most(*move[1:3]) + (move[3] is not None and heads[move[3][1] - 1] == move[3][0])
                    for move in swap_moves(stack, buffer)
                ),
                default=0,
            )

        self.most = most


class MostArcsEager:
    """The same for the arc-eager system."""

    def __init__(self, heads: Sequence[int]) -> None:
        @cache
        def most(stack: Nodes, buffer: Nodes, headed: frozenset[int]) -> int:
            return max(
                (
                    most(*move[1:3], headed | {move[3][1]} if move[3] else headed)
                    + (move[3] is not None and heads[move[3][1] - 1] == move[3][0])
                    for move in eager_moves(stack, buffer, headed)
                ),
                default=0,
            )

        self.most = most
