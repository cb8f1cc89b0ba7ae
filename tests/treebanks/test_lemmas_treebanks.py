"""Real treebanks: lemmas as good as they should be, from models as small as they should be."""

from pathlib import Path

import pytest

import plait
from plait.components.lemmatizer import Lemmatizer
from plait.learning import store
from plait.learning.request import Request


@pytest.mark.parametrize(
    ("folder", "name", "least"),
    [("Hungarian-Szeged", "hu_szeged", 95.5), ("Gothic-PROIEL", "got_proiel", 95.0)],
)
def test_a_training(folder: str, name: str, least: float, treebanks: Path, tmp_path: Path) -> None:
    train, dev = (plait.read(treebanks / folder / f"{name}-ud-{part}.conllu") for part in ("train", "dev"))
    lemmatizer = Lemmatizer().fit(train, dev=dev)
    lemmatizer.save(tmp_path / "model")
    assert store.size(tmp_path / "model") < 1_500_000
    found = [sentence.copy() for sentence in dev]
    for sentence in found:
        sentence.lemmas = ["_"] * len(sentence)
    list(Lemmatizer.load(tmp_path / "model").annotate(found, Request(threads=2)))
    score = plait.evaluate(dev, found).lemmas
    assert score > least
    assert score == pytest.approx(lemmatizer.scores_["lemmas"])
