"""Nobody freezes the server: what a request costs is bounded, whoever asks, whatever it does to a process."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from plait.server.limits import Limits
from serving import TEXT, DeafPipeline, SlowPipeline, ask, metric, serving, toy_pipeline

STEPS = {"tokenizer": "", "tagger": "", "parser": ""}
LONG = TEXT * 50  # no short request
QUOTES = b'"' + b'\\"' * 100_000
DASHES = json.dumps({"files": ["-" * 240_000], "names": ["a"], "graph": ""}).encode()
# Two pipelines in a process of its own: one that runs a regular expression for ever, one that sleeps.
DEAF = """
import sys
sys.path.append({tests!r})
from plait.pipeline import Pipeline
from serving import DeafPipeline
annotate = Pipeline.annotate
def deaf(self, *arguments, **options):
    return DeafPipeline.look(annotate(self, *arguments, **options))
Pipeline.annotate = deaf
if __name__ == "__main__":
    from plait.cli import main
    main()
"""


def post(url: str, text: str, seconds: float = 60) -> httpx2.Response:
    return httpx2.post(f"{url}/process", data={"data": text, **STEPS}, timeout=seconds)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "toy"
    toy_pipeline().save(path)
    (path.parent / "deaf.py").write_text(DEAF.format(tests=str(Path(__file__).parents[1])))
    return path


@contextmanager
def process(model: Path, *options: str, deaf: bool = False) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server as users start it, which is killed if it does not end."""
    start = [str(model.parent / "deaf.py")] if deaf else ["-m", "plait"]
    command = [sys.executable, *start, "serve", "--model", str(model), "--port", "0", *options]
    errors = model.parent / "errors.txt"
    with errors.open("w") as log, subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=log, text=True
    ) as server:  # fmt: skip
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[1].rstrip("/")
            wait_for(lambda: is_up(url))
            yield url, server
            server.send_signal(signal.SIGTERM)
            server.wait(20)
        finally:
            server.kill()


def is_up(url: str) -> bool:
    try:
        return httpx2.get(f"{url}/health", timeout=5).status_code == 200
    except httpx2.ConnectError:
        return False


def wait_for(holds: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def send(url: str, path: str, body: bytes, kind: str = "application/json") -> socket.socket:
    """A request whose client can leave."""
    client = socket.create_connection((urlsplit(url).hostname, urlsplit(url).port))
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    client.sendall(head.encode() + body)
    return client


def children(server: subprocess.Popen[str]) -> list[int]:
    """The worker processes."""
    listed = list(Path(f"/proc/{server.pid}/task").glob("*/children"))
    if not listed:
        pytest.skip("this system does not tell who started a process")
    found = [int(pid) for each in listed for pid in each.read_text().split()]
    return [pid for pid in found if b"spawn_main" in command_of(pid)]


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.parametrize("kind", ["text/plain", "application/json"])
def test_a_quote_that_never_closes_stops_nothing(folder: Path, kind: str) -> None:
    with process(folder, "--grace", "2") as (url, server):
        clients = [send(url, "/api/parse", QUOTES, kind) for _ in range(4)]
        for _ in range(5):
            assert httpx2.get(f"{url}/health", timeout=5).status_code == 200
            assert post(url, TEXT, 10).status_code == 200
        for client in clients:
            client.settimeout(10)
            assert client.recv(1000).split(b" ")[1] in (b"400", b"415")
            client.close()
        server.send_signal(signal.SIGTERM)
        server.wait(10)


def test_rules_that_take_long_take_no_worker(folder: Path) -> None:
    with process(folder) as (url, _):
        clients = [send(url, "/api/rules", DASHES) for _ in range(4)]
        time.sleep(0.5)
        assert post(url, TEXT, 10).status_code == 200
        for client in clients:
            client.close()
        assert post(url, LONG, 30).status_code == 200


@pytest.mark.parametrize("words", ["the dog was sleeping", "the dog was waiting"])
def test_who_leaves_frees_the_worker_whatever_it_does(words: str) -> None:
    with serving({"deaf": DeafPipeline()}, threads=1) as url:
        with send(url, "/api/parse", json.dumps({"text": f"{LONG} {words}."}).encode()):
            time.sleep(0.5)
            assert post(url, TEXT, 10).status_code == 200
        assert post(url, LONG, 40).status_code == 200
        text = httpx2.get(f"{url}/metrics").text
        assert metric(text, "plait_processes_lost_total") == 1
        assert metric(text, "plait_pending_requests") == 0


def test_what_runs_no_python_is_ended_and_told_so() -> None:
    with serving({"deaf": DeafPipeline()}) as url, ThreadPoolExecutor(1) as clients:
        stuck = clients.submit(post, url, f"{LONG} The dog was sleeping.")
        times = []
        while not stuck.done():
            started = time.monotonic()
            assert httpx2.get(f"{url}/health").status_code == 200
            assert post(url, TEXT, 10).status_code == 200
            times.append(time.monotonic() - started)
        assert len(times) > 20
        assert (stuck.result().status_code, stuck.result().headers["retry-after"]) == (503, "5")
        assert "was stopped" in stuck.result().text


def test_a_short_request_outlives_the_process_that_another_one_has_stuck() -> None:
    with serving({"deaf": DeafPipeline()}) as url, ThreadPoolExecutor(9) as clients:
        stuck = clients.submit(post, url, "The dog was sleeping.")
        answers = list(clients.map(lambda _: post(url, TEXT, 40), range(40)))
        assert [each.json()["result"] for each in answers] == [toy_pipeline()(TEXT).conllu] * 40
        assert stuck.result().status_code == 503


def test_what_is_not_as_short_as_it_looks_is_answered_among_documents() -> None:
    with serving({"slow": SlowPipeline(0.4)}, threads=1) as url, ThreadPoolExecutor(2) as clients:
        slow = clients.submit(post, url, TEXT * 2)
        assert slow.result().json()["result"] == toy_pipeline()(TEXT * 2).conllu
        assert metric(httpx2.get(f"{url}/metrics").text, "plait_processes_lost_total") == 0


def test_the_server_ends_in_time_whatever_runs(folder: Path) -> None:
    with process(folder, "--grace", "2", deaf=True) as (url, server):
        workers = children(server)
        assert len(workers) == 2
        clients = [
            send(url, "/api/parse", json.dumps({"text": text}).encode())
            for words in ("sleeping", "waiting")
            for text in (f"{LONG} the dog was {words}.", f"the dog was {words}.")
        ]
        time.sleep(0.3)
        started = time.monotonic()
        server.send_signal(signal.SIGTERM)
        server.wait(15)
        assert time.monotonic() - started < 6  # 2 on an idle machine
        wait_for(lambda: not any(command_of(pid) for pid in workers))
        for client in clients:
            client.close()
        assert server.returncode == 0


def test_processes_that_end_are_replaced_and_nobody_notices(folder: Path) -> None:
    with process(folder) as (url, server), ThreadPoolExecutor(4) as clients:
        before = children(server)
        answers = [clients.submit(post, url, TEXT) for _ in range(200)]
        os.kill(before[0], signal.SIGKILL)
        assert {each.result().status_code for each in answers} == {200}
        wait_for(lambda: len(children(server)) == 2 and before[0] not in children(server))
        os.kill(before[1], signal.SIGKILL)
        wait_for(lambda: len(children(server)) == 2 and before[1] not in children(server))
        assert post(url, LONG).status_code == 200
        text = httpx2.get(f"{url}/metrics").text
        assert metric(text, "plait_processes_lost_total") == 2


def test_no_process_outlives_a_server_that_is_killed(folder: Path) -> None:
    with process(folder) as (_, server):
        workers = children(server)
        server.kill()
        server.wait()
        wait_for(lambda: not any(command_of(pid) for pid in workers))


def test_the_server_stays_when_its_models_have_gone(tmp_path: Path) -> None:
    model = tmp_path / "gone"
    toy_pipeline().save(model)
    with process(model) as (url, server):
        model.rename(tmp_path / "elsewhere")
        for worker in children(server):
            os.kill(worker, signal.SIGKILL)
        wait_for(lambda: "no such model" in (tmp_path / "errors.txt").read_text())
        assert httpx2.get(f"{url}/health").status_code == 200
        with ThreadPoolExecutor(1) as clients:
            waiting = clients.submit(post, url, TEXT)
            time.sleep(0.5)
            assert not waiting.done()
            (tmp_path / "elsewhere").rename(model)
            assert waiting.result().status_code == 200


def test_an_answer_does_not_grow_beyond_bounds(server: str, capfd: pytest.CaptureFixture[str]) -> None:
    kind = {"content-type": "application/x-www-form-urlencoded"}
    form = "tokenizer=&tagger=&parser=&data=" + "a+" * 1_010_000
    for answer in (
        httpx2.post(f"{server}/process", content=form, headers=kind, timeout=60),
        ask(server, "parse", text="a " * 260_000),
    ):
        assert answer.status_code == 400
        assert "send them in parts" in answer.text
    with serving({"toy": toy_pipeline()}, limits=Limits(answer_bytes=100_000)) as url:
        assert post(url, LONG).status_code == 200
        with pytest.raises(httpx2.RemoteProtocolError):
            post(url, TEXT * 1000)
    assert capfd.readouterr().err == ""  # what is broken off is no news


def test_bodies_that_are_none_leave_no_line_in_the_log(folder: Path) -> None:
    with process(folder) as (url, _):
        kind = {"content-type": "multipart/form-data; boundary=x"}
        for body in (b"nonsense", b"--x\r\nA\r\n", b"--x\r\n\x00: b\r\n\r\n--x--"):
            assert httpx2.post(f"{url}/process", content=body, headers=kind).status_code == 400
    assert (folder.parent / "errors.txt").read_text() == ""


def headed(url: str, **headers: str) -> int:
    """The status of a question with these headers."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    question = json.dumps({"text": TEXT}).encode()
    return httpx2.post(f"{url}/api/parse", content=question, headers=names).status_code


def test_pages_from_elsewhere_cannot_ask(server: str) -> None:
    json_type = "application/json"
    host = urlsplit(server).netloc
    assert headed(server, content_type=json_type) == 200
    assert headed(server, content_type="Application/JSON; charset=utf-8", origin=f"http://{host}") == 200
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        assert headed(server, content_type=kind) == 415
    for origin in ("https://evil.example", "null", f"http://{host}.evil.example", "http://127.0.0.1:1"):
        assert headed(server, content_type=json_type, origin=origin) == 403
    for name in ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "[", "a:b:c"):
        assert headed(server, content_type=json_type, host=name) == 421
        assert headed(server, content_type=json_type, host=name, origin=f"http://{name}") == 421
        assert httpx2.get(f"{server}/api/about", headers={"host": name}).status_code == 421
    for name in ("localhost:8000", "127.0.0.1", "[::1]:80", "plait.localhost", "192.168.1.7:8000"):
        assert headed(server, content_type=json_type, host=name) == 200
    elsewhere = {"host": "evil.example", "origin": "https://evil.example"}
    form = httpx2.post(f"{server}/process", data={"data": TEXT, **STEPS}, headers=elsewhere)
    assert (form.status_code, form.headers["access-control-allow-origin"]) == (200, "*")
    preflight = httpx2.options(
        f"{server}/api/parse",
        headers={"origin": "https://evil.example", "access-control-request-method": "POST"},
    )
    assert "access-control-allow-origin" not in preflight.headers


def test_pages_of_allowed_origins_can_ask() -> None:
    origin = "https://plait.example.org"
    with serving({"toy": toy_pipeline()}, origins=[origin]) as url:
        preflight = httpx2.options(
            f"{url}/api/parse",
            headers={
                "origin": origin,
                "access-control-request-method": "POST",
                "access-control-request-headers": "content-type",
            },
        )
        assert preflight.status_code == 200
        headers = {"origin": origin, "host": "plait.example.org", "content-type": "application/json"}
        answer = httpx2.post(f"{url}/api/parse", content=json.dumps({"text": TEXT}), headers=headers)
        for each in preflight, answer:
            assert each.headers["access-control-allow-origin"] == origin
        assert headed(url, content_type="application/json", origin="https://evil.example") == 403
        assert headed(url, content_type="text/plain", origin=origin) == 415


def test_an_origin_that_is_none_is_refused(folder: Path) -> None:
    for origin in ("plait.example.org", "https://plait.example.org/page", "null", "*", "https://[a"):
        command = [sys.executable, "-m", "plait", "serve", "--model", str(folder), "--allow-origin", origin]
        done = subprocess.run([*command, "--port", "0"], capture_output=True, text=True, timeout=30)
        assert (done.returncode, "is no origin" in done.stderr) == (2, True), origin
