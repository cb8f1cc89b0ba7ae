"""What holds of the parts of all derivations."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from enumeration import all_trees
from plait import Sentence, TransitionParser, _core
from plait.components.transition import completion
from plait.components.transition.completion import FULL
from plait.components.transition.model import Model
from plait.features.clusters import Clusters
from plait.features.compiler import compile_templates
from plait.learning.arcs import Labels
from plait.learning.lessons import Lessons
from plait.learning.weights import PackedWeights
from plait.transitions import derive
from plait.transitions.table import SYSTEM_FACTS
from strategies import trees
from toy import best_trees, toy

SHIFT, LEFT, RIGHT, SWAP = range(4)
FIRST, SIBLING = range(2)
SIZES = (2, 3, 3, 3, 3, 4, 4, 4)  # words of the kinds of parts
ARCS = (LEFT, RIGHT)
KINDS = 8
NO_SIBLING = 1 << KINDS
ALL = 2 * NO_SIBLING - 1
Parts = Counter[tuple[int, tuple[int, ...], int]]


def walk(words: int, seed: int) -> list[tuple[_core.State, int, int]]:
    """A random derivation: states before every transition, which it was, and its label."""
    chance = random.Random(seed)
    state = _core.State(words, 0, False)
    steps = []
    while not state.terminal:
        kind = chance.choice([kind for kind in range(4) if state.permits(kind)])
        label = chance.randrange(3) if kind in ARCS else -1
        steps.append((state.copy(), kind, label))
        state.apply(kind, label)
    return [*steps, (state, -1, -1)]


def built(state: _core.State, kinds: int = ALL) -> Parts:
    return Counter((kind, tuple(nodes), label) for kind, nodes, label, _ in _core.built_parts(state, kinds))


@given(st.integers(1, 9), st.integers(0, 10_000), st.integers(0, ALL))
def test_what_arcs_add_is_what_is_there(words: int, seed: int, kinds: int) -> None:
    """After every transition, the parts added and taken away so far are those found from scratch."""
    total: Parts = Counter()
    for state, kind, label in walk(words, seed):
        assert {part: n for part, n in total.items() if n} == dict(built(state, kinds))
        if kind in ARCS:
            for part, nodes, other, count in _core.completed_parts(state, kind, label, kinds):
                total[part, tuple(nodes), other] += count


@given(st.integers(1, 9), st.integers(0, 10_000))
def test_every_arc_has_a_sibling_or_none(words: int, seed: int) -> None:
    """With the parts of arcs that have none, one for every arc; otherwise what is there is the same."""
    for state, _, _ in walk(words, seed):
        parts = built(state)
        siblings = Counter(nodes[:2] for kind, nodes, _ in parts.elements() if kind == SIBLING)
        arcs = Counter(nodes[:2] for kind, nodes, _ in parts.elements() if kind == FIRST)
        assert siblings == arcs
        assert {part for part in parts if part[1][2] != -1 or part[0] == FIRST} == set(
            built(state, ALL - NO_SIBLING)
        )


@given(trees(max_size=8))
def test_a_mirrored_sentence_has_mirrored_parts(heads: list[int]) -> None:
    """All but those of arcs from the root, which stands before the words in both."""
    end = len(heads) + 1
    mirrored = [end - head if head else 0 for head in reversed(heads)]
    turned = {
        (kind, tuple(end - node if node > 0 else node for node in nodes))
        for kind, nodes in parts_of(mirrored)
    }
    assert between_words(parts_of(heads)) == between_words(turned)


def parts_of(heads: list[int]) -> set[tuple[int, tuple[int, ...]]]:
    """The parts of a tree, by a derivation of it."""
    state = _core.State(len(heads), SYSTEM_FACTS["swap"].code, False)
    for step in derive(heads, oracle="lazy").steps:
        state.apply(step.transition.kind.code, 0)
    return {(kind, nodes) for kind, nodes, _ in built(state)}


def between_words(parts: set[tuple[int, tuple[int, ...]]]) -> set[tuple[int, tuple[int, ...]]]:
    return {part for part in parts if part[1][0] != 0}


@pytest.mark.parametrize(
    "names",
    [
        f"{FULL},+",
        f"{FULL},+,3+",
        f"{FULL},+,3+,apart",
        f"{FULL},alone",
        f"{FULL},clusters",
        f"{FULL},+,3+,apart,alone,clusters",
    ],
)
def test_the_score_of_a_tree_is_the_sum_of_its_transitions_and_its_parts(names: str) -> None:
    """By the weights themselves: what the beam summed up, with its memory of parts, is recomputed from nothing."""
    treebank = toy(40)
    clusters = Clusters.learn([sentence.forms for sentence in treebank], clusters=5)
    parser = TransitionParser(completion=names, beam=6, epochs=1, bits=14, precision="float32").fit(
        Lessons.of(treebank, clusters)
    )
    setup, table = parser.state.setup, parser.state.weights.table
    columns = setup.encoder.columns
    parts = completion.arranged(names, setup.parts)
    programs = compile_templates(setup.templates, 1), parts.compile(columns, 1)
    kinds = completion.kinds(parser.options.completion)
    numbers = transition_numbers(setup.labels)
    for sentence in treebank[:10]:
        values, _ = setup.encoder.encode([sentence])
        state = _core.State(len(sentence), SYSTEM_FACTS["swap"].code, setup.single_root)
        trace = parser.trace(sentence)
        total = 0.0
        for step in trace.steps:
            kind, label = step.transition.kind.code, step.transition.label
            number = numbers[kind, label if kind in ARCS else ""]
            total += weight(table, programs[0].extract(state, values, kind), number)
            state.apply(kind, setup.labels.names.index(label) if kind in ARCS else -1)
        for kind, nodes, label, _ in _core.built_parts(state, kinds):
            part = np.array(nodes[: SIZES[kind]], np.int32)
            total += weight(table, programs[1].extract(kind, part, values), label)
        assert np.isclose(total, trace.beam[-1][0].score, atol=1e-3)


@pytest.mark.parametrize("names", ["2a", "2a,alone", f"{FULL},+,3+,apart,alone"])
def test_a_beam_that_holds_everything_finds_the_best_tree(names: str, tmp_path: Path) -> None:
    """If only parts score something, the best derivation is that of the projective tree whose parts score most: the
    trees are enumerated, as for the charts.
    """
    (tmp_path / "bias.txt").write_text("bias\n")
    # One label, so that a tree has one score.
    sentences = [each.copy() for each in toy(20, crossing=False)]
    for each in sentences:
        each.deprels = ["x"] * len(each)
    parser = TransitionParser(
        **{"completion": names, "system": "standard", "features": str(tmp_path / "bias.txt")},
        **{"beam": 2, "epochs": 1, "bits": 14, "precision": "float32"},
    )
    setup = parser.fit(sentences).state.setup
    program = completion.arranged(names, setup.parts).compile(setup.encoder.columns, 1)
    kinds = completion.kinds(names)
    bias = compile_templates(setup.templates, 1)
    chance = np.random.default_rng(1)
    for sentence in sentences[:3]:
        short = Sentence(forms=sentence.forms[:4], upos=sentence.upos[:4], xpos=sentence.xpos[:4])
        values, _ = setup.encoder.encode([short])
        table = chance.normal(size=setup.cells).astype(np.float32)
        start = _core.State(4, SYSTEM_FACTS["standard"].code, setup.single_root)
        (cell,) = bias.extract(start, values, SHIFT) >> np.uint64(64 - 14)
        table[int(cell) : int(cell) + len(setup.repertoire)] = 0
        parser.change(Model(setup, PackedWeights.exact(table)), {})
        best = best_trees(parser, [short], 2, beam=4096)[0][0]
        scores = {}
        for heads in all_trees(4, single_root=setup.single_root):
            state = _core.State(4, SYSTEM_FACTS["swap"].code, setup.single_root)
            for step in derive(list(heads), oracle="lazy").steps:
                state.apply(step.transition.kind.code, 0)
            scores[heads] = sum(
                weight(table, program.extract(kind, np.array(nodes[: SIZES[kind]], np.int32), values), label)
                for kind, nodes, label, _ in _core.built_parts(state, kinds)
            )
        assert tuple(best.heads) == max(scores, key=scores.__getitem__)
        assert np.isclose(best.score, max(scores.values()), atol=1e-3)


def weight(table: NDArray[np.generic], features: NDArray[np.uint64], offset: int) -> float:
    return float(table[(features >> np.uint64(64 - 14)).astype(np.int64) + offset].sum())


def transition_numbers(labels: Labels) -> dict[tuple[int, str], int]:
    names = [(SHIFT, ""), (SWAP, "")]
    names += [(LEFT, labels.names[label]) for label in labels.left]
    names += [(RIGHT, labels.names[label]) for label in labels.right]
    return {name: number for number, name in enumerate(names)}
