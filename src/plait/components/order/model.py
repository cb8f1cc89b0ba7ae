"""What orders words: templates and weights."""

from __future__ import annotations

from collections.abc import Sequence

from plait import _core
from plait.cancel import Cancel
from plait.components.order import templates
from plait.layers import WordOrder
from plait.learning.unordered import EncodedTrees, TreeEncoder
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence

WIDTH = 1  # a feature has one weight


class Setup:
    """What there is before anything is learned."""

    def __init__(self, lines: templates.Templates, bits: int, seed: int) -> None:
        self.templates = lines
        self.bits = bits
        self.program = lines.compile(seed)
        self.encoder = TreeEncoder(lines.columns)

    @property
    def cells(self) -> int:
        return (1 << self.bits) + WIDTH


class Model:
    """A setup and its weights."""

    def __init__(self, setup: Setup, weights: PackedWeights, beam: int) -> None:
        self.setup = setup
        self.weights = weights
        self.beam = beam
        self._core = weights.to_core(setup.bits, WIDTH)

    def orders(
        self,
        sentences: Sequence[Sentence],
        *,
        best: int = 1,
        beam: int | None = None,
        threads: int = 1,
        cancel: Cancel | None = None,
    ) -> list[list[WordOrder]]:
        """The best orders of the words of every sentence, whatever order they are in."""
        return self.orders_of(
            self.setup.encoder.encode(sentences), best=best, beam=beam, threads=threads, cancel=cancel
        )

    def orders_of(
        self,
        trees: EncodedTrees,
        *,
        best: int = 1,
        beam: int | None = None,
        threads: int = 1,
        cancel: Cancel | None = None,
    ) -> list[list[WordOrder]]:
        found, counts, scores = _core.order_trees(
            self._core,
            self.setup.program,
            trees.values,
            trees.offsets,
            trees.heads,
            trees.fixed,
            beam or self.beam,
            best,
            threads,
            cancel,
        )
        words, values = found.tolist(), scores.tolist()
        unit = self.weights.unit or 1.0
        result: list[list[WordOrder]] = []
        at = number = 0
        sizes = (trees.offsets[1:] - trees.offsets[:-1]).tolist()
        for size, count in zip(sizes, counts.tolist(), strict=True):
            orders = []
            for _ in range(count):
                orders.append(WordOrder(words[at : at + size], unit * values[number]))
                at += size
                number += 1
            result.append(orders)
        return result
