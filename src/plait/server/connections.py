"""Connections that do not wait for ever: deadlines for headers, bodies and reading the answer, and a limit on how many
there are. Where there are too many, the one goes that has let the server wait longest, so that slow clients do not lock
out others.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from ipaddress import IPv6Address
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from plait.server.limits import Limits

_LOOK = 0.25  # seconds between looks at the deadlines
_BYTES_A_SECOND = 1 << 14  # of a body
_REASONS = {
    408: "Request Timeout",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}


class Connections:
    """All connections of a server."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._all: set[Connection] = set()
        self._of_client: Counter[str] = Counter()
        self._looks = False

    def add(self, new: Connection) -> None:
        self._all.add(new)
        self._of_client[new.client_key] += 1
        if not self._looks:
            self._looks = True
            new.loop.call_later(_LOOK, self._look, new.loop)
        crowd: list[Connection] = []
        if self._of_client[new.client_key] > self.limits.connections_of_client:
            crowd = [each for each in self._all if each.client_key == new.client_key]
        elif len(self._all) > self.limits.connections:
            crowd = list(self._all)
        if crowd:
            waiting = [each for each in crowd if each.waits_since is not None and each is not new]
            # Those first that never sent a whole request.
            slowest = min(waiting, key=lambda each: (each.has_asked, each.waits_since or 0.0), default=new)
            slowest.refuse(503)

    def remove(self, connection: Connection) -> None:
        if connection in self._all:
            self._all.remove(connection)
            self._of_client[connection.client_key] -= 1
            if not self._of_client[connection.client_key]:
                del self._of_client[connection.client_key]

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for connection in list(self._all):
            connection.look(now)
        self._looks = bool(self._all)
        if self._looks:
            loop.call_later(_LOOK, self._look, loop)


class Connection(HttpToolsProtocol):
    """uvicorn's protocol with deadlines. `all_of_them` is set by `protocol`."""

    all_of_them: ClassVar[Connections]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._limits = self.all_of_them.limits
        self._head_size = 0
        self.has_asked = False
        self._is_in_head = True
        self._is_in_body = False
        self._send_due: float | None = None
        self._cycles: list[RequestResponseCycle] = []  # requests that are not yet answered
        self.client_key = _key(self.client[0]) if self.client else ""
        self._wait(self._limits.head_seconds)
        self.all_of_them.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.all_of_them.remove(self)
        super().connection_lost(exc)
        for cycle in self._cycles:  # uvicorn tells the last one only
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def _wait(self, seconds: float) -> None:
        """The client is to do something within this time."""
        self.waits_since: float | None = self.loop.time()
        self._due: float | None = self.waits_since + seconds

    def look(self, now: float) -> None:
        """Close it if a time is over."""
        if self.transport.is_closing() and self._send_due is None:
            self._send_due = now + self._limits.send_seconds  # it closes when all has been sent
        if self._send_due is not None and now >= self._send_due:
            self.transport.abort()
        elif self._due is not None and now >= self._due:
            self._due = None
            self.refuse(408)

    def refuse(self, status: int) -> None:
        """End the connection, with a word if that can be understood."""
        if self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size():  # type: ignore[no-untyped-call, unused-ignore]
            self.transport.abort()
            return
        if self.cycle is None or not self.cycle.response_started:
            again = "retry-after: 5\r\n" if status == 503 else ""
            head = f"HTTP/1.1 {status} {_REASONS[status]}\r\ncontent-length: 0\r\nconnection: close\r\n{again}\r\n"
            self.transport.write(head.encode())
        self.transport.close()

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if not self._is_in_head and not self._is_in_body and self.waits_since is not None:
            # The first bytes after an answer.
            self._is_in_head = True
            self._wait(self._limits.head_seconds)
        was_in_head = self._is_in_head
        super().data_received(data)
        if was_in_head and self._is_in_head:
            self._head_size += len(data)
            if self._head_size > self._limits.head_bytes:
                self.refuse(431)

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > self._limits.head_bytes:
            self.refuse(431)
            raise ValueError("the head is too long")
        super().on_headers_complete()
        self._cycles = [cycle for cycle in self._cycles if not cycle.response_complete] + [self.cycle]
        self._is_in_head, self._is_in_body = False, True
        self._head_size = 0
        self._wait(self._limits.body_seconds)

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        if self._due is not None:
            self._due += len(body) / _BYTES_A_SECOND

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._is_in_body = False
        self.has_asked = True
        self._due = self.waits_since = None
        if self.cycle.response_complete:  # it was answered before its end
            self._wait(self._limits.idle_seconds)

    def on_response_complete(self) -> None:
        more = bool(self.pipeline)
        super().on_response_complete()
        if not more and not self._is_in_head and not self._is_in_body:
            self._wait(self._limits.idle_seconds)

    def send_400_response(self, msg: str) -> None:
        if not self.transport.is_closing():
            super().send_400_response(msg)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._send_due = self.loop.time() + self._limits.send_seconds

    def resume_writing(self) -> None:
        super().resume_writing()
        self._send_due = None

    def timeout_keep_alive_handler(self) -> None:
        self.refuse(408) if self.transport.get_write_buffer_size() else super().timeout_keep_alive_handler()


def protocol(connections: Connections) -> type[Any]:
    """A protocol for uvicorn whose connections are counted here."""
    return type("CountedConnection", (Connection,), {"all_of_them": connections})


def _key(address: str) -> str:
    """A client's address; of the sixth version the part that a provider gives to one customer."""
    if ":" not in address:
        return address
    try:
        number = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(number.ipv4_mapped or number.packed[:8].hex())
