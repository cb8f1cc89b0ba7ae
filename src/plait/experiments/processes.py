"""Does tasks, several at a time, and keeps what is finished."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any, TypeVar

from plait.errors import InputError, PlaitError
from plait.experiments.shelf import Shelf, SomeTask, Task

Result = TypeVar("Result")
# Does a task, leaves its files on the shelf, and returns what is to be stored as JSON.
Work = Callable[[SomeTask, Shelf], dict[str, Any]]


def finish(
    tasks: Sequence[SomeTask],
    shelf: Shelf,
    work: Work[SomeTask],
    read: Callable[[SomeTask, dict[str, Any]], Result],
    *,
    jobs: int = 1,
    on_result: Callable[[Result, int], None] | None = None,
) -> list[Result]:
    """Do every task that is not finished; the results of all, in order. `on_result` also gets how many there are.

    The first task that fails ends the run; what was finished stays, as it does after an interrupt.
    """

    def find(task: SomeTask) -> Result | None:
        return shelf.find(task, lambda stored: read(task, stored))

    results = {task.name: result for task in tasks if (result := find(task)) is not None}
    for task in _do([task for task in tasks if task.name not in results], work, shelf, jobs):
        result = find(task)
        if result is None:
            raise PlaitError(f"{task}: the result disappeared from {shelf.path(task)}.")
        results[task.name] = result
        if on_result:
            on_result(result, len(results))
    return [results[task.name] for task in tasks]


def _do(tasks: Iterable[SomeTask], work: Work[SomeTask], shelf: Shelf, jobs: int) -> Iterator[SomeTask]:
    """One process per task: memory is given back, and the tasks need not be thread-safe."""
    processes = get_context("spawn")
    waiting = list(tasks)[::-1]
    running: dict[int, tuple[SomeTask, BaseProcess, Connection]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                task = waiting.pop()
                ours, theirs = processes.Pipe(duplex=False)
                process: BaseProcess = processes.Process(
                    target=_work, args=(task, work, shelf, theirs), daemon=True
                )
                with starting():
                    process.start()
                theirs.close()
                running[process.sentinel] = (task, process, ours)
            for sentinel in wait(list(running)):
                assert isinstance(sentinel, int)
                task, process, ours = running.pop(sentinel)
                process.join()
                _check(task, process, ours)
                yield task
    finally:
        for _, process, _ in running.values():
            process.terminate()
            process.join()


@contextmanager
def starting() -> Iterator[None]:
    """Processes that start here never hear of an interrupt, not even while they import: it is the parent's business,
    who hears of it afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve_parent() -> None:
    """In a process that was started so: an interrupt is the parent's business, and without a parent, who may have been
    killed, this one ends too.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)


def _check(task: Task, process: BaseProcess, connection: Connection) -> None:
    with connection:
        if process.exitcode == 0:
            return
        try:
            is_input, message = connection.recv()
        except EOFError:
            is_input, message = False, f"{task}: the process ended with status {process.exitcode}."
    raise (InputError if is_input else PlaitError)(message)


def _work(task: SomeTask, work: Work[SomeTask], shelf: Shelf, connection: Connection) -> None:
    """In the process of its own, where an interrupt would look like a short training."""
    serve_parent()
    try:
        shelf.put(task, work(task, shelf))
    except PlaitError as error:
        connection.send((isinstance(error, InputError), str(error)))
        raise SystemExit(1) from None
