"""An application on a socket: uvicorn with bounds on connections and on its own end."""

from __future__ import annotations

import asyncio
import logging
import socket

import uvicorn
from starlette.applications import Starlette

from plait.server.connections import Connections, protocol
from plait.server.limits import Limits

_TO_SAY_SO = 1.0  # seconds, at most, at the end of the grace, in which what was given up is told so


class Server(uvicorn.Server):
    """Serves the application that `create_app` made with the same limits."""

    def __init__(self, app: Starlette, limits: Limits) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=protocol(Connections(limits)),
                log_level="error",  # what clients do wrong is no news
                access_log=False,
                server_header=False,
                proxy_headers=False,
                ws="none",
                timeout_keep_alive=int(limits.idle_seconds),
            )
        )
        logging.getLogger("uvicorn.error").addFilter(_is_news)
        say_so = min(_TO_SAY_SO, limits.grace_seconds / 4)
        self._grace = limits.grace_seconds - say_so
        self.config.timeout_graceful_shutdown = self._grace + say_so / 2  # type: ignore[assignment]
        self._workers = app.state.workers

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().call_later(self._grace, self._workers.stop)
        await super().shutdown(sockets)


def _is_news(record: logging.LogRecord) -> bool:
    """An answer that is broken off is not: that is how a client is told that it is not whole."""
    return "without completing response" not in str(record.msg)
