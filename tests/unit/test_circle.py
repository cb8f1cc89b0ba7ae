"""From text to meaning and back: on the toy language nothing need be lost."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plait
from plait import InputError, Realizer, Recipe
from plait.generation.circle import STAGES, Circle
from plait.layers import Frames
from toy import framed, written

Command = Callable[..., Any]
SMALL = {"bits": 14, "epochs": 5}
TRAIN, DEV = framed(written(150)), framed(written(30, seed=5))


@pytest.fixture(scope="module")
def circle() -> Circle:
    names = ("tokenizer", "tagger", "lemmatizer", "parser", "roles")
    plans = dict.fromkeys(names, SMALL) | {"parser": {**SMALL, "beam": 1}, "model": {"tags": "gold"}}
    parser = plait.train(TRAIN, recipe=Recipe().only(*names).updated(plans))
    back = ("graph2tree", "lifter", "order", "inflector")
    realizer = plait.train(TRAIN, recipe=Recipe().only(*back).updated(dict.fromkeys(back, SMALL)))
    return Circle(parser, Realizer(realizer))


def test_most_of_a_text_comes_back(circle: Circle) -> None:
    turn = circle.turn(DEV)
    assert len(turn.texts) == len(DEV)
    assert turn.bleu > 60


def test_with_everything_given_all_comes_back(circle: Circle) -> None:
    turn = circle.turn(DEV, STAGES)
    assert turn.exact == 100
    assert turn.bleu == pytest.approx(100)


def test_every_stage_alone_and_with_those_before(circle: Circle) -> None:
    turns = {turn.given: turn for turn in circle.turns(DEV[:10])}
    assert len(turns) == 1 + 2 * len(STAGES) - 1
    assert turns[STAGES].bleu >= turns[()].bleu


def test_nothing_is_seen_but_what_is_given(circle: Circle) -> None:
    """Trees and predicates that are not given may be anything."""
    spoilt = []
    for sentence in DEV[:8]:
        copy = sentence.copy()
        copy.heads = [0 if number == 1 else 1 for number in range(1, len(copy) + 1)]
        copy.deprels, copy.upos, copy.lemmas = (["x"] * len(copy) for _ in range(3))
        copy.feats = ["_"] * len(copy)
        copy.take(Frames)
        spoilt.append(copy)
    for given in ((), ("words",), ("tree", "order", "forms")):
        assert circle.turn(spoilt, given).texts == circle.turn(DEV[:8], given).texts
    assert circle.turn(spoilt, ("syntax",)).texts != circle.turn(DEV[:8], ("syntax",)).texts


def test_models_that_cannot_go_round_are_refused(circle: Circle) -> None:
    with pytest.raises(InputError, match="finds no predicates"):
        Circle(circle.realizer.pipeline, circle.realizer)
    with pytest.raises(InputError, match="--parts graph2tree"):
        Circle(circle.parser, Realizer(plait.train(TRAIN[:20], recipe=Recipe().only("order"))))


def test_the_command(circle: Circle, plait_command: Command, tmp_path: Path) -> None:
    circle.parser.save(tmp_path / "parser.plait")
    circle.realizer.pipeline.save(tmp_path / "say.plait")
    plait.write(DEV[:12], tmp_path / "dev.conllu")
    arguments = ("circle", "dev.conllu", "-m", "parser.plait", "--realizer", "say.plait", "--most", "6")
    result = plait_command(*arguments, "--json", "--plot", "circle.svg")
    assert result.status == 0
    found = json.loads(result.out)
    assert found[-1]["given"] == list(STAGES)
    assert found[-1]["bleu"] == pytest.approx(100)
    assert (tmp_path / "circle.svg").read_text().startswith("<?xml")
    table = plait_command(*arguments)
    assert "6 sentences" in table.out
    missing = plait_command("circle", "dev.conllu", "-m", "parser.plait", "--realizer", "none.plait")
    assert missing.status == 2
    assert "none.plait: there is no such model" in missing.err


@pytest.mark.parametrize(
    ("plot", "message"),
    [("none/circle.svg", "its folder does not exist"), ("circle.txt", "ends in .svg or .png")],
)
def test_a_picture_that_cannot_be_is_refused_before_the_work(
    plait_command: Command, plot: str, message: str
) -> None:
    result = plait_command("circle", "none.conllu", "--plot", plot)
    assert result.status == 2
    assert message in result.err


def test_what_scores_is_asked_for_before_the_work(plait_command: Command, tmp_path: Path) -> None:
    (tmp_path / "sacrebleu.py").write_text("raise ImportError", encoding="utf-8")
    result = plait_command("circle", "none.conllu", env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert result.status == 2
    assert "plait[text]" in result.err


def test_a_text_without_a_sentence_is_refused(circle: Circle) -> None:
    empty = plait.Sentence(forms=["a"], comments=["# sent_id = 7", "# text = "])
    with pytest.raises(InputError, match=r"7.*does not find one sentence"):
        list(circle.there([empty]))
