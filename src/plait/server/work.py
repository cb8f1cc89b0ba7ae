"""Work in slices: a few threads serve all requests in turn, so that a long document never blocks a short one.

A request's work is an iterator of pieces of its answer. A thread takes pieces for a short while, then the next
request has its turn. What turns out to be long lets others go first, so that any number of documents does not make
short requests wait for their turn. When the client goes away or the time is up, the work is told to stop in the midst
of a piece.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from plait.cancel import Cancel
from plait.errors import Cancelled, PlaitError
from plait.server.limits import Limits, RefusedError, busy, too_large
from plait.server.metrics import Metrics
from plait.server.threads import Threads

Work = Callable[[Cancel], Iterator[str]]

_TURN = 0.02  # seconds
_QUICK = 0.05  # seconds of work; what needs more is long
_QUICK_BYTES = 1 << 11  # of a body; what has more may have a first turn that is long
_STREAMED_FROM = 1 << 16  # characters of an answer; shorter ones are sent at once, with their length
_TO_END = 1.0  # seconds for what is at work when the server ends: ten times what it needs
_PATIENCE = 1.0  # seconds for which a client may let others wait who find no room


class Workers:
    """The threads, and how much is waiting for them."""

    def __init__(self, threads: int, limits: Limits, metrics: Metrics) -> None:
        self.limits = limits
        self.metrics = metrics
        self.threads = Threads(threads)
        self.jobs: set[Job] = set()

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
        self.threads.close(_TO_END)


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
        self.size = size  # bytes of its body, as declared or as they have come
        self.used = 0.0  # seconds of work so far, not of waiting for the processor
        self.streams = False  # then it is open until the answer has been sent
        self.waits_since: float | None = None  # when its client last was to do something
        self.cancel = Cancel()
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

    def give_up(self, reason: str, refusal: RefusedError) -> None:
        """End it now, whatever it does."""
        if self._refusal is not None:
            return
        self._refusal = refusal
        self._workers.metrics.refused[reason] += 1
        self.cancel.cancel()
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

    async def answer(self, work: Work, media_type: str = "application/json") -> Response:
        """The whole answer, or one that streams if it is long. Faults of the first pieces are raised."""
        self._watch = self._loop.create_task(self._watch_client())
        pieces = work(self.cancel)
        begin: list[str] = []
        while sum(map(len, begin)) < _STREAMED_FROM:
            text, finished = await self._turn(pieces)
            begin.append(text)
            if finished:
                return Response("".join(begin), media_type=media_type)
        self.streams = True
        return _Streamed(self, self._rest("".join(begin), pieces), media_type)

    async def _watch_client(self) -> None:
        while (await self._request.receive())["type"] != "http.disconnect":
            pass
        self.give_up("client gone", RefusedError(499, "The client has gone."))

    async def _rest(self, begin: str, pieces: Iterator[str]) -> AsyncIterator[str]:
        yield begin
        finished = False
        while not finished:
            text, finished = await self._turn(pieces)
            if text:
                yield text

    async def _turn(self, pieces: Iterator[str]) -> tuple[str, bool]:
        is_long = self.used >= _QUICK or self.size > _QUICK_BYTES
        turn = self._workers.threads.submit(partial(_slice, pieces, self.cancel), is_long=is_long)
        text, finished, seconds = await asyncio.wrap_future(turn)
        self.used += seconds
        return text, finished

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

    def __init__(self, job: Job, content: AsyncIterator[str], media_type: str) -> None:
        super().__init__(content, media_type=media_type)
        self._job = job

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        async def patiently(message: Message) -> None:
            await self._job.send(send, message)

        try:
            with suppress(RefusedError, PlaitError):  # too late to say so
                async with self._job.in_time():
                    await self.stream_response(patiently)
        finally:
            self._job.close()


def _slice(pieces: Iterator[str], cancel: Cancel) -> tuple[str, bool, float]:
    """What can be had in one turn, whether that was all, and how much work it was."""
    started, worked = time.monotonic(), time.thread_time()
    found = []
    if cancel.cancelled:
        raise Cancelled
    for piece in pieces:
        found.append(piece)
        if cancel.cancelled:
            raise Cancelled
        if time.monotonic() - started >= _TURN:
            return "".join(found), False, time.thread_time() - worked
    return "".join(found), True, time.thread_time() - worked
