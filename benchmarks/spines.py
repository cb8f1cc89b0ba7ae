"""The spine system by itself and beside arc-eager: python benchmarks/spines.py [EAGER-MODEL SPINE-MODEL] FILE.conllu

How many transitions are evaluated per state (Sartorio, Satta and Nivre 2013, section 5: 2.98 on average, 22 at
most, SHIFT not counted) on a random correct derivation of every tree, lifted where it is not projective; in how many
states of such derivations two transitions are correct (section 4.2: 42 %), projective trees only; and
the speed of both greedy parsers in the core, in words per second of CPU time on one thread, best of several
rounds taken in turns.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

import plait
from plait.components.transition.model import Search
from plait.learning.flow import batches
from plait.transitions import State, Target, Transition, find_oracle
from plait.trees import is_projective
from plait.trees.lifting import projectivize

ROUNDS = 7


def walk(heads: Sequence[int], chance: Random) -> Iterator[tuple[State, list[Transition]]]:
    """Every state of a random correct derivation, and the correct transitions in it."""
    teacher = find_oracle("spine", "nd-all")(Target(heads))
    state = State(len(heads), system="spine", single_root=heads.count(0) == 1)
    while not state.terminal:
        correct = teacher.transitions(state)
        yield state, correct
        state.apply(chance.choice(correct))


def has_choice(state: State) -> bool:
    return len(state.stack) > 2  # the root and two words


def evaluated(sentences: list[plait.Sentence], seed: int = 1) -> list[int]:
    """For every state with a choice: the sum of the lengths of the two spines."""
    chance = Random(seed)
    sizes = []
    for sentence in sentences:
        heads, _ = projectivize(sentence.tree(), [""] * len(sentence))
        for state, _ in walk(heads, chance):
            if has_choice(state):
                sizes.append(sum(transition.kind.builds_arc for transition in state.transitions()))
    return sizes


def ambiguous(sentences: list[plait.Sentence], seed: int = 1) -> tuple[float, float]:
    """The share of states with two correct transitions: of all states, and of those with a choice."""
    chance = Random(seed)
    seen = [
        (has_choice(state), len(correct) == 2)
        for sentence in sentences
        if is_projective(sentence.tree())
        for state, correct in walk(sentence.tree(), chance)
    ]
    choices = [two for choice, two in seen if choice]
    return sum(two for _, two in seen) / max(len(seen), 1), sum(choices) / max(len(choices), 1)


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
    if len(sys.argv) not in (2, 4):
        sys.exit(__doc__)
    *models, path = sys.argv[1:]
    sentences = list(plait.stream(path))
    sizes = np.array(evaluated(sentences))
    print(
        f"arcs evaluated per state: mean {sizes.mean():.2f}, variance {sizes.var():.2f}, at most {sizes.max()}"
    )
    of_all, of_choices = ambiguous(sentences)
    print(f"two correct transitions: {of_all:.1%} of all states, {of_choices:.1%} of those with two words")
    if models:
        eager, spine = speeds([load(model) for model in models], sentences)
        print(
            f"arc-eager {eager:,.0f} words/s, spine {spine:,.0f} words/s: {eager / spine:.2f} times as long"
        )


if __name__ == "__main__":
    main()
