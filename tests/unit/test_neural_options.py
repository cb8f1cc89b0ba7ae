"""What the options of nets mean, and which are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from components.quick import PLANS, TRAIN
from plait import InputError
from plait.components.neural import Neural
from plait.components.neural.options import NeuralOptions
from plait.learning.workshop import Workshop
from plait.pipeline import Recipe


def test_little_treebanks_get_more_of_everything() -> None:
    pytest.importorskip("torch")
    from plait.components.neural.presets import preset

    little, large = (preset("lstm", NeuralOptions(), words) for words in (20_000, 200_000))
    assert little.schedule.epochs > large.schedule.epochs
    assert little.shape.dropout > large.shape.dropout
    student, alone = (preset("small", NeuralOptions(), 200_000, labelled) for labelled in (100, 0))
    assert student.schedule.sample
    assert not alone.schedule.sample
    assert alone.shape.dropout > student.shape.dropout


def test_what_is_given_goes_before_the_preset() -> None:
    pytest.importorskip("torch")
    from plait.components.neural.presets import preset

    options = NeuralOptions(epochs=7, width=64, layers=1, dropout=0.0, seed=9, smoothing=0.1)
    found = preset("sru", options, 1000)
    assert (found.schedule.epochs, found.schedule.seed, found.schedule.smoothing) == (7, 9, 0.1)
    assert (found.shape.width, found.shape.layers, found.shape.tag_layer, found.shape.dropout) == (
        64,
        1,
        1,
        0.0,
    )
    assert found.shape.unseen == 0.4


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"nets": "sru,gru"}, "No net 'gru'"),
        ({"nets": "encoder"}, "go together"),
        ({"encoder": "folder"}, "go together"),
        ({"width": 30}, "multiple of 16"),
        ({"dropout": 1.0}, "dropout is 1.0"),
        ({"nets": ",".join(["sru"] * 17)}, "17 nets"),
    ],
)
def test_options_that_make_no_sense(given: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Neural(**given)


def test_the_preset_has_no_tagger() -> None:
    recipe = Recipe.preset("neural")
    assert recipe.model.order == ["tokenizer", "neural"]
    assert recipe.parser == "neural"
    assert Recipe().parser == "parser"


def test_no_encoder_is_where_it_should_be(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    component = Neural(nets="encoder", encoder=str(tmp_path))
    with pytest.raises(InputError, match=r"no config\.json, so this is no encoder"):
        component.fit(TRAIN[:5])


def test_a_training_is_resumed_with_as_many_epochs(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    options = {**PLANS["neural"], "nets": "small"}
    Neural(**options).fit(TRAIN[:10], workshop=Workshop(tmp_path))
    with pytest.raises(InputError, match="had epochs 3, not 4"):
        Neural(**options | {"epochs": 4}).fit(TRAIN[:10], workshop=Workshop(tmp_path, resume=True))


def test_the_device_that_is_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    from plait.components.neural.learner import DEVICE, device

    monkeypatch.setenv(DEVICE, "cpu")
    assert device() == "cpu"
    monkeypatch.setenv(DEVICE, "abacus")
    with pytest.raises(InputError, match="must be cpu or cuda"):
        device()
