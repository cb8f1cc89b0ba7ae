"""What grows trees: templates, labels and weights."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from plait import _core
from plait.cancel import Cancel
from plait.components.graph2tree import templates
from plait.components.graph2tree.encoding import EncodedGraphs, GraphEncoder
from plait.components.graph2tree.options import GraphToTreeOptions
from plait.learning.weights import PackedWeights
from plait.semantics.complete import WordGraphs

Found = tuple[list[int], list[str]]  # by node: its head, its label; -1 and "" of those that are no words


class Setup:
    """What there is before anything is learned: also how graphs are made of sentences that have none."""

    def __init__(
        self,
        lines: templates.Templates,
        labels: Sequence[str],
        graphs: WordGraphs,
        options: GraphToTreeOptions,
        seed: int,
    ) -> None:
        self.templates = lines
        self.labels = list(labels)
        self.graphs = graphs
        self.options = options
        self.program = lines.compile(seed)
        self.encoder = GraphEncoder(lines.columns)

    @property
    def cells(self) -> int:
        return (1 << self.options.bits) + len(self.labels)


class Model:
    """A setup and its weights."""

    def __init__(self, setup: Setup, weights: PackedWeights) -> None:
        self.setup = setup
        self.weights = weights
        self._core = weights.to_core(setup.options.bits, len(setup.labels))

    def grow(
        self,
        graphs: EncodedGraphs,
        *,
        best: int | None = None,
        threads: int = 1,
        cancel: Cancel | None = None,
    ) -> list[Found]:
        options = self.setup.options
        heads, labels = _core.grow_trees(
            self._core,
            self.setup.program,
            *graphs.arrays(),
            best or options.best,
            options.reach,
            threads,
            cancel,
        )
        names = [*self.setup.labels, ""]
        rows = list(zip(heads.tolist(), labels.tolist(), strict=True))
        return [
            ([head for head, _ in rows[first:last]], [names[label] for _, label in rows[first:last]])
            for first, last in pairwise(graphs.offsets.tolist())
        ]
