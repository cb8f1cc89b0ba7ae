"""The worker processes, as the server sees them: each is replaced when it has ended, and ended when it is stuck.

Only a process bounds what a request costs: a thread cannot be ended, and a regular expression, or any other call
into C, holds Python's lock for as long as it likes. They are started anew ("spawned") on every system: nothing is
inherited but the pipe, so no lock can be held in one that nobody holds there.
"""

from __future__ import annotations

import asyncio
import atexit
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from weakref import WeakSet

import msgspec

from plait.errors import InputError, PlaitError
from plait.server.messages import Beat, Began, Begin, Failed, Go, Leave, Ready, Turned, encode, read_report
from plait.server.worker import Plan, run

LOOK = 0.25  # seconds between looks at a process
_SILENT = 16  # looks without a word from it: something keeps Python from running there
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0  # seconds, until one is started again that could not load the models
_PAGE = 4096  # bytes in which the kernel counts memory

_spawn = multiprocessing.get_context("spawn")
_starting = Lock()
_all: WeakSet[Slot] = WeakSet()


class LostError(Exception):
    """The process has ended, and the work with it. `runs`: it was at work on this request, which may be why."""

    def __init__(self, *, runs: bool) -> None:
        super().__init__()
        self.runs = runs


@dataclass(slots=True, eq=False)
class Errand:
    """A request at a process: what its present turn gives is told to `reply`."""

    slot: Slot
    id: int
    reply: asyncio.Future[Turned] | None = None
    used: float = 0.0  # seconds of work so far
    runs: bool = False  # has begun its present turn
    suspect: bool = False  # was at work in a process that was lost
    left: bool = False

    def leave(self) -> None:
        """Nobody waits for it any longer."""
        if not self.left:
            self.left = True
            self.slot.send(Leave(self.id))

    async def turn(self, order: Begin | Go) -> Turned:
        """LostError if the process ends meanwhile."""
        self.reply = asyncio.get_running_loop().create_future()
        self.slot.send(order)
        found = await self.reply
        self.used += found.seconds
        return found


class Slot:
    """The place of a worker process. One thread starts it, listens to it and starts the next one."""

    def __init__(self, plan: Plan, slow_after: float | None) -> None:
        self._plan = plan
        self._slow_after = slow_after
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._orders: SimpleQueue[bytes | None] = SimpleQueue()
        self._closed = False
        self._silent = 0
        self.is_ready = False
        self.errands: dict[int, Errand] = {}
        self.heard: Callable[[Turned], None] = lambda _: None
        self.changed: Callable[[Slot], None] = lambda _: None
        _all.add(self)

    @property
    def is_quick(self) -> bool:
        return self._slow_after is not None

    def start(self) -> None:
        """Start the process, which then loads the models."""
        here, there = _spawn.Pipe()
        process = _spawn.Process(target=run, args=(there, self._plan, self._slow_after), daemon=True)
        with _starting, _deaf():
            process.start()
        there.close()
        self._process, self._connection, self._orders = process, here, SimpleQueue()
        self._writer = Thread(target=_write, args=(here, self._orders), daemon=True)
        self._writer.start()
        if self._closed:
            self.kill()

    def wait_until_ready(self) -> Ready:
        """What its first word tells; an error if it cannot load the models."""
        assert self._connection is not None
        try:
            said = read_report(self._connection.recv_bytes())
        except (EOFError, OSError):
            raise PlaitError("A worker process ended while it loaded the models.") from None
        if isinstance(said, Failed):
            raise InputError(said.message)
        assert isinstance(said, Ready)
        self.is_ready = True
        return said

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """From now on the loop is told what it says."""
        Thread(target=self._keep, args=(loop,), daemon=True).start()

    def begin(self, order: Begin, *, suspect: bool = False) -> Errand:
        self.errands[order.id] = errand = Errand(self, order.id, suspect=suspect)
        return errand

    def send(self, order: Begin | Go | Leave) -> None:
        self._orders.put(encode(order))

    def look(self) -> None:
        """End it if it has said nothing for long; looks are counted, since the server may have slept too."""
        self._silent += self.is_ready
        if self._silent > _SILENT:
            self._silent = 0
            self.kill()

    def kill(self) -> None:
        if self._process is not None:
            with suppress(ValueError, OSError, AttributeError):
                self._process.kill()

    def close(self) -> None:
        """For good."""
        self._closed = True
        self.is_ready = False
        self._orders.put(None)
        self.kill()

    @property
    def memory(self) -> int:
        """In bytes, where the system tells it."""
        return resident_memory(self._process.pid) or 0 if self._process is not None else 0

    def _keep(self, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError):  # the loop has ended
            while not self._closed:
                self._listen(loop)
                self._clear_away()
                loop.call_soon_threadsafe(self._lose)
                self._start_again()
                loop.call_soon_threadsafe(self._welcome)

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        assert self._connection is not None
        with suppress(EOFError, OSError, msgspec.DecodeError):
            while True:
                report = read_report(self._connection.recv_bytes())
                if not isinstance(report, Began):
                    loop.call_soon_threadsafe(self._hear, report)
                elif (errand := self.errands.get(report.id)) is not None:
                    errand.runs = True  # the loop need not hear of it

    def _clear_away(self) -> None:
        assert self._process is not None
        assert self._connection is not None
        self.kill()
        self._process.join()
        self._orders.put(None)
        self._writer.join()  # it no longer writes to what is closed now
        self._connection.close()

    def _start_again(self) -> None:
        pause = _FIRST_PAUSE
        while not self._closed:
            try:
                self.start()
                self.wait_until_ready()
                return
            except (PlaitError, OSError) as error:
                self._clear_away()
                if self._closed:
                    return
                print(f"plait: {error} The next try is in {pause:g} seconds.", file=sys.stderr, flush=True)
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    # On the event loop:

    def _hear(self, report: Ready | Failed | Beat | Turned) -> None:
        self._silent = 0
        if isinstance(report, Turned):
            self.heard(report)
            errand = self.errands.get(report.id)
            if errand is None:
                return
            errand.runs = False
            if report.ended:
                errand.left = True
                del self.errands[report.id]
                if errand.suspect:
                    self.changed(self)
            if errand.reply is not None and not errand.reply.done():
                errand.reply.set_result(report)

    def _lose(self) -> None:
        self.is_ready = False
        lost, self.errands = self.errands, {}
        for errand in lost.values():
            errand.left = True
            if errand.reply is not None and not errand.reply.done():
                errand.reply.set_exception(LostError(runs=errand.runs))
        self.changed(self)

    def _welcome(self) -> None:
        self._silent = 0
        self.changed(self)


def _write(connection: Connection, orders: SimpleQueue[bytes | None]) -> None:
    """Here a process that does not listen keeps nobody waiting."""
    with suppress(OSError):
        while (order := orders.get()) is not None:
            connection.send_bytes(order)


@contextmanager
def _deaf() -> Iterator[None]:
    """What starts inherits what its parent does not listen to: Ctrl-C is told to all, and it cannot yet say no."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def resident_memory(process: int | None) -> int | None:
    """Of a process, in bytes, where the system tells it."""
    try:
        return int(Path(f"/proc/{process or 'self'}/statm").read_text().split()[1]) * _PAGE
    except (OSError, ValueError, IndexError):
        return None


@atexit.register
def _end_all() -> None:
    # multiprocessing would ask them to end, which they do not hear, and wait for it.
    for slot in list(_all):
        slot.close()
