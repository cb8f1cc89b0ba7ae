"""Models from elsewhere: copied from a path, or downloaded, with limits and a checksum."""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import Callable
from hashlib import sha256
from http.client import HTTPException, HTTPMessage
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, Any
from urllib.error import URLError
from urllib.parse import unquote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from plait.catalogue.names import place_for
from plait.errors import InputError
from plait.formats.files import CHUNK
from plait.learning import store
from plait.learning.archive import MOST_BYTES, SUFFIX
from plait.release import release

_TIMEOUT = 30.0  # seconds without a byte
_LONGEST = 3600.0  # seconds of a download
_SUM = re.compile(r"[0-9a-f]{64}")


def is_url(source: str) -> bool:
    return bool(re.match(r"[a-z][a-z0-9+.-]*://", source, re.IGNORECASE))


def usual_name(source: str) -> str:
    """What a model is called, if nobody says otherwise: as its file."""
    path = unquote(urlsplit(source).path) if is_url(source) else str(Path(source).absolute())
    return PurePosixPath(Path(path).as_posix()).name.removesuffix(SUFFIX)


def get(
    source: str,
    name: str = "",
    *,
    checksum: str = "",
    force: bool = False,
    most: int = MOST_BYTES,
    check: Callable[[Path], object] = store.load,
) -> Path:
    """Put a model where it is found by its name; `check` looks at it before. The `checksum` (SHA-256) is that of the
    file; a URL may have it behind it, as in `#sha256=…`, and over plain HTTP it must be known.
    """
    url, _, wanted = source.partition("#sha256=") if is_url(source) else (source, "", "")
    checksum = (checksum or wanted).lower()
    if checksum and not _SUM.fullmatch(checksum):
        raise InputError("A SHA-256 checksum has 64 hexadecimal digits.")
    place = place_for(name or usual_name(url), force=force)
    with TemporaryDirectory(prefix=".get-", dir=place.parent) as folder:
        found = Path(url)
        if is_url(url):
            found = Path(folder) / "model"
            _download(url, found, checksum, most)
        elif checksum:
            _compare(checksum, _sum_of(found), url)
        check(found)
        store.copy(found, place, force=force)
    return place


class _Redirects(HTTPRedirectHandler):
    """Never to another kind of address, nor from a safe one to one that is not."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if urlsplit(newurl).scheme not in ("https", urlsplit(req.full_url).scheme):
            raise URLError(f"it sends us on to {newurl}, which is not safe")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _download(url: str, target: Path, checksum: str, most: int) -> None:
    scheme = urlsplit(url).scheme.lower()
    if scheme not in ("http", "https"):
        raise InputError(f"{url}: a model comes from a path, or by http or https.")
    if scheme == "http" and not checksum:
        raise InputError(f"{url}: over plain http anyone can change it: give its checksum, --sha256.")
    total, size, end = sha256(), 0, time.monotonic() + _LONGEST
    request = Request(url, headers={"User-Agent": f"plait/{release()}"})
    try:
        with build_opener(_Redirects).open(request, timeout=_TIMEOUT) as answer, target.open("xb") as stream:
            while data := _some(answer):
                total.update(data)
                size += len(data)
                if size > most:
                    raise InputError(f"{url}: this is larger than {most:,} bytes.")
                if time.monotonic() > end:
                    raise InputError(f"{url}: this takes too long.")
                stream.write(data)
            if answer.length:  # what was promised and did not come
                raise InputError(f"{url}: the download was cut off.")
    except (OSError, HTTPException, ssl.SSLError, ValueError) as error:
        reason = getattr(error, "reason", "") or error
        raise InputError(f"{url}: cannot be downloaded: {reason}.") from None
    if checksum:
        _compare(checksum, total.hexdigest(), url)


def _some(answer: Any) -> bytes:
    data: bytes = answer.read1(CHUNK)
    return data


def _sum_of(path: Path) -> str:
    if not path.is_file():
        raise InputError(f"{path}: a checksum is that of a file, and this is none.")
    total = sha256()
    with path.open("rb") as stream:
        while data := stream.read(CHUNK):
            total.update(data)
    return total.hexdigest()


def _compare(wanted: str, found: str, source: str) -> None:
    if wanted != found:
        raise InputError(f"{source}: its checksum is {found}, not {wanted}: it is damaged, or another file.")
