"""Checkpoints and workshops: what is damaged or no number is said at once, and nothing else is lost in their place."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import plait
from plait import InputError, OutputError, Recipe, TransitionParser
from plait.learning.checkpoint import Checkpoint, digest
from plait.learning.epochs import Epoch
from plait.learning.learner import TableLearner
from plait.learning.lessons import Lessons
from plait.learning.watch import Silence
from plait.learning.workshop import Workshop
from toy import quick_parser, toy, write_toy

TRAIN = toy(20)
QUICK = ("--beam", "1", "--bits", "10")


@pytest.fixture
def point(tmp_path: Path) -> Path:
    shop = Workshop(tmp_path / "shop")
    quick_parser(bits=10, epochs=1).fit(TRAIN, workshop=shop)
    assert shop.checkpoint is not None
    return shop.checkpoint


def resume(path: Path) -> TransitionParser:
    return quick_parser(bits=10, epochs=2).fit(TRAIN, workshop=Workshop(path.parent, resume=True))


def read(path: Path) -> Checkpoint:
    parser = quick_parser(bits=10)
    return Checkpoint.load(path, parser.options, digest(*parser.prepare(Lessons.of(TRAIN), None).data()))


def change(path: Path, name: str, turn: Callable[[NDArray[np.generic]], NDArray[np.generic]]) -> None:
    """Write a checkpoint anew with another table."""
    found = read(path)
    if name == "best":
        replace(found, best=turn(found.best)).save(path)
    else:
        replace(found, tensors={**found.tensors, name: turn(found.tensors[name])}).save(path)


def test_any_damage_is_noticed(point: Path) -> None:
    content = point.read_bytes()
    for place in range(0, len(content), len(content) // 50):
        changed = bytearray(content)
        changed[place] ^= 4
        point.write_bytes(bytes(changed))
        with pytest.raises(InputError, match="the checkpoint is damaged"):
            resume(point)
    point.write_bytes(content)
    assert len(resume(point).history_) == 2


@pytest.mark.parametrize("name", ["weights", "drift", "best"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_weights_that_are_no_numbers_are_refused(point: Path, name: str, value: float) -> None:
    change(point, name, lambda table: np.where(np.arange(len(table)) == 7, np.float32(value), table))
    with pytest.raises(InputError, match="the checkpoint is damaged: a weight is not a number"):
        resume(point)


def test_tables_of_another_size_are_refused(point: Path) -> None:
    content = point.read_bytes()
    for name in "weights", "drift", "best", "examples":
        change(point, name, lambda table: table[:-1])
        with pytest.raises(InputError, match="the checkpoint is damaged"):
            resume(point)
        point.write_bytes(content)
    replace(read(point), epochs=[]).save(point)
    with pytest.raises(InputError, match="there is no epoch in it"):
        resume(point)


def test_a_learner_that_loses_itself_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TableLearner, "weights", lambda _: np.full(9, np.nan, np.float32))
    with pytest.raises(InputError, match="The weights are not finite any more"):
        quick_parser(bits=10, epochs=1).fit(TRAIN)


def test_nothing_else_is_replaced(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    assert not Workshop.is_one(shop)
    Workshop.open(shop, "", TRAIN, resume=False)
    (shop / "old").touch()
    Workshop.open(shop, "", TRAIN, resume=False)
    assert Workshop.is_one(shop)
    assert not (shop / "old").exists()
    (tmp_path / "notes").write_text("mine")
    for path in tmp_path / "notes", tmp_path, Path("/dev/null"):
        with pytest.raises(OutputError, match="something else is in the place of the checkpoint"):
            Workshop.open(path, "", TRAIN, resume=False)
        Workshop(path).close()
    assert (tmp_path / "notes").read_text() == "mine"


@pytest.mark.parametrize("end", [lambda shop: Workshop.open(shop, "", TRAIN, resume=False), Workshop.close])
def test_a_crash_never_leaves_a_workshop_without_its_mark(
    end: Callable[[Any], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = tmp_path / "shop"
    given: Any = Workshop.open(shop, "", TRAIN, resume=False) if end is Workshop.close else shop
    seen: list[bool] = []

    def look(*_: object, **__: object) -> None:
        seen.append(not shop.exists() or Workshop.is_one(shop))

    # The moments at which something is on the disk, or about to leave it.
    for place, name in ((os, "fsync"), (os, "unlink"), (os, "rmdir"), (Path, "mkdir"), (Path, "rename")):
        real = getattr(place, name)

        def watched(*given: Any, real: Any = real, **options: Any) -> Any:
            look()
            try:
                return real(*given, **options)
            finally:
                look()

        monkeypatch.setattr(place, name, watched)
    end(given)
    monkeypatch.undo()
    assert seen
    assert all(seen)


def test_only_the_same_training_is_gone_on_with(tmp_path: Path) -> None:
    shop, other = tmp_path / "shop", toy(20)
    other[3].deprels[0] = "case"
    Workshop.open(shop, "beam = 1\nepochs = 1", TRAIN, None, resume=False)
    Workshop.open(shop, "beam = 1\nepochs = 2\npatience = 9", toy(20), None, resume=True)
    for message, recipe, train, dev in (
        ("had other options", "beam = 2", TRAIN, None),
        ("had another treebank or dev set", "beam = 1", TRAIN[1:], None),
        ("had another treebank or dev set", "beam = 1", TRAIN, TRAIN),
        ("had another treebank or dev set", "beam = 1", other, None),
    ):
        with pytest.raises(InputError, match=f"shop: the training to resume {message}"):
            Workshop.open(shop, recipe, train, dev, resume=True)
    with pytest.raises(
        InputError, match="nowhere: there is no checkpoint, so there is no training to resume"
    ):
        Workshop.open(tmp_path / "nowhere", "", TRAIN, resume=True)
    Workshop(shop).close()
    assert not shop.exists()


class Impatient(Silence):
    """Presses Ctrl-C after the first epoch of the parser."""

    name = ""

    def on_component(self, name: str, epochs: int) -> None:  # noqa: ARG002
        self.name = name

    def on_epoch(self, epoch: Epoch) -> None:  # noqa: ARG002
        if self.name == "parser":
            raise KeyboardInterrupt


def test_a_damaged_checkpoint_is_known_before_anything_is_learned(
    plait_command: Callable[..., Any], tmp_path: Path
) -> None:
    path = write_toy(tmp_path, "train.conllu", 20, 1)
    train, place = plait.read(path), tmp_path / "m.checkpoint"
    recipe = Recipe().updated({"parser": {"beam": 1, "bits": 10}}).only("tokenizer", "parser")
    shop = Workshop.open(place, recipe.to_toml(), train, None, resume=False)
    plait.train(train, recipe=recipe, watch=Impatient(), workshop=shop)
    point = place / "parser" / "epochs.safetensors"
    point.write_bytes(point.read_bytes()[:-1])
    arguments = ("train", "train.conllu", "-o", "m", *QUICK, "--components", "tokenizer,parser")
    result = plait_command(*arguments, "--resume")
    assert result.status == 2
    assert "epochs.safetensors: the checkpoint is damaged" in result.err
    assert "epoch " not in result.err
