"""What surrounds every request: its time, its count, and the headers that every answer has."""

from __future__ import annotations

import time
from collections.abc import Collection

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plait.server.metrics import Metrics
from plait.server.security import HEADERS


class Observed:
    """`routes` are the paths that are counted by name; all others are counted together."""

    def __init__(self, app: ASGIApp, metrics: Metrics, routes: Collection[str]) -> None:
        self._app = app
        self._metrics = metrics
        self._routes = frozenset(routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 500

        async def timed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers["server-timing"] = f"total;dur={1000 * (time.perf_counter() - started):.3f}"
            await send(message)

        try:
            await self._app(scope, receive, timed)
        finally:
            route = scope["path"] if scope["path"] in self._routes else "other"
            self._metrics.observe(route, status, time.perf_counter() - started)
