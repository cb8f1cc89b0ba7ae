"""The spine system beside arc-eager: python benchmarks/spines.py EAGER-MODEL SPINE-MODEL FILE.conllu

How many transitions are evaluated per state (Sartorio, Satta and Nivre 2013, section 5: 2.98 on average, 22 at
most, SHIFT not counted) on a random correct derivation of every tree, lifted where it is not projective; and
the speed of both greedy parsers in the core, in words per second of CPU time on one thread, best of several
rounds taken in turns.
"""

from __future__ import annotations

import sys
import time
from random import Random

import numpy as np

import plait
from plait.components.transition.model import Search
from plait.learning.flow import batches
from plait.transitions import State, Target, find_oracle
from plait.trees.lifting import projectivize

ROUNDS = 7


def evaluated(sentences: list[plait.Sentence], seed: int = 1) -> list[int]:
    """For every state with a choice: the sum of the lengths of the two spines."""
    chance = Random(seed)
    sizes = []
    for sentence in sentences:
        heads, _ = projectivize(sentence.tree(), [""] * len(sentence))
        teacher = find_oracle("spine", "nd-all")(Target(heads))
        state = State(len(heads), system="spine", single_root=heads.count(0) == 1)
        while not state.terminal:
            if len(state.stack) > 2:
                sizes.append(sum(transition.kind.builds_arc for transition in state.transitions()))
            state.apply(chance.choice(teacher.transitions(state)))
    return sizes


def speeds(parsers: list[plait.TransitionParser], sentences: list[plait.Sentence]) -> list[float]:
    words = sum(map(len, sentences))
    best = [float("inf")] * len(parsers)
    encoded = [[parser.state.setup.encode(batch) for batch in batches(sentences, 1)] for parser in parsers]
    for _ in range(ROUNDS):
        for i, parser in enumerate(parsers):
            start = time.process_time()
            for batch in encoded[i]:
                parser.state.search(batch, Search(1, 1, 1))
            best[i] = min(best[i], time.process_time() - start)
    return [words / seconds for seconds in best]


def load(path: str) -> plait.TransitionParser:
    parser = plait.load(path).parser
    if not isinstance(parser, plait.TransitionParser):
        sys.exit(f"{path}: there is no transition-based parser in it")
    return parser


def main() -> None:
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sentences = list(plait.stream(sys.argv[3]))
    sizes = np.array(evaluated(sentences))
    print(
        f"arcs evaluated per state: mean {sizes.mean():.2f}, variance {sizes.var():.2f}, at most {sizes.max()}"
    )
    eager, spine = speeds([load(path) for path in sys.argv[1:3]], sentences)
    print(f"arc-eager {eager:,.0f} words/s, spine {spine:,.0f} words/s: {eager / spine:.2f} times as long")


if __name__ == "__main__":
    main()
