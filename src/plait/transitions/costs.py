"""How many gold arcs a state of the swap system has lost: costs off the correct paths.

The papers' oracles speak of states from which the gold tree can be derived. Here any state will do.

*Proved.* `Loss.at_least` is a lower bound: it counts the arcs that no derivation can build any more, because
the dependent has another head, or the head is attached while the dependent is not (what is attached takes no
more dependents). `Loss.at_most` is an upper bound: `complete_disciplined` derives a tree that misses so many
arcs. Where the two agree, they are exact.

*Measured.* How often they agree with exhaustive search: see `docs/oracles-compared.md`.
"""

from __future__ import annotations

from dataclasses import dataclass

from plait.transitions.kinds import Kind
from plait.transitions.state import State
from plait.transitions.target import Target


@dataclass(frozen=True, slots=True)
class Loss:
    """Bounds on the number of gold arcs that the best tree derivable from a state misses."""

    at_least: int
    at_most: int

    @property
    def exact(self) -> bool:
        return self.at_least == self.at_most


def loss(state: State, target: Target) -> Loss:
    """What a state of the swap system has lost already."""
    remains = Remains(state, target)
    at_least = remains.lost
    remains.complete_disciplined()
    return Loss(at_least, remains.lost)


def losses(state: State, target: Target) -> dict[Kind, Loss]:
    """For every permitted transition: what the state after it has lost."""
    result = {}
    for kind in state.permitted():
        after = state.copy()
        after.apply(kind)
        result[kind] = loss(after, target)
    return result


def best_kinds(state: State, target: Target) -> list[Kind]:
    """The transitions to learn from in any state: those with the smallest `at_most`.

    A SWAP of words that are in order is among them only if everything else loses more: it may be harmless,
    but leads nowhere. On a correct path these are the transitions of ND-ALL.
    """
    bounds = losses(state, target)
    least = min(bound.at_most for bound in bounds.values())
    best = [kind for kind, bound in bounds.items() if bound.at_most == least]
    if Kind.SWAP in best and len(best) > 1 and not Remains(state, target).out_of_order():
        best.remove(Kind.SWAP)
    return best


class Remains:
    """The nodes that are still on stack or buffer, with the part of the gold tree that joins them.

    A node whose gold head is gone strives for its nearest ancestor that is left: `goal(node)`. `order` is the
    projective order of that tree, with the present sequence of stack and buffer in the place of the sentence:
    words that have changed places, rightly or not, cannot change back.
    """

    def __init__(self, state: State, target: Target) -> None:
        self.target = target
        self.single_root = state.single_root
        self.stack = state.stack.copy()
        self.buffer = state.buffer.copy()
        sequence = [*self.stack, *self.buffer]
        self.pending = set(sequence)
        self.lost = 0
        for word in range(1, len(target.heads)):
            if word in self.pending:
                self.lost += target.heads[word] not in self.pending
            else:
                self.lost += target.heads[word] != state.heads[word]
        self.missing = dict.fromkeys(sequence, 0)  # nodes that strive for this one
        for node in sequence:
            if node != 0:
                self.missing[self.goal(node)] += 1
        self.order = self._projective_order(sequence)

    def goal(self, node: int) -> int:
        while (head := self.target.heads[node]) not in self.pending:
            assert head is not None  # the root is always pending
            node = head
        assert head is not None
        return head

    def out_of_order(self) -> bool:
        return len(self.stack) >= 2 and self.order[self.stack[-1]] < self.order[self.stack[-2]]

    def complete_disciplined(self) -> None:
        """Go to a terminal state as EAGER does; where it is stuck, attach what loses fewer arcs."""
        while len(self.stack) > 1 or self.buffer:
            kind = self._next()
            if kind is Kind.SHIFT:
                self.stack.append(self.buffer.popleft())
            elif kind is Kind.SWAP:
                self.buffer.appendleft(self.stack.pop(-2))
            elif kind is Kind.LEFT_ARC:
                self._remove(self.stack.pop(-2), head=self.stack[-1])
            else:
                self._remove(self.stack.pop(), head=self.stack[-1])

    def _next(self) -> Kind:
        if len(self.stack) < 2:
            return Kind.SHIFT
        i, j = self.stack[-2:]
        if i != 0 and self.goal(i) == j and not self.missing[i]:
            return Kind.LEFT_ARC
        root_may_wait = i == 0 and self.single_root and self.buffer
        if self.goal(j) == i and not self.missing[j] and not root_may_wait:
            return Kind.RIGHT_ARC
        if 0 < i < j and self.out_of_order():
            return Kind.SWAP
        if self.buffer:
            return Kind.SHIFT
        return Kind.LEFT_ARC if i != 0 and self._price(i, j) < self._price(j, i) else Kind.RIGHT_ARC

    def _price(self, dependent: int, head: int) -> int:
        """The arcs that are lost when a word is attached to a head, now."""
        gold_head = self.target.heads[dependent]
        waiting = sum(node in self.pending for node in self.target.dependents[dependent])
        return waiting + (gold_head in self.pending and gold_head != head)

    def _remove(self, word: int, head: int) -> None:
        self.lost += self._price(word, head)
        self.missing[self.goal(word)] += self.missing[word] - 1
        self.pending.remove(word)

    def _projective_order(self, sequence: list[int]) -> dict[int, int]:
        place = {node: number for number, node in enumerate(sequence)}
        below: dict[int, list[int]] = {node: [] for node in sequence}
        for node in sequence:
            if node != 0:
                below[self.goal(node)].append(node)
        order: dict[int, int] = {}
        pending: list[tuple[int, bool]] = [(0, False)]
        while pending:
            node, placed_now = pending.pop()
            if placed_now:
                order[node] = len(order)
                continue
            left = [(one, False) for one in below[node] if place[one] < place[node]]
            right = [(one, False) for one in below[node] if place[one] > place[node]]
            pending.extend(reversed([*left, (node, True), *right]))
        return order
