"""The files of the page, read once: a name that is not among them leads nowhere."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from plait.drawing.page import style_sheet
from plait.drawing.player import WEB

_HERE = Path(__file__).parent / "static"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class Static:
    """All of them in memory, with their fingerprints, by which a browser knows that it has them already."""

    def __init__(self) -> None:
        contents = {
            path.name: path.read_bytes()
            for folder in (_HERE, WEB)
            for path in sorted(folder.iterdir())
            if path.suffix in _TYPES
        }
        contents["inks.css"] = style_sheet().encode()
        self._files = {name: (data, f'"{sha256(data).hexdigest()[:16]}"') for name, data in contents.items()}

    async def page(self, request: Request) -> Response:
        return self._answer("index.html", request)

    async def workbench(self, request: Request) -> Response:
        return self._answer("workbench.html", request)

    async def file(self, request: Request) -> Response:
        return self._answer(request.path_params["name"], request)

    def _answer(self, name: str, request: Request) -> Response:
        if name not in self._files:
            return Response("There is no such page.", 404, media_type="text/plain")
        data, tag = self._files[name]
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(data, headers=headers, media_type=_TYPES[Path(name).suffix])
