"""A process that forks beside threads: its child goes on, whatever the threads were about."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import pytest

import plait
from plait.features.memory import RowMemory
from plait.locks import Lock
from serving import toy_pipeline

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
_PATIENCE = 20.0  # seconds; children that hang are killed then


def answers(work: Callable[[], object]) -> bool:
    """Whether a child can do the work."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads: that is what is tried
        child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    end = monotonic() + _PATIENCE
    while monotonic() < end:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return status == 0
        sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


@contextmanager
def beside(work: Callable[[threading.Event, threading.Event], object]) -> Iterator[None]:
    """While a thread is in the midst of some work, which sets one event and waits for the other."""
    inside, leave = threading.Event(), threading.Event()
    thread = threading.Thread(target=work, args=(inside, leave))
    thread.start()
    try:
        assert inside.wait(_PATIENCE)
        yield
    finally:
        leave.set()
        thread.join()


def test_a_child_looks_words_up_while_another_thread_did() -> None:
    parent, events = os.getpid(), []

    def rows_of(word: str) -> tuple[list[int]]:
        if word == "slow" and os.getpid() == parent:
            events[0].set()
            events[1].wait(_PATIENCE)
        return ([len(word)],)

    memory = RowMemory(rows_of, np.empty((0, 1), np.int32))
    memory.rows(["before"], 1)

    def learn(inside: threading.Event, leave: threading.Event) -> None:
        events[:] = [inside, leave]
        memory.rows(["slow"], 1)

    def look_up() -> None:
        assert memory.rows(["before", "new", "slow"], 3)[0].tolist() == [[6], [3], [4]]

    with beside(learn):
        assert answers(look_up)
    look_up()


def test_a_child_finds_a_lock_free() -> None:
    lock = Lock()

    def hold(inside: threading.Event, leave: threading.Event) -> None:
        with lock:
            inside.set()
            leave.wait(_PATIENCE)

    def take() -> None:
        with lock:
            pass

    with beside(hold):
        assert answers(take)


class Slow:
    """What is found once for every object, and takes its time."""

    parent = os.getpid()
    events: tuple[threading.Event, threading.Event]

    @cached_property
    def found(self) -> int:
        if os.getpid() == self.parent:
            self.events[0].set()
            self.events[1].wait(_PATIENCE)
        return 7


def test_a_child_finds_what_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    # As a class of the package, in one of its modules.
    monkeypatch.setattr(Slow, "__module__", plait.__name__)
    monkeypatch.setattr(plait, "Slow", Slow, raising=False)

    def find(inside: threading.Event, leave: threading.Event) -> None:
        Slow.events = (inside, leave)
        assert Slow().found == 7

    with beside(find):
        assert answers(lambda: Slow().found)


def test_no_lock_of_the_package_is_one_that_a_child_could_wait_for() -> None:
    """The server, which never forks, may have others."""
    package = Path(plait.__file__).parent
    names = r"threading import .*\b(Lock|RLock|Condition|Semaphore|Barrier)\b|threading\.(Lock|Condition|Semaphore)\("
    found = [
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(names, path.read_text(encoding="utf-8"))
    ]
    assert [name for name in found if not name.startswith("server/")] == ["locks.py"]


@pytest.mark.skipif(sys.platform == "darwin", reason="libraries of the system do not survive forks there")
def test_children_parse_while_a_thread_parses() -> None:
    nlp = toy_pipeline()
    text = "The dog saw a cat today. A bird heard the fish here."
    expected = str(nlp(text))
    stop = threading.Event()

    def parse() -> None:
        number = 0
        while not stop.is_set():
            nlp(f"The dog saw number {number}. A bird{number} sang.")
            number += 1

    def parse_too() -> None:
        assert str(nlp(text)) == expected

    thread = threading.Thread(target=parse)
    thread.start()
    try:
        assert all(answers(parse_too) for _ in range(40))
    finally:
        stop.set()
        thread.join()
