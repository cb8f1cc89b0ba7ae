"""What is seen of deep nodes, by names: of a node `N`, its governor `H` and the governor of that `G`, of its first and
second argument `A` and `B`; and what was decided before.

Seen of a node: `lemma`, `pos`, `rel`, `feats` (all grammemes), `feats.Tense` and any other of them, `kids` and `kidpos`
(relations and tags of what hangs from it), `marks` (lemmas of those of them that have nothing below and are no content
words), `asks` (whether one of them asks), `size` (how many nodes are below). Decided before: `above`, `relation`,
`tag`, `done` (all of it), `kidrelations`. Bare words: `fellows` (relations of what else hangs from the governor),
`same` (how many of them have the same relation).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from plait.components.function_words.analysis import ABOVE, RELATION, TAG, Decisions
from plait.layers import DeepNode, DeepTree
from plait.learning.unordered import ASKING, FIXED
from plait.sentence import EMPTY, format_pairs, parse_pairs

WHO = ("N", "H", "G", "A", "B")
STATIC = ("lemma", "pos", "rel", "feats", "kids", "kidpos", "marks", "asks", "size")
DECIDED = ("above", "relation", "tag", "done", "kidrelations")
ALONE = ("fellows", "same")
_FIRST, _SECOND = ("A1", "I"), ("A2", "II")
_CONTENT = ("NOUN", "PROPN", "VERB", "ADJ", "NUM", "NN", "VV", "JJ", "NP", "CD")
_STEPS = (1, 2, 3, 5, 9, 19)


class Sight:
    """A deep tree, and the decisions made so far."""

    def __init__(self, tree: DeepTree, decisions: Sequence[Decisions]) -> None:
        self.nodes: list[DeepNode] = list(tree)
        self.decisions = decisions
        self.children: list[list[int]] = [[] for _ in range(len(self.nodes) + 1)]
        for number, node in enumerate(self.nodes, 1):
            self.children[node.head].append(number)

    @cached_property
    def grammemes(self) -> list[dict[str, str]]:
        """Without what tells of places."""
        found = [parse_pairs(node.grammemes) for node in self.nodes]
        return [{name: value for name, value in pairs.items() if name != FIXED} for pairs in found]

    @cached_property
    def sizes(self) -> list[int]:
        sizes = [0] * (len(self.nodes) + 1)
        order = list(self.children[0])
        for number in order:  # grows
            order += self.children[number]
        for number in reversed(order):
            sizes[number] += 1
            sizes[self.nodes[number - 1].head] += sizes[number]
        return sizes

    def who(self, name: str, number: int) -> int:
        """The number of a node; 0 if there is none."""
        if name == "N":
            return number
        if name in ("A", "B"):
            wanted = _FIRST if name == "A" else _SECOND
            fitting = [child for child in self.children[number] if self.nodes[child - 1].relation in wanted]
            return min(fitting, key=self._name, default=0)  # whatever their order
        above = self.nodes[number - 1].head
        return above if name == "H" or not above else self.nodes[above - 1].head

    def _name(self, number: int) -> tuple[str, str, str]:
        node = self.nodes[number - 1]
        return node.lemma, node.pos, node.grammemes

    def look(self, attribute: str, number: int) -> str:
        if not number:
            return ""
        node = self.nodes[number - 1]
        if attribute == "lemma":
            return node.lemma
        if attribute == "pos":
            return node.pos
        if attribute == "rel":
            return node.relation
        if attribute == "feats":
            return format_pairs(self.grammemes[number - 1])
        if attribute.startswith("feats."):
            return self.grammemes[number - 1].get(attribute.removeprefix("feats."), EMPTY)
        return self._shape(attribute, number)

    def _shape(self, attribute: str, number: int) -> str:
        below = [self.nodes[child - 1] for child in self.children[number]]
        if attribute == "kids":
            return " ".join(sorted({node.relation for node in below}))
        if attribute == "kidpos":
            return " ".join(sorted({node.pos for node in below}))
        if attribute == "marks":
            return " ".join(sorted(self._marks(number)))
        if attribute == "asks":
            kinds = {self.grammemes[child - 1].get("PronType", "") for child in self.children[number]}
            return str(not kinds.isdisjoint(ASKING))
        return str(sum(self.sizes[number] > step for step in _STEPS))  # size

    def _marks(self, number: int) -> list[str]:
        return [
            self.nodes[child - 1].lemma
            for child in self.children[number]
            if not self.children[child] and self.nodes[child - 1].pos not in _CONTENT
        ]

    def alone(self, name: str, number: int) -> str:
        node = self.nodes[number - 1]
        fellows = [self.nodes[other - 1].relation for other in self.children[node.head] if other != number]
        if name == "fellows":
            return " ".join(sorted(set(fellows)))
        return str(min(fellows.count(node.relation), 3))

    def decided(self, attribute: str, number: int) -> str:
        if not number:
            return ""
        chosen = self.decisions[number - 1]
        if attribute in (ABOVE, RELATION, TAG):
            return chosen.get(attribute, "")
        if attribute == "done":
            return "|".join(f"{name}={chosen[name]}" for name in sorted(chosen) if name != TAG)
        kids = {self.decisions[child - 1].get(RELATION, "") for child in self.children[number]}
        return " ".join(sorted(kids))


def is_static(name: str) -> bool:
    """Whether it does not depend on what is decided."""
    return name.rpartition(".")[2] not in DECIDED


def see(sight: Sight, name: str) -> list[str]:
    """A view of all nodes, by its name: `H.lemma`, `fellows`."""
    numbers = range(1, len(sight.nodes) + 1)
    if name in ALONE:
        return [sight.alone(name, number) for number in numbers]
    who, _, attribute = name.partition(".")
    look = sight.decided if attribute in DECIDED else sight.look
    return [look(attribute, sight.who(who, number)) for number in numbers]


def by_groups(names: Sequence[str]) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        found["static" if is_static(name) else "decided"].append(name)
    return found
