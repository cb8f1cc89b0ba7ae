"""From semantic graphs to unordered syntactic trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plait.checks import Name
from plait.components.graph2tree import templates
from plait.components.graph2tree.learner import GrowLearner, Pair
from plait.components.graph2tree.model import Found, Model, Setup
from plait.components.graph2tree.options import GraphToTreeOptions
from plait.errors import FormatError, InputError, Problem
from plait.learning.component import Component
from plait.learning.flow import apply, batches
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.tensors import Tensors
from plait.learning.unordered import checked_heads
from plait.learning.weights import PackedWeights
from plait.meaning import SemanticStructure
from plait.semantics.complete import WordGraphs, table_from_texts, table_to_texts
from plait.sentence import Sentence

_SEED = 1  # of hashes


@dataclass(frozen=True, slots=True)
class GraphToTreeFacts:
    """Beside the weights: the labels of trees, and how graphs of sentences with predicates are completed."""

    templates: str
    labels: list[Name]
    completion: dict[str, str]
    unit: float


class GraphToTree(Component[Model]):
    """A spanning tree over the nodes of a semantic graph that stand for words, grown greedily, each edge looked at
    together with the best that could follow (Bohnet et al. 2010, Algorithm 3). How nodes and words are numbered makes
    no difference.

    The graph is the layer `SemanticStructure`; where a sentence has none, it is made of its tree and predicates, and
    the tree is grown anew.
    """

    kind = "graph2tree"
    title = "Trees of semantic graphs"
    topics = ("text-generation",)
    usual_name = "graph2tree"
    Options = GraphToTreeOptions
    Facts = GraphToTreeFacts
    requires = frozenset({"semantics", "lemmas", "tags"})
    provides = frozenset({"tree"})

    def check(self, lessons: Lessons) -> None:
        if not len(lessons):
            raise InputError(f"{lessons.place}: there are no trees to learn from.")
        templates.load(self.options.features)

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> GrowLearner:
        self.check(lessons)
        plain = [sentence for sentence in lessons if sentence.find(SemanticStructure) is None]
        graphs = WordGraphs.learn(plain) if self.options.completion else WordGraphs()
        for sentence in lessons:
            checked_heads(sentence)
        counts = Counter(sorted(label for sentence in lessons for label in sentence.deprels))
        labels = [label for label, _ in counts.most_common()]
        setup = Setup(templates.load(self.options.features), labels, graphs, self.options, _SEED)
        pairs = [_with_graph(sentence, graphs) for sentence in lessons]
        judged = None if dev is None else [_with_graph(sentence, graphs) for sentence in dev]
        return GrowLearner(setup, pairs, judged)

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        """Heads and labels of the words; those that have no node have none."""
        state = self.state

        def work(batch: list[Sentence]) -> list[tuple[Pair, Found]]:
            pairs = [_with_graph(sentence, state.setup.graphs) for sentence in batch]
            found = state.grow(
                state.setup.encoder.encode(pairs), threads=request.threads, cancel=request.cancel
            )
            return list(zip(pairs, found, strict=True))

        for batch, rows in apply(work, batches(sentences, 1, request.threads), overlap=request.threads > 1):
            for sentence, ((_, graph), found) in zip(batch, rows, strict=True):
                _write(sentence, graph, found)
                yield sentence

    def graph_of(self, sentence: Sentence) -> SemanticStructure:
        """The graph that a sentence has, or else one made of its tree and predicates."""
        return _with_graph(sentence, self.state.setup.graphs)[1]

    def pack(self) -> tuple[GraphToTreeFacts, Tensors]:
        setup, weights = self.state.setup, self.state.weights
        table = setup.graphs.table
        return (
            GraphToTreeFacts(
                setup.templates.source,
                setup.labels,
                dict(table_to_texts(table)) if table else {},
                weights.unit,
            ),
            weights.tensors(),
        )

    def unpack(self, facts: GraphToTreeFacts, tensors: Tensors) -> None:
        table = table_from_texts(facts.completion) if self.options.completion else None
        setup = Setup(templates.parse(facts.templates), facts.labels, WordGraphs(table), self.options, _SEED)
        self._state = Model(setup, PackedWeights.from_tensors(tensors, setup.cells, facts.unit))

    def method(self) -> str:
        return f"Trees are grown greedily, {self.options.best} edges at a time with what could follow them."


def _with_graph(sentence: Sentence, graphs: WordGraphs) -> Pair:
    graph = sentence.find(SemanticStructure)
    if graph is None:
        if all(head is None for head in sentence.heads) and len(sentence):
            raise FormatError(
                Problem("there is neither a semantic graph nor a tree.", "", sentence.line, sentence.sent_id)
            )
        graph = graphs.graph(sentence)
    return sentence, graph


def _write(sentence: Sentence, graph: SemanticStructure, found: Found) -> None:
    words = [0, *(node.word for node in graph.nodes)]
    sentence.heads = [None] * len(sentence)
    sentence.deprels = ["_"] * len(sentence)
    sentence.deps = ["_"] * len(sentence)
    sentence.empty_nodes = []
    for (_, node), head, label in zip(graph, *found, strict=True):
        if node.word:
            sentence.heads[node.word - 1] = words[head]
            sentence.deprels[node.word - 1] = label
