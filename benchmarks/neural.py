"""How fast nets are: by batch, by threads, by kernel, and by the length of sentences.

    python benchmarks/neural.py FILE.conllu [--model en] [--rounds 3] [--longest 16000]

Words per second of CPU time with one thread, of the clock with several: the best of some rounds. `net` is the core
alone, `component` with everything around it, from sentences to sentences; `text` is the pipeline, from text to trees,
and with what comes after them, such as roles. A sentence of some length is made of the words of the file.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice

import plait
from plait import Pipeline, Sentence, _core
from plait.components.neural.component import Neural
from plait.components.neural.kernel import KERNEL
from plait.components.tokenizer import raw_text

BATCHES = (1, 256, 8192)  # words
LENGTHS = (10, 25, 50, 100, 200, 500, 1000, 2000, 4000, 8000, 16_000, 40_000)
FEWEST = 4000  # words that are read to measure one length


def main() -> None:
    arguments = _arguments()
    sentences = [Sentence(forms=each.forms) for each in plait.read(arguments.file)]
    words = sum(map(len, sentences))
    text = raw_text(plait.read(arguments.file)).text
    print(f"{arguments.model}: {words:,} words, one core\n\n| | words/s |\n|---|--:|")
    for kernel in _core.neural_kernels():
        nlp, neural = _load(arguments.model, kernel)
        for size in BATCHES if kernel == _core.neural_kernels()[0] else BATCHES[-1:]:
            batches = list(_batches(sentences, size))

            def net(batches: list[list[Sentence]] = batches, neural: Neural = neural) -> None:
                for batch in batches:
                    neural.state.run(batch, price=neural.options.crossing_price)

            name = "a sentence" if size == 1 else f"{size:,} words"
            _row(f"{kernel}, net, {name} at a time", words, arguments.rounds, net)
        _row(f"{kernel}, component", words, arguments.rounds, lambda neural=neural: neural.apply(sentences))

        def trees(nlp: Pipeline = nlp) -> None:
            for _ in nlp.annotate(nlp.tokenize([text]), layers=("tags", "lemmas", "tree")):
                pass

        _row(f"{kernel}, text to trees", words, arguments.rounds, trees)
        if nlp.giving("frames"):
            _row(f"{kernel}, text to trees and frames", words, arguments.rounds, lambda nlp=nlp: nlp(text))
    _, neural = _load(arguments.model, "")
    for threads in range(2, (os.cpu_count() or 1) + 1):
        _row(
            f"component, {threads} threads, by the clock",
            words,
            arguments.rounds,
            lambda threads=threads: neural.apply(sentences, threads=threads),
            time.perf_counter,
        )
    print("\n| words in a sentence | words/s | ms a sentence |\n|--:|--:|--:|")
    forms = cycle([form for sentence in sentences for form in sentence.forms])
    for length in LENGTHS:
        if length > arguments.longest:
            break
        some = [Sentence(forms=list(islice(forms, length))) for _ in range(max(1, FEWEST // length))]
        seconds = _seconds(arguments.rounds, lambda some=some: neural.apply(some), time.process_time)
        print(
            f"| {length:,} | {length * len(some) / seconds:,.0f} | {1000 * seconds / len(some):,.1f} |",
            flush=True,
        )


def _load(model: str, kernel: str) -> tuple[Pipeline, Neural]:
    os.environ[KERNEL] = kernel
    nlp = plait.load(model)
    found = next(each for each in nlp.components.values() if isinstance(each, Neural))
    return nlp, found


def _batches(sentences: list[Sentence], size: int) -> Iterator[list[Sentence]]:
    batch: list[Sentence] = []
    words = 0
    for sentence in sentences:
        batch.append(sentence)
        words += len(sentence)
        if words >= size:
            yield batch
            batch, words = [], 0
    if batch:
        yield batch


def _seconds(rounds: int, work: Callable[[], object], clock: Callable[[], float]) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = clock()
        work()
        best = min(best, clock() - start)
    return best


def _row(
    name: str,
    words: int,
    rounds: int,
    work: Callable[[], object],
    clock: Callable[[], float] = time.process_time,
) -> None:
    print(f"| {name} | {words / _seconds(rounds, work, clock):,.0f} |", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("file", help="a treebank, of which words and text are read")
    parser.add_argument("--model", default="en", help="name or folder of a pipeline with nets")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--longest", type=int, default=LENGTHS[-1], help="words in a sentence")
    return parser.parse_args()


if __name__ == "__main__":
    main()
