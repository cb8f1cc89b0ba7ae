"""Whatever a sentence holds, a parser makes a tree of it, and what is given stays."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from plait import Sentence, TransitionParser
from plait.learning.attachment import attach
from plait.transitions import derivations
from plait.transitions.registry import ORACLES
from plait.trees import tree_of
from strategies import cells, sentences, trees
from toy import best_trees, quick_parser, toy

KINDS = {
    "greedy": {},
    "beam": {"beam": 3},
    "exact": {"precision": "float32"},
    "standard": {"system": "standard"},
    "standard beam": {"system": "standard", "beam": 3},
    "eager": {"system": "eager"},
    "eager beam": {"system": "eager", "beam": 3},
    "spine": {"system": "spine"},
    "spine beam": {"system": "spine", "beam": 3},
    "spine-swap": {"system": "spine-swap"},
    "spine-swap beam": {"system": "spine-swap", "beam": 3, "oracle": "nd-all"},
    "pseudo-projective": {"system": "standard", "projectivize": "head+path"},
}
kinds = st.sampled_from(list(KINDS))
LABELS = {label for sentence in toy(40) for label in sentence.deprels}


@cache
def parser_of(kind: str) -> TransitionParser:
    return quick_parser(epochs=2, bits=12, **KINDS[kind]).fit(toy(40), dev=toy(10, seed=2))


@given(sentences(max_size=9), kinds, st.booleans())
@settings(deadline=None)
def test_any_sentence_becomes_a_tree(sentence: Sentence, kind: str, confidence: bool) -> None:
    before = sentence.copy()
    (parsed,) = parser_of(kind).apply([sentence], confidence=confidence)
    assert sentence == before
    assert tree_of(parsed).count(0) == 1
    assert set(parsed.deprels) <= LABELS
    for name in ("forms", "lemmas", "upos", "xpos", "feats", "comments", "multiword_tokens"):
        assert getattr(parsed, name) == getattr(before, name)


@given(sentences(max_size=9), kinds, st.integers(2, 6))
@settings(deadline=None)
def test_the_best_trees_are_trees_that_differ(sentence: Sentence, kind: str, best: int) -> None:
    (parses,) = best_trees(parser_of(kind), [sentence], best)
    assert 1 <= len(parses) <= best
    assert len({(*parse.heads, *parse.labels) for parse in parses}) == len(parses)
    for parse in parses:
        attach(sentence, parse)
        assert tree_of(sentence).count(0) == 1


@given(
    trees(max_size=10), st.data(), st.sampled_from([kind for kind in KINDS if kind != "pseudo-projective"])
)
@settings(deadline=None)
def test_given_arcs_stay_and_the_rest_is_a_tree(tree: list[int], data: st.DataObject, kind: str) -> None:
    size = len(tree)
    chosen = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    names = st.one_of(st.just("_"), st.sampled_from(parser_of(kind).labels_), cells)
    labels = data.draw(st.lists(names, min_size=size, max_size=size))
    heads = [head if known else None for head, known in zip(tree, chosen, strict=True)]
    sentence = Sentence(forms=["bird"] * size, upos=["NOUN"] * size, heads=list(heads), deprels=list(labels))
    (parsed,) = parser_of(kind).apply([sentence], keep_heads=True)
    assert tree_of(parsed).count(0) == max(1, heads.count(0))
    for i, head in enumerate(heads):
        if head is not None:
            assert parsed.heads[i] == head
            assert parsed.deprels[i] == labels[i] or labels[i] == "_"
        else:
            assert (parsed.heads[i] == 0) == (parsed.deprels[i] == "root")


@given(trees(max_size=9))
@settings(deadline=None)
def test_oracles_attach_words_to_the_side_they_stand_on(tree: list[int]) -> None:
    """So the labels of LEFT-ARC are those of words to the left of their head, after swaps too."""
    for oracle in ORACLES["swap"]:
        stack, buffer = [0], list(range(len(tree), 0, -1))
        for letter in derivations([tree], oracle=oracle)[0]:
            if letter == "S":
                stack.append(buffer.pop())
            elif letter == "W":
                buffer.append(stack.pop(-2))
            else:
                dependent = stack.pop(-2 if letter == "L" else -1)
                head = stack[-1]
                assert tree[dependent - 1] == head
                assert (letter == "L") == (dependent < head)
