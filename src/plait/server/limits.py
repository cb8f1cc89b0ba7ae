"""How much a server takes on, and what it answers when that is too much."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Sizes are in bytes. What is pending has been accepted and not yet answered.

    Documents take turns, so all of them get late together: fewer are accepted than would be late.
    """

    request_bytes: int = 4 * MEBIBYTE
    document_bytes: int = MEBIBYTE // 16  # from here on a request is a document
    pending_requests: int = 256
    pending_bytes: int = 4 * MEBIBYTE
    seconds: float = 120.0
    beam: int = 64
    trace_words: int = 100
    oracle_words: int = 60  # EAGER may need n²/4 swaps, and the player is told every state
    minimal_budget: int = 50_000
    lattice_states: int = 400
    sentences_drawn: int = 200


class RefusedError(Exception):
    """A request that is not answered: with a status, and with a time after which to try again.

    `unread`: nobody has begun to read its body.
    """

    def __init__(self, status: int, message: str, retry_after: int = 0, *, unread: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
        self.unread = unread


def too_large(limit: int) -> RefusedError:
    return RefusedError(413, f"The request is larger than {limit:,} bytes.")


class BodyLimit:
    """Stops reading a request that is longer than allowed, whatever it says of its length."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            if message["type"] == "http.request":
                read += len(message.get("body", b""))
                if read > self._limit:
                    raise too_large(self._limit)
            return message

        await self._app(scope, counted, send)
