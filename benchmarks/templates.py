"""What a template costs a greedy parser: python benchmarks/templates.py TREEBANK.conllu DEV.conllu [LIST]

A parser learns with the whole list for a pass; then the same weights parse with fewer and fewer templates. CPU time on
one thread in the core, best of several rounds: for every number of templates, and what one more costs by the number of
its atoms.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence

import numpy as np

import plait
from plait.components.transition import TransitionOptions
from plait.components.transition.cached import CachedParser
from plait.learning.lessons import Lessons

ROUNDS = 5
SIZES = (0, 10, 20, 40, 60, 80, 120, 160, 200)


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    train, dev = (list(plait.stream(path)) for path in sys.argv[1:3])
    features = sys.argv[3] if len(sys.argv) > 3 else "swap"
    options = TransitionOptions(beam=1, oracle="lazy", explore=0.0, features=features)
    parser = CachedParser(options, Lessons.of(train))
    count = len(parser.lines)
    weights = parser.learn(range(count), range(len(train)), 1, 1)
    words = parser.encode(dev)

    def cost(chosen: Sequence[int]) -> float:
        """Nanoseconds a word."""
        best = float("inf")
        for _ in range(ROUNDS):
            start = time.process_time()
            parser.parse(sorted(chosen), weights, words)
            best = min(best, time.process_time() - start)
        return 1e9 * best / len(words.values)

    order = random.Random(1).sample(range(count), count)
    print("| templates | µs a word | words/s |\n|---:|---:|---:|")
    sizes = [*(size for size in SIZES if size < count), count]
    costs = [cost(order[:size]) for size in sizes]
    for size, each in zip(sizes, costs, strict=True):
        print(f"| {size} | {each / 1000:.2f} | {1e9 / each:,.0f} |")
    slope, _ = np.polyfit(sizes, costs, 1)
    print(f"\nOne template more: {slope:.0f} ns a word.")
    for atoms in range(1, 5):
        group = [i for i in order if len(parser.lines[i]) == atoms]  # type: ignore[arg-type]
        half = order[: count // 3]
        with_, without = sorted({*half, *group}), [i for i in half if i not in group]
        more = len(with_) - len(without)
        if more:
            print(f"One of {atoms} atoms: {(cost(with_) - cost(without)) / more:.0f} ns a word.")


if __name__ == "__main__":
    main()
