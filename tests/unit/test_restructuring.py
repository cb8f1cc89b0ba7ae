"""Prepositional phrases with a noun phrase inside, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait import FormatError, Sentence
from plait.trees import find_fault
from plait.trees.restructuring import MARK, restore_pp, restored, restructure_pp, restructured
from strategies import trees

HOUSE = ([0, 1, 1, 1], ["--", "NK", "NK", "NK"], ["APPR", "ART", "ADJA", "NN"])
TAGS = ("APPR", "APPRART", "NN", "NE", "ART", "ADJA", "CARD", "PPER", "ADV", "VVFIN", "$,", "APZR")
LABELS = ("NK", "MO", "AC", "SB", "PUNC", "OA")


def test_a_noun_takes_the_rest_of_the_phrase() -> None:
    heads, labels = restructure_pp(*HOUSE)
    assert heads == [0, 4, 4, 1]
    assert labels == ["--", f"NK{MARK}", f"NK{MARK}", "NK"]
    assert restructure_pp(heads, labels, HOUSE[2]) == (heads, labels)
    assert restore_pp(heads, labels) == HOUSE[:2]


def test_the_last_noun_and_the_best_list_of_tags() -> None:
    # "mit (MO: nur) drei Mann Besatzung": the last noun; a number only where there is none
    tags = ["APPR", "CARD", "NN", "NN"]
    assert restructure_pp([0, 1, 1, 1], ["--", "NK", "NK", "NK"], tags)[0] == [0, 4, 4, 1]
    assert restructure_pp([0, 1, 1], ["--", "NK", "NK"], ["APPR", "ADV", "CARD"])[0] == [0, 3, 1]
    assert restructure_pp([0, 1, 1], ["--", "NK", "MO"], ["APPR", "ADV", "NN"])[0] == [0, 1, 1]


def test_what_belongs_to_the_preposition_stays() -> None:
    """Nur auf das Haus zu: the adverb before it, the circumposition; and a comma."""
    tags = ["ADV", "APPR", "ART", "NN", "APZR", "$,"]
    heads, _ = restructure_pp([2, 0, 2, 2, 2, 2], ["MO", "--", "NK", "NK", "AC", "--"], tags)
    assert heads == [2, 0, 4, 2, 2, 2]


@st.composite
def phrases(draw: st.DrawFn) -> tuple[list[int], list[str], list[str]]:
    heads = draw(trees(max_size=14))
    size = len(heads)
    labels = draw(st.lists(st.sampled_from(LABELS), min_size=size, max_size=size))
    tags = draw(st.lists(st.sampled_from(TAGS), min_size=size, max_size=size))
    return heads, labels, tags


@given(phrases())
def test_the_way_back_is_exact(tree: tuple[list[int], list[str], list[str]]) -> None:
    heads, labels, tags = tree
    changed = restructure_pp(*tree)
    assert find_fault(changed[0]) is None
    assert restructure_pp(*changed, tags) == changed  # twice is once
    assert restore_pp(*changed) == (heads, labels)


@given(trees(max_size=14), st.data())
def test_whatever_a_parser_finds_becomes_a_tree(heads: list[int], data: st.DataObject) -> None:
    marks = data.draw(
        st.lists(st.sampled_from(["NK", f"NK{MARK}"]), min_size=len(heads), max_size=len(heads))
    )
    found, labels = restore_pp(heads, marks)
    assert find_fault(found) is None
    assert labels == ["NK"] * len(heads)
    assert found.count(0) == heads.count(0)


def test_sentences() -> None:
    heads, labels, tags = HOUSE
    for column in ("xpos", "upos"):
        flat = Sentence(forms=["in", "dem", "großen", "Haus"], heads=heads, deprels=labels, **{column: tags})
        (deep,) = restructured([flat])
        assert deep.heads == [0, 4, 4, 1]
        assert flat.heads == heads
        (back,) = restored([deep])
        assert (back.heads, back.deprels) == (heads, labels)


def test_what_is_no_tree_is_named_with_its_place() -> None:
    circle = Sentence(forms=["a", "b"], heads=[2, 1], deprels=["x", "y"], comments=["# sent_id = s7"])
    for change in (restructured, restored):
        with pytest.raises(FormatError, match="s7"):
            list(change([circle]))
