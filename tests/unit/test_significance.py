"""The paired tests, by hand where they are small and against SciPy's own where they are not."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import plait
from disturbance import disturb
from plait import InputError, Sentence
from plait.cli import plait as command
from plait.evaluation import significance
from plait.evaluation.document import Bools, Document

stats = pytest.importorskip("scipy.stats", reason="SciPy (the extra 'research') is not installed")


def chain(size: int) -> Sentence:
    return Sentence(
        forms=[f"w{i}" for i in range(size)], heads=list(range(size)), deprels=["root", *["obj"] * (size - 1)]
    )


GOLD = [chain(random.Random(i).randint(2, 12)) for i in range(120)]
GOOD, BAD = disturb(GOLD, 1, annotation=0.1), disturb(GOLD, 2, annotation=0.2)


def bools(text: str) -> Bools:
    return np.array([letter == "1" for letter in text])


def test_mcnemar_by_hand() -> None:
    # Right only in a: 5, only in b: 1. Two-sided: 2 · (1 + 6) / 2^6.
    result = significance.mcnemar(bools("1111101"), bools("0000011"), stats)
    assert (result.only_a, result.only_b) == (5, 1)
    assert result.p == pytest.approx(2 * 7 / 64)


def test_mcnemar_without_disagreement() -> None:
    assert significance.mcnemar(bools("101"), bools("101"), stats).p == 1


def test_wilcoxon_by_hand() -> None:
    # Zeros dropped, ranks 1 to 4, only the smallest negative: W = 1, as low as in 2 of 2^4 sign patterns.
    result = significance.wilcoxon(np.array([-0.1, 0.2, 0.0, 0.3, 0.4, 0.0]), stats)
    assert (result.statistic, result.sentences) == (1, 4)
    assert result.p == pytest.approx(2 * 2 / 16)


def test_wilcoxon_with_ties_and_without_differences() -> None:
    assert significance.wilcoxon(np.zeros(5), stats) == significance.SentenceTest(None, 0, 1.0)
    tied = np.array([0.5, 0.5, -0.5, 0.25, 0.25, 0.0])
    expected = stats.wilcoxon(tied[tied != 0], method="asymptotic")
    assert significance.wilcoxon(tied, stats).p == pytest.approx(expected.pvalue)


def test_t_test_is_scipys() -> None:
    values = np.random.default_rng(3).normal(0.1, 1, 50)
    expected = stats.ttest_1samp(values, 0)
    result = significance.paired_t_test(values, stats)
    assert result.statistic == pytest.approx(expected.statistic)
    assert result.p == pytest.approx(expected.pvalue)


def test_t_test_at_its_limits() -> None:
    assert significance.paired_t_test(np.array([0.5]), stats).p == 1
    assert significance.paired_t_test(np.zeros(4), stats).p == 1
    assert significance.paired_t_test(np.full(4, 0.5), stats).p == 0


def test_sentence_differences() -> None:
    document = Document([chain(2), chain(4), chain(3)], "gold")
    counted = bools("111111000")
    differences = significance.sentence_differences(document, bools("100000000"), bools("111100000"), counted)
    assert differences.tolist() == [0.5, 0.5]


def test_bootstrap_interval_is_near_the_exact_one() -> None:
    # Means of draws from {0, 1} are binomial: the interval of 100 sentences of one word is known.
    right = np.array([1] * 60 + [0] * 40)
    ones = np.ones(100, dtype=np.int64)
    a, b = np.stack([0 * ones, ones, ones], axis=1), np.stack([right, ones, ones], axis=1)
    result = significance.bootstrap(a, b, samples=20_000, seed=1)
    low, high = stats.binom.ppf([0.025, 0.975], 100, 0.6)
    assert result.low == pytest.approx(low, abs=1)
    assert result.high == pytest.approx(high, abs=1)
    assert result.p == pytest.approx(1 / 20_001)


def test_bootstrap_repeats_itself() -> None:
    first, second, other = (
        plait.compare(GOLD, GOOD, BAD, samples=500, seed=seed).bootstrap for seed in (4, 4, 5)
    )
    assert first == second
    assert (first.low, first.high) != (other.low, other.high)


def test_compare_finds_a_real_difference() -> None:
    result = plait.compare(GOLD, GOOD, BAD, samples=1000)
    assert result.a == plait.evaluate(GOLD, GOOD).las
    assert result.difference == pytest.approx(plait.evaluate(GOLD, BAD).las - result.a)
    assert result.bootstrap.low < result.difference < result.bootstrap.high < 0
    assert max(result.mcnemar.p, result.wilcoxon.p, result.t_test.p, result.bootstrap.p) < 0.01


def test_compare_a_system_with_itself() -> None:
    result = plait.compare(GOLD, GOOD, GOOD, samples=100)
    assert (result.difference, result.bootstrap.low, result.bootstrap.high) == (0, 0, 0)
    assert {result.mcnemar.p, result.wilcoxon.p, result.t_test.p, result.bootstrap.p} == {1.0}


@pytest.mark.parametrize("metric", significance.METRICS)
def test_every_metric_also_with_other_tokens(metric: str) -> None:
    other = disturb(GOLD, 3, annotation=0.1, tokens=0.2, ends=0.2)
    result = plait.compare(GOLD, GOOD, other, metric=metric, samples=50)
    assert result.b == getattr(plait.evaluate(GOLD, other), metric)
    assert 0 < result.bootstrap.p <= 1


def test_unknown_metric() -> None:
    with pytest.raises(InputError, match=r"No metric 'acc' to compare by\. Available: las, uas"):
        plait.compare(GOLD, GOOD, BAD, metric="acc")


def write_files(folder: Path) -> list[str]:
    paths = [str(folder / name) for name in ("gold.conllu", "a.conllu", "b.conllu")]
    for sentences, path in zip((GOLD, GOOD, BAD), paths, strict=True):
        plait.write(sentences, path)
    return paths


def test_command(tmp_path: Path) -> None:
    paths = write_files(tmp_path)
    result = CliRunner().invoke(command, ["compare", *paths, "--json", "--samples", "200", "--metric", "uas"])
    assert result.exit_code == 0
    numbers = json.loads(result.output)
    assert numbers["metric"] == "uas"
    assert numbers["bootstrap"]["samples"] == 200
    table = CliRunner().invoke(command, ["compare", *paths, "--samples", "200"]).output
    assert all(name in table for name in ("McNemar", "Wilcoxon", "paired t", "bootstrap", "Two-sided"))


def test_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(InputError, match=r"pip install 'plait\[research\]'"):
        plait.compare(GOLD, GOOD, BAD)
