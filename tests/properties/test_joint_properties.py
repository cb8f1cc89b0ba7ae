"""Whatever the tree and the candidates, a joint parser learns from it and makes a tree of it; and a wide beam finds
what a search through everything finds.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plait import Sentence, TransitionParser, _core
from plait.features.compiler import compile_candidates, compile_templates
from plait.layers import Candidate, Candidates
from plait.trees import tree_of
from strategies import trees
from toy import best_trees

SHIFT, LEFT, RIGHT, SWAP = range(4)
TAGS = ("A", "B", "C")


@st.composite
def choices(draw: st.DrawFn, max_size: int = 7, most: int = 2) -> Sentence:
    heads = draw(trees(max_size, min_size=2))
    size = len(heads)
    tag = st.sampled_from(TAGS)
    sentence = Sentence(
        forms=draw(st.lists(st.sampled_from("xyz"), min_size=size, max_size=size)),
        upos=draw(st.lists(tag, min_size=size, max_size=size)),
        heads=list(heads),
        deprels=draw(st.lists(st.sampled_from(["l", "m"]), min_size=size, max_size=size)),
    )
    others, right = {}, {}
    for word in range(1, size + 1):
        tags = draw(st.lists(st.tuples(tag, st.sampled_from(["_", "F=1"])), max_size=most))
        if tags:
            others[word] = [Candidate(each, "_", feats, f"lemma{each}", 0.2, 0.1) for each, feats in tags]
            right[word] = draw(st.integers(0, len(tags)))
    sentence.put(Candidates(others, right))
    return sentence


@given(
    st.lists(choices(), min_size=1, max_size=3),
    st.sampled_from(["max-violation", "early"]),
    st.sampled_from(["lazy", "nd-all", "eager", "minimal"]),
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)),
    st.booleans(),
)
@settings(deadline=None, max_examples=60)
def test_any_tree_and_candidates_are_learned_from(
    sentences: list[Sentence], update: str, oracle: str, room: tuple[int, int, int], filtered: bool
) -> None:
    parser = TransitionParser(
        joint=True,
        beam=2,
        bits=12,
        epochs=2,
        update=update,
        oracle=oracle,
        tag_beam=room[0],
        feats_beam=room[1],
        feats_per_word=room[2],
        filter_labels=filtered,
    )
    parser.fit(sentences)
    for beam in (1, 3):
        for found, sentence in zip(parser.apply(sentences, beam=beam), sentences, strict=True):
            tree_of(found)
            choice = sentence.find(Candidates)
            assert choice is not None
            for word, tag in enumerate(found.upos, 1):
                own = (sentence.upos[word - 1], sentence.feats[word - 1], sentence.lemmas[word - 1])
                others = choice.others.get(word, ())
                tags = {own, *((each.upos, each.feats, each.lemma) for each in others)}
                assert (tag, found.feats[word - 1], found.lemmas[word - 1]) in tags


def best_score(parser: TransitionParser, sentence: Sentence) -> float:
    """The highest score of any derivation: all of them are tried."""
    setup = parser.state.setup
    weights = np.asarray(parser.state.weights.table, np.float32)
    words = setup.encode_words([sentence])
    assert words.starts is not None
    assert words.priors is not None
    seed = setup.options.hash_seed
    of_states = compile_templates(setup.templates, seed)
    of_tags = compile_candidates(setup.templates, seed)
    starts, shift = words.starts, 64 - setup.options.bits
    numbers = {(SHIFT, -1): 0, (SWAP, -1): 1}
    for kind, labels in (LEFT, setup.labels.left), (RIGHT, setup.labels.right):
        for label in labels:
            numbers[kind, label] = len(numbers)
    of_root, of_words = set(setup.labels.of_root), set(setup.labels.of_words)

    def sum_of(features: np.ndarray, number: int) -> float:
        cells = (features >> np.uint64(shift)).astype(np.int64) + number
        return float(weights[cells].sum())

    known: dict[object, float] = {}

    def best_from(state: _core.State, tags: dict[int, int]) -> float:
        nodes = [state.node(index)[:2] for index in range(len(sentence) + 1)]
        key = (tuple(state.stack), tuple(state.buffer), tuple(nodes), tuple(sorted(tags.items())))
        if key not in known:
            known[key] = from_here(state, tags)
        return known[key]

    def from_here(state: _core.State, tags: dict[int, int]) -> float:
        if state.terminal:
            return 0.0
        any_kind = next(kind for kind in range(4) if state.permits(kind))  # at depth 1 all see the same
        features = of_states.extract(state, words.values, any_kind, starts=starts)
        found = []
        for kind, label in product((SHIFT, LEFT, RIGHT, SWAP), (-1, *range(len(setup.labels)))):
            if (kind, label) not in numbers or not state.permits(kind):
                continue
            if kind in (LEFT, RIGHT):
                from_root = kind == RIGHT and state.stack[-2] == 0
                if label not in (of_root if from_root else of_words):
                    continue
            score = sum_of(features, numbers[kind, label])
            front = state.buffer[0] if kind == SHIFT else 0
            ranks = [label]
            if kind == SHIFT:
                size = int(starts[front] - starts[front - 1])
                ranks = [tags[front]] if front in tags else list(range(size))
            for rank in ranks:
                gain = 0.0
                if kind == SHIFT and front not in tags and len(ranks) > 1:
                    gain = sum_of(of_tags.extract(state, words.values, starts=starts, tag=rank), 0)
                    gain += float(words.priors[starts[front - 1] + rank])
                after = state.copy()
                after.apply(kind, rank)
                held = tags | {front: rank} if kind == SHIFT else tags
                found.append(score + gain + best_from(after, held))
        return max(found)

    return best_from(_core.State(len(sentence), 0, setup.single_root), {})


@given(st.lists(choices(max_size=3, most=1), min_size=1, max_size=2))
@settings(deadline=None, max_examples=10)
def test_a_wide_beam_finds_the_best_derivation(sentences: list[Sentence]) -> None:
    parser = TransitionParser(
        joint=True, beam=2, tag_beam=4000, feats_beam=4000, bits=12, epochs=2, precision="float32"
    )
    parser.fit(sentences)
    for sentence, parses in zip(sentences, best_trees(parser, sentences, 2, beam=4000), strict=True):
        assert np.isclose(parses[0].score, best_score(parser, sentence), atol=1e-3)
