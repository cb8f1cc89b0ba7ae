"""The attack on a server: a real process, raw sockets, and requests of every kind."""

from __future__ import annotations

import io
import json
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

from hostile.report import Finding
from hostile.request_cases import Case, make
from hostile.toy_models import toy_pipelines
from plait.errors import PlaitError
from plait.formats import FORMATS, sentences_of
from plait.formats.files import Source
from plait.sentence import Sentence
from plait.trees import find_fault

_PATIENCE = 10.0  # seconds until a request that is not answered counts as a hang
_GLANCE = 0.3  # for one that need not be answered


class Attack:
    """Sends one request per case to one server, and looks at the answer and at the server's log."""

    name: ClassVar[str] = "requests"

    def __init__(self, folder: Path) -> None:
        self._model = folder / "toy"
        self._realizer = folder / "say"
        self._log = folder / "server.log"
        self._read_log = 0
        self._server: subprocess.Popen[str] | None = None
        self._address = ("", 0)

    def __enter__(self) -> Self:
        if not self._model.exists():
            models = toy_pipelines()
            models["roles"].save(self._model)
            models["realizer"].save(self._realizer)
        self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.terminate()
            self._server.wait(30)
            assert self._server.stdout is not None
            self._server.stdout.close()

    def _start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "plait",
            "serve",
            "--model",
            f"toy={self._model}",
            "--model",
            f"say={self._realizer}",
            "--port",
            "0",
            "--most-time",
            "9",
        ]
        with self._log.open("ab") as log:
            self._server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self._server.stdout is not None
        lines = iter(self._server.stdout.readline, "")
        url = next(word for line in lines for word in line.split() if word.startswith("http://")).rstrip("/")
        host, _, port = url.removeprefix("http://").rpartition(":")
        self._address = (host, int(port))

    def run(self, case: int) -> Finding | None:
        made = make(case)
        answer, seconds = self._ask(made)
        for kind, detail in self._faults(made, answer, seconds):
            return Finding(self.name, case, kind, detail)
        return None

    def _ask(self, case: Case) -> tuple[bytes, float]:
        """All that the server says, and how long that took."""
        started = time.monotonic()
        found = bytearray()
        with (
            suppress(OSError),
            socket.create_connection(self._address, timeout=_PATIENCE) as client,
        ):
            for piece in case.pieces:
                with suppress(
                    BrokenPipeError, ConnectionResetError
                ):  # it may have answered and closed already
                    client.sendall(piece)
                if case.pauses:
                    time.sleep(case.pauses)
            if case.leaves:
                return b"", 0.0
            if case.half_closes:
                client.shutdown(socket.SHUT_WR)
            client.settimeout(_PATIENCE if case.complete else _GLANCE)
            while more := client.recv(1 << 16):
                found += more
        return bytes(found), time.monotonic() - started

    def _faults(self, case: Case, answer: bytes, seconds: float) -> list[tuple[str, str]]:
        assert self._server is not None
        if self._server.poll() is not None:
            status = self._server.returncode
            self._start()
            return [("crash", f"the server ended with status {status}")]
        with self._log.open("rb") as log:
            log.seek(self._read_log)
            said = log.read()
        self._read_log += len(said)
        if b"Traceback" in said:
            return [("traceback", said.decode(errors="replace")[-2000:])]
        head, _, body = answer.partition(b"\r\n\r\n")
        status = head.split(b" ", 2)[1].decode(errors="replace") if head.startswith(b"HTTP/1.1 ") else ""
        if case.complete and not case.leaves and (seconds >= _PATIENCE or b"longer than 9 sec" in body):
            return [("hang", f"no answer within {_PATIENCE:g} seconds: {case.pieces[0][:300]!r}")]
        if status.startswith("5") and status != "503":
            return [("crash", f"status {status}: {body[:300]!r}; asked: {case.pieces[0][:300]!r}")]
        if b"was stopped" in body:
            return [("stuck", f"a worker process was lost; asked: {case.pieces[0][:300]!r}")]
        if status == "200" and case.complete and not case.half_closes:
            fault = _fault_of(head, body, case.parses)
            if fault:
                return [("invalid output", f"{fault}; asked: {b''.join(case.pieces)[:1000]!r}")]
        return []


def _fault_of(head: bytes, body: bytes, parses: bool) -> str:
    """What is wrong with an answer of status 200, if anything."""
    lines = head.lower().split(b"\r\n")
    if b"transfer-encoding: chunked" in lines:
        whole = _unchunked(body)
        if whole is None:
            return "the answer does not end"
        body = whole
    if b"content-type: application/json" not in lines:
        return ""
    try:
        answer: Any = json.loads(body)
    except ValueError as error:
        return f"the answer is no JSON: {error}"
    if "result" in answer:
        found = answer["result"]
        is_table = found.startswith(("1\t", "1-", "0.", "#")) and "\t" in found
        return _fault_of_conllu(found, parses) if is_table else "NUL" if "\0" in found else ""
    shown = [answer[name] for name in ("there", "back") if name in answer]
    return next(
        (
            fault
            for each in (*answer.get("sentences", ()), *shown)
            if (fault := _fault_of_conllu(each["conllu"], parses))
        ),
        "",
    )


def _unchunked(body: bytes) -> bytes | None:
    found = bytearray()
    while body:
        size, _, rest = body.partition(b"\r\n")
        length = int(size, 16)
        if not length:
            return bytes(found)
        found += rest[:length]
        body = rest[length + 2 :]
    return None


def _fault_of_conllu(text: str, parses: bool) -> str:
    source = Source("result", io.BufferedReader(io.BytesIO(text.encode("utf-8", "surrogatepass"))))
    try:
        sentences: list[Sentence] = list(sentences_of(source, FORMATS["conllu"]))
    except PlaitError as error:
        return str(error)
    for sentence in sentences:
        if parses and (fault := find_fault(sentence.tree())):
            return str(fault)
    return ""
