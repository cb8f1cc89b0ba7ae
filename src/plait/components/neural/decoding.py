"""From scores of arcs to a tree with exactly one root: Chu and Liu (1965), Edmonds (1967), in numpy.

The slow twin of what the core does, for the GPU machine that labels text and for checks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plait.components.neural.corpus import Numbers

Scores = NDArray[np.floating]
Heads = NDArray[np.int64]
_ROOT_PRICE = 1000.0  # for every arc from the root, so that there is one only


def tree(scores: Scores) -> Heads:
    """Heads of words 1..n, from `scores[word - 1, head]` with heads 0..n."""
    heads: Heads = np.argmax(scores, axis=1)
    if is_tree(heads):
        return heads
    priced = np.array(scores, np.float64)
    priced[:, 0] -= _ROOT_PRICE
    n = len(priced)
    full = np.full((n + 1, n + 1), -np.inf)
    full[1:] = np.maximum(priced, -1e9)
    np.fill_diagonal(full, -np.inf)
    return _spanning(full)[1:]


def is_tree(heads: Numbers) -> bool:
    """Whether there is one root, and every word leads to it."""
    if np.count_nonzero(heads == 0) != 1:
        return False
    parents = np.concatenate([[0], heads])
    place = np.arange(len(parents))
    for _ in range(int(np.ceil(np.log2(len(parents)))) + 1):
        parents = parents[parents]
    return bool((parents[place] == 0).all())


def crossing(heads: Numbers) -> NDArray[np.bool_]:
    """Which words have an arc over a word that does not descend from its head."""
    n = len(heads)
    parents = np.concatenate([[0], heads])
    found = np.zeros(n, bool)
    for word in range(1, n + 1):
        head = int(parents[word])
        for between in range(min(word, head) + 1, max(word, head)):
            above = between
            while above not in (head, 0):
                above = int(parents[above])
            if above != head:
                found[word - 1] = True
                break
    return found


def priced_tree(scores: Scores, price: float) -> Heads:
    """A tree in which an arc that crosses must be better by `price` than what else there is: arcs found to cross
    pay, and the tree is sought again until none crosses that has not paid.
    """
    heads = tree(scores)
    if price <= 0:
        return heads
    paying = np.array(scores, np.float64)
    paid: set[tuple[int, int]] = set()
    for _ in range(2 * len(heads)):
        new = {(int(word), int(heads[word])) for word in np.flatnonzero(crossing(heads))} - paid
        if not new:
            break
        paid |= new
        for word, head in new:
            paying[word, head] -= price
        heads = tree(paying)
    return heads


def _spanning(scores: NDArray[np.float64]) -> Heads:
    """Heads of the best tree under node 0, of a square of scores (dependent, head)."""
    heads: Heads = np.argmax(scores, axis=1)
    heads[0] = 0
    cycle = _cycle(heads)
    if cycle is None:
        return heads
    inside = np.zeros(len(heads), bool)
    inside[cycle] = True
    rest = np.flatnonzero(~inside)  # begins with the root
    kept = scores[cycle, heads[cycle]]
    small = np.full((len(rest) + 1, len(rest) + 1), -np.inf)
    small[:-1, :-1] = scores[np.ix_(rest, rest)]
    # Out of the cycle: the best member as head; into it: the arc that replaces the cheapest one.
    leaving = scores[np.ix_(rest, cycle)]
    small[:-1, -1] = leaving.max(axis=1)
    entering = scores[np.ix_(cycle, rest)] - kept[:, None]
    small[-1, :-1] = entering.max(axis=0) + kept.sum()
    small[0] = -np.inf
    found = _spanning(small)
    last = len(rest)
    result = heads.copy()
    for place, node in enumerate(rest.tolist()):
        if node:
            head = int(found[place])
            result[node] = cycle[int(np.argmax(leaving[place]))] if head == last else rest[head]
    outside = int(found[last])
    broken = int(np.argmax(entering[:, outside]))
    result[cycle[broken]] = rest[outside]
    return result


def _cycle(heads: Numbers) -> Heads | None:
    seen = np.zeros(len(heads), np.int64)
    seen[0] = -1
    for start in range(1, len(heads)):
        node = start
        while not seen[node]:
            seen[node] = start
            node = int(heads[node])
        if seen[node] == start:
            members = [node]
            while (node := int(heads[node])) != members[0]:
                members.append(node)
            return np.array(members, np.int64)
    return None
