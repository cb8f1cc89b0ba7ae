"""The measures of the core against their definitions, written down as plainly as possible."""

from collections.abc import Iterator
from itertools import combinations, pairwise

from hypothesis import given

from plait import trees as t
from plait.trees.lifting import BASELINE, ENCODINGS, deprojectivize, projectivize
from strategies import trees


def ancestors(heads: list[int], word: int) -> set[int]:
    """The nodes that dominate a word, itself included."""
    found = {word}
    while word:
        word = heads[word - 1]
        found.add(word)
    return found


def arcs(heads: list[int]) -> Iterator[tuple[int, int]]:
    for dependent, head in enumerate(heads, 1):
        yield min(head, dependent), max(head, dependent)


def subtree(heads: list[int], top: int) -> list[int]:
    return [word for word in range(1, len(heads) + 1) if top in ancestors(heads, word)]


@given(trees())
def test_an_arc_is_projective_when_its_head_dominates_what_lies_between(heads: list[int]) -> None:
    expected = [
        (head, dependent)
        for dependent, head in enumerate(heads, 1)
        if any(
            head not in ancestors(heads, between)
            for between in range(min(head, dependent) + 1, max(head, dependent))
        )
    ]
    assert t.nonprojective_arcs(heads) == expected
    assert t.is_projective(heads) == (not expected)
    assert (t.edge_degree(heads) == 0) == (not expected)


@given(trees())
def test_edge_degree_counts_the_pieces_under_an_arc(heads: list[int]) -> None:
    degrees = []
    for dependent, head in enumerate(heads, 1):
        inside = set(range(min(head, dependent) + 1, max(head, dependent)))
        pieces = 0
        while inside:
            piece, edge = set(), {min(inside)}
            while edge:
                piece |= edge
                edge = {
                    word
                    for word in inside - piece
                    for other in piece
                    if heads[word - 1] == other or heads[other - 1] == word
                }
            inside -= piece
            top = next(word for word in piece if heads[word - 1] not in piece)
            pieces += head not in ancestors(heads, top)
        degrees.append(pieces)
    assert t.TreeBatch([heads]).edge_degrees.tolist() == degrees


@given(trees())
def test_gap_degree_counts_the_breaks_in_a_subtree(heads: list[int]) -> None:
    expected = []
    for word in range(1, len(heads) + 1):
        positions = subtree(heads, word)
        expected.append(sum(b - a > 1 for a, b in pairwise(positions)))
    assert t.TreeBatch([heads]).gap_degrees.tolist() == expected
    assert t.gap_degree(heads) == max(expected)


@given(trees())
def test_crossing_pairs(heads: list[int]) -> None:
    expected = sum(a < c < b < d or c < a < d < b for (a, b), (c, d) in combinations(arcs(heads), 2))
    assert t.crossing_pairs(heads) == expected


@given(trees(max_size=9))
def test_well_nested_means_no_two_disjoint_subtrees_interleave(heads: list[int]) -> None:
    expected = True
    for one, other in combinations(range(1, len(heads) + 1), 2):
        first, second = subtree(heads, one), subtree(heads, other)
        if set(first) & set(second):
            continue
        owners = "".join("a" if word in first else "b" for word in sorted(first + second))
        squeezed = "".join(a for a, b in zip(owners, owners[1:] + ".", strict=True) if a != b)
        expected = expected and len(squeezed) < 4
    assert t.is_well_nested(heads) == expected


def inorder(heads: list[int], node: int) -> Iterator[int]:
    dependents = [word for word, head in enumerate(heads, 1) if head == node]
    for word in dependents:
        if word < node:
            yield from inorder(heads, word)
    if node:
        yield node
    for word in dependents:
        if word > node:
            yield from inorder(heads, word)


@given(trees())
def test_projective_order_is_the_inorder_traversal_and_makes_the_tree_projective(heads: list[int]) -> None:
    order = t.projective_order(heads)
    assert order == list(inorder(heads, 0))
    place = {word: i for i, word in enumerate(order, 1)} | {0: 0}
    assert t.is_projective([place[heads[word - 1]] for word in order])
    assert (order == list(range(1, len(heads) + 1))) == t.is_projective(heads)


@given(trees())
def test_components_are_what_the_standard_parser_builds_without_swapping(heads: list[int]) -> None:
    stack, built = [0], {}
    missing = {node: heads.count(node) for node in range(len(heads) + 1)}
    for word in range(1, len(heads) + 1):
        stack.append(word)
        while len(stack) > 1:
            below, top = stack[-2:]
            if below and heads[below - 1] == top and not missing[below]:
                head, dependent = top, below
            elif heads[top - 1] == below and not missing[top]:
                head, dependent = below, top
            else:
                break
            built[dependent] = head
            missing[head] -= 1
            stack.remove(dependent)
    expected = []
    for word in range(1, len(heads) + 1):
        while word in built:
            word = built[word]
        expected.append(word)
    assert t.projective_components(heads) == expected
    assert t.is_projective(heads) == (set(expected) == {0})


@given(trees())
def test_lifting_makes_a_tree_projective_and_coming_back_keeps_labels_and_tree(heads: list[int]) -> None:
    labels = [f"l{word % 3}" for word in range(len(heads))]
    for encoding in ENCODINGS:
        lifted, marked = projectivize(heads, labels, encoding)
        assert t.is_projective(lifted)
        again, plain = deprojectivize(lifted, marked, encoding)
        assert plain == labels
        if encoding == BASELINE:
            assert (again, marked) == (lifted, labels), "nothing says what was lifted"
        assert t.find_fault(again) is None
        if t.is_projective(heads):
            assert (lifted, marked) == (heads, labels)
            assert again == heads


@given(trees(max_size=30))
def test_a_lifted_arc_can_be_found_again_when_every_label_differs(heads: list[int]) -> None:
    labels = [f"l{word}" for word in range(len(heads))]
    lifted, marked = projectivize(heads, labels, "head")
    assert deprojectivize(lifted, marked, "head") == (heads, labels)
