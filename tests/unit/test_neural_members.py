"""Nets among other parsers: they vote, and guide."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

from components.quick import COLUMNS, DEV, PLANS, TRAIN
from plait.components.neural.decoding import is_tree
from plait.learning import registry
from plait.learning.plan import Plan

NET = {"kind": "neural", **PLANS["neural"], "nets": "small"}
QUICK = {"kind": "transition", "bits": 12, "epochs": 2, "beam": 1}
PLANNED: dict[str, dict[str, Any]] = {
    "vote": {"voters": {"net": NET, "greedy": QUICK, "graph": {"kind": "graph", "bits": 12, "epochs": 2}}},
    "stack": {"folds": 2, "levels": {"guide": NET, "parser": {**QUICK, "guided": True}}},
}


@pytest.mark.parametrize("kind", list(PLANNED))
def test_a_net_is_a_member_that_gives_trees_only(kind: str) -> None:
    component = registry.find(kind).from_plan(Plan.of(PLANNED[kind], kind)).fit(TRAIN, dev=DEV)
    shown = [sentence.copy() for sentence in DEV]
    for sentence in shown:
        sentence.upos = ["X"] * len(sentence)  # which no net would find
        sentence.heads = [None] * len(sentence)
    found = component.apply(shown)
    for old, new in zip(shown, found, strict=True):
        for column in (*COLUMNS["tokens"], *COLUMNS["tags"], *COLUMNS["lemmas"]):
            assert getattr(old, column) == getattr(new, column)
        assert is_tree(np.array(new.heads))
    net = next(iter(component.members.values()))
    assert net.apply(shown)[0].upos != shown[0].upos
