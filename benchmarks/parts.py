"""Where the time of parsing a file goes: python benchmarks/parts.py MODEL FILE.conllu

CPU seconds on one thread of each step that `plait parse` takes, one after the other; best of three.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import plait
from plait.components.transition.model import Search
from plait.learning.attachment import attach
from plait.learning.flow import batches

ROUNDS = 3


def steps(parser: plait.TransitionParser, source: str, copy: Path) -> Iterator[tuple[str, float]]:
    """The name of every step and when it ended; the start comes first."""
    beam, model = parser.options.beam, parser.state
    yield "", time.process_time()
    sentences = list(plait.stream(source))
    yield "read the file", time.process_time()
    encoded = [model.setup.encode(batch) for batch in batches(sentences, beam)]
    yield "words to integers", time.process_time()
    found = [model.search(batch, Search(beam, 1, 1)) for batch in encoded]
    yield "parse (the core)", time.process_time()
    for batch, result in zip(encoded, found, strict=True):
        for sentence, parses in zip(batch.sentences, model.trees(batch, result), strict=True):
            attach(sentence, parses[0])
    yield "integers to trees", time.process_time()
    plait.write(sentences, copy)
    yield "write the file", time.process_time()


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    parser = plait.load(sys.argv[1]).parser
    if not isinstance(parser, plait.TransitionParser):
        sys.exit(f"{sys.argv[1]}: there is no transition-based parser in it")
    words = sum(len(sentence) for sentence in plait.stream(sys.argv[2]))
    best: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):
            before = 0.0
            for name, now in steps(parser, sys.argv[2], Path(folder) / "copy.conllu"):
                if name:
                    best[name] = min(best.get(name, now), now - before)
                before = now
    total = sum(best.values())
    print(f"{'step':18} seconds  share   words/s")
    for name, seconds in [*best.items(), ("all", total)]:
        print(f"{name:18} {seconds:7.2f} {seconds / total:6.0%} {words / seconds:9,.0f}")


if __name__ == "__main__":
    main()
