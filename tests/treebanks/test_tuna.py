"""The real corpus, where it is: figures of docs/referring.md as floors, and every selected set identifies."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.generation.refer import AttributeSelector, ReferOptions, Trial, TunaCorpus
from plait.generation.refer.judging import judge
from plait.generation.refer.model import Referrer
from plait.pipeline import load

TUNA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "referring-tuna"


def read(split: str) -> list[Trial]:
    if not TUNA.is_dir():
        pytest.skip("the corpus is not there: ../shared/data/referring-tuna")
    return TunaCorpus.read(TUNA, TUNA / f"{split}.txt")


def test_the_corpus_is_read_whole() -> None:
    trials = read("train")
    assert len(trials) == 468
    assert len({trial.speaker for trial in trials}) == 60
    assert all(len(trial.scene.distractors) == 6 for trial in trials)
    assert not any(value != value.strip() for trial in trials for value in trial.scene.target.values())
    assert sum(not trial.words for trial in trials) == 0


def test_floors_on_dev() -> None:
    train, dev = read("train"), read("dev")
    judged = judge(Referrer.fit(train, parser=load("en")), dev)
    assert judged["furniture"].attributes.dice > 0.84
    assert judged["people"].attributes.dice > 0.74
    assert all(each.attributes.unique == 1 for each in judged.values())
    words = [each.words for each in judged.values() if each.words is not None]
    assert sum(each.edit for each in words) / 2 < 4.0
    assert sum(each.string_accuracy for each in words) / 2 > 0.10


def test_the_order_of_the_speaker_beats_that_of_the_corpus() -> None:
    train, dev = read("train"), read("dev")
    scores = {}
    for order in ("speaker", "corpus"):
        options = ReferOptions(method="incremental", order=order)
        selector = AttributeSelector.fit(train, options)
        judged = judge(Referrer.fit(train, options, words=False), dev)
        scores[order] = {domain: each.attributes.dice for domain, each in judged.items()}
        assert selector.options.order == order
    assert all(scores["speaker"][domain] > scores["corpus"][domain] for domain in scores["speaker"])
