"""From surface-syntactic to deep-syntactic trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from plait.checks import Name
from plait.components.deep import rules, templates
from plait.components.deep.learner import DeepLearner, learn_scheme
from plait.components.deep.model import GOES, STAYS, Model, Scheme
from plait.components.deep.options import DeepOptions
from plait.components.deep.rules import Rules
from plait.errors import InputError
from plait.layers import DeepTree
from plait.learning.chooser import Choice, Chooser
from plait.learning.component import Component
from plait.learning.flow import apply, batches
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.tensors import Tensors
from plait.learning.weights import PackedWeights
from plait.sentence import Sentence

_AUTO = "auto"


@dataclass(frozen=True, slots=True)
class DeepFacts:
    """Beside the weights. Without labels nothing was learned, and the rules decide."""

    leading: list[Name]
    swallowed: list[Name]
    root: Name
    labels: list[Name]
    rules: str
    nodes: str
    relations: str
    node_unit: float
    relation_unit: float
    values: str = ""
    bundles: list[Name] = field(default_factory=list)
    value_unit: float = 0.0


class Deep(Component[Model]):
    """Content words only (Ballesteros, Bohnet, Mille and Wanner 2014): a classifier says which words of a surface tree
    are nodes, their governors follow from the tree, a second classifier names the relations, and rules in a file
    give grammemes and nodes without a word.
    """

    kind = "deep"
    title = "A deep-syntactic transducer"
    topics = ("deep-syntax",)
    usual_name = "deep"
    Options = DeepOptions
    Facts = DeepFacts
    requires = frozenset({"tokens", "tags", "lemmas", "tree"})
    provides = frozenset({"deep"})

    def check(self, lessons: Lessons) -> None:
        if not any(sentence.find(DeepTree) for sentence in lessons):
            raise InputError(f"{lessons.place}: there are no deep trees to learn from.")
        templates.load(self.options.nodes)
        templates.load(self.options.relations)
        templates.load(self.options.values)
        self._rules(lessons)

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> DeepLearner | None:
        self.check(lessons)
        found, _ = self._rules(lessons)
        scheme = learn_scheme(lessons, found)
        if self.options.method == "rules":
            self._state = Model(scheme, None, None)
            return None
        return DeepLearner(scheme, self.options, lessons, dev)

    def _rules(self, lessons: Lessons) -> tuple[Rules, str]:
        """With `auto`, those whose labels the treebank has most of."""
        if self.options.rules != _AUTO:
            return rules.load(self.options.rules)
        seen = {label for sentence in lessons for label in sentence.deprels}
        known = [rules.load(name) for name in rules.names()]
        return max(known, key=lambda each: len(seen.intersection(each[0].baseline.labels)))

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        """A word without a head counts as a root."""

        def work(batch: list[Sentence]) -> list[DeepTree]:
            return self.state.trees(batch, request.cancel)

        for batch, trees in apply(work, batches(sentences, 1), overlap=request.threads > 1):
            for sentence, tree in zip(batch, trees, strict=True):
                sentence.put(tree)
                yield sentence

    def pack(self) -> tuple[DeepFacts, Tensors]:
        model = self.state
        scheme = model.scheme
        tensors: Tensors = {}
        parts = (("nodes", model.nodes), ("relations", model.relations), ("values", model.values))
        for part, chooser in parts:
            if chooser is not None:
                tensors |= {f"{part}.{name}": each for name, each in chooser.weights.tensors().items()}
        return (
            DeepFacts(
                sorted(scheme.leading),
                sorted(scheme.swallowed),
                scheme.root,
                model.relations.choice.classes if model.relations else [],
                rules.write(scheme.rules),
                model.nodes.choice.templates.source if model.nodes else "",
                model.relations.choice.templates.source if model.relations else "",
                model.nodes.weights.unit if model.nodes else 0.0,
                model.relations.weights.unit if model.relations else 0.0,
                model.values.choice.templates.source if model.values else "",
                model.values.choice.classes if model.values else [],
                model.values.weights.unit if model.values else 0.0,
            ),
            tensors,
        )

    def unpack(self, facts: DeepFacts, tensors: Tensors) -> None:
        scheme = Scheme(
            frozenset(facts.leading), frozenset(facts.swallowed), facts.root, rules.read(facts.rules)
        )
        nodes = relations = values = None
        if facts.labels:
            nodes = self._chooser("nodes", facts.nodes, [GOES, STAYS], 1, facts.node_unit, tensors)
            relations = self._chooser(
                "relations", facts.relations, facts.labels, 2, facts.relation_unit, tensors
            )
        if facts.bundles:
            values = self._chooser("values", facts.values, facts.bundles, 3, facts.value_unit, tensors)
        self._state = Model(scheme, nodes, relations, values)

    def _chooser(
        self, part: str, source: str, classes: list[str], seed: int, unit: float, tensors: Tensors
    ) -> Chooser:
        choice = Choice(templates.parse(source, part), classes, self.options.bits, seed)
        own = {
            name.removeprefix(f"{part}."): each
            for name, each in tensors.items()
            if name.startswith(f"{part}.")
        }
        return Chooser(choice, PackedWeights.from_tensors(own, choice.cells, unit))

    def method(self) -> str:
        scheme = self.state.scheme
        how = "Classifiers for nodes and relations" if self.state.nodes else "Rules for nodes and relations"
        leading = ", ".join(sorted(scheme.leading)) or "none"
        return f"{how}; relations that lead from a function word down to its content: {leading}."
