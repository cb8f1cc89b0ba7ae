"""How good weights are on a dev set, and how sure one may be of what they find."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plait.parser.candidates import Candidates, batches_with
from plait.parser.confidence import Calibration
from plait.parser.data import Trees
from plait.parser.guide import what_is_seen
from plait.parser.model import Model, Parse, Search, Setup
from plait.sentence import Sentence

_BEAM = 8  # for the confidences of a beam, if the parser was trained without one


class Score(NamedTuple):
    """In percent; LAS as in CoNLL 2018: labels without subtypes, words aligned one by one."""

    las: float
    uas: float


class Answers:
    """The trees of a dev set, against which others are held."""

    def __init__(self, dev: Sequence[Sentence], path: str = "") -> None:
        gold = Trees.of(dev, path)
        self.heads = np.array([head for heads in gold.heads for head in heads], np.int32)
        self.labels = np.array([_universal(name) for names in gold.labels for name in names], object)

    def right_heads(self, parses: Iterable[Parse]) -> NDArray[np.bool_]:
        """By word."""
        found = np.array([head for parse in parses for head in parse.heads], np.int32)
        return np.equal(self.heads, found)

    def score(self, parses: Sequence[Parse]) -> Score:
        right = self.right_heads(parses)
        names = [_universal(name) for parse in parses for name in parse.labels]
        both = right & (self.labels == np.array(names, object))
        return Score(100 * float(both.mean()), 100 * float(right.mean()))


class Judge:
    """Parses a dev set, which is encoded once."""

    def __init__(
        self,
        setup: Setup,
        dev: Sequence[Sentence],
        path: str = "",
        candidates: Sequence[Candidates] | None = None,
        guides: Sequence[Sentence] | None = None,
    ) -> None:
        self._answers = Answers(dev, path)
        seen = what_is_seen(setup.options.guided, dev, guides, path)
        self._beam = setup.options.beam
        self._batches = [
            setup.encode(batch, chosen) for batch, chosen in batches_with(seen, candidates, self._beam)
        ]

    @property
    def arrays(self) -> list[NDArray[np.generic]]:
        """All that a score depends on, beside the model."""
        words = [array for batch in self._batches for array in batch.words.arrays]
        return [*words, self._answers.heads, self._answers.labels.astype(np.str_)]

    def score(self, model: Model) -> Score:
        return self._answers.score(self._parse(model, self._beam)[0])

    def calibrate(self, model: Model) -> dict[str, Calibration]:
        """What margins are worth, in greedy search and with a beam, where they are another thing."""
        curves = {}
        for name, beam in ("greedy", 1), ("beam", self._beam if self._beam > 1 else _BEAM):
            parses, margins = self._parse(model, beam)
            curves[name] = Calibration.fit(margins, self._answers.right_heads(parses))
        return curves

    def _parse(self, model: Model, beam: int) -> tuple[list[Parse], NDArray[np.float32]]:
        found = [(batch, model.search(batch, Search(beam))) for batch in self._batches]
        parses = [trees[0] for batch, result in found for trees in model.trees(batch, result)]
        return parses, np.concatenate([result.margins for _, result in found])


def _universal(label: str) -> str:
    return label.partition(":")[0]
