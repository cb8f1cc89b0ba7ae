"""Deep trees of surface trees: which words are nodes, on what they depend and how, and what the rules add."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from plait.cancel import Cancel
from plait.components.deep.governors import Governors
from plait.components.deep.rules import Case, Rules, fill
from plait.components.deep.sight import Sight, see
from plait.layers import DeepNode, DeepTree
from plait.learning.chooser import Choice, Chooser, Rows
from plait.sentence import EMPTY, Sentence, format_pairs, parse_pairs

STAYS, GOES = "node", "gone"
_PLACE = "lin"


@dataclass(frozen=True, slots=True)
class Scheme:
    """What is known of an annotation: `leading` relations (see `governors`), those whose dependents are `swallowed` and
    not forgotten, the relation of the `root`, and the rules.
    """

    leading: frozenset[str]
    swallowed: frozenset[str]
    root: str
    rules: Rules

    def governors(self, sentence: Sentence, kept: Collection[int]) -> Governors:
        heads = [head or 0 for head in sentence.heads]
        return Governors(heads, sentence.deprels, kept, self.leading)


class Model:
    """A scheme, and the classifiers for nodes, relations and grammemes; without them, the rules decide."""

    def __init__(
        self,
        scheme: Scheme,
        nodes: Chooser | None,
        relations: Chooser | None,
        values: Chooser | None = None,
    ) -> None:
        self.scheme = scheme
        self.nodes = nodes
        self.relations = relations
        self.values = values

    def trees(self, sentences: Sequence[Sentence], cancel: Cancel | None = None) -> list[DeepTree]:
        kept = self._kept(sentences, cancel)
        sights = [
            Sight(sentence, self.scheme.governors(sentence, words))
            for sentence, words in zip(sentences, kept, strict=True)
        ]
        labels = iter(self._labels(sights, kept, cancel))
        values = iter(
            self.values.choose(rows_of(self.values.choice, sights, kept), cancel) if self.values else ()
        )
        return [
            self._tree(
                sight,
                words,
                [next(labels) for _ in words],
                [next(values) for _ in words] if self.values else [],
            )
            for sight, words in zip(sights, kept, strict=True)
        ]

    def _kept(self, sentences: Sequence[Sentence], cancel: Cancel | None) -> list[list[int]]:
        if self.nodes is None:
            return [self._kept_by_rules(sentence) for sentence in sentences]
        sights = [Sight(sentence, self.scheme.governors(sentence, ())) for sentence in sentences]
        words = [range(1, len(sentence) + 1) for sentence in sentences]
        found = iter(self.nodes.choose(rows_of(self.nodes.choice, sights, words), cancel))
        return [[word for word in own if next(found) == STAYS] for own in words]

    def _kept_by_rules(self, sentence: Sentence) -> list[int]:
        baseline = self.scheme.rules.baseline
        above = {
            head
            for head, relation in zip(sentence.heads, sentence.deprels, strict=True)
            if relation in baseline.auxiliary
        }
        return [
            word
            for word, relation in enumerate(sentence.deprels, 1)
            if relation not in baseline.dropped and word not in above
        ]

    def _labels(
        self, sights: Sequence[Sight], kept: Sequence[Sequence[int]], cancel: Cancel | None
    ) -> list[str]:
        if self.relations is None:
            baseline = self.scheme.rules.baseline
            return [
                baseline.labels.get(sight.sentence.deprels[word - 1], baseline.otherwise)
                for sight, words in zip(sights, kept, strict=True)
                for word in words
            ]
        rows = rows_of(self.relations.choice, sights, kept)
        return self.relations.choose(rows, cancel)

    def _tree(
        self, sight: Sight, kept: Sequence[int], labels: Sequence[str], values: Sequence[str]
    ) -> DeepTree:
        governors, sentence = sight.governors, sight.sentence
        numbers = {word: number for number, word in enumerate(kept, 1)}
        above = {word: governors.of(word) for word in kept}
        roots = [word for word in kept if above[word] == 0]
        owned: dict[int, list[int]] = {word: [word] for word in kept}
        for word, relation in enumerate(sentence.deprels, 1):
            if word not in numbers and relation in self.scheme.swallowed:
                owned.get(governors.owner(word), []).append(word)
        nodes: list[DeepNode] = []
        added: list[DeepNode] = []
        for word, label in zip(kept, labels, strict=True):
            # Where the root of the surface tree is gone, several may have come up to its place.
            head = above[word] or (0 if word == roots[0] else roots[0])
            relation = label if head else self.scheme.root
            words = tuple(sorted(owned[word]))
            node, more = self._by_rules(sight, word, words, numbers.get(head, 0), relation)
            if values:
                node = replace(node, grammemes=values[len(nodes)])
            nodes.append(node)
            added += more
        given = {(node.head, node.relation) for node in nodes}
        free = [
            DeepNode(
                0, (), each.lemma, each.pos, each.grammemes, numbers[each.host], each.relation, each.host
            )
            for each in added
            if (numbers[each.host], each.relation) not in given
        ]
        return DeepTree((*nodes, *free))

    def _by_rules(
        self, sight: Sight, word: int, words: tuple[int, ...], head: int, relation: str
    ) -> tuple[DeepNode, list[DeepNode]]:
        """A node, and those that hang from it without a word."""
        sentence, rules = sight.sentence, self.scheme.rules
        case = Case.of(sight, word, words, relation)
        lemma = sentence.lemmas[word - 1]
        lemma = sentence.forms[word - 1] if lemma == EMPTY else lemma
        grammemes = {name: case.features[name] for name in rules.copied if name in case.features}
        added = []
        for rule in rules.rule:
            if not rule.holds(case):
                continue
            if rule.grammemes:
                grammemes |= parse_pairs(rule.grammemes)
            if rule.lemma:
                lemma = fill(rule.lemma, case.features, lemma)
            if rule.node:
                called = fill(rule.called, case.features, lemma)
                added.append(DeepNode(0, (), called, EMPTY, EMPTY, 0, rule.node, word))
        fine, coarse = sentence.xpos[word - 1], sentence.upos[word - 1]
        pos = fine if fine != EMPTY else coarse
        told = format_pairs(dict(sorted(grammemes.items())))
        return DeepNode(word, words, lemma, pos, told, head, relation), added


def plain_grammemes(cell: str) -> str:
    """In one order, without what tells of places (`lin` of the surface realization tasks)."""
    pairs = parse_pairs(cell)
    pairs.pop(_PLACE, None)
    return format_pairs(dict(sorted(pairs.items())))


def rows_of(choice: Choice, sights: Sequence[Sight], words: Sequence[Sequence[int]]) -> Rows:
    """What a classifier sees of some words of every sentence."""
    texts = [
        [text for sight, own in zip(sights, words, strict=True) for text in see(sight, name, own)]
        for name in choice.columns
    ]
    return choice.rows(texts)
