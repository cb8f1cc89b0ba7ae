"""A model as the core runs it: labels, features, two tables of weights, and batches on their way through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.clusters import Clusters
from plait.features import parts
from plait.features.encoding import Encoder
from plait.features.parts import PartTemplates
from plait.graph.filter import LabelFilter
from plait.graph.options import GraphOptions
from plait.parser.data import Indices, Labels
from plait.parser.model import Parse
from plait.sentence import Sentence
from plait.weights import PackedWeights

TAG = "upos"  # what the filter of labels looks at
RANKING_BITS = 20


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
        label_filter: LabelFilter,
        templates: PartTemplates,
        ranking: PartTemplates,
        *,
        single_root: bool,
        clusters: Clusters | None = None,
    ) -> None:
        """ValueError if something does not fit, as in a damaged file."""
        labels.check("swap")
        self.options = options
        self.labels = labels
        self.filter = label_filter
        self.templates = templates
        self.ranking = ranking
        self.single_root = single_root
        self.clusters = clusters
        self.columns = list(dict.fromkeys([TAG, *templates.columns, *ranking.columns]))
        self.encoder = Encoder(self.columns, clusters.columns() if clusters else None)
        self.core = _core.GraphModel(
            templates.compile(self.columns, options.hash_seed),
            ranking.compile(self.columns, options.hash_seed),
            len(labels),
            label_filter.tags,
            self.columns.index(TAG),
            label_filter.seen.ravel(),
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
        exact = self.options.precision == "float32"
        return PackedWeights.exact(weights) if exact else PackedWeights.rounded(weights)


class RankingWeights:
    """What heads are ranked by: always int8 in a file, and single weights in the core."""

    cells = (1 << RANKING_BITS) + 1

    def __init__(self, packed: PackedWeights) -> None:
        self.packed = packed
        table = packed.table.astype(np.float32) * np.float32(packed.step)
        self.core = _core.Weights(RANKING_BITS, 1, table)

    @classmethod
    def rounded(cls, weights: NDArray[np.float32]) -> RankingWeights:
        return cls(PackedWeights.rounded(weights))

    def tensors(self) -> dict[str, NDArray[np.generic]]:
        return {f"ranking.{name}": tensor for name, tensor in self.packed.tensors().items()}

    @classmethod
    def from_tensors(cls, tensors: dict[str, NDArray[np.generic]], step: float) -> RankingWeights:
        own = {
            name.removeprefix("ranking."): tensor
            for name, tensor in tensors.items()
            if name.startswith("ranking.")
        }
        if not step:
            raise ValueError("the weights of the ranking have no step")
        return cls(PackedWeights.from_tensors(own, cls.cells, step))


class Model:
    """A setup and its weights: what parses."""

    def __init__(self, setup: Setup, weights: PackedWeights, ranking: RankingWeights) -> None:
        self.setup = setup
        self.weights = weights
        self.ranking = ranking
        self._core = weights.to_core(setup.options.bits, len(setup.labels))

    def search(self, batch: Batch, threads: int = 1) -> Found:
        """All in the core, without the GIL."""
        core = self.setup.core
        return Found(*core.parse(self._core, self.ranking.core, batch.values, batch.offsets, threads))

    def trees(self, batch: Batch, found: Found) -> Iterator[Parse]:
        """What was found, in words."""
        heads: list[int] = found.heads.tolist()
        labels: list[str] = self.setup.names[found.labels].tolist()
        bounds, scores = batch.offsets.tolist(), found.scores.tolist()
        for first, last, score in zip(bounds, bounds[1:], scores, strict=False):
            yield Parse(heads[first:last], labels[first:last], score)


def load_templates(options: GraphOptions, clusters: Clusters | None) -> PartTemplates:
    return parts.load(
        ("first", "sibling", "grandchild"),
        context=options.features == "context",
        clusters=clusters is not None,
        guided=options.guided,
    )
