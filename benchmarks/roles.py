"""How long finding roles takes beside parsing the same sentences with a beam of 8.

    python benchmarks/roles.py MODEL_WITH_ROLES GOLD.conll09

Both in memory, one thread, CPU time, the best of three rounds. The parser is that of the model `en`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import plait
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
    parser.add_argument("model")
    parser.add_argument("gold")
    parser.add_argument("--beam", type=int, default=8)
    asked = parser.parse_args()
    roles = plait.load(asked.model)["roles"]
    english = plait.load("en")["parser"]
    sentences: list[Sentence] = list(plait.read(asked.gold))
    words = sum(map(len, sentences))
    for name, work in (
        ("roles", lambda: roles.apply(sentences)),
        (f"parsing, beam {asked.beam}", lambda: english.apply(sentences, beam=asked.beam)),
    ):
        seconds = best_of(work)
        print(f"{name}: {seconds:.2f} s of CPU time, {words / seconds:,.0f} words/s")


if __name__ == "__main__":
    main()
