"""Files made of files, one after the other or by several processes; one that fails does not stop the others."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass
from functools import partial
from io import StringIO
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic, sleep

from plait import folders
from plait.cli import message_of
from plait.cli.corpus import Task, Tell, Write
from plait.experiments.processes import serve_parent, starting

_OFTEN = 0.2  # seconds between two words of progress
_PATIENCE = 5.0  # seconds that a process has to clean up
_ANOTHER = 0.5  # seconds until a file that another run is writing is looked at again

Notice = Callable[[Task, int, int], None]  # of a file, words written and bytes read so far
Ready = Callable[[], Write]  # loads what the work needs; it travels to the processes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file, and what was said about it. `elsewhere` means that another run had it, and has
    finished it or is still at it.
    """

    task: Task
    words: int = 0
    failure: str = ""
    said: str = ""
    elsewhere: bool = False


def work_through(tasks: Iterable[Task], ready: Ready, jobs: int, notice: Notice) -> Iterator[Outcome]:
    """What becomes of every file, until all are finished, by us or by another run, or have failed."""
    left = list(tasks)
    while left:
        busy: list[Task] = []
        for outcome in (_by_processes if jobs > 1 else _alone)(left, ready, jobs, notice):
            if outcome.elsewhere and not outcome.task.is_finished:
                busy.append(outcome.task)
            else:
                yield outcome
        if left := busy:
            sleep(_ANOTHER)


def _attempt(task: Task, write: Write, tell: Tell) -> Outcome:
    with redirect_stderr(StringIO()) as said:
        try:
            with folders.claimed(Path(task.target)) as part:
                if part is None:
                    return Outcome(task, elsewhere=True)
                words = write(task.source, str(part), tell)
        except Exception as error:
            return Outcome(task, failure=message_of(error), said=said.getvalue())
    return Outcome(task, words, said=said.getvalue())


def _alone(tasks: Iterable[Task], ready: Ready, jobs: int, notice: Notice) -> Iterator[Outcome]:  # noqa: ARG001
    write = ready()
    for task in tasks:
        yield _attempt(task, write, _seldom(partial(notice, task)))


class _Member:
    """A process of the crew and the file it is at."""

    def __init__(self, ready: Ready) -> None:
        processes = get_context("spawn")
        self.connection, theirs = processes.Pipe()
        self.process: BaseProcess = processes.Process(target=_member, args=(ready, theirs), daemon=True)
        with starting():
            self.process.start()
        theirs.close()
        self.task: Task | None = None

    def give(self, task: Task) -> None:
        self.task = task
        with suppress(OSError):  # a process that has ended is met when it is listened to
            self.connection.send(task)

    def dismiss(self) -> None:
        """Let the process end, in the midst of a file too, of which nothing stays."""
        self.connection.close()
        self.process.terminate()
        self.process.join(_PATIENCE)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
        if self.task:
            folders.unclaim(Path(self.task.target))

    def last_words(self, task: Task) -> Outcome:
        """Of a process that has ended by itself."""
        self.process.join()
        killed = ", killed from outside, as for want of memory" if self.process.exitcode == -9 else ""
        return Outcome(task, failure=f"its process ended with status {self.process.exitcode}{killed}.")


def _by_processes(tasks: Iterable[Task], ready: Ready, jobs: int, notice: Notice) -> Iterator[Outcome]:
    waiting = deque(tasks)
    crew: dict[object, _Member] = {}
    try:
        while waiting or crew:
            while waiting and len(crew) < jobs:
                member = _Member(ready)
                crew[member.connection] = member
                member.give(waiting.popleft())
            for connection in wait([each.connection for each in crew.values()]):
                member = crew[connection]
                task = member.task
                assert task is not None
                try:
                    heard = member.connection.recv()
                except (EOFError, OSError):
                    heard = member.last_words(task)
                if not isinstance(heard, Outcome):
                    notice(task, *heard)
                    continue
                if waiting and member.process.is_alive():
                    member.give(waiting.popleft())
                else:
                    del crew[connection]
                    member.dismiss()
                yield heard
    finally:
        for member in crew.values():
            member.dismiss()


def _member(ready: Ready, connection: Connection) -> None:
    """In a process of its own. An interrupt is the parent's business, who ends this one; without a parent it ends."""
    signal.signal(signal.SIGTERM, _leave)
    serve_parent()
    try:
        with suppress(EOFError, OSError):  # nobody is there any more
            write = _or_failing(ready)
            tell = _seldom(lambda words, bytes: connection.send((words, bytes)))
            while True:
                connection.send(_attempt(connection.recv(), write, tell))
    finally:
        # It is leaving: an order to leave would be told as an error.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _or_failing(ready: Ready) -> Write:
    try:
        return ready()
    except Exception as error:
        reason = error

    def fail(_: str, __: str, ___: Tell) -> int:
        raise reason

    return fail


def _seldom(tell: Tell) -> Tell:
    last = 0.0

    def told(words: int, bytes: int) -> None:
        nonlocal last
        if monotonic() - last >= _OFTEN:
            last = monotonic()
            tell(words, bytes)

    return told


def _leave(*_: object) -> None:
    raise SystemExit(1)
