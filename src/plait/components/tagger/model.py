"""A tagger as the core runs it: tags, features, lexicon, weights."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.cancel import Cancel
from plait.components.tagger.encoding import EncodedText, Mapped, WordEncoder
from plait.components.tagger.lexicon import Lexicon
from plait.components.tagger.options import TaggerOptions
from plait.components.tagger.tags import Indices, Tags
from plait.components.tagger.templates import Templates
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence

_LEAST_STEPS = 2  # of a weight that is kept: half the size for 0.01 AllTags on the English dev set


class Setup:
    """What a tagger is before it has learned weights."""

    def __init__(
        self, options: TaggerOptions, tags: Tags, templates: Templates, lexicon: Lexicon, mapped: Mapped
    ) -> None:
        """ValueError if tags or templates are more than the core can hold."""
        self.options = options
        self.tags = tags
        self.templates = templates
        self.lexicon = lexicon
        self.mapped = mapped
        program = templates.compile()
        pieces, self.width = tags.pieces()
        sets, chosen = lexicon.candidates(len(tags), options.frequent, options.open_words)
        self.encoder = WordEncoder(program.columns, lexicon, chosen, mapped)
        self.core = _core.TaggerModel(
            program.atoms,
            program.joined,
            program.ends,
            options.hash_seed,
            *_flat(pieces),
            self.width,
            tags.views(program.views),
            *_flat(sets),
        )

    @property
    def cells(self) -> int:
        """The size of the table of weights."""
        return (1 << self.options.bits) + self.width

    def pack(self, weights: NDArray[np.float32]) -> PackedWeights:
        if self.options.precision == "float32":
            return PackedWeights.exact(weights)
        return PackedWeights.rounded(weights).pruned(_LEAST_STEPS)


class Model:
    """A setup and its weights: what tags."""

    def __init__(self, setup: Setup, weights: PackedWeights) -> None:
        self.setup = setup
        self.weights = weights
        self._core = weights.to_core(setup.options.bits, setup.width)

    def encode(self, sentences: Sequence[Sentence]) -> EncodedText:
        return self.setup.encoder.encode(sentences)

    def search(
        self, text: EncodedText, best: int = 1, threads: int = 1, cancel: Cancel | None = None
    ) -> tuple[Indices, NDArray[np.float32]]:
        """Per word its best tags, the best first, and their scores; all in the core, without the GIL."""
        tags, scores = _core.tag(
            self._core, self.setup.core, text.values, text.offsets, text.sets, best, threads, cancel
        )
        return tags.reshape(-1, best), scores.reshape(-1, best)


def _flat(lists: Sequence[Sequence[int]]) -> tuple[Indices, Indices]:
    """Lists one after the other, and where each ends."""
    ends = np.cumsum([len(each) for each in lists], dtype=np.int32)
    return np.array(list(chain.from_iterable(lists)), np.int32), ends
