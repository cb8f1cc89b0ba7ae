"""How fast trees become text, and how good the order is by beam: python benchmarks/realization.py MODEL FILE

Words per second of CPU time on one thread, best of several rounds over the trees of FILE, their order hidden: order
alone for every width, then the whole realizer. BLEU is of lemmas against lemmas in their right order.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import plait
from plait.evaluation.texts import bleu_counts, bleu_of
from plait.formats.shallow import hide_order, unordered
from plait.learning.request import Request

BEAMS = (1, 2, 5, 10, 20, 50, 100)
ROUNDS = 3


def best_of(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    realizer = plait.Realizer.load(sys.argv[1])
    gold = list(plait.stream(Path(sys.argv[2])))
    words = sum(map(len, gold))
    trees = [unordered(tree) for tree in hide_order(gold, seed=1, places=False)]
    order = realizer.pipeline["order"]
    lifted = list(realizer.pipeline.annotate((tree.copy() for tree in trees), layers=("lifting",)))
    print(f"{'beam':>5} {'words/s':>10} {'BLEU':>7}")
    for beam in BEAMS:
        found = order.state.orders(lifted, beam=beam)
        pairs = [
            (sentence.lemmas, [tree.lemmas[word - 1] for word in orders[0].words])
            for sentence, tree, orders in zip(gold, lifted, found, strict=True)
        ]
        bleu = bleu_of(bleu_counts(pairs).sum(axis=0, keepdims=True))[0]
        seconds = best_of(lambda beam=beam: order.state.orders(lifted, beam=beam))  # type: ignore[misc]
        print(f"{beam:>5} {words / seconds:>10,.0f} {bleu / 100:>7.4f}")
    seconds = best_of(lambda: list(realizer.realize(trees, Request())))
    print(f"whole {words / seconds:>10,.0f}  of CPU time, {len(realizer.pipeline.components)} components")


if __name__ == "__main__":
    main()
