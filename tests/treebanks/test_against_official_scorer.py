"""Every number of the shared task's metrics equals the official scorer's, which runs as its own process."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import plait
from disturbance import disturb
from plait import MultiwordToken, Sentence
from plait.evaluation import Metric

OFFICIAL = shutil.which("udeval", path=str(Path(sys.executable).parent)) or shutil.which("udeval")
NAMES = (
    *("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"),
    *("UAS", "LAS", "CLAS", "MLAS", "BLEX"),
)

pytestmark = pytest.mark.skipif(OFFICIAL is None, reason="the official scorer (udtools) is not installed")

ANNOTATION = {"annotation": 0.15}
TOKENS = {"annotation": 0.1, "tokens": 0.08}
ALL = {"annotation": 0.1, "tokens": 0.15, "ends": 0.3}
PAIRS = [
    ("English-EWT/en_ewt-ud-dev.conllu", ANNOTATION),
    ("Gothic-PROIEL/got_proiel-ud-dev.conllu", ANNOTATION),
    ("Polish-MPDT/pl_mpdt-ud-dev.conllu", {"annotation": 0.5}),
    ("AncientGreek-Perseus/grc_perseus-ud-test.conllu", ANNOTATION),
    ("Hungarian-Szeged/hu_szeged-ud-dev.conllu", {"annotation": 0.1, "ends": 0.5}),
    ("English-EWT/en_ewt-ud-test.conllu", TOKENS),
    ("Portuguese-Bosque/pt_bosque-ud-dev.conllu", TOKENS),
    ("Portuguese-Bosque/pt_bosque-ud-test.conllu", ALL),
    ("Czech-CLTT/cs_cltt-ud-dev.conllu", ALL),
    ("German-GSD/de_gsd-ud-dev.conllu", {"annotation": 0.1, "tokens": 0.6, "ends": 0.5}),
    ("Arabic-PADT/ar_padt-ud1-dev.conllu", ALL),
]


def official(gold: Path, system: Path, *options: str) -> dict[str, list[str]]:
    """The table it prints, by the names in its first column."""
    assert OFFICIAL is not None
    command = [OFFICIAL, "--verbose", "--no-enhanced", *options, str(gold), str(system)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [line.split("|") for line in printed.splitlines()[2:]]
    return {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows}


def percentages(name: str, metric: Metric) -> list[str]:
    accuracy = "" if metric.aligned is None or name == "Words" else f"{metric.aligned_accuracy:.2f}"
    return [f"{metric.precision:.2f}", f"{metric.recall:.2f}", f"{metric.f1:.2f}", accuracy]


def counts(name: str, metric: Metric) -> list[str]:
    aligned = "" if not metric.aligned and name != "Words" else str(metric.aligned)
    return [str(metric.correct), str(metric.gold), str(metric.system), aligned]


def check(gold: Sequence[Sentence], system: Sequence[Sentence], folder: Path, *options: str) -> None:
    """The scorer reads what we write; we score what we read back."""
    paths = folder / "gold.conllu", folder / "system.conllu"
    for sentences, path in zip((gold, system), paths, strict=True):
        plait.write(sentences, path)
    scores = plait.evaluate(*map(plait.read, paths))
    ours = dict(zip(NAMES, list(scores.metrics.values()), strict=False))
    assert {name: counts(name, metric) for name, metric in ours.items()} == official(
        *paths, "--counts", *options
    )
    assert {name: percentages(name, metric) for name, metric in ours.items()} == official(*paths, *options)


@pytest.mark.parametrize(("file", "shares"), PAIRS, ids=[file.split("/")[1] for file, _ in PAIRS])
def test_treebank(file: str, shares: dict[str, float], treebanks: Path, tmp_path: Path) -> None:
    gold = plait.read(treebanks / file)[:400]
    system = disturb(gold, seed=7, **shares)
    same_tokens = [list(s.forms) for s in gold] == [list(s.forms) for s in system]
    assert same_tokens == ("tokens" not in shares and "ends" not in shares)
    check(gold, system, tmp_path)


def test_gold_is_the_disturbed_one(treebanks: Path, tmp_path: Path) -> None:
    sentences = plait.read(treebanks / "Portuguese-Bosque/pt_bosque-ud-dev.conllu")[:200]
    check(disturb(sentences, seed=1, tokens=0.3, ends=0.2), disturb(sentences, seed=2, tokens=0.3), tmp_path)


def small_treebank() -> list[Sentence]:
    """Contractions, function words, features that count and that do not, lemmas and labels of all kinds."""
    sentence = Sentence(
        forms=["Ele", "gosta", "de", "a", "casa", "de", "10 000", "euros", "em", "o", "Porto", "."],
        lemmas=["ele", "gostar", "de", "o", "casa", "de", "_", "euro", "em", "o", "Porto", "."],
        upos=["PRON", "VERB", "ADP", "DET", "NOUN", "ADP", "NUM", "NOUN", "ADP", "DET", "PROPN", "PUNCT"],
        xpos=["x"] * 12,
        feats=["Case=Nom|Person=3", "Mood=Ind|Foo=a", "_", "Gender=Fem|Number=Sing", *["_"] * 8],
        heads=[2, 0, 5, 5, 2, 8, 8, 5, 11, 11, 5, 2],
        deprels=[
            *("nsubj", "root", "case", "det", "obj", "case"),
            *("nummod", "nmod", "case", "det", "nmod:loc", "punct"),
        ],
        multiword_tokens=[MultiwordToken(3, 4, "da"), MultiwordToken(9, 10, "no")],
    )
    return [sentence.copy() for _ in range(60)]


@pytest.mark.parametrize("seed", range(6))
def test_made_here(seed: int, tmp_path: Path) -> None:
    shares = {"annotation": 0.2, "tokens": 0.15 * seed, "ends": 0.08 * seed}
    check(small_treebank(), disturb(small_treebank(), seed, **shares), tmp_path)


def test_nothing_in_common(tmp_path: Path) -> None:
    gold = [Sentence(forms=["ab", "c"], heads=[0, 1], deprels=["root", "punct"])]
    system = [Sentence(forms=["a", "bc"], heads=[0, 1], deprels=["punct", "punct"])]
    check(gold, system, tmp_path)


def test_several_roots(tmp_path: Path) -> None:
    gold = [Sentence(forms=["a", "b", "c"], heads=[0, 0, 2], deprels=["root", "root", "obj"])]
    system = [Sentence(forms=["a", "b", "c"], heads=[2, 0, 0], deprels=["root", "root", "obj"])]
    check(gold, system, tmp_path, "--multiple-roots-okay")
