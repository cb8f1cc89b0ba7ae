"""How long finding roles takes beside tags and trees of the same sentences, by the same model.

    python benchmarks/roles.py en GOLD.conll09

In memory, one thread, CPU time, the best of three rounds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import plait
from plait.learning.request import Request
from plait.sentence import Sentence


def best_of(work: Callable[[], object], rounds: int = 3) -> float:
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", help="one that finds roles")
    parser.add_argument("gold")
    asked = parser.parse_args()
    nlp = plait.load(asked.model)
    sentences: list[Sentence] = list(plait.read(asked.gold))
    words = sum(map(len, sentences))
    one = Request(threads=1)
    for name, layers in ("tags and trees", ("tags", "lemmas", "tree")), ("roles", ("frames",)):

        def work(layers: tuple[str, ...] = layers) -> None:
            list(nlp.annotate((each.copy() for each in sentences), one, layers=layers))

        seconds = best_of(work)
        each = 1000 * seconds / len(sentences)
        print(
            f"{name}: {seconds:.2f} s of CPU time, {words / seconds:,.0f} words/s, {each:.2f} ms a sentence"
        )


if __name__ == "__main__":
    main()
