"""Work in slices: a few threads serve all requests in turn, so that a long document never blocks a short one.

A request's work is an iterator of pieces of its answer. A thread takes pieces for a short while, then the next
request has its turn. Between turns the server sees whether the client is still there and how late it is.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from plait.server.limits import Limits, RefusedError, too_large
from plait.server.metrics import Metrics

Result = TypeVar("Result")

_TURN = 0.02  # seconds
_STREAMED_FROM = 1 << 16  # characters of an answer; shorter ones are sent at once, with their length


class Workers:
    """The threads, and how much is waiting for them."""

    def __init__(self, threads: int, limits: Limits, metrics: Metrics) -> None:
        self.limits = limits
        self.metrics = metrics
        self.pool = ThreadPoolExecutor(threads, "plait")

    @contextmanager
    def admitted(self, request: Request) -> Iterator[Job]:
        """Accept a request before its body is read, by the length that it declares; RefusedError if busy."""
        job = Job(self, self._admit(request))
        try:
            yield job
        finally:
            if not job.streams:
                job.close()

    def _admit(self, request: Request) -> int:
        """The size by which a request counts."""
        limits, metrics = self.limits, self.metrics
        declared = request.headers.get("content-length", "")
        size = int(declared) if declared.isdecimal() else 0
        if size > limits.request_bytes:
            raise too_large(limits.request_bytes)
        if request.method == "POST" and not declared:
            size = limits.request_bytes
        crowded = metrics.pending_requests >= limits.pending_requests
        full = metrics.pending_bytes + size > limits.pending_bytes
        # A document that is alone is always taken.
        if crowded or (full and size >= limits.document_bytes and metrics.pending_requests):
            metrics.refused["busy"] += 1
            wait = 1 if crowded else 5
            raise RefusedError(503, "The server is busy; try again later.", retry_after=wait, unread=True)
        return size

    def close(self) -> None:
        self.pool.shutdown()


class Job:
    """One accepted request; it counts as pending until it is closed."""

    def __init__(self, workers: Workers, size: int) -> None:
        self._workers = workers
        self._size = size
        self._open = True
        self.streams = False  # then it is open until the answer has been sent
        self._deadline = asyncio.get_running_loop().time() + workers.limits.seconds
        workers.metrics.pending_requests += 1
        workers.metrics.pending_bytes += size

    def close(self) -> None:
        if self._open:
            self._open = False
            self._workers.metrics.pending_requests -= 1
            self._workers.metrics.pending_bytes -= self._size

    async def answer(
        self, request: Request, pieces: Iterator[str], media_type: str = "application/json"
    ) -> Response:
        """The whole answer, or one that streams if it is long. Faults of the first pieces are raised."""
        begin: list[str] = []
        while sum(map(len, begin)) < _STREAMED_FROM:
            text, finished = await self._turn(pieces)
            begin.append(text)
            if finished:
                return Response("".join(begin), media_type=media_type)
            if await request.is_disconnected():
                self._workers.metrics.refused["client gone"] += 1
                return Response(status_code=499)
        self.streams = True
        return _Streamed(self, self._rest("".join(begin), pieces), media_type)

    async def _rest(self, begin: str, pieces: Iterator[str]) -> AsyncIterator[str]:
        yield begin
        finished = False
        while not finished:
            text, finished = await self._turn(pieces)
            if text:
                yield text

    async def _turn(self, pieces: Iterator[str]) -> tuple[str, bool]:
        loop = asyncio.get_running_loop()
        return await self.in_time(loop.run_in_executor(self._workers.pool, _slice, pieces))

    async def in_time(self, work: Awaitable[Result]) -> Result:
        """What is awaited, or RefusedError when the time of the request is over."""
        try:
            async with asyncio.timeout_at(self._deadline):
                return await work
        except TimeoutError:
            self._workers.metrics.refused["late"] += 1
            seconds = self._workers.limits.seconds
            raise RefusedError(503, f"The request took longer than {seconds:g} seconds.", 10) from None


class _Streamed(StreamingResponse):
    """An answer in pieces. If it cannot be finished, the connection ends without the mark of a whole answer."""

    def __init__(self, job: Job, content: AsyncIterator[str], media_type: str) -> None:
        super().__init__(content, media_type=media_type)
        self._job = job

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with suppress(RefusedError):  # too late to say so
                await super().__call__(scope, receive, send)
        finally:
            self._job.close()


def _slice(pieces: Iterator[str]) -> tuple[str, bool]:
    """What can be had in one turn, and whether that was all."""
    end = time.monotonic() + _TURN
    found = []
    for piece in pieces:
        found.append(piece)
        if time.monotonic() >= end:
            return "".join(found), False
    return "".join(found), True
