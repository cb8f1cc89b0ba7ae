"""One pass over a treebank: its words are known."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from plait.features.spelling import Spelling
from plait.learning.learner import Learner, Progress, Tensors, Weights

_NO_WEIGHTS = np.zeros(1, np.float32)


class WordLearner(Learner[Spelling]):
    """Learns which words there are; nothing is weighed."""

    def __init__(self, lists: Spelling, words: Iterable[str]) -> None:
        self._spelling = lists.knowing(words)
        self._done = False

    @property
    def finished(self) -> bool:
        return self._done

    def run_epoch(self, number: int, on_progress: Progress, threads: int) -> dict[str, int]:  # noqa: ARG002
        self._done = True
        return {"words": len(self._spelling.known)}

    def weights(self) -> Weights:
        return _NO_WEIGHTS

    def build(self, weights: Weights) -> Spelling:  # noqa: ARG002
        return self._spelling

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        return self._spelling.tensors().values()

    def tensors(self) -> Tensors:
        return {"done": np.array([self._done])}

    def restore(self, tensors: Tensors) -> None:
        self._done = bool(tensors["done"][0])
