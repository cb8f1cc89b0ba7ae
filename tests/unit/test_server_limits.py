"""Too much, too long, gone away, shut down: the server stays up and says what is the matter."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import httpx2
import pytest

from plait.server.limits import Limits
from serving import TEXT, SlowPipeline, metric, post_json, serving, toy_pipeline

STEPS = {"tokenizer": "", "tagger": "", "parser": ""}


def post(url: str, text: str) -> httpx2.Response:
    return httpx2.post(f"{url}/process", data={"data": text, **STEPS}, timeout=60)


def pending(url: str) -> float:
    return metric(httpx2.get(f"{url}/metrics").text, "plait_pending_requests")


def test_a_request_that_is_too_large_is_refused(tmp_path: Path) -> None:  # noqa: ARG001
    with serving({"toy": toy_pipeline()}, limits=Limits(request_bytes=1000)) as url:
        assert post(url, "a " * 1000).status_code == 413

        def chunks() -> Iterator[bytes]:
            for _ in range(50):
                yield b"x" * 100

        kind = {"content-type": "application/x-www-form-urlencoded"}
        answer = httpx2.post(f"{url}/process", content=chunks(), headers=kind)
        assert (answer.status_code, answer.text) == (413, "The request is larger than 1,000 bytes.\n")
        answer = post_json(f"{url}/api/parse", b"x" * 2000)
        assert (answer.status_code, answer.json()) == (
            413,
            {"error": "The request is larger than 1,000 bytes."},
        )
        assert post(url, TEXT).status_code == 200


@pytest.mark.parametrize("limits", [Limits(pending_requests=2), Limits(pending_bytes=250, document_bytes=50)])
def test_who_comes_while_it_is_busy_is_told_to_come_again(limits: Limits) -> None:
    with serving({"slow": SlowPipeline(0.2)}, limits=limits) as url, ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(lambda _: post(url, TEXT), range(8)))
        refused = [each for each in answers if each.status_code == 503]
        assert {each.status_code for each in answers} == {200, 503}
        assert len(refused) >= 4
        assert all(int(each.headers["retry-after"]) > 0 for each in refused)
        assert post(url, TEXT).status_code == 200
        text = httpx2.get(f"{url}/metrics").text
        assert f'plait_refused_total{{reason="busy"}} {len(refused)}' in text
        assert metric(text, "plait_pending_bytes") == 0


def test_what_takes_too_long_is_given_up() -> None:
    # The last request has time to spare on a busy machine, the others never enough.
    with serving({"slow": SlowPipeline(0.1)}, limits=Limits(seconds=2.5)) as url:
        answer = post(url, f"{TEXT} " * 20)
        assert (answer.status_code, answer.text) == (503, "The request took longer than 2.5 seconds.\n")
        assert pending(url) == 0
        files = {"data": ("a.txt", (f"{TEXT} " * 20).encode())}
        assert httpx2.post(f"{url}/process", data=STEPS, files=files, timeout=60).status_code == 503
        assert 'plait_refused_total{reason="late"} 2' in httpx2.get(f"{url}/metrics").text
        assert post(url, TEXT).status_code == 200


def test_who_never_ends_a_request_is_given_up() -> None:
    with serving({"toy": toy_pipeline()}, limits=Limits(seconds=0.5, pending_requests=1)) as url:
        with socket.create_connection((urlsplit(url).hostname, urlsplit(url).port)) as client:
            kind = "multipart/form-data; boundary=x"
            head = f"POST /process HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\nContent-Type: {kind}\r\n\r\n"
            client.sendall(head.encode() + b"--x\r\n")
            client.settimeout(5)
            assert b"503" in client.recv(1000).splitlines()[0]
        assert post(url, TEXT).status_code == 200


def test_an_answer_that_cannot_be_finished_does_not_look_whole() -> None:
    limits = Limits(seconds=4.0)
    with serving({"slow": SlowPipeline(0.005)}, limits=limits) as url:
        with pytest.raises(httpx2.RemoteProtocolError):
            post(url, f"{TEXT} " * 1000)
        assert pending(url) == 0


def test_work_for_a_client_that_has_gone_ends() -> None:
    with serving({"slow": SlowPipeline(0.01)}) as url:
        text = f"{TEXT} " * 1000
        body = f"tokenizer=&tagger=&parser=&data={text.replace(' ', '+')}".encode()
        with socket.create_connection((urlsplit(url).hostname, urlsplit(url).port)) as client:
            head = (
                f"POST /process HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n"
                "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
            )
            client.sendall(head.encode() + body)
            time.sleep(0.3)
            assert pending(url) == 1
        deadline = time.monotonic() + 5
        while pending(url) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert pending(url) == 0
        assert metric(httpx2.get(f"{url}/metrics").text, "plait_sentences_total") < 1000


def test_a_short_request_does_not_wait_for_a_long_one() -> None:
    with serving({"slow": SlowPipeline(0.002)}, threads=1) as url:
        long = Thread(target=post, args=(url, f"{TEXT} " * 500))
        long.start()
        time.sleep(0.2)
        started = time.monotonic()
        assert post(url, TEXT).status_code == 200
        assert time.monotonic() - started < 1.0
        assert long.is_alive()
        long.join()


def test_many_threads_give_what_one_gives() -> None:
    texts = [f"The {noun} saw a {other}{i} today." for i, noun in enumerate("abcdefgh") for other in "klmnop"]
    with serving({"toy": toy_pipeline()}, threads=4) as url, ThreadPoolExecutor(16) as clients:
        answers = list(clients.map(lambda text: post(url, text).json()["result"], texts))
    assert answers == [toy_pipeline()(text).conllu for text in texts]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "toy"
    toy_pipeline().save(path)
    return path


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_who_was_accepted_is_answered_before_the_server_ends(folder: Path, stop: signal.Signals) -> None:
    command = [
        sys.executable,
        "-m",
        "plait",
        "serve",
        "--model",
        f"mine={folder}",
        "--port",
        "0",
        "--grace",
        "60",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("mine: http://127.0.0.1:")
        url = line.split()[1].rstrip("/")
        while True:
            try:
                httpx2.get(f"{url}/health")
                break
            except httpx2.ConnectError:
                time.sleep(0.05)
        with ThreadPoolExecutor(4) as clients:
            waiting = [clients.submit(post, url, f"{TEXT} " * 1500) for _ in range(4)]
            deadline = time.monotonic() + 20
            while pending(url) < 4 and time.monotonic() < deadline:
                time.sleep(0.01)
            process.send_signal(stop)
            answers = [each.result() for each in waiting]
        assert [each.status_code for each in answers] == [200] * 4
        assert {each.json()["result"].count("# text = ") for each in answers} == {3000}
        process.wait(20)
        assert process.returncode == 0
    with pytest.raises(httpx2.ConnectError):
        httpx2.get(f"{url}/health")


def test_without_the_extra_the_error_names_it() -> None:
    script = (
        "import sys; sys.modules['uvicorn'] = None; sys.argv = ['plait', 'serve', '--model', 'none'];"
        "from plait.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'plait[server]'" in done.stderr


def test_what_cannot_be_served_is_an_error(folder: Path, tmp_path: Path) -> None:
    def serve(*options: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "plait", "serve", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        return done.returncode, done.stderr

    status, said = serve("--model", str(tmp_path / "nothing"))
    assert (status, "no such model" in said) == (2, True)
    status, said = serve("--model", f"a={folder}", "--model", f"a={folder}")
    assert (status, "a name of its own" in said) == (2, True)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        status, said = serve("--model", str(folder), "--port", str(taken.getsockname()[1]))
    assert (status, "cannot listen there" in said) == (1, True)
