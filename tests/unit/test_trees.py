"""The papers' examples, and what is no tree."""

import pytest

import plait
from plait import trees
from plait.trees.lifting import deprojectivize, projectivize
from plait.trees.statistics import measure

HEARING = [2, 3, 0, 3, 2, 7, 5, 4, 3]  # A hearing is scheduled on the issue today . (Nivre 2009, Figure 1)
WHO = [7, 0, 2, 2, 6, 4, 4, 2]  # Who did you send the letter to ? (Nivre et al. 2009, Figure 1)


def test_projective_order_of_the_papers() -> None:
    assert trees.projective_order(HEARING) == [1, 2, 5, 6, 7, 3, 4, 8, 9]
    order = trees.projective_order(WHO)
    assert [order.index(word) for word in range(1, 9)] == [6 - 1, 0, 1, 2, 3, 4, 6, 7]


def test_components_of_the_paper() -> None:
    """Figure 1 of Nivre et al. (2009)."""
    components = trees.projective_components(WHO)
    boxes = {frozenset(w for w in range(1, 9) if components[w - 1] == top) for top in components}
    assert boxes == {frozenset(box) for box in ([1], [2, 3], [4, 5, 6], [7], [8])}


def test_measures_of_a_crossing_tree() -> None:
    assert trees.nonprojective_arcs(HEARING) == [(2, 5), (4, 8)]
    assert not trees.is_projective(HEARING)
    assert trees.gap_degree(HEARING) == 1
    assert trees.edge_degree(HEARING) == 1
    assert not trees.is_well_nested(HEARING)
    assert trees.crossing_pairs(HEARING) == 3


def test_an_empty_batch_and_an_empty_tree() -> None:
    assert len(trees.TreeBatch([])) == 0
    batch = trees.TreeBatch([[], [0]])
    assert batch.projective.tolist() == [True, True]
    assert batch.well_nested.tolist() == [True, True]


@pytest.mark.parametrize(
    ("heads", "reason"),
    [
        ([1], "word 1 is its own head."),
        ([0, 3, 2], "the heads form a cycle: 2 → 3 → 2."),
        ([2, 3, 1, 0], "the heads form a cycle: 1 → 2 → 3 → 1."),
        ([5, 0], "word 1 has head 5 but the sentence has 2 words."),
        ([0, -1], "word 2 has head -1 but the sentence has 2 words."),
        ([10**12, 0], "word 1 has head 1000000000000 but the sentence has 2 words."),
        ([*range(2, 12), 1], "the heads form a cycle: 1 → 2 → 3 → 4 → 5 → 6 → 7 → 8 → … → 1."),
    ],
)
def test_what_is_no_tree(heads: list[int], reason: str) -> None:
    fault = trees.find_fault(heads)
    assert fault is not None
    assert fault[1] == reason


def test_the_place_of_a_bad_tree_in_a_batch_is_named() -> None:
    with pytest.raises(plait.NotATreeError, match="tree 1: word 1 is its own head"):
        trees.TreeBatch([[0], [1]])


def test_deep_and_long_trees_need_no_recursion() -> None:
    size = 20_000
    chain = trees.TreeBatch([list(range(size))])
    assert chain.projective[0]
    assert chain.projective_orders.tolist() == list(range(1, size + 1))
    assert chain.gap_degrees.max() == 0


def test_the_encodings_of_nivre_and_nilsson() -> None:
    heads, labels = [2, 0, 2, 1], ["nsubj", "root", "obj", "acl"]  # 1 → 4 crosses the arc from the root
    assert projectivize(heads, labels, "head") == ([2, 0, 2, 2], ["nsubj", "root", "obj", "acl↑nsubj"])
    assert projectivize(heads, labels, "path") == ([2, 0, 2, 2], ["nsubj↓", "root", "obj", "acl↑"])
    assert projectivize(heads, labels, "head+path") == ([2, 0, 2, 2], ["nsubj↓", "root", "obj", "acl↑nsubj"])
    for encoding in ("head", "path", "head+path"):
        assert deprojectivize(*projectivize(heads, labels, encoding), encoding) == (heads, labels)


def test_the_shortest_arc_is_lifted_first_and_the_leftmost_of_several() -> None:
    assert projectivize([3, 0, 2, 1], ["a", "b", "c", "d"])[0] == [2, 0, 2, 2]
    assert projectivize([2, 5, 0, 1, 3], ["a", "b", "c", "d", "e"])[0] == [2, 3, 0, 5, 3]


def test_an_arc_comes_back_when_its_head_has_come_back() -> None:
    """Word 2 was lifted over the arc to 4, which itself was lifted: its head is below it only at the second look."""
    heads, labels = [5, 4, 0, 1, 3], ["a", "b", "c", "d", "e"]
    lifted = projectivize(heads, labels, "head+path")
    assert lifted[0] == [3, 1, 0, 5, 3]
    assert deprojectivize(*lifted, "head+path") == (heads, labels)


def test_the_baseline_lifts_and_says_nothing() -> None:
    heads, labels = [2, 0, 2, 1], ["nsubj", "root", "obj", "a↑b"]
    lifted, same = projectivize(heads, labels, "baseline")
    assert (lifted, same) == ([2, 0, 2, 2], labels), "marks in labels are no matter, since nothing is marked"
    assert deprojectivize(lifted, same, "baseline") == (lifted, labels)


def test_lifting_refuses_what_it_cannot_undo() -> None:
    with pytest.raises(plait.InputError, match=r"No encoding 'tail'\. Available: baseline, head, path, head"):
        projectivize([0], ["root"], "tail")
    with pytest.raises(plait.InputError, match="which mark lifted arcs"):
        projectivize([0], ["ro↑ot"])


def test_a_mark_without_a_target_leaves_the_arc_where_it_is() -> None:
    assert deprojectivize([0, 1], ["root", "obj↑nowhere"], "head") == ([0, 1], ["root", "obj"])


def test_what_is_counted_of_a_treebank() -> None:
    """One tree with crossing arcs, one with two roots and a multiword token, one sentence without heads."""
    crossing = plait.Sentence(forms=list("abcd"), heads=[2, 0, 2, 1], deprels=["a", "root", "b", "a"])
    two = plait.Sentence(
        forms=list("ab"),
        heads=[0, 0],
        deprels=["root", "root"],
        multiword_tokens=[plait.MultiwordToken(1, 2, "ab")],
    )
    bare = plait.Sentence(forms=list("abcde"))
    found = measure([crossing, two, bare])
    assert (found.sentences, found.words, found.tokens, found.longest_sentence) == (3, 11, 10, 5)
    assert (found.trees, found.projective_sentences, found.several_roots_sentences) == (2, 1, 1)
    assert (found.nonprojective_arcs, found.crossing_pairs, found.ill_nested_sentences) == (1, 1, 0)
    assert found.labels == {"root": 3, "a": 2, "b": 1}
    assert found.gap_degrees == {0: 1, 1: 1}
    twice = found + found
    assert (twice.several_roots_sentences, twice.longest_sentence, twice.gap_degrees[1]) == (2, 5, 2)
