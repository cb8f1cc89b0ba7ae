"""Labels that a head has once: the program that assigns them, and the component that asks it."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from plait import InputError, Sentence
from plait.components.relabel import Relabel
from plait.components.relabel.sight import doubled, labels_once

pytest.importorskip("scipy")
from plait.components.relabel.assignment import assign

SB, OA, MO = range(3)


def test_two_subjects_become_subject_and_object() -> None:
    chances = np.log([[0.9, 0.1], [0.6, 0.4]])
    assert assign(chances, [SB, OA]) == [SB, OA]
    assert assign(chances, []) == [SB, SB]


def test_of_three_one_is_the_subject() -> None:
    found = assign(np.log([[0.5, 0.3, 0.2], [0.8, 0.1, 0.1], [0.6, 0.2, 0.2]]), [SB, OA])
    assert found == [OA, SB, MO]


def test_a_label_may_stand_twice_for_its_price() -> None:
    scores = np.array([[3.0, 0.0], [2.0, 1.5]])
    assert assign(scores, [SB], price=0.4) == [SB, SB]
    assert assign(scores, [SB], price=0.6) == [SB, OA]
    assert assign(np.array([[3.0, 0.0]] * 3), [SB], price=1) == [SB, SB, SB]


def test_too_few_labels() -> None:
    assert assign(np.zeros((3, 2)), [SB, OA]) is None
    assert assign(np.zeros((0, 2)), [SB]) == []


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_it_is_what_trying_all_finds(data: st.DataObject) -> None:
    children, labels = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    scores = data.draw(
        arrays.arrays(np.float64, (children, labels), elements=st.integers(-50, 50).map(lambda n: n / 10))
    )
    once = data.draw(st.sets(st.integers(0, labels - 1)))
    allowed = [
        choice
        for choice in product(range(labels), repeat=children)
        if all(choice.count(label) <= 1 for label in once)
    ]
    found = assign(scores, sorted(once))
    if not allowed:
        assert found is None
        return
    assert found is not None
    assert tuple(found) in allowed
    total = scores[range(children), found].sum()
    assert total == pytest.approx(max(scores[range(children), list(choice)].sum() for choice in allowed))


def sentence(*labels: str, cases: str = "") -> Sentence:
    """A verb, and before it nouns with cases."""
    size = len(labels)
    feats = [{"n": "Case=Nom", "a": "Case=Acc", "d": "Case=Dat"}[case] for case in cases] or ["_"] * size
    return Sentence(
        forms=[*(f"w{i}" for i in range(size)), "sees"],
        upos=[*["NOUN"] * size, "VERB"],
        feats=[*feats, "_"],
        heads=[*[size + 1] * size, 0],
        deprels=[*labels, "root"],
    )


CASES = {"n": "nsubj", "a": "obj", "d": "obl"}
ORDERS = ["n", "na", "nad", "dna", "andd", "dd", "nda"]
TRAIN = [sentence(*(CASES[case] for case in cases), cases=cases) for cases in ORDERS * 8]


def test_which_labels_heads_have_once() -> None:
    assert labels_once(TRAIN, 20, 0.0) == ["nsubj", "obj"]
    assert labels_once(TRAIN, 47, 0.0) == ["nsubj"]
    assert labels_once(TRAIN, 20, 1.0) == ["nsubj", "obj", "obl"]
    assert doubled([4, 4, 4, 0], ["nsubj", "nsubj", "obl", "root"], ["nsubj"]) == {4: [1, 2, 3]}
    assert doubled([4, 4, 4, 0], ["obl", "nsubj", "obl", "root"], ["nsubj"]) == {}
    assert doubled([0, 0], ["root", "root"], ["root"]) == {}


def test_doubles_are_put_right_and_nothing_else(tmp_path: Path) -> None:
    relabel = Relabel(least=5, bits=14).fit(TRAIN)
    assert relabel.once_ == ["nsubj", "obj"]
    wrong = sentence("nsubj", "nsubj", "obl", cases="nad")
    mistaken = sentence("obj", "obl", cases="na")  # wrong, but possible
    found = relabel.apply([wrong, mistaken])
    assert found[0].deprels == ["nsubj", "obj", "obl", "root"]
    assert found[0].heads == wrong.heads
    assert found[1].deprels == mistaken.deprels
    relabel.save(tmp_path / "model")
    again = Relabel.load(tmp_path / "model")
    assert again.once_ == relabel.once_
    assert again.apply([wrong])[0].deprels == found[0].deprels


def test_labels_of_ones_own() -> None:
    assert Relabel(labels="obl, obj").fit(TRAIN).once_ == ["obl", "obj"]
    with pytest.raises(InputError, match="'subj'"):
        Relabel(labels="subj").fit(TRAIN)
    with pytest.raises(InputError, match="no word has a head"):
        Relabel().fit([Sentence(forms=["a"], heads=[0], deprels=["root"])])
