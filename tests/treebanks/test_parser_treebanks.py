"""A real treebank: a quick training reaches what a quick training should, and crossing arcs with it."""

from pathlib import Path

import pytest

import plait


@pytest.fixture(scope="module")
def hungarian(treebanks: Path) -> tuple[plait.Treebank, plait.Treebank]:
    folder = treebanks / "Hungarian-Szeged"
    return plait.read(folder / "hu_szeged-ud-train.conllu"), plait.read(folder / "hu_szeged-ud-dev.conllu")


def test_a_quick_training_on_hungarian(hungarian: tuple[plait.Treebank, plait.Treebank]) -> None:
    train, dev = hungarian
    parser = plait.TransitionParser(beam=1, epochs=4, bits=20).fit(train, dev=dev)
    parsed = parser.apply(dev, threads=2, confidence=True)
    scores = plait.evaluate(dev, parsed)
    assert scores.las > 72
    assert scores.las == pytest.approx(parser.scores_["las"])
    assert scores.uas == pytest.approx(parser.scores_["uas"])
    assert scores.nonprojective.recall > 0
    # Confidences are shares of right heads: where they say 90 %, about 90 % are right.
    sure = [
        word.head == gold.head
        for sentence, other in zip(parsed, dev, strict=True)
        for word, gold in zip(sentence, other, strict=True)
        if float(word.misc.rpartition("=")[2]) > 0.9
    ]
    assert sum(sure) / len(sure) > 0.85


def test_sentences_of_other_languages_parse(
    hungarian: tuple[plait.Treebank, plait.Treebank], treebanks: Path
) -> None:
    parser = plait.TransitionParser(beam=1, epochs=1, bits=18).fit(hungarian[0])
    for pattern in "Arabic-PADT/*.conllu", "AncientGreek-Perseus/*.conllu", "Danish-CDT/*.conll":
        path = sorted(treebanks.glob(pattern))[0]
        for sentence in parser.annotate(plait.stream(path)):
            assert sentence.tree().count(0) == 1
