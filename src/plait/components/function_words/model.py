"""Surface trees of deep trees: decisions one kind after the other, each for all nodes at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from plait.cancel import Cancel
from plait.components.function_words.analysis import ABOVE, NOTHING, RELATION, SILENT, SITE, TAG, Decisions
from plait.components.function_words.choosing import KeyedChooser
from plait.components.function_words.sight import Sight, is_static, see
from plait.features.columns import ColumnTemplates
from plait.features.encoding import hash_text
from plait.layers import DeepTree
from plait.learning.chooser import Rows


def order_of(slots: Sequence[str]) -> list[str]:
    """What is decided before what: auxiliaries first of the slots, punctuation last."""
    first, last = ("+aux",), ("+punct", "+punc")
    middle = [slot for slot in slots if slot not in (*first, *last)]
    own = [slot for slot in first if slot in slots] + middle + [slot for slot in last if slot in slots]
    return [ABOVE, SITE, RELATION, *own, TAG]


def key_of(kind: str, tree: DeepTree) -> list[str]:
    """What limits the choice: the deep relation that of a surface relation, the part of speech all else."""
    return [node.relation if kind in (SITE, RELATION) else node.pos for node in tree]


class Views:
    """The columns of many trees; those that decisions do not change are looked at once."""

    def __init__(self, trees: Sequence[DeepTree], decisions: Sequence[Sequence[Decisions]]) -> None:
        self._sights = [Sight(tree, own) for tree, own in zip(trees, decisions, strict=True)]
        self._size = sum(len(tree) for tree in trees)
        self._known: dict[str, NDArray[np.uint32]] = {}
        self._hashes: dict[str, int] = {}

    def rows(self, templates: ColumnTemplates) -> Rows:
        names = templates.columns
        if not names:
            return np.zeros((self._size, 1), np.uint32)
        return np.column_stack([self._column(name) for name in names]).astype(np.uint32, copy=False)

    def _column(self, name: str) -> NDArray[np.uint32]:
        if name in self._known:
            return self._known[name]
        texts = (text for sight in self._sights for text in see(sight, name))
        column = np.fromiter((self._hash(text) for text in texts), np.uint32, self._size)
        if is_static(name):
            self._known[name] = column
        return column

    def _hash(self, text: str) -> int:
        found = self._hashes.get(text)
        if found is None:
            found = self._hashes[text] = hash_text(text)
        return found


class Model:
    """Classifiers by kind of decision, in the order in which they decide."""

    def __init__(self, choosers: Mapping[str, KeyedChooser]) -> None:
        self.choosers = dict(choosers)

    def decide(self, trees: Sequence[DeepTree], cancel: Cancel | None = None) -> list[list[Decisions]]:
        found: list[list[Decisions]] = [[{} for _ in tree] for tree in trees]
        views = Views(trees, found)
        flat = [decisions for own in found for decisions in own]
        for kind, chooser in self.choosers.items():
            keys = [key for tree in trees for key in key_of(kind, tree)]
            chosen = chooser.choose(views.rows(chooser.choice.templates), keys, cancel)
            for decisions, name in zip(flat, chosen, strict=True):
                if name != NOTHING and decisions.get(ABOVE) != SILENT:
                    decisions[kind] = name
        return found
