"""What a browser may do: the page what it needs, pages from elsewhere nothing but ask the REST interface."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from plait.errors import InputError
from plait.server.limits import RefusedError

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}

# Programs on other pages may use the REST interface, as they may UDPipe's.
ANY_ORIGIN = {"access-control-allow-origin": "*"}

API = "/api/"
_JSON = "application/json"
_LONGEST = 80  # characters of a header that are shown


@dataclass(frozen=True, slots=True)
class SameOrigin:
    """Who may ask the JSON interface: programs, the server's own page, and pages of the `origins` that are allowed.

    A page from elsewhere can make a browser send requests. It cannot choose their Content-Type without being asked
    for leave, nor hide its Origin; and where its own name is made to lead here, that name is the Host. An address in
    figures is no name that could be made to.
    """

    origins: frozenset[str]
    hosts: frozenset[str]  # names by which the server may be called

    @classmethod
    def of(cls, origins: Collection[str], host: str) -> SameOrigin:
        """`host`: the address at which the server listens."""
        plain = frozenset(origin.rstrip("/").lower() for origin in origins)
        for origin in plain:
            parts = _split(origin)
            if parts is None or origin != f"{parts.scheme}://{parts.netloc}":
                raise InputError(f"{origin[:_LONGEST]!r} is no origin, such as https://plait.example.org.")
        names = {parts.hostname or "" for origin in plain if (parts := _split(origin)) is not None}
        return cls(plain, frozenset({"localhost", host.lower(), *names}))

    def check(self, request: Request) -> None:
        """RefusedError for what does not come from there."""
        headers = request.headers
        host, origin = headers.get("host", "").lower(), headers.get("origin", "").lower()
        if host and not self._is_known(host):
            raise RefusedError(
                421,
                f"The server does not answer as {host[:_LONGEST]!r}; it does with "
                f"--allow-origin http://{host[:_LONGEST]}.",
                unread=True,
            )
        if origin and origin not in self.origins and origin.partition("://")[2] != host:
            raise RefusedError(
                403, f"Pages of {origin[:_LONGEST]!r} may not ask; see --allow-origin.", unread=True
            )
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if request.method == "POST" and kind != _JSON:
            raise RefusedError(415, f"The Content-Type must be {_JSON}.", unread=True)

    def _is_known(self, host: str) -> bool:
        parts = _split(f"//{host}")
        name = parts.hostname or "" if parts is not None else ""
        return name in self.hosts or name.endswith(".localhost") or _is_address(name)


class Shared:
    """Lets browsers show pages of the allowed origins what the JSON interface answers."""

    def __init__(self, app: ASGIApp, origins: Collection[str]) -> None:
        self._app = app
        self._shared = CORSMiddleware(
            app, allow_origins=list(origins), allow_methods=("GET", "POST"), allow_headers=("content-type",)
        )
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_shared = (
            scope["type"] == "http"
            and scope["path"].startswith(API)
            and Headers(scope=scope).get("origin", "") in self._origins
        )
        await (self._shared if is_shared else self._app)(scope, receive, send)


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - it is read when it is asked for
    except ValueError:
        return None
    return parts


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
