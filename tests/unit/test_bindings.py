"""The door to the core: numbers that would lead out of its arrays are refused before anything is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from plait.components.transition.given import GivenArcs
from plait.components.transition.model import Batch, Model, Search
from plait.learning.lessons import Lessons
from toy import quick_parser, toy

SENTENCES = list(toy(2))
WORDS = sum(map(len, SENTENCES))


@pytest.fixture(scope="module")
def model() -> Model:
    return quick_parser(filter_labels=True, epochs=1).fit(SENTENCES).state


def given(head: int = 1, label: int = 0, size: int = WORDS) -> GivenArcs:
    heads, labels = np.full(size, -1, np.int32), np.full(size, -1, np.int32)
    heads[-1], labels[-1] = head, label
    return GivenArcs(heads, labels)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda batch: replace(batch, given=given(head=len(SENTENCES[-1]) + 1)), "given head is not in"),
        (lambda batch: replace(batch, given=given(head=-2)), "given head is not in"),
        (lambda batch: replace(batch, given=given(label=10_000)), "label"),
        (lambda batch: replace(batch, given=given(size=WORDS - 1)), "given arcs differ"),
        (lambda batch: _with(batch, classes=np.full(WORDS, 10_000, np.uint16)), "no such class"),
        (lambda batch: _with(batch, classes=np.zeros(WORDS, np.uint16)), "no such class"),
        (lambda batch: _with(batch, classes=np.ones(WORDS - 1, np.uint16)), "one class per row"),
        (lambda batch: _with(batch, classes=None), "one class per row"),
        (lambda batch: _with(batch, values=batch.words.values[:, :1].copy()), "too few columns"),
        (lambda batch: _with(batch, offsets=np.array([0, WORDS + 1], np.int64)), "offsets"),
        (lambda batch: _with(batch, offsets=np.array([0, 3, 2, WORDS], np.int64)), "offsets"),
    ],
)
def test_parsing(model: Model, change: Callable[[Batch], Batch], message: str) -> None:
    batch = model.setup.encode(SENTENCES)
    model.search(batch, Search(2))
    model.search(replace(batch, given=given()), Search(2))
    with pytest.raises(ValueError, match=message):
        model.search(change(batch), Search(2))


def test_learning() -> None:
    learner = quick_parser(filter_labels=True).prepare(Lessons.of(SENTENCES), None)
    (core,) = learner.cores
    learner.learn(core, np.array([0, 1], np.int64), 1)
    for number in 2, -1:
        with pytest.raises(ValueError, match="there is no example"):
            learner.learn(core, np.array([number], np.int64), 1)
    learner._gold = replace(learner._gold, labels=np.full(WORDS, 10_000, np.int32))
    with pytest.raises(ValueError, match="label"):
        learner.learn(core, np.array([0], np.int64), 1)


def _with(batch: Batch, **changes: object) -> Batch:
    return replace(batch, words=replace(batch.words, **changes))
