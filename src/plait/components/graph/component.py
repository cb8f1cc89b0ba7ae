"""The graph-based parser: the best tree of all, by the scores of its parts (Bohnet 2010)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plait.components.graph.label_table import LabelTable
from plait.components.graph.learner import BEAM, GraphLearner
from plait.components.graph.model import Model, RankingWeights, Setup, load_templates
from plait.components.graph.options import GraphOptions
from plait.errors import InputError
from plait.features import parts
from plait.features.clusters import Clusters
from plait.features.encoding import silent_columns
from plait.features.morphology import Morphology
from plait.learning.arcs import EncodedWords, LabelledTrees, Labels, check_labels
from plait.learning.attachment import attach, with_guides
from plait.learning.component import Component
from plait.learning.flow import apply, batches
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.tensors import Tensors
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence


@dataclass(frozen=True, slots=True)
class GraphFacts:
    """Beside the weights."""

    single_root: bool
    labels: Labels
    features: dict[str, str]
    ranking: dict[str, str]
    silent: list[str]
    unit: float
    ranking_unit: float


class GraphParser(Component[Model]):
    """A second-order graph-based parser (see `GraphOptions`). The enhanced graph (DEPS, empty nodes) belongs to the old
    tree and is removed. A guided one looks at the `GuideTree` of every sentence.
    """

    kind = "graph"
    title = "A parser"
    topics = ("dependency-parsing",)
    usual_name = "parser"
    Options = GraphOptions
    Facts = GraphFacts
    requires = frozenset({"tokens"})
    provides = frozenset({"tree"})
    sees_predicted = frozenset({"tags", "lemmas"})

    def check(self, lessons: Lessons) -> None:
        check_labels(lessons, "swap")
        load_templates(self.options, clusters=lessons.clusters is not None)
        Morphology.of(self.options.keep_feats, self.options.lexicon, ())

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> GraphLearner:
        options = self.options
        gold = LabelledTrees.of(lessons, lessons.path)
        if options.guided:
            list(with_guides(lessons, lessons.path))
            list(with_guides(dev or (), dev.path if dev else ""))
        labels = gold.inventory("swap")
        templates, ranking = load_templates(options, clusters=lessons.clusters is not None)
        columns = list(dict.fromkeys([*templates.columns, *ranking.columns]))
        morphology = Morphology.of(options.keep_feats, options.lexicon, lessons)
        silent = silent_columns(lessons, columns, lessons.columns, morphology)
        try:
            setup = Setup(
                options,
                labels,
                LabelTable.of(lessons, gold, labels),
                templates.without(silent),
                ranking.without(silent),
                single_root=gold.wants_single_root(options.single_root),
                silent=silent,
                clusters=lessons.clusters,
                morphology=morphology,
            )
        except ValueError as error:  # more templates or labels than the core can hold
            raise InputError(f"{options.features}, {lessons.place}: {error}.") from None
        words = EncodedWords(*setup.encoder.encode(lessons))
        return GraphLearner(setup, gold.encode(words, labels), dev)

    @property
    def labels_(self) -> list[str]:
        return self.state.setup.labels.names

    @property
    def columns_(self) -> list[str]:
        """The attributes of words that the parser looks at, by their names in templates."""
        return self.state.setup.columns

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        model, threads = self.state, request.threads
        if self.options.guided:
            sentences = with_guides(sentences)
        encoded = (model.setup.encode(batch) for batch in batches(sentences, BEAM, threads))
        found = apply(
            lambda batch: model.search(batch, threads, request.cancel), encoded, overlap=threads > 1
        )
        for batch, result in found:
            for sentence, parse in zip(batch.sentences, model.trees(batch, result), strict=True):
                attach(sentence, parse)
                yield sentence

    def pack(self) -> tuple[GraphFacts, Tensors]:
        model = self.state
        setup = model.setup
        facts = GraphFacts(
            setup.single_root,
            setup.labels,
            dict(setup.templates.sources),
            dict(setup.ranking.sources),
            setup.silent,
            model.weights.unit,
            model.ranking.packed.unit,
        )
        tensors = model.weights.tensors() | model.ranking.tensors() | setup.table.tensors()
        tensors |= setup.morphology.tensors()
        return facts, tensors | (setup.clusters.tensors() if setup.clusters else {})

    def unpack(self, facts: GraphFacts, tensors: Tensors) -> None:
        setup = Setup(
            self.options,
            facts.labels,
            LabelTable.from_tensors(tensors, len(facts.labels)),
            parts.parse(facts.features).without(facts.silent),
            parts.parse(facts.ranking).without(facts.silent),
            single_root=facts.single_root,
            silent=facts.silent,
            clusters=Clusters.from_tensors(tensors),
            morphology=Morphology.from_tensors(self.options.keep_feats, tensors),
        )
        weights = PackedWeights.from_tensors(tensors, setup.cells, facts.unit)
        self._state = Model(setup, weights, RankingWeights.from_tensors(tensors, facts.ranking_unit))

    def method(self) -> str:
        heads = self.options.heads or "all"
        return f"Second-order maximum spanning tree, {heads} heads per word; {len(self.labels_)} labels."
