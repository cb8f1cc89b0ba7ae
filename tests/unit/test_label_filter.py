"""Labels by the UPOS of head and dependent."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait import Sentence, TransitionParser, Treebank
from plait.learning.arcs import LabelledTrees
from plait.learning.seen_labels import SeenLabels
from toy import accuracy, quick_parser, toy

SENTENCE = Sentence(
    forms=["the", "dog", "barks"],
    upos=["DET", "NOUN", "VERB"],
    heads=[2, 3, 0],
    deprels=["det", "nsubj", "root"],
)


def filter_of(versions: list[list[Sentence]], system: str = "swap") -> tuple[SeenLabels, list[str]]:
    trees = LabelledTrees.of(versions[0], "")
    labels = trees.inventory(system)
    return SeenLabels.of(trees, labels, versions, system), labels.names


def test_what_was_seen_is_allowed() -> None:
    found, names = filter_of([[SENTENCE]])
    assert found.tags == ["DET", "NOUN", "VERB"]
    left, right = 0, 1
    assert {(*row[:3], names[row[3]]) for row in found.rows} == {
        (left, 2, 1, "det"),
        (left, 3, 2, "nsubj"),
        (right, 0, 3, "root"),
    }
    assert found.classes([Sentence(forms=["x", "y"], upos=["VERB", "new"])]).tolist() == [3, 4]


def test_several_versions_of_the_tags_are_joined() -> None:
    other = SENTENCE.copy()
    other.upos[1] = "PROPN"
    found, _ = filter_of([[SENTENCE], [other]])
    assert len(found.rows) == 5


def test_in_the_arc_eager_system_the_root_is_on_the_right() -> None:
    found, _ = filter_of([[SENTENCE]], "eager")
    assert [row[:3] for row in found.rows if row[1] == 0] == [(0, 0, 3)]


def arcs_of(sentence: Sentence) -> set[tuple[bool, str, str, str]]:
    """Direction, tags of head and dependent, label."""
    tags = ["", *sentence.upos]
    return {
        (not head or head < word, tags[head or 0], tags[word], label)
        for word, (head, label) in enumerate(zip(sentence.heads, sentence.deprels, strict=True), 1)
    }


def unseen(parser: TransitionParser, train: Treebank, test: Treebank) -> int:
    """How many labels come out that were not seen between such words, though others were."""
    allowed = set().union(*map(arcs_of, train))
    pairs = {arc[:3] for arc in allowed}
    found = [arc for sentence in parser.apply(test) for arc in arcs_of(sentence)]
    return sum(arc[:3] in pairs and arc not in allowed for arc in found)


@pytest.mark.parametrize(
    "options",
    [{}, {"beam": 4}, {"system": "standard", "beam": 2}, {"system": "eager"}, {"system": "spine", "beam": 2}],
    ids=str,
)
def test_only_seen_labels_come_out(options: dict[str, object], tmp_path: Path) -> None:
    train, test = toy(60), toy(30, 2)
    # A parser that looks at no word takes labels from anywhere, if it may.
    (tmp_path / "blind.txt").write_text("S1~S0.distance\n")
    blind = {"features": str(tmp_path / "blind.txt"), **options}
    assert unseen(quick_parser(**blind).fit(train), train, test) > 0
    parser = quick_parser(filter_labels=True, **blind).fit(train)
    assert unseen(parser, train, test) == 0
    parser.save(tmp_path / "model")
    again = TransitionParser.load(tmp_path / "model")
    assert again.apply(test).sentences == parser.apply(test).sentences
    assert unseen(again, train, test) == 0


def test_what_is_learned_with_a_filter_is_as_good() -> None:
    for beam in 1, 4:
        assert accuracy(quick_parser(filter_labels=True, beam=beam).fit(toy(60)), toy(30, 2)) > 0.9


def test_unknown_tags_have_any_label() -> None:
    parser = quick_parser(filter_labels=True, beam=2).fit(toy(40))
    sentence = toy(1, 3)[0].copy()
    sentence.upos = ["new"] * len(sentence)
    assert parser.apply([sentence])[0].heads.count(0) == 1
