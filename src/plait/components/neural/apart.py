"""Several nets that learn at the same time, each in a process of its own.

A net of this size does not keep a GPU busy. Every process writes the checkpoints of its net into a room of the
workshop, and whoever asked goes on from these, as after an interruption: what is learned is the same as one after
the other.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from plait import formats
from plait.errors import InputError, PlaitError
from plait.learning.epochs import Epoch
from plait.learning.lessons import Lessons
from plait.learning.watch import Silence, Watch

_LESSONS, _DEV = "lessons.jsonl", "dev.jsonl"
_GRACE = 60  # seconds in which an interrupted net may write what it has


@dataclass(frozen=True, slots=True)
class Order:
    """What a process is told."""

    folder: str
    number: int  # of the net
    options: dict[str, Any]
    judged: bool


def learn_apart(
    folder: Path,
    lessons: Lessons,
    dev: Lessons | None,
    options: dict[str, Any],
    nets: int,
    watch: Watch,
    at_once: int,
) -> bool:
    """Let all nets learn, so many at once; whether none was interrupted. InputError if one could not go on."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, sentences in ((_LESSONS, lessons), (_DEV, dev)):
        if sentences is not None:
            formats.write(sentences, folder / name, format="jsonl")
    orders = [Order(str(folder), number, options, dev is not None) for number in range(1, nets + 1)]
    told = count(1)  # epochs of all nets, as they come
    team = [_Apprentice(order, watch, told) for order in orders]
    try:
        with ThreadPoolExecutor(at_once) as pool:
            try:
                for finished in as_completed([pool.submit(each.work) for each in team]):
                    finished.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for each in team:
                    each.stop()
                raise
    except KeyboardInterrupt:
        return False
    finally:
        for name in (_LESSONS, _DEV):
            (folder / name).unlink(missing_ok=True)
    return True


def room_of(folder: Path, number: int) -> Path:
    return folder / f"net{number}"


class _Apprentice:
    """A process, from the side of whoever waits for it."""

    def __init__(self, order: Order, watch: Watch, told: Iterator[int]) -> None:
        self._order = order
        self._watch = watch
        self._told = told
        self._process: subprocess.Popen[str] | None = None

    def work(self) -> None:
        self._process = process = subprocess.Popen(
            [sys.executable, "-m", __name__, json.dumps(asdict(self._order))],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        with process:
            assert process.stdout is not None
            assert process.stderr is not None
            for line in process.stdout:
                self._watch.on_epoch(replace(Epoch(**json.loads(line)), number=next(self._told)))
            said = process.stderr.read().strip().splitlines()
        if process.returncode:
            reason = said[-1] if said else f"its process ended with status {process.returncode}"
            raise InputError(f"Net {self._order.number} could not learn: {reason}")

    def stop(self) -> None:
        """As Ctrl-C does, which its process may have met already."""
        process = self._process
        if process is None or process.poll() is not None:
            return
        process.terminate()
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            process.kill()


class _Telling(Silence):
    """Tells the process that waits."""

    def on_epoch(self, epoch: Epoch) -> None:
        sys.stdout.write(json.dumps(asdict(epoch)) + "\n")
        sys.stdout.flush()


def obey(order: Order) -> None:
    """In a process of its own: what was ordered."""
    from plait.components.neural.component import Neural

    folder = Path(order.folder)
    lessons = Lessons.of(formats.read(folder / _LESSONS, format="jsonl"))
    dev = Lessons.of(formats.read(folder / _DEV, format="jsonl")) if order.judged else None
    Neural(**order.options).learn_one(order.number, lessons, dev, _Telling(), room_of(folder, order.number))


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        obey(Order(**json.loads(sys.argv[1])))
    except KeyboardInterrupt:  # before the first epoch: there is nothing to keep
        sys.exit(0)
    except PlaitError as error:
        sys.exit(str(error))
