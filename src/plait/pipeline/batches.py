"""Texts by the batch, and with what belongs to them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from plait.errors import InputError

Context = TypeVar("Context")
Result = TypeVar("Result")


def in_batches(
    items: Iterable[Any], size: int | None, work: Callable[[Iterable[Any]], Iterator[Result]]
) -> Iterator[Result]:
    """What becomes of items, of which no more than `size` are taken at a time; without a size, all at once."""
    if size is None:
        yield from work(items)
        return
    source = iter(items)
    while batch := list(islice(source, size)):
        yield from work(batch)


def with_contexts(
    pairs: Iterable[tuple[Any, Context]], work: Callable[[Iterable[Any]], Iterator[Result]]
) -> Iterator[tuple[Result, Context]]:
    """What becomes of the first of each pair, one for one and in order, with the second."""
    waiting: deque[Context] = deque()

    def firsts() -> Iterator[Any]:
        for pair in pairs:
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise InputError("With as_tuples, pairs (text, context) are needed.")
            waiting.append(pair[1])
            yield pair[0]

    for result in work(firsts()):
        yield result, waiting.popleft()
