"""Passes over a treebank with deep trees: one classifier for nodes, one for relations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from plait.components.deep import templates
from plait.components.deep.governors import learn_leading
from plait.components.deep.model import GOES, STAYS, Model, Scheme, plain_grammemes, rows_of
from plait.components.deep.options import DeepOptions
from plait.components.deep.rules import Rules
from plait.components.deep.sight import Sight
from plait.errors import InputError
from plait.evaluation.deep import score_deep
from plait.layers import DeepTree
from plait.learning.chooser import Choice, ChoiceLearner, Chooser
from plait.learning.learner import Weights
from plait.learning.several import SeveralLearner
from plait.sentence import Sentence


def deep_tree(sentence: Sentence) -> DeepTree:
    found = sentence.find(DeepTree)
    if found is None:
        raise InputError(f"{sentence.sent_id or 'A sentence'}: there is no deep tree to learn from.")
    return found


def learn_scheme(sentences: Sequence[Sentence], rules: Rules) -> Scheme:
    """Which relations lead down, and which are swallowed rather than forgotten: in most cases."""
    trees = [(sentence, deep_tree(sentence)) for sentence in sentences]
    heads = ([head or 0 for head in sentence.heads] for sentence, _ in trees)
    leading = learn_leading(
        (own, sentence.deprels, tree) for own, (sentence, tree) in zip(heads, trees, strict=True)
    )
    swallowed: Counter[str] = Counter()
    gone: Counter[str] = Counter()
    roots: Counter[str] = Counter()
    for sentence, tree in trees:
        kept = {node.word for node in tree}
        owned = {word for node in tree for word in node.words}
        roots.update(node.relation for node in tree if not node.head)
        for word, relation in enumerate(sentence.deprels, 1):
            if word not in kept:
                gone[relation] += 1
                swallowed[relation] += word in owned
    often = frozenset(name for name, count in swallowed.items() if 2 * count > gone[name])
    return Scheme(frozenset(leading), often, roots.most_common(1)[0][0] if roots else "ROOT", rules)


class DeepLearner(SeveralLearner[Model, Chooser]):
    """All at once; what a node is, the relations see as it is in the treebank."""

    metric = "lap"

    def __init__(
        self,
        scheme: Scheme,
        options: DeepOptions,
        sentences: Sequence[Sentence],
        dev: Sequence[Sentence] | None,
    ) -> None:
        self.judged = dev is not None
        self._scheme = scheme
        self._dev = dev or ()
        trees = [deep_tree(sentence) for sentence in sentences]
        kept = [[node.word for node in tree if node.word] for tree in trees]
        relations = [[node.relation for node in tree if node.word] for tree in trees]
        bare = [Sight(sentence, scheme.governors(sentence, ())) for sentence in sentences]
        full = [
            Sight(sentence, scheme.governors(sentence, own))
            for sentence, own in zip(sentences, kept, strict=True)
        ]
        everything = [range(1, len(sentence) + 1) for sentence in sentences]
        marks = [
            STAYS if word in own else GOES
            for own, words in zip(map(set, kept), everything, strict=True)
            for word in words
        ]
        labels = [label for own in relations for label in own]
        common = [label for label, _ in Counter(sorted(labels)).most_common()]
        nodes = Choice(templates.load(options.nodes), (GOES, STAYS), options.bits, 1)
        arcs = Choice(templates.load(options.relations), common, options.bits, 2)
        step, seed = options.step, options.seed
        self.parts = {
            "nodes": ChoiceLearner(nodes, rows_of(nodes, bare, everything), marks, step, seed),
            "relations": ChoiceLearner(arcs, rows_of(arcs, full, kept), labels, step, seed),
        }
        if options.grammemes == "learned":
            told = [plain_grammemes(node.grammemes) for tree in trees for node in tree if node.word]
            bundles = [bundle for bundle, _ in Counter(sorted(told)).most_common()]
            values = Choice(templates.load(options.values), bundles, options.bits, 3)
            self.parts["values"] = ChoiceLearner(values, rows_of(values, full, kept), told, step, seed)

    def build(self, weights: Weights) -> Model:
        return Model(self._scheme, *self.built(weights).values())

    def score(self, state: Model) -> dict[str, float]:
        found = state.trees(self._dev)
        scores = score_deep([deep_tree(sentence) for sentence in self._dev], found)
        pairs = zip((deep_tree(sentence) for sentence in self._dev), found, strict=True)
        told = [pair for gold, own in pairs for pair in _same_words(gold, own)]
        grammemes = sum(plain_grammemes(one) == plain_grammemes(other) for one, other in told)
        return {
            "hypernodes": scores.hypernodes.f1,
            "uap": scores.governors.precision,
            "lap": scores.labelled.precision,
            "lar": scores.labelled.recall,
            "grammemes": 100 * grammemes / max(len(told), 1),
        }

    def rank(self, scores: dict[str, float]) -> tuple[float, ...]:
        return (scores["lap"] + scores["lar"],)

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        yield from super().data()
        for sentence in self._dev:
            yield from (*sentence.forms, *sentence.lemmas, *sentence.deprels)
            yield str(deep_tree(sentence).to_json())


def _same_words(gold: DeepTree, found: DeepTree) -> Iterator[tuple[str, str]]:
    """The grammemes of nodes for the same word."""
    own = {node.word: node.grammemes for node in found if node.word}
    for node in gold:
        if node.word in own:
            yield node.grammemes, own[node.word]
