"""The completion model: the sheet's examples, and its options."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from plait import TransitionParser, Treebank, _core
from plait.components.transition import completion
from plait.errors import InputError
from plait.features.clusters import Clusters
from plait.learning.lessons import Lessons
from toy import toy

SHIFT, LEFT, RIGHT, SWAP = range(4)
KINDS = ("first", "sib", "cmi", "cmo", "2b", "3a", "3b", "3c")
ALL = (1 << len(KINDS)) - 1
NO_SIBLING = 1 << len(KINDS)
PAPER = "2a,2b,3a,3b,3c,+,3+,apart"


def run(words: int, steps: list[int]) -> _core.State:
    state = _core.State(words, 0, False)
    for kind in steps:
        state.apply(kind, 0)
    return state


def heads(state: _core.State, words: int) -> list[int]:
    return [state.node(word)[0] for word in range(1, words + 1)]


def higher(parts: list[tuple[int, list[int], int, int]]) -> set[tuple[str, tuple[int, ...]]]:
    """Parts of more than two words."""
    return {(KINDS[kind], tuple(n for n in nodes if n != -1)) for kind, nodes, _, _ in parts if kind > 0}


def test_she_bought_a_house_with_friends() -> None:
    steps = [SHIFT, SHIFT, LEFT, SHIFT, SHIFT, LEFT, RIGHT, SHIFT, SHIFT, RIGHT, RIGHT, RIGHT]
    state = run(6, steps)
    assert heads(state, 6) == [2, 0, 4, 2, 2, 5]
    assert higher(_core.built_parts(state, ALL)) == {
        ("sib", (2, 5, 4)),
        *{("cmi", nodes) for nodes in [(0, 2, 1), (2, 4, 3)]},
        *{("cmo", nodes) for nodes in [(0, 2, 5), (2, 5, 6)]},
        *{("2b", nodes) for nodes in [(2, 1, 5), (2, 4, 1), (2, 5, 1)]},
        *{("3a", nodes) for nodes in [(2, 1, 5, 4), (2, 4, 1, 5), (2, 5, 1, 4)]},
        ("3b", (0, 2, 1, 4)),
        ("3c", (0, 2, 5, 6)),
    }


def test_a_sibling_may_come_between_a_head_and_a_child_it_has() -> None:
    state = run(3, [SHIFT, SHIFT, SHIFT, SWAP])
    assert higher(_core.completed_parts(state, RIGHT, 0, ALL)) == set()
    state.apply(RIGHT, 0)
    state.apply(SHIFT)
    new = _core.completed_parts(state, RIGHT, 0, ALL)
    assert higher(new) == {("sib", (1, 3, 2)), ("2b", (1, 2, 3)), ("2b", (1, 3, 2))}
    state.apply(RIGHT, 0)
    assert heads(state, 3)[1:] == [1, 1]


def test_arcs_without_a_sibling() -> None:
    steps = [SHIFT, SHIFT, LEFT, SHIFT, SHIFT, LEFT, RIGHT, SHIFT, SHIFT, RIGHT, RIGHT, RIGHT]
    parts = _core.built_parts(run(6, steps), completion.kinds("2a,alone"))
    siblings = {tuple(nodes[:3]) for kind, nodes, _, _ in parts if KINDS[kind] == "sib"}
    assert siblings == {(2, 5, 4), (2, 1, -1), (0, 2, -1), (4, 3, -1), (2, 4, -1), (5, 6, -1)}
    # Only what has a sibling is a part of 2b and 3a, as before.
    others = completion.kinds("2b,3a,3b,3c")
    assert _core.built_parts(run(6, steps), others | NO_SIBLING) == _core.built_parts(run(6, steps), others)


def test_no_sibling_is_no_more_when_one_comes_between() -> None:
    state = run(3, [SHIFT, SHIFT, SHIFT, SWAP, RIGHT, SHIFT])
    changes = [
        (tuple(nodes[:3]), count)
        for kind, nodes, _, count in _core.completed_parts(state, RIGHT, 0, completion.kinds("2a,alone"))
        if KINDS[kind] == "sib"
    ]
    assert sorted(changes) == [((1, 2, -1), 1), ((1, 3, -1), -1), ((1, 3, 2), 1)]


def test_kinds_that_are_not_asked_for_are_not_found() -> None:
    state = run(3, [SHIFT, SHIFT, RIGHT, SHIFT])
    assert Counter(kind for kind, *_ in _core.completed_parts(state, RIGHT, 0, ALL)) == {0: 1, 1: 1, 4: 2}
    assert [kind for kind, *_ in _core.completed_parts(state, RIGHT, 0, completion.kinds("2a"))] == [0, 1]
    assert [kind for kind, *_ in _core.completed_parts(state, RIGHT, 0, completion.kinds("2b"))] == [4, 4]


def clustered(completion: str, train: Treebank, **options: object) -> TransitionParser:
    """With clusters, if it names them."""
    clusters = Clusters.learn([sentence.forms for sentence in train], clusters=5)
    lessons = Lessons.of(train, clusters if "clusters" in completion else None)
    told = {"beam": 4, "epochs": 4, "bits": 16} | options
    return TransitionParser(completion=completion, **told).fit(lessons, dev=toy(20, seed=2))


@pytest.mark.parametrize("loss", ["arcs", "halves"])
@pytest.mark.parametrize("names", ["2a", "2a,2b,3a,3b,3c", "2a,2b,+", PAPER, f"{PAPER},alone,clusters"])
def test_a_parser_learns_with_completion(names: str, loss: str, tmp_path: Path) -> None:
    train, dev = toy(60), toy(20, seed=2)
    parser = clustered(names, train, loss=loss)
    assert parser.scores_["las"] == 100
    parser.save(tmp_path / "m")
    loaded = TransitionParser.load(tmp_path / "m")
    assert (loaded.options.completion, loaded.options.loss) == (names, loss)
    found = [parser.apply(dev), loaded.apply(dev), loaded.apply(dev, threads=3)]
    assert len({tuple(tuple(s.heads) + tuple(s.deprels) for s in trees) for trees in found}) == 1
    assert loaded.trace(dev[0]).steps


@pytest.mark.parametrize("more", ["3+", "apart", "alone", "clusters"])
def test_what_is_more_changes_what_is_learned(more: str) -> None:
    train = toy(40)
    names = "2a,3b,+"
    # Where there are clusters arcs see them; the question is what is seen of more words.
    lessons = Lessons.of(train, Clusters.learn([sentence.forms for sentence in train], clusters=5))
    tables = [
        TransitionParser(completion=each, beam=4, epochs=1, bits=16).fit(lessons).state.weights.table
        for each in (names, f"{names},{more}")
    ]
    assert (tables[0] != tables[1]).any()


def test_what_is_more_is_in_lists_of_its_own() -> None:
    plain = completion.templates("2a,3a,+", clusters=True)
    third = completion.templates("2a,3a,+,3+", clusters=True)
    assert len(third.lists["third"]) > len(plain.lists["third"])
    assert {name: lines for name, lines in third.lists.items() if name != "third"} == {
        name: lines for name, lines in plain.lists.items() if name != "third"
    }
    clusters = completion.templates("2a,3a,+,clusters", clusters=True)
    assert clusters.lists["first"] == plain.lists["first"], "arcs see clusters anyway"
    for name in "sibling", "grandchild", "third":
        assert {"cluster4", "cluster6"} <= {a.attribute for line in clusters.lists[name] for a in line}
        assert not any(a.attribute.startswith("cluster") for line in plain.lists[name] for a in line)
    assert completion.arranged("2a,+", plain) is plain
    assert completion.arranged("2a,+,apart", plain) == plain.apart() != plain


def test_own_lists_name_clusters(tmp_path: Path) -> None:
    (tmp_path / "sibling.txt").write_text("D.cluster4 X.cluster4\nD.upos X.upos\n")
    parser = clustered("2a,clusters", toy(40), parts=str(tmp_path))
    assert [len(line) for line in parser.state.setup.parts.lists["sibling"]] == [2, 2]
    grandchild = parser.state.setup.parts.lists["grandchild"]
    assert any(atom.attribute == "cluster4" for line in grandchild for atom in line)
    assert parser.stand_in().options.completion == "", "a greedy one has no parts, and no lists of them"
    with pytest.raises(InputError, match="no clusters"):
        TransitionParser(completion="2a", parts=str(tmp_path)).fit(toy(5))


def test_parts_look_at_clusters_only_where_there_are_some() -> None:
    with pytest.raises(InputError, match="the parser has none"):
        TransitionParser(completion="2a,clusters").fit(toy(5))


@pytest.mark.parametrize(
    ("completion_names", "short"),
    [
        ("2a", "2a"),
        ("2a,2b,3a,3b,3c", "2ab3abc"),
        ("2a,2b,3a,3b,+", "2ab3ab+"),
        ("2a,3b,+,3+,apart,alone", "2a3b+3+-apart-alone"),
    ],
)
def test_names_as_the_paper_writes_them(completion_names: str, short: str) -> None:
    assert completion.short_name(completion_names) == short


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"completion": "2c"}, "no factors '2c'"),
        ({"completion": "+"}, "names no factors"),
        ({"completion": "2a,3+"}, "there is no 3a, 3b or 3c"),
        ({"completion": "2b,alone"}, "there is no 2a"),
        ({"completion": "2a,apart"}, "words beside a part"),
        ({"parts": "mine"}, "completion is empty"),
        ({"loss": "half"}, "halves"),
        ({"completion": "2a", "beam": 1}, "needs a beam"),
        ({"completion": "2a", "system": "eager"}, "does not go with it"),
        ({"completion": "2a", "system": "spine"}, "does not go with it"),
    ],
)
def test_what_cannot_be(options: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        TransitionParser(**options)
