"""Requests that were accepted, and the processes that answer them.

What is short goes to processes of its own, and what turns out not to be is begun anew where documents are, so that
nothing long keeps a short request waiting. When a client goes away or the time is up, the work is told to stop in the
midst of a piece. A process that does not stop is ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from itertools import count

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from plait.errors import Cancelled, InputError, PlaitError
from plait.server.limits import RefusedError, busy, too_large
from plait.server.messages import Begin, Go, ModelFacts, Turned
from plait.server.metrics import Metrics
from plait.server.processes import LOOK, Errand, LostError, Slot, resident_memory
from plait.server.worker import Plan

_QUICK = 0.05  # seconds of work; what needs more is long
_QUICK_BYTES = 1 << 10  # of a request; what has more may have a first turn that is long
# What takes time in proportion to its size, or little more; all else is long however short it is.
_QUICK_PATHS = frozenset(
    {"/process", "/api/parse", "/api/tree", "/api/complete", "/api/tikz", "/api/scene", "/api/refer"}
)
_SLOW_AFTER = 0.25  # seconds of a turn where short requests are answered
_STREAMED_FROM = 1 << 16  # bytes of an answer; shorter ones are sent at once, with their length
_PATIENCE = 1.0  # seconds for which a client may let others wait who find no room


class MovedError(Exception):
    """The request is not as short as it looked."""


class Workers:
    """The processes, and how much is waiting for them. Half of them are for short requests."""

    def __init__(self, plan: Plan, processes: int, metrics: Metrics) -> None:
        """Start them, and wait until they have loaded the models."""
        self.limits = plan.limits
        self.metrics = metrics
        self.jobs: set[Job] = set()
        self._ids = count()
        quick = max(1, processes // 2)
        self.slots = [Slot(plan, _SLOW_AFTER if i < quick else None) for i in range(max(2, processes))]
        self.models: list[ModelFacts] = []
        try:
            for slot in self.slots:
                slot.start()
            for slot in self.slots:
                self.models = slot.wait_until_ready().models
        except BaseException:
            self.end()
            raise

    def attach(self) -> None:
        """To the event loop that runs."""
        loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        for slot in self.slots:
            slot.heard, slot.changed = self._count, self._change
            slot.attach(loop)
        self._looks = loop.call_later(LOOK, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        for slot in self.slots:
            slot.look()
        self._looks = loop.call_later(LOOK, self._look, loop)

    def _count(self, report: Turned) -> None:
        self.metrics.sentences += report.sentences
        self.metrics.words += report.words

    def _change(self, slot: Slot) -> None:
        if not slot.is_ready:
            self.metrics.processes_lost += 1
        self._changed.set()

    async def slot(self, *, quick: bool, suspect: bool) -> Slot:
        """Where a request is to be answered. While none is there for short ones, they go where long ones do.

        Of those that were at work in a process when it was lost, each is in another one, so that only the one that is
        at fault takes a second process with it.
        """
        while True:
            ready = [slot for slot in self.slots if slot.is_ready and (quick or not slot.is_quick)]
            if suspect:
                ready = [
                    slot for slot in ready if not any(errand.suspect for errand in slot.errands.values())
                ]
            if ready:
                return min(ready, key=lambda slot: (slot.is_quick != quick, len(slot.errands)))
            self._changed.clear()
            await self._changed.wait()

    def look_at_memory(self) -> None:
        own = resident_memory(None)
        self.metrics.memory = own and own + sum(slot.memory for slot in self.slots)

    def new_id(self) -> int:
        return next(self._ids)

    @asynccontextmanager
    async def admitted(self, request: Request) -> AsyncIterator[Job]:
        """Accept a request before its body is read, by the length that it declares; RefusedError if busy.

        Who declares much and sends nothing makes room for others, as everybody does who lets them wait.
        """
        declared = request.headers.get("content-length", "")
        size = int(declared) if declared.isdecimal() and len(declared) < 16 else 0
        if size > self.limits.request_bytes:
            raise too_large(self.limits.request_bytes)
        if len(self.jobs) >= self.limits.pending_requests and not self.make_room():
            raise self.refuse(1)
        if self.is_full(size, size) and not self.make_room():
            raise self.refuse(5)
        job = Job(self, request, size)
        try:
            async with job.in_time():
                yield job
        finally:
            if not job.streams:
                job.close()

    def is_full(self, size: int, more: int, but: Job | None = None) -> bool:
        """Whether a document is too much with so many bytes more; one that is alone is always taken."""
        limits = self.limits
        return (
            size >= limits.document_bytes
            and self.metrics.pending_bytes + more > limits.pending_bytes
            and any(job.size >= limits.document_bytes for job in self.jobs if job is not but)
        )

    def make_room(self, but: Job | None = None) -> bool:
        """Give up the request that has waited longest for its own client, if it has for long."""
        waiting = [job for job in self.jobs if job.waits_since is not None and job is not but]
        slowest = min(waiting, key=lambda job: job.waits_since or 0.0, default=None)
        now = asyncio.get_running_loop().time()
        if slowest is None or now - (slowest.waits_since or now) < _PATIENCE:
            return False
        slowest.give_up("slow client", RefusedError(503, "Others waited for this slow connection.", 5))
        return True

    def refuse(self, retry_after: int) -> RefusedError:
        self.metrics.refused["busy"] += 1
        return busy(retry_after)

    def stop(self) -> None:
        """Give up everything: the server ends."""
        for job in list(self.jobs):
            job.give_up("stopped", RefusedError(503, "The server is stopping.", 5))

    def close(self) -> None:
        self.stop()
        self._looks.cancel()
        self.end()

    def end(self) -> None:
        """End the processes, whatever they do."""
        for slot in self.slots:
            slot.close()


class Job:
    """One accepted request; it counts as pending until it is closed."""

    def __init__(self, workers: Workers, request: Request, size: int) -> None:
        self._workers = workers
        self._request = request
        self._loop = asyncio.get_running_loop()
        self._deadline = self._loop.time() + workers.limits.seconds
        self._clock: asyncio.Timeout | None = None
        self._refusal: RefusedError | None = None
        self._watch: asyncio.Task[None] | None = None
        self._errand: Errand | None = None
        self.size = size  # bytes of its body, as declared or as they have come
        self.streams = False  # then it is open until the answer has been sent
        self.waits_since: float | None = None  # when its client last was to do something
        workers.jobs.add(self)
        workers.metrics.pending_requests += 1
        workers.metrics.pending_bytes += size

    def close(self) -> None:
        if self not in self._workers.jobs:
            return
        self._workers.jobs.remove(self)
        self._workers.metrics.pending_requests -= 1
        self._workers.metrics.pending_bytes -= self.size
        if self._watch is not None:
            self._watch.cancel()
        self._leave()

    def _leave(self) -> None:
        if self._errand is not None:
            self._errand.leave()

    def give_up(self, reason: str, refusal: RefusedError) -> None:
        """End it now, whatever it does."""
        if self._refusal is not None:
            return
        self._refusal = refusal
        self._workers.metrics.refused[reason] += 1
        self._leave()
        self._deadline = self._loop.time()
        if self._clock is not None:
            self._clock.reschedule(self._deadline)

    @asynccontextmanager
    async def in_time(self) -> AsyncIterator[None]:
        """RefusedError when the time of the request is over, or when it is given up."""
        try:
            async with asyncio.timeout_at(self._deadline) as self._clock:
                try:
                    yield
                finally:
                    self._clock = None
        except (TimeoutError, Cancelled):
            seconds = self._workers.limits.seconds
            late = RefusedError(503, f"The request took longer than {seconds:g} seconds.", 10)
            self.give_up("late", late)
            raise self._refusal or late from None

    async def read_body(self) -> bytes:
        """The body; where its length was not declared, it counts as it comes."""
        workers, body = self._workers, bytearray()
        with self._waiting():
            async for chunk in self._request.stream():
                body += chunk
                more = max(0, len(body) - self.size)
                self.size += more
                workers.metrics.pending_bytes += more
                if self.size > workers.limits.request_bytes:
                    raise too_large(workers.limits.request_bytes)
                if more and workers.is_full(self.size, 0, self) and not workers.make_room(self):
                    raise workers.refuse(5)
        return bytes(body)

    async def answer(self, path: str, query: bytes, kind: str, body: bytes) -> Response:
        """The whole answer, or one that streams if it is long. Faults of the first pieces are raised."""
        self._watch = self._loop.create_task(self._watch_client())
        quick = path in _QUICK_PATHS and len(query) + len(body) <= _QUICK_BYTES
        suspect = False
        while True:
            order = Begin(self._workers.new_id(), path, query, kind, body)
            try:
                begin, ended = await self._begin(order, quick=quick, suspect=suspect)
                break
            except MovedError:
                quick = False
            except LostError as lost:
                # What was at work may be what ended the process. Only what is short is tried again then, and once.
                if lost.runs and (suspect or not quick):
                    raise self._stopped() from None
                suspect = suspect or lost.runs
        if ended:
            return Response(begin, media_type="application/json")
        self.streams = True
        return _Streamed(self, self._rest(begin), "application/json")

    def _stopped(self) -> RefusedError:
        self._workers.metrics.refused["process ended"] += 1
        return RefusedError(503, "The work on the request was stopped; it may be too much.", 5)

    async def _begin(self, order: Begin, *, quick: bool, suspect: bool) -> tuple[bytes, bool]:
        """So much of the answer as is sent at once, and whether that is all."""
        slot = await self._workers.slot(quick=quick, suspect=suspect)
        self._errand = errand = slot.begin(order, suspect=suspect)
        found, ended = await self._turn(order)
        pieces = [found]
        while not ended and (slot.is_quick or sum(map(len, pieces)) < _STREAMED_FROM):
            if errand.used > _QUICK and slot.is_quick:
                errand.leave()
                raise MovedError
            found, ended = await self._turn(Go(order.id))
            pieces.append(found)
        return b"".join(pieces), ended

    async def _turn(self, order: Begin | Go) -> tuple[bytes, bool]:
        assert self._errand is not None
        report = await self._errand.turn(order)
        match report.fault:
            case "":
                return report.text, report.ended
            case "input":
                raise InputError(report.message)
            case "slow":
                raise MovedError
            case "cancelled":
                raise Cancelled
            case _:
                raise RuntimeError("an answer failed: its process has told how")

    async def _watch_client(self) -> None:
        while (await self._request.receive())["type"] != "http.disconnect":
            pass
        self.give_up("client gone", RefusedError(499, "The client has gone."))

    async def _rest(self, begin: bytes) -> AsyncIterator[bytes]:
        assert self._errand is not None
        yield begin
        size, ended = len(begin), False
        while not ended:
            text, ended = await self._turn(Go(self._errand.id))
            size += len(text)
            if size > self._workers.limits.answer_bytes:
                self._workers.metrics.refused["long answer"] += 1
                raise RefusedError(503, "The answer is too long.")
            if text:
                yield text

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        self.waits_since = self._loop.time()
        try:
            yield
        finally:
            self.waits_since = None

    async def send(self, send: Send, message: Message) -> None:
        with self._waiting():
            await send(message)


class _Streamed(StreamingResponse):
    """An answer in pieces. If it cannot be finished, the connection ends without the mark of a whole answer."""

    def __init__(self, job: Job, content: AsyncIterator[bytes], media_type: str) -> None:
        super().__init__(content, media_type=media_type)
        self._job = job

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        async def patiently(message: Message) -> None:
            await self._job.send(send, message)

        try:
            with suppress(RefusedError, LostError, PlaitError):  # too late to say so
                async with self._job.in_time():
                    await self.stream_response(patiently)
        finally:
            self._job.close()
