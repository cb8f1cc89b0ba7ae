"""What lifts arcs: templates, weights and a search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from plait import _core
from plait.cancel import Cancel
from plait.components.lifter import templates
from plait.components.lifter.options import LifterOptions
from plait.learning.unordered import EncodedTrees, TreeEncoder, checked_heads
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence
from plait.trees.lifting import lift_deepest

CLASSES = 4  # no step up, one, two, three


class Setup:
    """What there is before anything is learned."""

    def __init__(self, lines: templates.Templates, options: LifterOptions, seed: int) -> None:
        self.templates = lines
        self.options = options
        self.program = lines.compile(seed)
        self.encoder = TreeEncoder(lines.columns)

    @property
    def cells(self) -> int:
        return (1 << self.options.bits) + CLASSES


class Model:
    """A setup and its weights."""

    def __init__(self, setup: Setup, weights: PackedWeights) -> None:
        self.setup = setup
        self.weights = weights
        self._core = weights.to_core(setup.options.bits, CLASSES)

    def lift(
        self,
        sentences: Sequence[Sentence],
        *,
        beam: int | None = None,
        threads: int = 1,
        cancel: Cancel | None = None,
    ) -> list[list[int]]:
        """The heads of every sentence, lifted."""
        search = self.setup.options.search
        if search == "oracle":
            return [lift_deepest(checked_heads(sentence)) for sentence in sentences]
        if search == "none":
            return [checked_heads(sentence) for sentence in sentences]
        return self.lift_trees(
            self.setup.encoder.encode(sentences), beam=beam, threads=threads, cancel=cancel
        )

    def lift_trees(
        self, trees: EncodedTrees, *, beam: int | None = None, threads: int = 1, cancel: Cancel | None = None
    ) -> list[list[int]]:
        options = self.setup.options
        width = 1 if options.search == "greedy" else beam or options.beam
        both = options.search == "bi-beam"
        heads = _core.lift_trees(
            self._core,
            self.setup.program,
            trees.values,
            trees.offsets,
            trees.heads,
            width,
            both,
            threads,
            cancel,
        ).tolist()
        places = trees.offsets.tolist()
        return [heads[first:last] for first, last in pairwise(places)]
