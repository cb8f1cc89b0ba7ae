"""Real treebanks: a quick training reaches what a quick training should, and leaves empty columns empty."""

from pathlib import Path

import plait
from plait.components.tagger import Tagger


def test_a_quick_training_on_english(treebanks: Path) -> None:
    folder = treebanks / "English-EWT"
    train = plait.read(folder / "en_ewt-ud-train.conllu")[:4000]
    dev = plait.read(folder / "en_ewt-ud-dev.conllu")[:500]
    tagger = Tagger(epochs=3, bits=20).fit(train, dev=dev)
    tagged = tagger.apply(dev, threads=2)
    scores = plait.evaluate(dev, tagged)
    assert scores.upos > 91
    assert scores.alltags > 88
    assert scores.alltags == tagger.scores_["alltags"]


def test_a_treebank_without_xpos(treebanks: Path) -> None:
    folder = treebanks / "Hungarian-Szeged"
    train = plait.read(folder / "hu_szeged-ud-train.conllu")
    dev = plait.read(folder / "hu_szeged-ud-dev.conllu")
    tagger = Tagger(epochs=3, bits=20).fit(train, dev=dev)
    assert all(set(sentence.xpos) <= {"_"} for sentence in tagger.apply(dev))
    assert tagger.scores_["upos"] > 90
    assert tagger.scores_["alltags"] > 80
