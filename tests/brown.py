"""Brown clusters as their definition reads: every pair is tried, and the mutual information computed anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise
from math import log

ROUNDING = 1e-6  # times the number of bigrams: costs that differ by less are the same


def information(bigrams: Counter[tuple[str, str]], cluster_of: dict[str, int]) -> float:
    """The mutual information of neighbouring clusters, times the number of bigrams, over the words that have one."""
    joint: Counter[tuple[int, int]] = Counter()
    for (first, second), count in bigrams.items():
        if first in cluster_of and second in cluster_of:
            joint[cluster_of[first], cluster_of[second]] += count
    total = joint.total()
    firsts: Counter[int] = Counter()
    seconds: Counter[int] = Counter()
    for (a, b), count in joint.items():
        firsts[a] += count
        seconds[b] += count
    return sum(n * log(n * total / (firsts[a] * seconds[b])) for (a, b), n in joint.items())


def brown(sentences: Sequence[Sequence[str]], clusters: int, least: int = 1) -> dict[str, str]:
    """Words with their bit strings."""
    counts = Counter(word for sentence in sentences for word in sentence)
    bigrams = Counter(pair for sentence in sentences for pair in pairwise(sentence))
    words = sorted((word for word in counts if counts[word] >= least), key=lambda word: (-counts[word], word))
    # Slots of the window; a tree is a word or a pair of trees.
    slots: dict[int, list[str]] = {}
    trees: dict[int, object] = {}

    def merge(*, as_tree: bool) -> int:
        best, lowest = (0, 0), float("inf")
        before = information(bigrams, {word: slot for slot, members in slots.items() for word in members})
        for a, b in combinations(sorted(slots), 2):
            joined = {word: a if slot == b else slot for slot, members in slots.items() for word in members}
            cost = before - information(bigrams, joined)
            if cost < lowest - ROUNDING:
                best, lowest = (a, b), cost
        a, b = best
        slots[a] = slots[a] + slots.pop(b)
        tree = trees.pop(b)
        if as_tree:
            trees[a] = (trees[a], tree)
        return b

    free = min(clusters, len(words))
    for number, word in enumerate(words):
        slot = number if number < clusters else free
        slots[slot], trees[slot] = [word], slot
        if number >= clusters:
            free = merge(as_tree=False)
    members = {slot: list(found) for slot, found in slots.items()}
    for slot in slots:
        trees[slot] = slot
    while len(slots) > 1:
        merge(as_tree=True)
    bits: dict[str, str] = {}

    def name(tree: object, code: str) -> None:
        if isinstance(tree, tuple):
            name(tree[0], code + "0")
            name(tree[1], code + "1")
        elif isinstance(tree, int):
            bits.update(dict.fromkeys(members[tree], code or "0"))

    name(trees[0], "")
    return bits
