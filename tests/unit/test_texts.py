"""Scores of texts against what can be computed by hand, and against sacreBLEU."""

from __future__ import annotations

import json
from math import exp, log, log2
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from plait.cli import plait
from plait.errors import InputError
from plait.evaluation import texts
from plait.evaluation.lifting import score_lifting

pytest.importorskip("sacrebleu")

PAIR = (["a", "b", "c", "d"], ["a", "c", "b", "d"])


def test_edit_is_what_need_not_be_moved() -> None:
    assert texts.edit_score([PAIR]) == 3 / 4
    assert texts.edit_score([PAIR, (["x"], ["x"])]) == 4 / 5
    assert texts.edit_score([(["a", "b"], ["a"])]) == 1 / 2


@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), max_size=8))
def test_the_common_subsequence_is_the_longest(one: list[str], other: list[str]) -> None:
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, first in enumerate(one):
        for j, second in enumerate(other):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if first == second else max(table[i][j + 1], table[i + 1][j])
            )
    assert texts.lcs(one, other) == table[-1][-1]


def test_exact_and_periphery() -> None:
    pairs = [PAIR, (["a", "b", "c", "x", "y", "z"], ["a", "b", "c", "z", "y", "x"])]
    assert texts.exact_score([*pairs, (["a"], ["a"])]) == 1 / 3
    assert texts.periphery_score(pairs) == 1 / 2
    assert texts.periphery_score(pairs, last=True) == 0


def test_nist_by_hand() -> None:
    # Words: a b c d weigh 2 bits each; b c, seen once after b seen once, weighs 0; so do all longer ones.
    assert texts.nist_score([(["a", "b", "c", "d"], ["a", "b", "c", "d"])]) == pytest.approx(2.0)
    # Of "a a b", a weighs log2(3/2), b log2(3), "a a" log2(2/1), "a b" the same, "a a b" 0.
    expected = (2 * log2(1.5) + log2(3)) / 3 + (1 + 1) / 2
    assert texts.nist_score([(["a", "a", "b"], ["a", "a", "b"])]) == pytest.approx(expected)
    # Two of three words: the penalty is a half.
    short = (["a", "b", "c"], ["a", "b"])
    assert texts.nist_score([short]) == pytest.approx(0.5 * log2(3))
    assert exp(log(0.5)) == pytest.approx(0.5)


def test_our_bleu_is_that_of_sacrebleu_where_it_is_not_smoothed() -> None:
    references = ["the cat sat on the mat .", "a dog barked at the small cat today ."]
    systems = ["the cat sat on a mat .", "a dog barked at the cat today ."]
    scores = texts.evaluate_texts(references, systems, tokenize="none")
    counts = texts.bleu_counts([(r.split(), s.split()) for r, s in zip(references, systems, strict=True)])
    assert texts.bleu_of(counts.sum(axis=0, keepdims=True))[0] == pytest.approx(scores.bleu)


def test_a_text_scored_against_itself() -> None:
    lines = ["From the AP comes this story :", "It works."]
    scores = texts.evaluate_texts(lines, lines)
    assert (round(scores.bleu, 6), scores.ter, scores.edit, scores.exact) == (100, 0, 1, 100)
    assert texts.evaluate_texts(lines, [line.upper() for line in lines]).exact == 0
    assert texts.evaluate_texts(lines, [line.upper() for line in lines], lowercase=True).exact == 100


def test_the_n_best_score_weighs_by_rank() -> None:
    references = ["a b c d e", "f g h i j"]
    right, wrong = references, ["e d c b a", "j i h g f"]
    bleu = texts.evaluate_texts(references, wrong).bleu
    lists = [[one, other] for one, other in zip(right, wrong, strict=True)]
    assert texts.score_nbest(references, lists) == pytest.approx((100 + bleu / 2) / 1.5)
    assert texts.score_nbest(references, [lists[0], lists[1][:1]]) < 100


def test_the_bootstrap_sees_a_difference_and_none() -> None:
    generator = np.random.default_rng(1)
    references = [" ".join(generator.choice(list("abcdefgh"), 8)) for _ in range(60)]
    worse = [" ".join(reversed(line.split())) for line in references]
    assert texts.compare_texts(references, references, references).p == 1
    found = texts.compare_texts(references, worse, references)
    assert found.p < 0.01
    assert 0 < found.low <= found.difference <= found.high


def test_texts_of_other_lengths_and_unknown_tokenizers_are_errors() -> None:
    with pytest.raises(InputError, match="2 sentences, the system has 1"):
        texts.evaluate_texts(["a", "b"], ["a"])
    with pytest.raises(InputError, match="No tokenizer"):
        texts.evaluate_texts(["a"], ["a"], tokenize="zh")
    with pytest.raises(InputError, match="no sentence"):
        texts.evaluate_texts([], [])


def test_the_command_prints_what_was_promised(tmp_path: Path) -> None:
    gold, system, other = tmp_path / "gold.txt", tmp_path / "system.txt", tmp_path / "other.txt"
    gold.write_text("a b c d e\nthe cat sat .\n")
    system.write_text("a c b d e\nthe cat sat .\n")
    other.write_text("a b c d e\nthe cat sat .\n")
    result = CliRunner().invoke(plait, ["evaluate", "--text", "--json", str(gold), str(system)])
    scores = json.loads(result.output)
    assert scores["exact"] == 50
    assert scores["edit"] == pytest.approx(8 / 9)
    assert 0 < scores["bleu"] < 100
    assert scores["nist"] > 0
    assert scores["ter"] == pytest.approx(1 / 9)
    table = CliRunner().invoke(plait, ["evaluate", "--text", str(gold), str(system), "--compare", str(other)])
    assert "BLEU" in table.output
    assert "100.00" in table.output
    refused = CliRunner().invoke(plait, ["evaluate", str(gold), str(system), "--lowercase"])
    assert refused.exit_code == 2


def test_lists_of_several_texts(tmp_path: Path) -> None:
    gold, lists = tmp_path / "gold.txt", tmp_path / "lists.txt"
    gold.write_text("a b c d\ne f g h\n")
    lists.write_text("0 ||| a b c d ||| 2.0\n0 ||| d c b a ||| 1.0\n1 ||| e f g h ||| 3.0\n")
    result = CliRunner().invoke(plait, ["evaluate", "--text", "--json", "--nbest", str(gold), str(lists)])
    scores = json.loads(result.output)
    assert scores["exact"] == 100
    assert scores["nbest_bleu"] < scores["bleu"]
    lists.write_text("0 ||| a b c d\n2 ||| e f g h\n")
    failed = CliRunner().invoke(plait, ["evaluate", "--text", "--nbest", str(gold), str(lists)])
    assert "2: the number of the sentence" in str(failed.exception)


def test_lifting_is_scored_as_in_the_paper() -> None:
    heads, gold = [[2, 0, 2, 3, 3]], [[2, 0, 2, 2, 2]]
    assert score_lifting(heads, gold, gold).f1 == 1
    wrong = score_lifting(heads, gold, [[2, 0, 2, 2, 3]])  # one right, one missed
    assert (wrong.right, wrong.wrong, wrong.missed, wrong.perfect) == (1, 0, 1, 0)
    elsewhere = score_lifting(
        heads, gold, [[2, 0, 2, 1, 2]]
    )  # lifted to the wrong word: not missed, but wrong
    assert (elsewhere.right, elsewhere.wrong, elsewhere.missed) == (1, 1, 0)
