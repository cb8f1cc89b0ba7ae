"""A worker process: it has the models, and makes answers in turns.

Nothing that a request costs is paid anywhere else. An answer is an iterator of pieces; a thread takes pieces for a
short while, then the next request has its turn. The process says all the time that it can still run Python; the server
ends one that cannot, or that does not end what it was told to leave (see `processes`).
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from threading import Lock, Thread

from plait.cancel import Cancel
from plait.errors import Cancelled, InputError, PlaitError
from plait.pipeline import Pipeline
from plait.server.api import Api
from plait.server.limits import Limits
from plait.server.memory import keep_little, keep_what_is_there
from plait.server.messages import Beat, Began, Begin, Failed, Go, Leave, Ready, Turned, encode, read_order
from plait.server.models import Models
from plait.server.questions import QUESTIONS
from plait.server.rest import Rest
from plait.server.tally import Tally

_TURN = 0.02  # seconds
_BEAT = 0.1  # seconds
_TO_END = 3.0  # seconds in which a turn ends that was told to; a tenth of one is usual
_LAST_BEAT = (
    30  # seconds without one after which the system ends the process, whether or not a server is there
)
_SWITCH = 0.001  # seconds after which a busy thread lets another one run
_NICE = 5  # long work makes room for short work, and for the server itself

Load = Callable[[], Mapping[str, Pipeline]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What every worker process does. `load` is called in it, so it must be something that can be pickled."""

    load: Load
    beam: int | None
    limits: Limits
    threads: int


class Answers:
    """All that can be answered, by path."""

    def __init__(self, models: Models, limits: Limits, tally: Tally) -> None:
        self._rest = Rest(models, limits, tally)
        self._api = Api(models, limits, tally)

    def begin(self, asked: Begin, cancel: Cancel) -> Iterator[str]:
        if asked.path not in QUESTIONS:
            yield from self._rest.answer(asked, cancel)
        else:
            question = QUESTIONS[asked.path].read(asked.body)
            yield from self._api.answers[asked.path](question, cancel)


@dataclass(slots=True)
class _Job:
    id: int
    pieces: Iterator[str]
    cancel: Cancel
    runs_since: float | None = None
    told_since: float | None = None  # to end
    is_slow: bool = False

    def stop(self) -> None:
        if self.told_since is None:
            self.told_since = time.monotonic()
        self.cancel.cancel()


class Worker:
    """`slow_after`: seconds after which a turn is ended, because others wait that take less; None is never."""

    def __init__(
        self, connection: Connection, answers: Answers, tally: Tally, threads: int, slow_after: float | None
    ) -> None:
        self._connection = connection
        self._answers = answers
        self._tally = tally
        self._slow_after = slow_after
        self._pool = ThreadPoolExecutor(threads, "plait")
        self._jobs: dict[int, _Job] = {}
        self._lock = Lock()  # of the jobs
        self._sending = Lock()

    def serve(self) -> None:
        """Until the server ends."""
        Thread(target=self._beat, daemon=True).start()
        while True:
            match read_order(self._connection.recv_bytes()):
                case Begin() as asked:
                    cancel = Cancel()
                    job = _Job(asked.id, self._answers.begin(asked, cancel), cancel)
                    with self._lock:
                        self._jobs[job.id] = job
                    self._pool.submit(self._turn, job)
                case Go(id):
                    if (waiting := self._jobs.get(id)) is not None:
                        self._pool.submit(self._turn, waiting)
                case Leave(id):
                    self._leave(id)

    def _leave(self, id: int) -> None:
        with self._lock:
            job = self._jobs.get(id)
            if job is None:
                return
            job.stop()
            if job.runs_since is not None:
                return  # its turn ends soon, and tells so
            del self._jobs[id]
        self._tell(Turned(id, b"", True, 0.0, 0, 0, "cancelled"))

    def _turn(self, job: _Job) -> None:
        with self._lock:
            if job.id not in self._jobs:
                return
            job.runs_since = time.monotonic()
        self._tell(Began(job.id))
        found, ended, fault, message = "", True, "", ""
        worked = time.thread_time()
        try:
            found, ended = _slice(job)
        except Cancelled:
            fault = "slow" if job.is_slow else "cancelled"
        except InputError as error:
            fault, message = "input", str(error)
        except BaseException:
            fault = "broken"
            traceback.print_exc()
        seconds = time.thread_time() - worked
        with self._lock:
            job.runs_since = None
            if not ended and job.cancel.cancelled:
                ended, fault = True, "slow" if job.is_slow else "cancelled"
            if ended:
                del self._jobs[job.id]
        text = found.encode("utf-8", "replace")
        self._tell(Turned(job.id, text, ended, seconds, *self._tally.take(), fault, message))

    def _beat(self) -> None:
        while True:
            self._tell(Beat())
            with suppress(AttributeError):  # where there is no such clock
                signal.setitimer(signal.ITIMER_REAL, _LAST_BEAT)
            with self._lock:
                running = [job for job in self._jobs.values() if job.runs_since is not None]
            for job in running:
                self._look_at(job, time.monotonic())
            time.sleep(_BEAT)

    def _look_at(self, job: _Job, now: float) -> None:
        if job.told_since is not None:
            if now - job.told_since > _TO_END:
                os._exit(1)  # nothing else ends a thread
        elif self._slow_after is not None and now - (job.runs_since or now) > self._slow_after:
            job.is_slow = True
            job.stop()

    def _tell(self, report: Began | Turned | Beat) -> None:
        data = encode(report)
        try:
            with self._sending:
                self._connection.send_bytes(data)
        except OSError:
            os._exit(0)  # the server has ended


def _slice(job: _Job) -> tuple[str, bool]:
    """What can be had in one turn, and whether that was all."""
    until = time.monotonic() + _TURN
    found = []
    if job.cancel.cancelled:
        raise Cancelled
    for piece in job.pieces:
        found.append(piece)
        if job.cancel.cancelled:
            raise Cancelled
        if time.monotonic() >= until:
            return "".join(found), False
    return "".join(found), True


def run(connection: Connection, plan: Plan, slow_after: float | None) -> None:
    """The whole life of a worker process."""
    for stop in (signal.SIGINT, signal.SIGTERM):  # who stops the server stops it alone, and it ends this
        signal.signal(stop, signal.SIG_IGN)
    keep_little()
    sys.setswitchinterval(_SWITCH)
    if slow_after is None:
        with suppress(AttributeError, OSError):
            os.nice(_NICE)
    try:
        tally = Tally()
        try:
            models = Models(plan.load(), plan.beam)
            answers = Answers(models, plan.limits, tally)
        except (PlaitError, OSError) as error:
            connection.send_bytes(encode(Failed(str(error))))
            return
        keep_what_is_there()
        connection.send_bytes(encode(Ready([model.facts for model in models])))
        Worker(connection, answers, tally, plan.threads, slow_after).serve()
    except (EOFError, OSError):
        pass  # the server has ended
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)  # whatever its threads do
