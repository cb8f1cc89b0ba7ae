"""Templates of parts: what they see, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from plait.errors import FormatError
from plait.features import parts

FIRST, SIBLING, INNER, OUTER, ACROSS, CHILDREN, BELOW, CHAIN = range(8)
VALUES = np.array([[10, 20], [11, 21], [12, 20], [13, 23]], np.uint32)  # form, upos


def extract(source: str, kind: int, nodes: list[int], values: np.ndarray = VALUES) -> set[int]:
    name = {2: "first", 4: "third"}.get(len(nodes), "sibling" if kind in (SIBLING, ACROSS) else "grandchild")
    program = parts.parse({name: source}).compile(["form", "upos"], 1)
    return set(program.extract(kind, np.array(nodes, np.int32), values).tolist())


def changed(values: np.ndarray, word: int, column: int) -> np.ndarray:
    copy = values.copy()
    copy[word - 1, column] += 50
    return copy


def test_a_template_sees_its_nodes_and_nothing_else() -> None:
    plain = extract("H.form D.upos", FIRST, [2, 4])
    assert len(plain) == 1
    assert plain != extract("H.form D.upos", FIRST, [2, 4], changed(VALUES, 2, 0))
    assert plain != extract("H.form D.upos", FIRST, [2, 4], changed(VALUES, 4, 1))
    assert plain == extract("H.form D.upos", FIRST, [2, 4], changed(VALUES, 4, 0))
    assert plain == extract("H.form D.upos", FIRST, [2, 4], changed(VALUES, 3, 1))


def test_neighbours() -> None:
    plain = extract("H+1.upos D-1.upos", FIRST, [1, 4])
    assert plain != extract("H+1.upos D-1.upos", FIRST, [1, 4], changed(VALUES, 2, 1))
    assert plain != extract("H+1.upos D-1.upos", FIRST, [1, 4], changed(VALUES, 3, 1))
    # The root stands before the first word, and nothing after the last.
    assert extract("D-1.upos D+1.upos", FIRST, [4, 1]) != extract("D-1.upos D+1.upos", FIRST, [1, 4])


def test_order_and_kind_belong_to_every_feature() -> None:
    same = np.full((4, 2), 7, np.uint32)
    seen = [
        extract("H.upos", SIBLING, [1, 4, 2], same),
        extract("H.upos", SIBLING, [4, 1, 2], same),
        extract("H.upos", SIBLING, [2, 4, 1], same),
        extract("H.upos", ACROSS, [1, 4, 2], same),
    ]
    assert len(set(map(frozenset, seen))) == len(seen)


def test_between_sees_every_value_once() -> None:
    assert len(extract("between.upos", FIRST, [0, 4])) == 2  # 20, 21 and 20 again
    assert len(extract("between.upos", FIRST, [1, 2])) == 0
    assert extract("between.upos", FIRST, [4, 0]) != extract("between.upos", FIRST, [0, 4])


def test_four_words() -> None:
    plain = extract("H.upos Y.form", CHAIN, [1, 2, 3, 4])
    assert plain != extract("H.upos Y.form", CHAIN, [1, 2, 3, 4], changed(VALUES, 4, 0))
    assert plain != extract("H.upos Y.form", BELOW, [1, 2, 3, 4])


@pytest.mark.parametrize(
    ("name", "line", "told"),
    [
        ("first", "X.upos", "no address 'X'"),
        ("first", "H+2.upos", "no address 'H+2'"),
        ("sibling", "Y.upos", "no address 'Y'"),
        ("third", "Y.upso", "Did you mean 'upos'"),
        ("fourth", "H.upos", "no list 'fourth'"),
    ],
)
def test_faults_are_named(name: str, line: str, told: str) -> None:
    with pytest.raises(FormatError, match=told.replace("+", r"\+")):
        parts.parse({name: f"H.upos\n{line}"})


def test_silent_columns_leave_no_trace() -> None:
    templates = parts.load(parts.LISTS, context=True)
    without = templates.without(["xpos", "lemma"])
    assert {"xpos", "lemma"} <= set(templates.columns)
    assert not {"xpos", "lemma"} & set(without.columns)
    for lines in without.lists.values():
        assert all(lines)
        assert len(set(lines)) == len(lines)
