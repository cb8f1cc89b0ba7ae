"""What the event loop itself answers: it looks at headers, and hands all else to the worker processes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from plait.release import release
from plait.rules.grammar import names
from plait.server.examples import EXAMPLES
from plait.server.openapi import describe
from plait.server.questions import QUESTIONS
from plait.server.security import ANY_ORIGIN, API, SameOrigin
from plait.server.static import Static
from plait.server.work import Workers
from plait.server.workbench import grammar_json
from plait.transitions import ORACLES, SYSTEMS
from plait.transitions.registry import oracle_name

_Handler = Callable[[Request], Awaitable[Response]]


class Answered:
    """Everything that is answered without a model."""

    def __init__(self, workers: Workers, same_origin: SameOrigin) -> None:
        self._workers = workers
        self._same_origin = same_origin
        models = workers.models
        self._fixed = {
            "/health": {"status": "ok", "models": [model.name for model in models]},
            "/openapi.json": describe(),
            "/api/about": {
                "version": release(),
                "models": [msgspec.to_builtins(model) for model in models],
                "systems": [
                    {
                        "name": system.name,
                        "title": system.title,
                        "oracles": list(ORACLES[system.name]),
                        "default": oracle_name(system.name, None),
                    }
                    for system in SYSTEMS.values()
                ],
                "examples": [{"text": text, "shows": shows} for text, shows in EXAMPLES.items()],
            },
            "/api/grammars": {"grammars": [grammar_json(name) for name in names()]},
        }

    def routes(self) -> list[Route]:
        static = Static()
        return [
            Route("/", static.page),
            Route("/workbench", static.workbench),
            Route("/static/{name}", static.file),
            Route("/process", self._process, methods=["GET", "POST"]),
            Route("/models", self._models),
            Route("/metrics", self._metrics),
            *(Route(path, self._told(path)) for path in self._fixed),
            *(Route(path, self._asked(path), methods=["POST"]) for path in QUESTIONS),
        ]

    def _told(self, path: str) -> _Handler:
        content = JSONResponse(self._fixed[path]).body

        async def tell(request: Request) -> Response:
            if path.startswith(API):
                self._same_origin.check(request)
            return Response(content, media_type="application/json")

        return tell

    def _asked(self, path: str) -> _Handler:
        async def ask(request: Request) -> Response:
            self._same_origin.check(request)
            async with self._workers.admitted(request) as job:
                return await job.answer(path, b"", "", await job.read_body())

        return ask

    async def _process(self, request: Request) -> Response:
        async with self._workers.admitted(request) as job:
            is_sent = request.method == "POST"
            response = await job.answer(
                "/process",
                query=request.url.query.encode("latin-1", "replace"),
                kind=request.headers.get("content-type", "-") if is_sent else "",
                body=await job.read_body() if is_sent else b"",
            )
            response.headers.update(ANY_ORIGIN)
            return response

    async def _models(self, request: Request) -> Response:  # noqa: ARG002
        models = self._workers.models
        found = {model.name: model.abilities for model in models}
        return JSONResponse({"models": found, "default_model": models[0].name}, headers=dict(ANY_ORIGIN))

    async def _metrics(self, request: Request) -> Response:  # noqa: ARG002
        self._workers.look_at_memory()
        return Response(self._workers.metrics.render(), media_type="text/plain; version=0.0.4")
