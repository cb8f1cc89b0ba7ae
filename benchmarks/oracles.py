"""The oracles on real treebanks: python benchmarks/oracles.py FOLDER, with a folder per treebank in it.

Seconds of the core on one thread, best of three; swaps; and a random tree of ten thousand words.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import plait
from plait.transitions import ambiguous, count, derivations
from plait.transitions.comparison import compare_oracles
from plait.trees import TreeBatch

SETS = (
    *("English-EWT/*train*", "Gothic-PROIEL/*train*", "Polish-MPDT/*train*", "Hungarian-Szeged/*train*"),
    *("Czech-CLTT/*train*", "Danish-CDT/*.conll", "AncientGreek-Perseus/*.conllu", "German-GSD/*.conllu"),
    *("Czech-CAC/*.conllu", "Dutch-Alpino/*.conllu", "Arabic-PADT/*.conllu"),
)
ORACLES = "eager", "lazy", "minimal", "nd-all"
COLUMNS = "words", "EAGER swaps", "LAZY", "MINIMAL", "unique", "eager s", "lazy s", "minimal s", "nd-all s"


def seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def random_tree(size: int, seed: int) -> list[int]:
    chance = random.Random(seed)
    order = chance.sample(range(1, size + 1), size)
    heads = [0] * size
    for place, word in enumerate(order):
        heads[word - 1] = chance.choice(order[:place]) if place else 0
    return heads


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    total = [0.0] * 4
    print(f"{'':30}" + "".join(f"{name:>12}" for name in COLUMNS))
    for pattern in SETS:
        files = sorted(folder.glob(pattern))
        if not files:
            print(f"{pattern}: not there")
            continue
        trees = TreeBatch(sentence.tree() for path in files for sentence in plait.stream(path))
        table = compare_oracles(trees)
        times = [seconds(partial(derivations, trees, oracle=oracle)) for oracle in ORACLES]
        times[-1] += seconds(partial(ambiguous, trees))
        total = [before + now for before, now in zip(total, times, strict=True)]
        saved = f"{table.lazy_reduction:11.1f}%{table.minimal_reduction:11.1f}%{table.unique_share:11.2f}%"
        shown = "".join(f"{second:12.3f}" for second in times)
        print(f"{pattern:30}{len(trees.heads):12,}{table.eager_swaps:12,}{saved}{shown}")
    print(f"{'all':90}" + "".join(f"{second:12.3f}" for second in total))
    long = TreeBatch([random_tree(10_000, seed=1)])
    for oracle in ("eager", "lazy", "minimal"):
        start = time.perf_counter()
        counts = count(long, oracle=oracle)
        print(
            f"random tree of 10,000 words, {oracle}: {int(counts.swaps[0]):,} swaps, "
            f"{time.perf_counter() - start:.1f} s{', cut short' if counts.over_budget[0] else ''}, "
            f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB in all"
        )


if __name__ == "__main__":
    main()
