"""Labels by the UPOS of head and dependent."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait import Parser, Sentence
from plait.parser.data import Trees
from plait.parser.filter import LabelFilter
from toy import accuracy, quick_parser, toy

SENTENCE = Sentence(
    forms=["the", "dog", "barks"],
    upos=["DET", "NOUN", "VERB"],
    heads=[2, 3, 0],
    deprels=["det", "nsubj", "root"],
)


def filter_of(versions: list[list[Sentence]], system: str = "swap") -> tuple[LabelFilter, list[str]]:
    trees = Trees.of(versions[0], "")
    labels = trees.inventory(system)
    return LabelFilter.of(trees, labels, versions, system), labels.names


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
    assert [row[:3] for row in found.rows if row[1] == 0] == [[0, 0, 3]]


@pytest.mark.parametrize(
    "options",
    [{}, {"beam": 4}, {"system": "standard", "beam": 2}, {"system": "eager"}, {"system": "spine", "beam": 2}],
    ids=str,
)
def test_only_seen_labels_come_out(options: dict[str, object], tmp_path: Path) -> None:
    train, test = toy(60), toy(30, 2)
    parser = quick_parser(filter_labels=True, **options).fit(train)
    assert accuracy(parser, test) > 0.9 or options.get("system") in ("standard", "eager", "spine")
    parser.save(tmp_path / "model")
    again = Parser.load(tmp_path / "model")
    assert again.parse(test).sentences == parser.parse(test).sentences
    allowed = {
        (sentence.upos[head - 1] if head else "", tag, label)
        for sentence in train
        for tag, head, label in zip(sentence.upos, sentence.heads, sentence.deprels, strict=True)
    }
    pairs = {key[:2] for key in allowed}
    for sentence in parser.parse(test):
        for tag, head, label in zip(sentence.upos, sentence.heads, sentence.deprels, strict=True):
            key = (sentence.upos[head - 1] if head else "", tag)
            assert (*key, label) in allowed or key not in pairs


def test_unknown_tags_have_any_label() -> None:
    parser = quick_parser(filter_labels=True, beam=2).fit(toy(40))
    sentence = toy(1, 3)[0].copy()
    sentence.upos = ["new"] * len(sentence)
    assert parser.parse([sentence])[0].heads.count(0) == 1
