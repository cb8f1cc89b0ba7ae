"""How good the costs off the path are: python benchmarks/costs.py FOLDER, with a folder per treebank in it.

States are those of a parser that explores: at every step, with the error rate given, any permitted
transition, otherwise one of the best by the costs. On short sentences the bounds are compared with
exhaustive search.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import plait
from plait import _core

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from exhaustive import MostArcs, all_trees, swap_moves

LETTERS = "SLRW"


def explore(
    heads: list[int], rate: float, chance: random.Random
) -> Iterator[tuple[_core.State, _core.Teacher]]:
    teacher = _core.Teacher(np.array(heads, dtype=np.int32))
    state = _core.State(len(heads), 0, False)
    while not state.terminal:
        yield state, teacher
        permitted = [kind for kind in range(4) if state.permits(kind)]
        state.apply(chance.choice(permitted if chance.random() < rate else teacher.best(state)))


def built(heads: list[int], state: _core.State) -> int:
    return sum(state.node(word)[0] == head for word, head in enumerate(heads, 1))


def judge(heads: list[int], state: _core.State, teacher: _core.Teacher, best: MostArcs) -> Counter[str]:
    """Which of the bounds, and of the transitions they recommend, exhaustive search confirms."""
    stack, buffer = tuple(state.stack), tuple(state.buffer)
    lost = len(heads) - built(heads, state) - best.most(stack, buffer)
    lower, upper = teacher.loss(state)
    most = {
        move[0]: best.most(*move[1:3]) + (move[3] is not None and heads[move[3][1] - 1] == move[3][0])
        for move in swap_moves(stack, buffer)
    }
    optimal = {LETTERS.index(letter) for letter, arcs in most.items() if arcs == max(most.values())}
    return Counter(
        states=1,
        off=lost > 0,
        lower=lower == lost,
        upper=upper == lost,
        proved=lower == upper,
        best=set(teacher.best(state)) <= optimal,
    )


def report(name: str, counts: Counter[str]) -> None:
    share = {key: 100 * counts[key] / counts["states"] for key in ("off", "lower", "upper", "proved", "best")}
    print(f"{name:52}{counts['states']:9,}" + "".join(f"{share[key]:9.2f}" for key in share))


def sample(trees: list[list[int]], chance: random.Random) -> list[list[int]]:
    return chance.sample(trees, min(150, len(trees)))


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    chance = random.Random(1)
    print(f"{'':52}{'states':>9}{'off %':>9}{'lower %':>9}{'upper %':>9}{'proved %':>9}{'best %':>9}")
    short = [
        sentence.tree()
        for path in sorted(folder.glob("*/*.conll*"))
        for sentence in plait.stream(path)
        if 5 <= len(sentence) <= 7
    ]
    crossing = [heads for heads in short if not plait.trees.is_projective(heads)]
    for rate in (0.1, 0.3):
        for name, trees in (
            ("treebank sentences of 5-7 words", sample(short, chance)),
            ("the same, non-projective ones", sample(crossing, chance)),
            ("random trees of 6 words", sample(list(all_trees(6)), chance)),
        ):
            counts: Counter[str] = Counter()
            for heads in trees:
                best = MostArcs(heads)
                for state, teacher in explore(heads, rate, chance):
                    counts += judge(heads, state, teacher, best)
            report(f"{name}, error rate {rate}", counts)
    for path in sorted(folder.glob("English-EWT/*dev*")) + sorted(folder.glob("AncientGreek-Perseus/*dev*")):
        trees = [sentence.tree() for sentence in plait.stream(path)]
        states = exact = 0
        spent = 0.0
        for heads in trees:
            for state, teacher in explore(heads, 0.1, chance):
                start = time.perf_counter()
                lower, upper = teacher.loss(state)
                teacher.best(state)
                spent += time.perf_counter() - start
                states += 1
                exact += lower == upper
        print(
            f"{path.name}, error rate 0.1: {states:,} states, {100 * exact / states:.2f} % proved exact, "
            f"{1e6 * spent / states:.1f} µs for the costs of a state"
        )


if __name__ == "__main__":
    main()
