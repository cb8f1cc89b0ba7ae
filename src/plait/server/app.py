"""The application: what is answered where."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from plait.errors import InputError
from plait.pipeline import Pipeline
from plait.server.api import Api
from plait.server.limits import Limits, RefusedError
from plait.server.metrics import Metrics
from plait.server.models import Models
from plait.server.observed import Observed
from plait.server.openapi import describe
from plait.server.rest import Rest
from plait.server.security import ANY_ORIGIN
from plait.server.static import Static
from plait.server.work import Workers

_PATIENCE = 5.0  # seconds for the body of a request that is refused


def create_app(
    pipelines: Mapping[str, Pipeline],
    *,
    threads: int = 2,
    beam: int | None = None,
    limits: Limits | None = None,
) -> Starlette:
    """An ASGI application that serves these models, by name; the first is the default.

    Without a `beam` every model searches with its own.
    """
    limits = limits or Limits()
    metrics = Metrics()
    models = Models(pipelines, beam)
    workers = Workers(threads, limits, metrics)
    rest, api, static = Rest(models, workers), Api(models, workers), Static()
    questions = api.routes()
    description = describe({path: question for path, (question, _) in questions.items()})

    async def health(request: Request) -> Response:  # noqa: ARG001
        return JSONResponse({"status": "ok", "models": [model.name for model in models]})

    async def show_metrics(request: Request) -> Response:  # noqa: ARG001
        return Response(metrics.render(), media_type="text/plain; version=0.0.4")

    async def openapi(request: Request) -> Response:  # noqa: ARG001
        return JSONResponse(description)

    routes = [
        Route("/", static.page),
        Route("/workbench", static.workbench),
        Route("/static/{name}", static.file),
        Route("/process", rest.process, methods=["GET", "POST"]),
        Route("/models", rest.models),
        Route("/api/about", api.about),
        Route("/api/grammars", api.workbench.grammars),
        *(Route(path, handler, methods=["POST"]) for path, (_, handler) in questions.items()),
        Route("/health", health),
        Route("/metrics", show_metrics),
        Route("/openapi.json", openapi),
    ]

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:  # noqa: ARG001
        yield
        workers.close()

    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(Observed, metrics=metrics, routes=[route.path for route in routes]),
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
    if request.url.path.startswith("/api/"):
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
