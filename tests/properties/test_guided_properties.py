"""Guided parsers on guides of any shape."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait import Sentence, TransitionParser
from plait.trees import find_fault
from strategies import trees
from toy import guided_by, quick_parser, toy


@cache
def parser(system: str, beam: int) -> TransitionParser:
    train = toy(20, crossing=system == "swap")
    return quick_parser(system=system, beam=beam, guided=True, epochs=2).fit(guided_by(train))


@pytest.mark.parametrize("system", ["swap", "eager", "spine"])
@pytest.mark.parametrize("beam", [1, 3])
@given(heads=trees(), labels=st.lists(st.sampled_from(["det", "obj", "unheard-of"]), min_size=12))
def test_any_tree_may_guide(system: str, beam: int, heads: list[int], labels: list[str]) -> None:
    size = len(heads)
    tree = Sentence(forms=["dog"] * size, upos=["NOUN"] * size, heads=list(heads), deprels=labels[:size])
    (guide,) = guided_by([tree])
    (parsed,) = parser(system, beam).apply([guide])
    assert find_fault(parsed.tree()) is None
    assert guide.heads == heads
    (again,) = parser(system, beam).apply([guide], threads=2)
    assert again == parsed
