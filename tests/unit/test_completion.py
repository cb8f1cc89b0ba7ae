"""The completion model: the sheet's examples, and its options."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from plait import TransitionParser, _core
from plait.components.transition import completion
from plait.errors import InputError
from toy import toy

SHIFT, LEFT, RIGHT, SWAP = range(4)
KINDS = ("first", "sib", "cmi", "cmo", "2b", "3a", "3b", "3c")
ALL = (1 << len(KINDS)) - 1


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


def test_kinds_that_are_not_asked_for_are_not_found() -> None:
    state = run(3, [SHIFT, SHIFT, RIGHT, SHIFT])
    assert Counter(kind for kind, *_ in _core.completed_parts(state, RIGHT, 0, ALL)) == {0: 1, 1: 1, 4: 2}
    assert [kind for kind, *_ in _core.completed_parts(state, RIGHT, 0, completion.kinds("2a"))] == [0, 1]
    assert [kind for kind, *_ in _core.completed_parts(state, RIGHT, 0, completion.kinds("2b"))] == [4, 4]


@pytest.mark.parametrize("names", ["2a", "2a,2b,3a,3b,3c", "2a,2b,+"])
def test_a_parser_learns_with_completion(names: str, tmp_path: Path) -> None:
    train, dev = toy(60), toy(20, seed=2)
    parser = TransitionParser(completion=names, beam=4, epochs=4, bits=16).fit(train, dev=dev)
    assert parser.scores_["las"] == 100
    parser.save(tmp_path / "m")
    loaded = TransitionParser.load(tmp_path / "m")
    assert loaded.options.completion == names
    found = [parser.apply(dev), loaded.apply(dev), loaded.apply(dev, threads=3)]
    assert len({tuple(tuple(s.heads) + tuple(s.deprels) for s in trees) for trees in found}) == 1
    assert loaded.trace(dev[0]).steps


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"completion": "2c"}, "no factors '2c'"),
        ({"completion": "+"}, "names no factors"),
        ({"completion": "2a", "beam": 1}, "needs a beam"),
        ({"completion": "2a", "system": "eager"}, "does not go with it"),
        ({"completion": "2a", "system": "spine"}, "does not go with it"),
    ],
)
def test_what_cannot_be(options: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        TransitionParser(**options)
