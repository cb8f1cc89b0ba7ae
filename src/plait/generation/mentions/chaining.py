"""Chains over the mentions of texts: templates, weights, and the way to both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Self

from plait.features.chains import ChainTemplates
from plait.features.reading import BuiltIn
from plait.learning.chain import Chain
from plait.learning.tensors import Tensors

Columns = Mapping[str, Sequence[str]]
LISTS = BuiltIn(resources.files("plait.generation.mentions") / "lists")


class MentionChain:
    """Labels of sequences of slots whose columns are given."""

    def __init__(self, templates: ChainTemplates, chain: Chain) -> None:
        self.templates, self.chain = templates, chain

    @classmethod
    def fit(
        cls,
        templates: ChainTemplates,
        sequences: Sequence[Columns],
        labels: Sequence[Sequence[str]],
        *,
        l2: float,
        min_count: int,
    ) -> Self:
        features = [templates.features(each) for each in sequences]
        pairs = [templates.pairs(each) for each in sequences]
        return cls(templates, Chain.fit(features, labels, pairs=pairs, l2=l2, min_count=min_count))

    def shares(self, columns: Columns) -> list[dict[str, float]]:
        """How likely each label is, at every place."""
        rows = self.chain.marginals(self.templates.features(columns), self.templates.pairs(columns))
        return [dict(zip(self.chain.labels, row, strict=True)) for row in rows.tolist()]

    def pack(self) -> Tensors:
        return self.chain.pack()


def find_templates(name_or_path: str, columns: Sequence[str]) -> ChainTemplates:
    text, path = LISTS.find(name_or_path)
    return ChainTemplates.parse(text, path, columns)
