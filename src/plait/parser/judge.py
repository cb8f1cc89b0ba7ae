"""How good weights are on a dev set, and how sure one may be of what they find."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plait.flow import batches
from plait.parser.confidence import Calibration
from plait.parser.data import Trees
from plait.parser.model import Model, Search, Setup
from plait.sentence import Sentence

_BEAM = 8  # for the confidences of a beam, if the parser was trained without one


class Score(NamedTuple):
    """In percent; LAS as in CoNLL 2018: labels without subtypes, words aligned one by one."""

    las: float
    uas: float


class Judge:
    """Parses a dev set, which is encoded once."""

    def __init__(self, setup: Setup, dev: Sequence[Sentence], path: str = "") -> None:
        gold = Trees.of(dev, path)
        self._beam = setup.options.beam
        self._batches = [setup.encode(batch) for batch in batches(dev, self._beam)]
        self._heads = np.array([head for heads in gold.heads for head in heads], np.int32)
        self._labels = np.array([_universal(name) for names in gold.labels for name in names], object)

    @property
    def arrays(self) -> list[NDArray[np.generic]]:
        """All that a score depends on, beside the model."""
        words = [batch.values for batch in self._batches]
        return [*words, self._heads, self._labels.astype(np.str_)]

    def score(self, model: Model) -> Score:
        heads, labels, _ = self._parse(model, self._beam)
        right = heads == self._heads
        both = right & (labels == self._labels)
        return Score(100 * float(both.mean()), 100 * float(right.mean()))

    def calibrate(self, model: Model) -> dict[str, Calibration]:
        """What margins are worth, in greedy search and with a beam, where they are another thing."""
        curves = {}
        for name, beam in ("greedy", 1), ("beam", self._beam if self._beam > 1 else _BEAM):
            heads, _, margins = self._parse(model, beam)
            curves[name] = Calibration.fit(margins, heads == self._heads)
        return curves

    def _parse(
        self, model: Model, beam: int
    ) -> tuple[NDArray[np.int32], NDArray[np.object_], NDArray[np.float32]]:
        heads: list[int] = []
        labels: list[str] = []
        margins = []
        for batch in self._batches:
            found = model.search(batch, Search(beam))
            margins.append(found.margins)
            for parses in model.trees(batch, found):
                heads += parses[0].heads
                labels += map(_universal, parses[0].labels)
        return np.array(heads, np.int32), np.array(labels, object), np.concatenate(margins)


def _universal(label: str) -> str:
    return label.partition(":")[0]
