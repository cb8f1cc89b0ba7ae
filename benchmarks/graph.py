"""The graph-based parser by threads and by sizes of its table (Bohnet 2010, Tables 2, 3 and 5):
python benchmarks/graph.py TRAIN.conllu DEV.conllu [SENTENCES]

By threads: milliseconds by the clock of every step of learning, per sentence of a pass, and of parsing a sentence of
the dev set when all threads share it (Algorithm 4); what was learned must be the same. By size: how many weights are
not zero after some passes, with all features and with positive ones only. Of the training set, the first SENTENCES if a
number is given. Every time is the best of some rounds; threads need cores of their own.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence

import numpy as np

import plait
from plait.components.graph.learner import GraphLearner
from plait.components.graph.model import Model
from plait.learning.learner import Weights
from plait.learning.lessons import Lessons

ROUNDS = 5
PASSES = 3
BITS = (16, 18, 20, 22, 24)
STEPS = ("candidates", "scores", "chart", "rearrangement")


def learner_of(lessons: Lessons, **options: object) -> GraphLearner:
    return plait.GraphParser(**options).prepare(lessons, None)


def learn(learner: GraphLearner, passes: int) -> Weights:
    for number in range(1, passes + 1):
        learner.run_epoch(number, lambda *_: None, 1)
    return learner.weights()


def pass_times(lessons: Lessons, threads: int) -> tuple[list[float], float, GraphLearner]:
    """Seconds of the steps of one pass and of all else, CPU seconds of all threads, and what learned."""
    learner = learner_of(lessons)
    start, cpu = time.perf_counter(), time.process_time()
    learner.run_epoch(1, lambda *_: None, threads)
    seconds, used = time.perf_counter() - start, time.process_time() - cpu
    steps = list(learner.cores[0].times)
    return [*steps, seconds - sum(steps), seconds], used, learner


def parsing_time(model: Model, sentences: Sequence[plait.Sentence], threads: int) -> float:
    batches = [model.setup.encode([sentence]) for sentence in sentences]
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for batch in batches:
            model.search(batch, threads)
        best = min(best, time.perf_counter() - start)
    return best


def by_threads(lessons: Lessons, dev: Sequence[plait.Sentence], most: int) -> None:
    print("| threads |", " | ".join((*STEPS, "rest", "learning", "CPU", "parsing")), "|\n|" + "---:|" * 9)
    weights: Weights | None = None
    for threads in range(1, most + 1):
        rounds = [pass_times(lessons, threads) for _ in range(ROUNDS)]
        seconds, used, learner = min(rounds, key=lambda found: found[0][-1])
        learned = learner.weights()
        weights = learned if weights is None else weights
        if not np.array_equal(weights, learned):
            sys.exit(f"{threads} threads have learned something else")
        parsing = parsing_time(learner.build(learned), dev, threads)
        cells = [1000 * each / len(lessons) for each in (*seconds, used)] + [1000 * parsing / len(dev)]
        print(f"| {threads} |", " | ".join(f"{each:.2f}" for each in cells), "|")


def by_size(lessons: Lessons) -> None:
    print("| cells | features | weights that are not 0 | of the cells |\n|---:|---|---:|---:|")
    for bits, negative in [*((bits, True) for bits in BITS), (BITS[-1], False)]:
        weights = learn(learner_of(lessons, bits=bits, negative=negative), PASSES)
        filled = np.count_nonzero(weights)
        kind = "all" if negative else "positive"
        print(f"| {len(weights):,} | {kind} | {filled:,} | {filled / len(weights):.1%} |")


def main() -> None:
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    train, dev = (plait.read(path) for path in sys.argv[1:3])
    lessons = Lessons.of(train[: int(sys.argv[3])] if len(sys.argv) == 4 else train)
    print(f"{len(lessons):,} sentences to learn from, {len(dev):,} to parse; milliseconds per sentence\n")
    by_threads(lessons, dev, os.cpu_count() or 1)
    print(f"\nAfter {PASSES} passes\n")
    by_size(lessons)


if __name__ == "__main__":
    main()
