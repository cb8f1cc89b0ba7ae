"""A model as the core runs it: labels, features, weights, and batches of sentences on their way through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.clusters import Clusters
from plait.features.compiler import compile_candidates, compile_templates
from plait.features.encoding import Encoder
from plait.features.parts import PartTemplates
from plait.features.templates import Templates
from plait.lifting import deprojectivize
from plait.parser import candidates, completion
from plait.parser.candidates import Candidate, Candidates
from plait.parser.data import EncodedWords, Indices, Labels, flags
from plait.parser.filter import LabelFilter
from plait.parser.given import GivenArcs, mend
from plait.parser.options import SYSTEMS, ParserOptions
from plait.parser.trace import Trace, read_trace
from plait.sentence import EMPTY, Sentence
from plait.weights import PackedWeights


@dataclass(frozen=True, slots=True)
class Parse:
    """One tree of a sentence. Scores compare trees of one sentence only."""

    heads: list[int]
    labels: list[str]
    score: float
    tags: Mapping[int, Candidate] = field(default_factory=dict)  # by word, where they are not those it has

    def annotate(self, sentence: Sentence) -> None:
        """Put the tree into a sentence, and the tags that were chosen for it. The enhanced graph belongs to the old one
        and is removed.
        """
        sentence.heads = list(self.heads)
        sentence.deprels = list(self.labels)
        sentence.deps = [EMPTY] * len(self.heads)
        sentence.empty_nodes = []
        candidates.annotate(sentence, self.tags)


@dataclass(frozen=True, slots=True)
class Search:
    """How to look for trees."""

    beam: int
    best: int = 1  # trees per sentence
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Batch:
    """Sentences and what the core reads of them."""

    sentences: Sequence[Sentence]
    words: EncodedWords
    given: GivenArcs | None = None
    candidates: Sequence[Candidates] | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What the core found: the best trees of all sentences one after the other, then the second best ...

    Margins are of the best trees: by how much the head of a word won.
    """

    heads: Indices
    labels: Indices
    tags: Indices  # ranks
    margins: NDArray[np.float32]
    scores: NDArray[np.float64]


class Setup:
    """What a parser is before it has learned anything."""

    def __init__(
        self,
        options: ParserOptions,
        labels: Labels,
        templates: Templates,
        *,
        single_root: bool,
        parts: PartTemplates,
        clusters: Clusters | None = None,
        label_filter: LabelFilter | None = None,
    ) -> None:
        """ValueError if labels or templates do not fit, as those of a damaged file."""
        labels.check(options.system)
        self.options = options
        self.labels = labels
        self.templates = templates
        self.parts = parts
        self.single_root = single_root
        self.clusters = clusters
        self.label_filter = label_filter
        columns = list(dict.fromkeys([*templates.columns, *parts.columns]))
        self.encoder = Encoder(columns, clusters.columns() if clusters else None)
        self.core = _core.ParserModel(
            SYSTEMS[options.system],
            single_root,
            compile_templates(templates, options.hash_seed),
            compile_candidates(templates, options.hash_seed),
            np.array(labels.left, np.int32),
            np.array(labels.right, np.int32),
            flags(labels.of_root, len(labels)),
            flags(labels.of_words, len(labels)),
            label_filter.size if label_filter else 0,
            label_filter.array() if label_filter else np.zeros((0, 4), np.int32),
            parts.compile(columns, options.hash_seed) if options.completion else None,
            completion.kinds(options.completion),
        )
        self.names = np.array(labels.names, object)

    @property
    def cells(self) -> int:
        """The size of the table of weights."""
        return (1 << self.options.bits) + self.core.transitions

    def encode(
        self,
        sentences: Sequence[Sentence],
        choice: Sequence[Candidates] | None = None,
        *,
        keep_heads: bool = False,
    ) -> Batch:
        given = GivenArcs.of(sentences, self.labels) if keep_heads else None
        return Batch(sentences, self.encode_words(sentences, choice), given, choice)

    def encode_words(
        self, sentences: Sequence[Sentence], choice: Sequence[Candidates] | None = None
    ) -> EncodedWords:
        """Without candidates to choose from, every word keeps the tags it has."""
        rows = sentences
        if choice is not None:
            rows = [candidates.spread(*pair) for pair in zip(sentences, choice, strict=True)]
        values, offsets = self.encoder.encode(rows)
        classes = self.label_filter.classes(rows) if self.label_filter else None
        if choice is None:
            return EncodedWords(values, offsets, None, classes)
        values, offsets, starts = candidates.arrange(values, sentences, choice)
        return EncodedWords(values, offsets, starts, classes)

    def pack(self, weights: NDArray[np.float32]) -> PackedWeights:
        exact = self.options.precision == "float32"
        return PackedWeights.exact(weights) if exact else PackedWeights.rounded(weights)


class Model:
    """A setup and its weights: what parses."""

    def __init__(self, setup: Setup, weights: PackedWeights) -> None:
        self.setup = setup
        self.weights = weights
        self._core = weights.to_core(setup.options.bits, setup.core.transitions)

    def search(self, batch: Batch, search: Search) -> Found:
        """All in the core, without the GIL."""
        given, words = batch.given, batch.words
        return Found(
            *self._core.parse(
                self.setup.core,
                words.values,
                words.offsets,
                words.starts,
                words.classes,
                search.beam,
                self.setup.options.chosen_tag_beam,
                search.best,
                search.threads,
                given.heads if given else None,
                given.labels if given else None,
            )
        )

    def trace(self, sentence: Sentence, beam: int, alternatives: int) -> Trace:
        """How the tree of a sentence comes about, as `search` finds it."""
        setup = self.setup
        words = setup.encode_words([sentence])
        spare = setup.options.chosen_tag_beam
        arrays = self._core.trace(
            setup.core, words.values, words.offsets, words.classes, beam, spare, alternatives
        )
        return read_trace(sentence, setup.options.system, setup.single_root, setup.labels.names, arrays)

    def trees(self, batch: Batch, found: Found) -> Iterator[list[Parse]]:
        """What was found, in words: for every sentence its trees, the best first."""
        heads: list[int] = found.heads.tolist()
        labels: list[str] = self.setup.names[found.labels].tolist()
        ranks: list[int] = found.tags.tolist()
        bounds, scores = batch.words.offsets.tolist(), found.scores.tolist()
        count = len(batch.sentences)
        for i, sentence in enumerate(batch.sentences):
            parses: list[Parse] = []
            for rank in range(len(scores) // count):
                score = scores[rank * count + i]
                if rank and score == -np.inf:
                    break
                first = rank * bounds[-1]
                span = slice(first + bounds[i], first + bounds[i + 1])
                tags = batch.candidates[i].chosen(ranks[span]) if batch.candidates else {}
                parse = Parse(heads[span], labels[span], score, tags)
                self._add(parses, sentence, parse, batch.given is not None)
            yield parses

    def _add(self, parses: list[Parse], sentence: Sentence, parse: Parse, given: bool) -> None:
        setup = self.setup
        heads, labels = parse.heads, parse.labels
        if setup.options.projectivize:
            heads, labels = deprojectivize(heads, labels, setup.options.projectivize)
        if given and heads:
            heads, labels = mend(heads, labels, sentence, setup.labels, setup.single_root)
        # Trees that differed in the core may have become the same.
        if not any(heads == other.heads and labels == other.labels for other in parses):
            parses.append(Parse(heads, labels, parse.score, parse.tags))
