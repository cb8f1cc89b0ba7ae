"""Scores of deep-syntactic trees (Ballesteros et al. 2014, section 5).

Nodes of both trees are matched by the word they stand for. Nodes without one are left out, and counted apart by their
host.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plait.errors import InputError
from plait.layers import DeepNode, DeepTree


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of the nodes of gold and system are right, in percent."""

    right: int
    gold: int
    system: int

    @property
    def precision(self) -> float:
        return 100 * self.right / self.system if self.system else 0.0

    @property
    def recall(self) -> float:
        return 100 * self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        total = self.gold + self.system
        return 200 * self.right / total if total else 0.0


@dataclass(frozen=True, slots=True)
class DeepScores:
    """`hypernodes`: a node that is there. `governors`: it has the right governor (UAP, UAR). `labelled`: and relation
    (LAP, LAR). `relations`: the relation, whatever the governor (LA-P, LA-R). `added`: nodes without a word.
    `grammemes`: those of the nodes that are there.
    """

    hypernodes: Rate
    governors: Rate
    labelled: Rate
    relations: Rate
    added: Rate
    grammemes: Rate

    def as_dict(self) -> dict[str, float]:
        return {
            "hypernode_precision": self.hypernodes.precision,
            "hypernode_recall": self.hypernodes.recall,
            "hypernode_f1": self.hypernodes.f1,
            "uap": self.governors.precision,
            "uar": self.governors.recall,
            "lap": self.labelled.precision,
            "lar": self.labelled.recall,
            "la_p": self.relations.precision,
            "la_r": self.relations.recall,
            "added_precision": self.added.precision,
            "added_recall": self.added.recall,
            "grammeme_f1": self.grammemes.f1,
        }


def score_deep(gold: Sequence[DeepTree], system: Sequence[DeepTree]) -> DeepScores:
    """InputError if there are not as many trees."""
    if len(gold) != len(system):
        raise InputError(f"There are {len(gold):,} gold deep trees, but {len(system):,} of the system.")
    counts = dict.fromkeys(("nodes", "governors", "labelled", "relations", "added", "grammemes"), 0)
    sizes = {"gold": 0, "system": 0}
    added = {"gold": 0, "system": 0}
    told = {"gold": 0, "system": 0}
    for right, found in zip(gold, system, strict=True):
        nodes = {node.word: node for node in right if node.word}
        others = {node.word: node for node in found if node.word}
        sizes["gold"] += len(nodes)
        sizes["system"] += len(others)
        hosts, guessed = _added(right), _added(found)
        added["gold"] += len(hosts)
        added["system"] += len(guessed)
        counts["added"] += len(hosts & guessed)
        for word in nodes.keys() & others.keys():
            one, other = nodes[word], others[word]
            same_head = _above(one, right) == _above(other, found)
            same_label = one.relation == other.relation
            counts["nodes"] += 1
            counts["governors"] += same_head
            counts["relations"] += same_label
            counts["labelled"] += same_head and same_label
            mine, yours = set(one.grammemes.split("|")) - {"_"}, set(other.grammemes.split("|")) - {"_"}
            told["gold"] += len(mine)
            told["system"] += len(yours)
            counts["grammemes"] += len(mine & yours)
    hypernodes, governors, labelled, relations = (
        Rate(counts[name], sizes["gold"], sizes["system"])
        for name in ("nodes", "governors", "labelled", "relations")
    )
    return DeepScores(
        hypernodes,
        governors,
        labelled,
        relations,
        Rate(counts["added"], added["gold"], added["system"]),
        Rate(counts["grammemes"], told["gold"], told["system"]),
    )


def _above(node: DeepNode, tree: DeepTree) -> int:
    """The word of its governor: 0 for the root, and a number of its own for a node without a word."""
    if not node.head:
        return 0
    head = tree.nodes[node.head - 1]
    return head.word or -head.host


def _added(tree: Iterable[DeepNode]) -> set[tuple[int, str]]:
    return {(node.host, node.relation) for node in tree if not node.word}
