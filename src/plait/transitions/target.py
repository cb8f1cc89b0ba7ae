"""The tree an oracle leads to, with what the oracles' definitions speak of."""

from __future__ import annotations

from collections.abc import Sequence

from plait.errors import NotATreeError
from plait.sentence import EMPTY, Sentence
from plait.trees import find_fault


class Target:
    """A gold tree over nodes 0 to n. `heads[0]` is `None`; lists are indexed by node.

    `order[node]` is the place of a node in the projective order, <_G in the papers (Nivre 2009, section 3.2):
    the inorder traversal of the tree that keeps every head in its place among its dependents.
    `component[node]` is the topmost node of its maximal projective component (Nivre, Kuhlmann and Hall 2009,
    section 3.2): what arc-standard without SWAP, attaching as soon as it can, builds before it is stuck.
    """

    def __init__(self, tree: Sentence | Sequence[int], labels: Sequence[str] | None = None) -> None:
        given: list[str | None]
        if isinstance(tree, Sentence):
            heads, given = tree.tree(), [None if label == EMPTY else label for label in tree.deprels]
        else:
            heads, given = list(tree), [*labels] if labels else [None] * len(tree)
        self.heads: list[int | None] = [None, *heads]
        self.labels: list[str | None] = [None, *given]
        if len(self.labels) != len(self.heads):
            raise ValueError(f"{len(heads)} heads but {len(self.labels) - 1} labels")
        if (fault := find_fault(heads)) is not None:
            raise NotATreeError(fault[1])
        self.dependents: list[list[int]] = [[] for _ in self.heads]
        for word, head in enumerate(heads, start=1):
            self.dependents[head].append(word)
        self.order = self._projective_order()
        self.component = self._components()

    def __len__(self) -> int:
        return len(self.heads) - 1

    @property
    def projective(self) -> bool:
        return not any(self.component)

    def dominates(self, above: int, below: int) -> bool:
        """Whether `above` is `below` or an ancestor of it."""
        node: int | None = below
        while node is not None and node != above:
            node = self.heads[node]
        return node == above

    def _projective_order(self) -> list[int]:
        order = [0] * len(self.heads)
        place = 0
        pending: list[tuple[int, bool]] = [(0, False)]
        while pending:
            node, placed_now = pending.pop()
            if placed_now:
                order[node] = place
                place += 1
                continue
            left = [dependent for dependent in self.dependents[node] if dependent < node]
            right = self.dependents[node][len(left) :]
            traversal = [*((one, False) for one in left), (node, True), *((one, False) for one in right)]
            pending.extend(reversed(traversal))
        return order

    def _components(self) -> list[int]:
        missing = [len(dependents) for dependents in self.dependents]
        top = list(range(len(self.heads)))  # of its component: itself, until it is attached
        stack = [0]
        for word in range(1, len(self.heads)):
            stack.append(word)
            while len(stack) > 1:
                i, j = stack[-2:]
                if i != 0 and self.heads[i] == j and not missing[i]:
                    stack.pop(-2)
                    top[i] = j
                    missing[j] -= 1
                elif self.heads[j] == i and not missing[j]:
                    stack.pop()
                    top[j] = i
                    missing[i] -= 1
                else:
                    break
        for node in range(len(top)):
            while top[top[node]] != top[node]:
                top[node] = top[top[node]]
        return top
