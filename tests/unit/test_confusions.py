"""Which tags are taken for which others: counts, the tables of both commands, and what always holds."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

import plait
from plait import Sentence
from plait.cli import plait as command
from plait.evaluation import evaluate


def tagged(upos: str, feats: list[str] | None = None, forms: str = "") -> Sentence:
    tags = upos.split()
    size = len(tags)
    return Sentence(
        forms=forms.split() or [f"w{number}" for number in range(size)],
        upos=tags,
        feats=feats or ["_"] * size,
        heads=[0, *range(1, size)],
        deprels=["root", *["dep"] * (size - 1)],
    )


GOLD = [tagged("NOUN VERB VERB VERB ADJ PUNCT", ["Case=Nom", "_", "Case=Acc|Number=Sing", "_", "_", "_"])]
ONE = [tagged("NOUN NOUN NOUN ADJ ADJ PUNCT", ["Case=Acc", "_", "Case=Acc", "_", "Case=Nom", "_"])]
OTHER = [tagged("NOUN VERB NOUN VERB ADJ VERB")]


def test_what_a_tag_is_taken_for() -> None:
    table = evaluate(GOLD, ONE).by_tag()
    assert list(table) == ["VERB", "ADJ", "NOUN", "PUNCT"], "the most frequent first"
    verbs = table["VERB"]
    assert (verbs.gold, verbs.system, verbs.correct, verbs.wrong) == (3, 0, 0, 3)
    assert list(verbs.taken_for.items()) == [("NOUN", 2), ("ADJ", 1)]
    assert table["NOUN"].recall == 100
    assert round(table["NOUN"].precision, 2) == 33.33


def test_features_are_taken_for_other_values_or_for_none() -> None:
    table = evaluate(GOLD, ONE).by_tag("feature")
    assert dict(table["Case=Nom"].taken_for) == {"Case=Acc": 1}
    assert dict(table["Number=Sing"].taken_for) == {"_": 1}
    assert (table["Case=Acc"].correct, table["Case=Acc"].gold, table["Case=Acc"].system) == (1, 1, 2)


def test_punctuation_may_be_left_out() -> None:
    scores = evaluate(GOLD, OTHER)
    assert dict(scores.by_tag()["PUNCT"].taken_for) == {"VERB": 1}
    without = scores.without_punctuation().by_tag()
    assert "PUNCT" not in without
    assert without["VERB"].system == 2


def test_words_without_a_partner_are_missed_and_taken_for_nothing() -> None:
    gold = [tagged("NOUN VERB", forms="ab c")]
    system = [tagged("NOUN NOUN VERB", forms="a b c")]
    table = evaluate(gold, system).by_tag()
    assert (table["NOUN"].gold, table["NOUN"].system, table["NOUN"].aligned) == (1, 2, 0)
    assert table["NOUN"].wrong == 0
    assert table["VERB"].f1 == 100


@pytest.mark.parametrize("table", ["upos", "xpos", "feature"])
def test_all_words_are_somewhere(table: str) -> None:
    chance = random.Random(4)
    for _ in range(50):
        size = chance.randint(1, 8)
        one, other = (
            [
                tagged(
                    " ".join(chance.choices("ABC", k=size)),
                    chance.choices(["_", "F=1", "F=2", "F=1|G=1"], k=size),
                )
            ]
            for _ in range(2)
        )
        scores = evaluate(one, other)
        found = scores.by_tag(table)
        for each in found.values():
            assert each.correct + each.wrong == each.gold == each.aligned
        if table == "upos":
            assert sum(each.correct for each in found.values()) == scores.metrics["upos"].correct
            assert sum(each.system for each in found.values()) == size


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [str(tmp_path / f"{name}.conllu") for name in ("gold", "one", "other")]
    for path, sentences in zip(paths, (GOLD, ONE, OTHER), strict=True):
        plait.write(sentences, path)
    return paths


def run(*arguments: str) -> str:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def test_evaluate_shows_them(files: list[str]) -> None:
    printed = run("evaluate", *files[:2], "--by", "upos").splitlines()
    assert [line.split() for line in printed if line.startswith("VERB")] == [
        ["VERB", "3", "0", "0.00", "0.00", "0.00", "NOUN", "2,", "ADJ", "1"]
    ]
    found = json.loads(run("evaluate", *files[:2], "--by", "feature", "--json"))
    assert found["by_feature"]["Case=Nom"]["taken_for"] == {"Case=Acc": 1}


def test_compare_shows_two_systems_side_by_side(files: list[str]) -> None:
    pytest.importorskip("scipy")
    printed = [
        line.split() for line in run("compare", *files, "--metric", "upos", "--by", "upos").splitlines()
    ]
    start = printed.index(["VERB", "3", "1", "0.00", "66.67"])
    assert printed[start + 1 : start + 3] == [["→", "NOUN", "2", "1"], ["→", "ADJ", "1", "0"]]
    found = json.loads(run("compare", *files, "--by", "upos", "--json"))
    assert [each["VERB"]["taken_for"] for each in found["by_upos"]] == [{"NOUN": 2, "ADJ": 1}, {"NOUN": 1}]
