"""What holds for all graphs from which trees are grown, and for all trees that lose their function words."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plait import Sentence
from plait.components.function_words.analysis import analyse
from plait.components.function_words.building import build
from plait.components.graph2tree import GraphToTreeOptions, templates
from plait.components.graph2tree.model import Model, Setup
from plait.layers import Argument, DeepNode, DeepTree, Edge, Frame, Frames
from plait.learning.weights import PackedWeights
from plait.meaning import SemanticNode, SemanticStructure
from plait.semantics.complete import WordGraphs
from plait.semantics.conditions import acyclic, connected
from plait.semantics.hiding import hide_sentences, renumbered
from plait.trees import tree_of
from strategies import trees

_LABELS = ("root", "a", "b", "c")
_GROWTHS = templates.load("default")


def _model(best: int) -> Model:
    setup = Setup(_GROWTHS, _LABELS, WordGraphs(), GraphToTreeOptions(bits=12, best=best, reach=2), 1)
    weights = np.random.default_rng(3).normal(size=setup.cells).astype(np.float32)
    return Model(setup, PackedWeights.exact(weights))


MODELS = [_model(1), _model(20)]


@st.composite
def graphs(draw: st.DrawFn) -> Sentence:
    """Any edges, so also several pieces; every word has a lemma of its own, and some nodes stand for none."""
    words = draw(st.integers(1, 7))
    silent = draw(st.integers(0, 2))
    nodes = words + silent
    pair = st.tuples(st.integers(1, nodes), st.integers(1, nodes), st.sampled_from(("A0", "A1", "AM")))
    edges = [Edge(*each) for each in draw(st.lists(pair, max_size=12)) if each[0] != each[1]]
    sentence = Sentence(
        forms=["_"] * words,
        lemmas=[f"w{number}" for number in range(words)],
        upos=[draw(st.sampled_from(("N", "V"))) for _ in range(words)],
    )
    sentence.put(
        SemanticStructure(
            (
                *(SemanticNode(f"w{number}", number + 1, "N") for number in range(words)),
                *(SemanticNode(f"m{number}") for number in range(silent)),
            ),
            tuple(edges),
        )
    )
    return sentence


def grown(model: Model, sentence: Sentence) -> list[tuple[str, str, str]]:
    """By lemma: the lemma of the head, and the label."""
    graph = sentence.find(SemanticStructure)
    assert graph is not None
    ((heads, labels),) = model.grow(model.setup.encoder.encode([(sentence, graph)]))
    names = ["", *(node.label for node in graph.nodes)]
    rows = zip(graph.nodes, heads, labels, strict=True)
    return sorted((node.label, names[head], label) for node, head, label in rows if node.word)


@given(graphs())
def test_every_graph_has_a_tree_over_its_words_with_one_root(sentence: Sentence) -> None:
    for model in MODELS:
        rows = grown(model, sentence)
        assert [lemma for lemma, _, _ in rows] == sorted(sentence.lemmas)
        assert all(label in _LABELS for _, _, label in rows)
        numbers = {lemma: number for number, (lemma, _, _) in enumerate(rows, 1)} | {"": 0}
        heads = [numbers[head] for _, head, _ in rows]
        tree_of(Sentence(forms=["_"] * len(heads), heads=list(heads)))
        assert heads.count(0) == 1


@given(graphs(), st.randoms(use_true_random=False))
def test_numbers_of_words_and_nodes_tell_nothing(sentence: Sentence, chance: object) -> None:
    graph = sentence.find(SemanticStructure)
    assert graph is not None
    words, nodes = list(range(1, len(sentence) + 1)), list(range(1, len(graph.nodes) + 1))
    chance.shuffle(words)  # type: ignore[attr-defined]
    chance.shuffle(nodes)  # type: ignore[attr-defined]
    other = sentence.copy()
    other.reorder(words)
    other.put(renumbered(graph, words, nodes))
    for model in MODELS:
        assert grown(model, other) == grown(model, sentence)


@st.composite
def framed(draw: st.DrawFn) -> Sentence:
    heads = draw(trees(max_size=9))
    size = len(heads)
    sentence = Sentence(
        forms=[f"F{number}" for number in range(1, size + 1)],
        lemmas=[f"w{number}" for number in range(1, size + 1)],
        upos=[draw(st.sampled_from(("NOUN", "VERB", "DET"))) for _ in range(size)],
        heads=list(heads),
        deprels=[draw(st.sampled_from(("nsubj", "det", "dep"))) if head else "root" for head in heads],
        comments=["# sent_id = s1", "# text = secret"],
    )
    words = st.sets(st.integers(1, size), max_size=3)
    frames = [
        Frame(predicate, f"w{predicate}.01", tuple(Argument(word, "A1") for word in sorted(draw(words))))
        for predicate in sorted(draw(words))
    ]
    sentence.put(Frames(tuple(frames)))
    return sentence


@given(framed())
def test_completed_graphs_hang_together_whatever_the_predicates_say(sentence: Sentence) -> None:
    graph = WordGraphs.learn([sentence]).graph(sentence)
    assert not list(connected(graph)) or list(sentence.heads).count(0) > 1
    assert not list(acyclic(graph))


@given(framed(), st.integers(0, 1000))
def test_a_hidden_graph_tells_no_forms_tree_or_text(sentence: Sentence, seed: int) -> None:
    sentence.put(WordGraphs.learn([sentence]).graph(sentence))
    (hidden,) = hide_sentences([sentence], seed=seed)
    graph = hidden.find(SemanticStructure)
    assert graph is not None
    assert hidden.find(Frames) is None
    assert set(hidden.forms) == {"_"}
    assert set(hidden.heads) == {None}
    assert set(hidden.deprels) == {"_"}
    assert hidden.comments == ["# sent_id = s1"]
    assert Counter(hidden.lemmas) == Counter(sentence.lemmas)
    told = {
        (
            hidden.lemmas[graph.nodes[e.head - 1].word - 1],
            hidden.lemmas[graph.nodes[e.dependent - 1].word - 1],
        )
        for e in graph.edges
    }
    original = sentence.find(SemanticStructure)
    assert original is not None
    assert told == {(f"w{edge.head}", f"w{edge.dependent}") for edge in original.edges}


def test_the_seed_decides_the_order_of_hidden_words_and_nodes() -> None:
    sentence = Sentence(
        forms=[str(n) for n in range(30)], lemmas=[str(n) for n in range(30)], heads=[0, *[1] * 29]
    )
    sentence.put(WordGraphs.learn([sentence]).graph(sentence))
    one, same, other = (next(hide_sentences([sentence], seed=seed)) for seed in (1, 1, 2))
    assert one.lemmas == same.lemmas != other.lemmas
    assert one.find(SemanticStructure) == same.find(SemanticStructure)
    graph = one.find(SemanticStructure)
    assert graph is not None
    assert [node.word for node in graph.nodes] != list(range(1, 31))
    assert one.lemmas != sentence.lemmas


@given(trees(max_size=10), st.data())
def test_function_words_that_hang_from_content_words_come_back(heads: list[int], data: st.DataObject) -> None:
    inner = set(heads)
    kept = [
        w for w in range(1, len(heads) + 1) if w in inner or heads[w - 1] == 0 or data.draw(st.booleans())
    ]
    numbers = {word: number for number, word in enumerate(kept, 1)} | {0: 0}
    sentence = Sentence(
        forms=["_"] * len(heads),
        lemmas=[f"w{number}" for number in range(1, len(heads) + 1)],
        heads=list(heads),
        deprels=[data.draw(st.sampled_from(("det", "case", "aux:pass"))) for _ in heads],
    )
    tree = DeepTree(tuple(DeepNode(w, (w,), f"w{w}", "X", "_", numbers[heads[w - 1]], "I") for w in kept))
    found = Sentence(forms=[])
    build(found, tree, analyse(sentence, tree))
    names = ["", *found.lemmas]
    assert sorted(
        zip(found.lemmas, (names[head or 0] for head in found.heads), found.deprels, strict=True)
    ) == sorted(
        zip(
            sentence.lemmas,
            (sentence.lemmas[head - 1] if head else "" for head in heads),
            sentence.deprels,
            strict=True,
        )
    )
