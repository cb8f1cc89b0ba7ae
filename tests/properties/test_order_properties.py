"""What holds for all trees when they are put into order."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plait import Sentence, _core
from plait.components.lifter import Lifter
from plait.components.order import Order, templates
from plait.components.order.model import Model, Setup
from plait.layers import LiftedTree
from plait.learning.unordered import FIXED, fixed_places
from plait.learning.weights import PackedWeights
from plait.trees import is_projective
from plait.trees.lifting import lift_deepest
from strategies import trees
from toy import written

_SETUP = Setup(
    templates.parse("A.lemma B.lemma half\nX.lemma Y.lemma\nA.lemma B.lemma C.lemma half\nF1.lemma L1.lemma"),
    12,
    1,
)
_WEIGHTS = np.random.default_rng(5).normal(size=_SETUP.cells).astype(np.float32)
MODEL = Model(_SETUP, PackedWeights.exact(_WEIGHTS), 4096)
ORDER = Order(bits=14, epochs=2, beam=4, mix=1).fit(written(60))
LIFTER = Lifter(bits=12, epochs=2).fit(written(60))
LETTERS = st.sampled_from("abcdefgh")


def tree_of(heads: list[int], lemmas: list[str]) -> Sentence:
    return Sentence(
        forms=["_"] * len(heads),
        lemmas=lemmas,
        upos=["X"] * len(heads),
        heads=list(heads),
        deprels=["dep"] * len(heads),
    )


@st.composite
def labelled(draw: st.DrawFn) -> Sentence:
    heads = draw(trees(max_size=10))
    return tree_of(heads, draw(st.lists(LETTERS, min_size=len(heads), max_size=len(heads))))


@given(labelled())
def test_an_order_has_every_word_once_and_no_arc_crosses(tree: Sentence) -> None:
    for orders in MODEL.orders([tree], best=3):
        for order in orders:
            assert sorted(order.words) == list(range(1, len(tree) + 1))
            told = tree.copy()
            told.reorder(order.words)
            assert is_projective(told.tree())


@given(labelled(), st.randoms(use_true_random=False))
def test_the_numbers_of_words_make_no_difference(tree: Sentence, chance: st.Random) -> None:
    shuffled = tree.copy()
    numbers = list(range(1, len(tree) + 1))
    chance.shuffle(numbers)
    shuffled.reorder(numbers)
    said = []
    for each in (tree, shuffled):
        (lifted,) = LIFTER.annotate([each.copy()])
        (told,) = ORDER.annotate([lifted])
        said.append(told.lemmas)
    assert said[0] == said[1]


@settings(max_examples=60)
@given(st.lists(LETTERS, min_size=2, max_size=5))
def test_a_wide_beam_finds_the_best_order_of_a_domain(lemmas: list[str]) -> None:
    """All orders come out of one that is wide enough, the best first; a narrow beam finds no better one."""
    tree = tree_of([0] + [1] * (len(lemmas) - 1), lemmas)
    (found,) = MODEL.orders([tree], best=200)
    said = [tuple(lemmas[word - 1] for word in order.words) for order in found]
    # The head can be told from its children, and words with other lemmas from each other.
    marked = [lemma if number else f"{lemma}, head" for number, lemma in enumerate(lemmas)]
    assert len(said) == len(set(permutations(marked)))
    assert [order.score for order in found] == sorted((order.score for order in found), reverse=True)
    (narrow,) = MODEL.orders([tree], beam=1)
    assert narrow[0].score <= found[0].score + 1e-4


@given(labelled(), st.data())
def test_given_places_are_kept(tree: Sentence, data: st.DataObject) -> None:
    places = data.draw(st.lists(st.integers(-3, 3), min_size=len(tree), max_size=len(tree)))
    for i, place in enumerate(places):
        if place and tree.heads[i]:
            tree.misc[i] = f"{FIXED}={place:+d}"
    given_places = fixed_places(tree)
    order = MODEL.orders([tree])[0][0]
    at = {word: number for number, word in enumerate(order.words)}
    for i, place in enumerate(given_places):
        head = tree.heads[i]
        if place and head:
            assert (at[i + 1] > at[head]) == (place > 0)
            for j, other in enumerate(given_places):
                if tree.heads[j] == head and other and (other > 0) == (place > 0) and other < place:
                    assert at[j + 1] < at[i + 1]


@given(trees(max_size=12))
def test_lifting_makes_trees_projective_and_moves_heads_upwards(heads: list[int]) -> None:
    lifted = lift_deepest(heads)
    assert is_projective(lifted)
    if is_projective(heads):
        assert lifted == heads
    for word, head in enumerate(lifted, 1):
        above, node = [], word
        while node:
            node = heads[node - 1]
            above.append(node)
        assert head in above


@given(labelled())
def test_lifted_heads_are_a_tree_with_the_same_roots(tree: Sentence) -> None:
    (lifted,) = LIFTER.apply([tree])
    layer = lifted.find(LiftedTree)
    assert layer is not None
    told = Sentence(forms=tree.forms, heads=list(layer.heads))
    assert _core.first_faults(np.array(told.tree(), np.int32), np.array([0, len(tree)], np.int64))[0] == 0
    assert [head == 0 for head in layer.heads] == [head == 0 for head in tree.heads]
