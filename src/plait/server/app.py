"""The application: what is answered where."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from plait.errors import InputError
from plait.server.limits import Limits, RefusedError
from plait.server.metrics import Metrics
from plait.server.observed import Observed
from plait.server.routes import Answered
from plait.server.security import ANY_ORIGIN, API, SameOrigin, Shared
from plait.server.work import Workers
from plait.server.worker import Load, Plan

_PATIENCE = 5.0  # seconds for the body of a request that is refused


def create_app(
    load: Load,
    *,
    processes: int = 2,
    threads: int = 2,
    beam: int | None = None,
    limits: Limits | None = None,
    host: str = "127.0.0.1",
    origins: Collection[str] = (),
) -> Starlette:
    """An ASGI application that serves the models which `load` loads, by name; the first is the default.

    Every one of the worker processes, which are started here, calls `load`; it must be something that can be pickled.
    They begin with the main module of the program, as all do that are spawned: let it have `if __name__ == "__main__"`.
    Without a `beam` every model searches with its own. `host` is where the server listens, `origins` are those whose
    pages may ask the JSON interface beside its own.
    """
    same_origin = SameOrigin.of(origins, host)
    metrics = Metrics()
    plan = Plan(load=load, beam=beam, limits=limits or Limits(), threads=threads)
    workers = Workers(plan, processes, metrics)
    routes = Answered(workers, same_origin).routes()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:  # noqa: ARG001
        workers.attach()
        yield
        workers.close()

    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(Observed, metrics=metrics, routes=[route.path for route in routes]),
            Middleware(Shared, origins=same_origin.origins),
        ],
        exception_handlers={
            InputError: _bad_input,
            RefusedError: _refused,
            HTTPException: _not_here,
            ClientDisconnect: _gone,
        },
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # to wherever a client says that it is
    app.state.workers = workers
    return app


def _say(request: Request, status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """An error: as JSON to those who speak JSON, as plain text to the clients of UDPipe."""
    if request.url.path.startswith(API):
        return JSONResponse({"error": message}, status, headers)
    return PlainTextResponse(f"{message}\n", status, {**ANY_ORIGIN, **(headers or {})})


async def _bad_input(request: Request, error: Exception) -> Response:
    return _say(request, 400, str(error))


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    headers = {"retry-after": str(error.retry_after)} if error.retry_after else {}
    if error.unread:
        # Some clients see the answer only once all they have to say was heard.
        with suppress(TimeoutError, RuntimeError):  # the latter: it has been read after all
            async with asyncio.timeout(_PATIENCE):
                async for _ in request.stream():
                    pass
    return _say(request, error.status, str(error), headers)


async def _not_here(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _say(request, error.status_code, str(error.detail), error.headers)


async def _gone(request: Request, error: Exception) -> Response:  # noqa: ARG001
    return Response(status_code=499)
