"""What a beam costs, with the completion model and without: python benchmarks/beams.py MODEL ... FILE.conllu

Words per second of CPU time on one thread in the core, best of several rounds taken in turns, for beams of every
width and parsers trained with any. A parser alone, or that of a pipeline; the file has the tags it learned from.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import plait
from plait.components.transition.model import Batch, Search
from plait.learning.flow import batches

BEAMS = (1, 2, 4, 8, 16, 32, 64)
ROUNDS = 3


def load(path: str) -> plait.TransitionParser:
    parser = plait.load(path).parser
    if not isinstance(parser, plait.TransitionParser):
        sys.exit(f"{path}: there is no transition-based parser in it")
    return parser


def seconds(parser: plait.TransitionParser, encoded: list[Batch], beam: int) -> float:
    start = time.process_time()
    for batch in encoded:
        parser.state.search(batch, Search(beam))
    return time.process_time() - start


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    *paths, file = sys.argv[1:]
    parsers = [load(path) for path in paths]
    sentences = list(plait.stream(file))
    words = sum(map(len, sentences))
    encoded = [
        [parser.state.setup.encode(batch) for batch in batches(sentences, BEAMS[-1])] for parser in parsers
    ]
    print("| beam |" + "".join(f" {Path(path).name} |" for path in paths))
    print("|---|" + "---|" * len(paths))
    for beam in BEAMS:
        best = [float("inf")] * len(parsers)
        for _ in range(ROUNDS):
            for i, parser in enumerate(parsers):
                best[i] = min(best[i], seconds(parser, encoded[i], beam))
        cells = [f" {words / each:,.0f} words/s, {1e6 * each / words:,.1f} µs a word |" for each in best]
        print(f"| {beam} |" + "".join(cells))


if __name__ == "__main__":
    main()
