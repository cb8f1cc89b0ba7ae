"""Brown clusters: as their definition says, in files others read, and as features of a parser."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from brown import brown
from plait import FormatError, InputError, OutputError, TransitionParser
from plait.features.clusters import Clusters
from plait.features.encoding import Encoder, hash_text
from plait.features.templates import load
from plait.learning.lessons import Lessons
from plait.sentence import Sentence
from toy import accuracy, quick_parser, toy

TEXT = [list(words) for words in product(("the", "a"), ("dog", "cat", "bird"), ("runs", "sits"))]


@pytest.fixture(scope="module")
def clusters() -> Clusters:
    return Clusters.learn([sentence.forms for sentence in toy(80)], clusters=5)


def test_words_that_keep_the_same_company_are_together() -> None:
    found = Clusters.learn(TEXT, clusters=7).mapping
    nouns = {found[word] for word in ("dog", "cat", "bird")}
    start = next(size for size in range(8) if len({bits[:size] for bits in nouns}) > 1) - 1
    assert all(found[word][:start] != found["dog"][:start] for word in ("the", "a", "runs", "sits"))


def test_rare_words_are_left_out() -> None:
    text = [["a", "b", "a", "c"], ["a", "b"]]
    assert set(Clusters.learn(text, least=2).mapping) == {"a", "b"}
    assert Clusters.learn(text, least=1).counts == {"a": 3, "b": 2, "c": 1}
    assert Clusters.learn([["x"], ["x"]]).mapping == {"x": "0"}
    assert set(Clusters.learn(text, clusters=1).mapping.values()) == {"0"}


def test_nothing_to_cluster() -> None:
    with pytest.raises(InputError, match="No word occurs 2 times"):
        Clusters.learn([["once"]])
    with pytest.raises(InputError, match="clusters is 0 but must be from 1 to 4,096"):
        Clusters.learn(TEXT, clusters=0)


def test_the_information_of_a_larger_text_is_that_of_the_definition() -> None:
    chance = np.random.default_rng(3)
    text = [[f"w{number}" for number in chance.zipf(1.4, 12) if number < 40] for _ in range(60)]
    assert Clusters.learn(text, clusters=7, least=1).mapping == brown(text, 7)


def test_files_come_back(clusters: Clusters, tmp_path: Path) -> None:
    path = tmp_path / "paths"
    clusters.save(path)
    assert Clusters.load(path) == clusters
    lines = path.read_text().splitlines()
    assert lines == sorted(lines, key=lambda line: line.split("\t")[0])
    path.write_text("01\tdog\n\n1\tcat\t7\r\n")
    assert Clusters.load(path) == Clusters({"dog": "01", "cat": "1"}, {"dog": 0, "cat": 7})
    with pytest.raises(OutputError, match="cannot stand on a line"):
        Clusters({"a\tb": "0"}, {}).save(path)
    with pytest.raises(OutputError, match="cannot be written"):
        clusters.save(tmp_path / "nowhere" / "paths")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0 dog 3", "with tabs between them, not 1 columns"),
        ("0\tdog\t3\t4", "not 4 columns"),
        ("02\tdog\t3", "a bit string is expected, not '02'"),
        ("\tdog\t3", "a bit string is expected, not ''"),
        ("0\t\t3", "there is no word"),
        ("0\tcat\t3", "the word 'cat' has a bit string already"),
        ("0\tdog\tthree", "a count is expected, not 'three'"),
    ],
)
def test_bad_files_are_told_with_their_line(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "paths"
    path.write_text(f"1\tcat\t2\n{line}\n")
    with pytest.raises(FormatError) as caught:
        Clusters.load(path)
    assert str(caught.value).startswith(f"{path}:2: ")
    assert message in str(caught.value)


def test_no_file_and_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        Clusters.load(tmp_path / "none")
    (tmp_path / "empty").write_text("\n")
    with pytest.raises(FormatError, match="there are no clusters in it"):
        Clusters.load(tmp_path / "empty")


def test_columns_for_templates() -> None:
    found = Clusters({"dog": "0101110"}, {})
    encoder = Encoder(["cluster", "cluster4", "cluster6"], found.columns())
    values, _ = encoder.encode([Sentence(forms=["dog", "bird"])])
    assert values[0].tolist() == [hash_text(text) for text in ("0101110", "0101", "010111")]
    assert values[1].tolist() == [hash_text("_")] * 3
    with pytest.raises(InputError, match="look at 'cluster4', but there are no clusters"):
        Encoder(["cluster4"])


def test_templates_are_added_where_there_are_none(tmp_path: Path) -> None:
    assert "cluster6" not in load("swap").columns
    assert {"cluster", "cluster4", "cluster6", "deps"} - set(load("swap", clusters=True).columns) == {"deps"}
    own = tmp_path / "own.txt"
    own.write_text("S0.form\nS0.cluster S1.upos\n")
    assert load(own, clusters=True).columns == ["form", "cluster", "upos"]


def test_a_parser_keeps_its_clusters(clusters: Clusters, tmp_path: Path) -> None:
    parser = quick_parser().fit(Lessons.of(toy(60), clusters))
    assert "cluster" in parser.columns_
    parser.save(tmp_path / "model")
    loaded = TransitionParser.load(tmp_path / "model")
    dev = toy(30, seed=2)
    assert accuracy(loaded, dev) == accuracy(parser, dev) > 0.95
    loaded.save(tmp_path / "again")
    for name in "manifest.json", "weights.safetensors":
        assert (tmp_path / "model" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_templates_that_need_clusters_say_so(tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("S0.cluster S1.cluster\n")
    with pytest.raises(InputError, match="there are no clusters of words"):
        quick_parser(features=str(own)).fit(toy(5))
