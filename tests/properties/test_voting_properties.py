"""Votes over random trees."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from plait import Sentence
from plait.trees import find_fault
from plait.trees.voting import vote
from strategies import trees


def sentence(heads: list[int]) -> Sentence:
    return Sentence(forms=["w"] * len(heads), heads=list(heads), deprels=[str(head) for head in heads])


@st.composite
def ballots(draw: st.DrawFn, max_size: int, systems: int = 4) -> list[list[int]]:
    size = draw(st.integers(1, max_size))
    return [draw(trees(size, size)) for _ in range(draw(st.integers(1, systems)))]


@given(trees(), st.integers(1, 5))
def test_what_all_agree_on_is_left(heads: list[int], systems: int) -> None:
    assert list(vote([[sentence(heads)]] * systems)) == [sentence(heads)]


@given(ballots(12), st.data())
def test_a_vote_gives_a_tree_of_arcs_that_were_voted_for(given: list[list[int]], data: st.DataObject) -> None:
    weights = [data.draw(st.floats(0.01, 10)) for _ in given]
    (voted,) = vote([[sentence(heads)] for heads in given], weights)
    heads = [head if head is not None else -1 for head in voted.heads]
    assert find_fault(heads) is None
    for word, head in enumerate(heads):
        assert any(tree[word] == head for tree in given)
        assert voted.deprels[word] == str(head)
    if all(tree.count(0) == 1 for tree in given):
        assert heads.count(0) == 1


@given(ballots(4))
def test_no_tree_has_more_votes(given: list[list[int]]) -> None:
    (voted,) = vote([[sentence(heads)] for heads in given])
    heads = [head if head is not None else -1 for head in voted.heads]
    single = all(tree.count(0) == 1 for tree in given)

    def rank(tree: list[int]) -> tuple[int, list[int]]:
        """Votes, and arcs of each system."""
        shared = [sum(a == b for a, b in zip(tree, other, strict=True)) for other in given]
        return sum(shared), shared

    candidates = product(*({tree[word] for tree in given} for word in range(len(heads))))
    rivals = [list(each) for each in candidates if find_fault(each) is None]
    best = max(rank(tree) for tree in rivals if not single or tree.count(0) == 1)
    assert rank(heads) == best


@given(ballots(8))
def test_a_heavy_system_decides_alone(given: list[list[int]]) -> None:
    weights = [1000.0, *[1.0] * (len(given) - 1)]
    (voted,) = vote([[sentence(heads)] for heads in given], weights, single_root=False)
    assert voted.heads == given[0]
