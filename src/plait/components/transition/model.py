"""A model as the core runs it: labels, features, weights, and batches of sentences on their way through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.cancel import Cancel, Watching
from plait.checks import text
from plait.components.transition import completion
from plait.components.transition.candidates import arrange, candidates_of
from plait.components.transition.confidence import Calibration
from plait.components.transition.given import GivenArcs, mend
from plait.components.transition.options import TransitionOptions
from plait.features.clusters import Clusters
from plait.features.compiler import compile_candidates, compile_templates
from plait.features.encoding import Encoder
from plait.features.morphology import PLAIN, Morphology
from plait.features.parts import PartTemplates
from plait.features.templates import Templates
from plait.layers import Parse
from plait.learning.arcs import EncodedWords, GoldTrees, Indices, Labels
from plait.learning.candidates import spread
from plait.learning.seen_labels import SeenLabels
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence
from plait.transitions.frontier import Frontier
from plait.transitions.repertoire import Repertoire
from plait.transitions.table import ORACLE_CODES, SYSTEM_FACTS
from plait.transitions.trace import Trace, read_trace
from plait.trees.lifting import deprojectivize

BUDGET = 10_000_000  # of the oracle MINIMAL, per sentence


@dataclass(frozen=True, slots=True)
class Search:
    """How to look for trees."""

    beam: int
    best: int = 1  # trees per sentence
    threads: int = 1
    cancel: Cancel | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Sentences and what the core reads of them."""

    sentences: Sequence[Sentence]
    words: EncodedWords
    given: GivenArcs | None = None


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
        options: TransitionOptions,
        labels: Labels,
        templates: Templates,
        *,
        single_root: bool,
        parts: PartTemplates,
        silent: Sequence[str] = (),
        clusters: Clusters | None = None,
        label_filter: SeenLabels | None = None,
        morphology: Morphology = PLAIN,
    ) -> None:
        """ValueError if labels or templates do not fit, as those of a damaged file."""
        labels.check(options.system)
        for tag in label_filter.tags if label_filter else ():
            text(tag, "a tag", "cell")
        self.options = options
        self.labels = labels
        self.templates = templates
        self.parts = parts
        self.single_root = single_root
        self.silent = list(silent)  # columns that are not looked at
        self.clusters = clusters
        self.morphology = morphology
        self.label_filter = label_filter
        columns = list(dict.fromkeys([*templates.columns, *parts.columns]))
        self.encoder = Encoder(columns, clusters.columns() if clusters else None, morphology)
        self.repertoire = Repertoire(
            labels.names,
            system=options.system,
            left=labels.left,
            right=labels.right,
            of_root=labels.of_root,
            of_words=labels.of_words,
            classes=label_filter.size if label_filter else 0,
            filtered=label_filter.array() if label_filter else None,
        )
        self.core = self.core_of(None)
        self.names = np.array(labels.names, object)

    def core_of(self, chosen: Sequence[int] | None) -> _core.ParserModel:
        """What looks at these templates of states only, by their numbers; `None` is all."""
        options = self.options
        return _core.ParserModel(
            SYSTEM_FACTS[options.system].code,
            self.single_root,
            self.repertoire.core,
            compile_templates(self.templates, options.hash_seed, chosen),
            compile_candidates(self.templates, options.hash_seed),
            self._program_of_parts() if options.completion else None,
            completion.kinds(options.completion),
        )

    def _program_of_parts(self) -> _core.PartProgram:
        arranged = completion.arranged(self.options.completion, self.parts)
        return arranged.compile(self.encoder.columns, self.options.hash_seed)

    @property
    def cells(self) -> int:
        """The size of the table of weights."""
        return (1 << self.options.bits) + len(self.repertoire)

    def encode(self, sentences: Sequence[Sentence], *, keep_heads: bool = False) -> Batch:
        given = GivenArcs.of(sentences, self.labels) if keep_heads else None
        return Batch(sentences, self.encode_words(sentences), given)

    def encode_words(self, sentences: Sequence[Sentence]) -> EncodedWords:
        """Where tags are chosen, a row for every candidate; words without candidates keep the tags they have."""
        joint = self.options.joint
        rows = [spread(sentence) for sentence in sentences] if joint else sentences
        values, offsets = self.encoder.encode(rows)
        classes = self.label_filter.classes(rows) if self.label_filter else None
        if not joint:
            return EncodedWords(values, offsets, None, classes)
        found = arrange(values, sentences, apart=self.options.feats_per_word > 0)
        priors = found.margins * np.float32(-self.options.tag_weight)
        return EncodedWords(found.values, found.offsets, found.starts, classes, found.tags, priors)

    def pack(self, weights: NDArray[np.float32]) -> PackedWeights:
        return PackedWeights.of(weights, self.options.precision)


class Model:
    """A setup and its weights: what parses."""

    def __init__(
        self, setup: Setup, weights: PackedWeights, calibrations: Mapping[str, Calibration] | None = None
    ) -> None:
        self.setup = setup
        self.weights = weights
        self.calibrations = calibrations or {}  # by the way of search: how sure one may be
        self._core = weights.to_core(setup.options.bits, len(setup.repertoire))

    def calibrated(self, calibrations: Mapping[str, Calibration]) -> Model:
        twin = copy(self)
        twin.calibrations = calibrations
        return twin

    def search(self, batch: Batch, search: Search) -> Found:
        """All in the core, without the GIL."""
        given, words = batch.given, batch.words
        return Found(
            *_core.parse_by_transitions(
                self._core,
                self.setup.core,
                words.values,
                words.offsets,
                words.starts,
                words.classes,
                words.row_tags,
                words.priors,
                search.beam,
                *self.setup.options.tag_beams,
                search.best,
                search.threads,
                given.heads if given else None,
                given.labels if given else None,
                search.cancel,
            )
        )

    def score(self, batch: Batch, frontier: Frontier) -> NDArray[np.float32]:
        """Scores of the rows of a frontier over the same sentences; ValueError if this parser chooses tags too."""
        words = batch.words
        return _core.score_frontier(
            self._core, self.setup.core, frontier.core, words.values, words.offsets, words.classes
        )

    def shares(
        self, gold: GoldTrees, rivals: int, margin: float
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """What every template adds to the lead of right transitions over their best rivals, where the parser leads by
        less than a margin: a row for every rival, and the numbers of their states. The parser walks through the
        sentences by itself. ValueError if it looks at more than states; the weights must be exact.
        """
        options, words = self.setup.options, gold.words
        assert isinstance(self._core, _core.Weights)
        return _core.shares_of_templates(
            self._core,
            self.setup.core,
            ORACLE_CODES[options.chosen_oracle],
            BUDGET,
            words.values,
            words.offsets,
            words.classes,
            gold.heads,
            gold.labels,
            rivals,
            margin,
        )

    def trace(self, sentence: Sentence, beam: int, alternatives: int, cancel: Cancel | None = None) -> Trace:
        """How the tree of a sentence comes about, as `search` finds it."""
        setup = self.setup
        words = setup.encode_words([sentence])
        arrays = _core.trace(
            self._core,
            setup.core,
            words.values,
            words.offsets,
            words.classes,
            beam,
            *setup.options.tag_beams,
            alternatives,
            cancel,
        )
        with Watching(cancel):
            return read_trace(sentence, setup.options.system, setup.single_root, setup.labels.names, arrays)

    def trees(self, batch: Batch, found: Found, cancel: Cancel | None = None) -> Iterator[list[Parse]]:
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
                tags = candidates_of(sentence).chosen(ranks[span]) if self.setup.options.joint else {}
                parse = Parse(heads[span], labels[span], score, tags)
                with Watching(cancel):
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
