"""Processes that are killed while they save: the model before or the one after is there, whole, and can be found."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import ClassVar, Self

import plait
from hostile.report import Finding
from plait import InputError, Pipeline, Vote, folders
from plait.learning import store
from plait.learning.workshop import Workshop
from toy import quick_parser, toy, write_toy

_SAVES = 0.3  # seconds, in which there are several
_TRAINS = 3.0  # seconds, with the start of Python
_TRAINED = 8  # every so many cases a whole `plait train` is killed


class Attack:
    """Most cases kill a process that does nothing but save, some the command."""

    name: ClassVar[str] = "kills"

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "kills"
        self._folder.mkdir(parents=True)
        self._processes = multiprocessing.get_context("forkserver")
        self._processes.set_forkserver_preload(["hostile.kills"])

    def __enter__(self) -> Self:
        parser = quick_parser(bits=10, epochs=1).fit(toy(20))
        parser.save(self._folder / "one")
        Pipeline({"parser": Vote({"one": parser, "two": parser})}).save(self._folder / "several")
        write_toy(self._folder, "train.conllu", 60, 1)
        return self

    def __exit__(self, *error: object) -> None:
        shutil.rmtree(self._folder)

    def run(self, case: int) -> Finding | None:
        chance = random.Random(case)
        place = self._folder / "case"
        place.mkdir()
        try:
            if case % _TRAINED == _TRAINED - 1:
                fault = self._kill_training(place, chance)
            else:
                fault = self._kill_saving(place, chance)
        finally:
            shutil.rmtree(place)
        return Finding(self.name, case, "invalid output", fault) if fault else None

    def _kill_saving(self, place: Path, chance: random.Random) -> str | None:
        model = place / chance.choice(("model", "model.plait"))
        store.copy(self._folder / chance.choice(("one", "several")), model)
        ready, told = self._processes.Pipe(duplex=False)
        process = self._processes.Process(target=_save_for_ever, args=(model, told))
        process.start()
        if not ready.poll(60):
            return "the process that saves has not begun"
        time.sleep(chance.random() * _SAVES)
        process.kill()
        process.join()
        return _fault(model, needed=True)

    def _kill_training(self, place: Path, chance: random.Random) -> str | None:
        """Where no model was before there may be none; but what there is of model and checkpoint is whole."""
        model, checkpoint = place / "model", place / "model.checkpoint"
        before = chance.random() < 0.5
        if before:
            shutil.copytree(self._folder / "one", model)
        command = [sys.executable, "-m", "plait", "train", self._folder / "train.conllu", "-o", model]
        command += ["--beam", "1", "--bits", "10", "--compact", "--force"]
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen([*command, "--epochs", "300"], **silent) as process:
            time.sleep(0.5 + chance.random() * _TRAINS)
            process.send_signal(signal.SIGKILL)
        if fault := _fault(model, needed=before):
            return fault
        resume = ["--resume"] if Workshop.is_one(checkpoint) else []
        again = subprocess.run([*command, "--epochs", "1", *resume], capture_output=True, check=False)
        if again.returncode:
            return f"the training cannot be gone on with or begun anew: {again.stderr.decode()}"
        if left := [each.name for each in place.iterdir() if each != model]:
            return f"{', '.join(left)} stays"
        return _fault(model, needed=True)


def _save_for_ever(model: Path, told: multiprocessing.connection.Connection) -> None:
    pipeline = plait.load(model)
    told.send("ready")
    while True:
        pipeline.save(model, force=True)


def _fault(model: Path, *, needed: bool) -> str | None:
    """What is wrong after a crash."""
    try:
        pipeline = plait.load(model)
    except InputError as error:
        if model.exists():
            return f"the model in its place is not whole: {error}"
        left = folders.left_behind(model)
        if not needed and not left:
            return None
        if not left or str(left[0]) not in str(error):
            return f"the model is lost: {error}" if needed else None
        left[0].rename(model)
        pipeline = plait.load(model)
    assert "parser" in pipeline
    pipeline.parse(toy(1))
    # Whatever was left behind does not keep anyone from saving, and then goes.
    pipeline.save(model, force=True)
    left = [each.name for each in folders.left_behind(model)]
    return f"{', '.join(left)} stays" if left else None
