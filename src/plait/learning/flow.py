"""Sentences in, batches through the core, sentences out: in order, in constant memory, in parallel."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from plait.cancel import Cancel, Watching
from plait.sentence import Sentence, each_sentence

_WORDS = 8192  # per batch in greedy search; fewer with a beam, so that an interrupt never waits long
_FEWEST = 256
_AHEAD = 2  # batches: one in the core and one that is ready for it

Item = TypeVar("Item")
Result = TypeVar("Result")


def batches(sentences: Iterable[Sentence], beam: int, threads: int = 1) -> Iterator[list[Sentence]]:
    """Sentences in lists of about as much work each. Those before a fault of the input come before it."""
    most = max(_FEWEST, _WORDS // beam) * threads
    batch: list[Sentence] = []
    words = 0
    try:
        for sentence in each_sentence(sentences):
            batch.append(sentence)
            words += len(sentence) + 1
            if words >= most:
                yield batch
                batch, words = [], 0
    except Exception:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


def apply(
    work: Callable[[Item], Result], items: Iterable[Item], *, overlap: bool
) -> Iterator[tuple[Item, Result]]:
    """Every item with its result, in order. With `overlap`, a second thread works on one item while the caller
    reads the next and uses the last. Items before a fault of the input come before it. What is still at work when the
    caller leaves, as after an interrupt, is cancelled.
    """
    if not overlap:
        for item in items:
            yield item, work(item)
        return
    waiting: deque[tuple[Item, Future[Result]]] = deque()
    source = iter(items)
    fault: Exception | None = None
    stop = Cancel()
    worker = ThreadPoolExecutor(1)

    def watched(item: Item) -> Result:
        with Watching(stop):
            return work(item)

    try:
        while True:
            try:
                item = next(source)
            except StopIteration:
                break
            except Exception as error:
                fault = error
                break
            waiting.append((item, worker.submit(watched, item)))
            if len(waiting) > _AHEAD:
                first, future = waiting.popleft()
                yield first, future.result()
        for first, future in waiting:
            yield first, future.result()
    finally:
        stop.cancel()
        worker.shutdown(cancel_futures=True)
    if fault:
        raise fault
