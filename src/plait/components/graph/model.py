"""A model as the core runs it: labels, features, two tables of weights, and batches on their way through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.cancel import Cancel
from plait.components.graph.label_table import LabelTable
from plait.components.graph.options import GraphOptions
from plait.features import parts
from plait.features.clusters import Clusters
from plait.features.encoding import Encoder
from plait.features.morphology import PLAIN, Morphology
from plait.features.parts import PartTemplates
from plait.layers import Parse
from plait.learning.arcs import Indices, Labels
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence

TAG = "upos"  # what the filter of labels looks at
RANKING_BITS = 20
_LISTS = ("first", "sibling", "grandchild")


@dataclass(frozen=True, slots=True)
class Batch:
    """Sentences and what the core reads of them."""

    sentences: Sequence[Sentence]
    values: NDArray[np.uint32]
    offsets: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Found:
    """What the core found: the trees of all sentences one after the other."""

    heads: Indices
    labels: Indices
    scores: NDArray[np.float64]


class Setup:
    """What a parser is before it has learned anything."""

    def __init__(
        self,
        options: GraphOptions,
        labels: Labels,
        table: LabelTable,
        templates: PartTemplates,
        ranking: PartTemplates,
        *,
        single_root: bool,
        silent: Sequence[str] = (),
        clusters: Clusters | None = None,
        morphology: Morphology = PLAIN,
    ) -> None:
        """ValueError if something does not fit, as in a damaged file."""
        labels.check("swap")
        self.options = options
        self.labels = labels
        self.table = table
        self.templates = templates
        self.ranking = ranking
        self.single_root = single_root
        self.silent = list(silent)  # columns that are not looked at
        self.clusters = clusters
        self.morphology = morphology
        self.columns = list(dict.fromkeys([TAG, *templates.columns, *ranking.columns]))
        self.encoder = Encoder(self.columns, clusters.columns() if clusters else None, morphology)
        self.core = _core.GraphModel(
            templates.compile(self.columns, options.hash_seed),
            ranking.compile(self.columns, options.hash_seed),
            len(labels),
            table.tags,
            self.columns.index(TAG),
            table.seen.ravel(),
            np.array(labels.of_root, np.int32),
            np.array(labels.of_words, np.int32),
            options.heads,
            options.longest,
            options.threshold,
            single_root,
        )
        self.names = np.array(labels.names, object)

    @property
    def cells(self) -> int:
        """The size of the table of weights of parts."""
        return (1 << self.options.bits) + len(self.labels)

    def encode(self, sentences: Sequence[Sentence]) -> Batch:
        return Batch(sentences, *self.encoder.encode(sentences))

    def pack(self, weights: NDArray[np.float32]) -> PackedWeights:
        return PackedWeights.of(weights, self.options.precision)


class RankingWeights:
    """What heads are ranked by: always int8 in a file, and single weights in the core."""

    cells = (1 << RANKING_BITS) + 1

    def __init__(self, packed: PackedWeights) -> None:
        self.packed = packed
        table = packed.table.astype(np.float32) * np.float32(packed.unit)
        self.core = _core.Weights(RANKING_BITS, 1, table)

    @classmethod
    def rounded(cls, weights: NDArray[np.float32]) -> RankingWeights:
        return cls(PackedWeights.rounded(weights))

    def tensors(self) -> dict[str, NDArray[np.generic]]:
        return {f"ranking.{name}": tensor for name, tensor in self.packed.tensors().items()}

    @classmethod
    def from_tensors(cls, tensors: dict[str, NDArray[np.generic]], unit: float) -> RankingWeights:
        own = {
            name.removeprefix("ranking."): tensor
            for name, tensor in tensors.items()
            if name.startswith("ranking.")
        }
        if not unit:
            raise ValueError("the weights of the ranking have no unit")
        return cls(PackedWeights.from_tensors(own, cls.cells, unit))


class Model:
    """A setup and its weights: what parses."""

    def __init__(self, setup: Setup, weights: PackedWeights, ranking: RankingWeights) -> None:
        self.setup = setup
        self.weights = weights
        self.ranking = ranking
        self._core = weights.to_core(setup.options.bits, len(setup.labels))

    def search(self, batch: Batch, threads: int = 1, cancel: Cancel | None = None) -> Found:
        """All in the core, without the GIL."""
        core, ranking = self.setup.core, self.ranking.core
        return Found(
            *_core.parse_by_graph(self._core, core, ranking, batch.values, batch.offsets, threads, cancel)
        )

    def trees(self, batch: Batch, found: Found) -> Iterator[Parse]:
        """What was found, in words."""
        heads: list[int] = found.heads.tolist()
        labels: list[str] = self.setup.names[found.labels].tolist()
        bounds, scores = batch.offsets.tolist(), found.scores.tolist()
        for first, last, score in zip(bounds, bounds[1:], scores, strict=False):
            yield Parse(heads[first:last], labels[first:last], score)


def load_templates(options: GraphOptions, *, clusters: bool) -> tuple[PartTemplates, PartTemplates]:
    """What is seen of parts, and of possible heads when they are ranked."""
    templates = parts.load(_LISTS, options.features, clusters=clusters, guided=options.guided)
    return templates, parts.load_ranking(_LISTS, options.features, guided=options.guided)
