"""A server exposed to strangers: what they send is bounded, and nobody who is slow or gone keeps others waiting."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from plait.server.limits import Limits
from plait.server.normal import LONGEST_RUN
from serving import TEXT, SlowPipeline, StuckPipeline, ask, metric, post_json, serving, toy_pipeline

STEPS = {"tokenizer": "", "tagger": "", "parser": ""}
MARK = "\u0301"
FORM = {"content-type": "application/x-www-form-urlencoded"}


LONG = "the dog saw " * 20


def post(url: str, **fields: str) -> httpx2.Response:
    return httpx2.post(f"{url}/process", data=fields, timeout=30)


def connect(url: str) -> socket.socket:
    client = socket.create_connection((urlsplit(url).hostname, urlsplit(url).port))
    client.settimeout(10)
    return client


def head_of(body_size: int) -> bytes:
    kind = FORM["content-type"]
    return f"POST /process HTTP/1.1\r\nHost: a\r\nContent-Length: {body_size}\r\nContent-Type: {kind}\r\n\r\n".encode()


def trickle(client: socket.socket) -> None:
    for _ in range(200):
        client.sendall(b"A: b\r\n")
        time.sleep(0.05)


def pending(url: str) -> float:
    return metric(httpx2.get(f"{url}/metrics").text, "plait_pending_requests")


def wait_until_pending(url: str, count: int) -> None:
    deadline = time.monotonic() + 10
    while pending(url) < count:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def wait_until_free(url: str) -> None:
    deadline = time.monotonic() + 10
    while pending(url) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert pending(url) == 0


def test_runs_of_combining_marks_are_bounded(server: str) -> None:
    started = time.monotonic()
    answer = post(server, data="a" + MARK * 300_000, input="horizontal")
    assert answer.status_code == 400
    assert answer.text == f"The data have a character with more than {LONGEST_RUN} combining marks.\n"
    assert post(server, data="e" + MARK * LONGEST_RUN, input="horizontal").status_code == 200
    assert time.monotonic() - started < 20  # Python's own normalization takes minutes


def conllu_of(words: int) -> str:
    return "".join(f"{i}\ta\t_\t_\t_\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, words + 1)) + "\n"


def test_words_of_a_sentence_are_limited() -> None:
    with serving({"toy": toy_pipeline()}, limits=Limits(sentence_words=30)) as url:
        for kind, made in (
            ("horizontal", lambda words: "a " * words),
            ("vertical", lambda words: "a\n" * words),
            ("conllu", conllu_of),
        ):
            assert post(url, data=made(30), input=kind, parser="").status_code == 200
            for words in (31, 40_000):
                answer = post(url, data=made(words), input=kind, parser="")
                assert answer.status_code == 400, kind
                assert answer.text.startswith("data:")
                assert "this server takes" in answer.text
                assert "30" in answer.text
        for text in (LONG, f"{TEXT} " * 2000 + LONG):
            answer = post(url, data=text, **STEPS)
            assert answer.status_code == 400
            assert "more than 30 words; this server takes no more." in answer.text
            answer = ask(url, "parse", text=text)
            assert answer.status_code == 400
        assert post(url, data=f"{TEXT} " * 2000, **STEPS).status_code == 200
        wide = ask(url, "parse", text=TEXT, beam=64)
        assert "more than 3 words" in wide.json()["error"]


@pytest.mark.parametrize(
    ("data", "kind", "forms"),
    [
        ("a\tb c", "horizontal", ["a", "b", "c"]),
        ("a\u00a0b \u00a0 c\u00a0", "horizontal", ["a b", "c"]),
        ("a\tx\ty\nb \n \nc", "vertical", ["a", "b", "c"]),
    ],
)
def test_white_space_never_gets_into_words(server: str, data: str, kind: str, forms: list[str]) -> None:
    answer = post(server, data=data, input=kind)
    assert answer.status_code == 200
    rows = [line.split("\t") for line in answer.json()["result"].split("\n") if line]
    assert [row[1] for row in rows] == forms


@pytest.mark.parametrize(
    ("data", "kind", "message"),
    [
        ("a\n\tb\n", "vertical", "data:2: the line has no word before its first tab.\n"),
        (
            "a\0b",
            "horizontal",
            "data:1: the line holds a NUL, a carriage return or bytes that are not UTF-8.\n",
        ),
        (
            "a\n\0",
            "vertical",
            "data:2: the line holds a NUL, a carriage return or bytes that are not UTF-8.\n",
        ),
    ],
)
def test_what_is_no_word_is_refused(server: str, data: str, kind: str, message: str) -> None:
    answer = post(server, data=data, input=kind)
    assert (answer.status_code, answer.text) == (400, message)


def test_work_for_a_client_that_has_gone_ends_within_a_sentence() -> None:
    with serving({"stuck": StuckPipeline()}, threads=1) as url:
        body = f"tokenizer=&tagger=&parser=&data={LONG.replace(' ', '+')}".encode()
        with connect(url) as client:
            client.sendall(head_of(len(body)) + body)
            wait_until_pending(url, 1)
            time.sleep(0.2)
        wait_until_free(url)
        assert post(url, data=TEXT, **STEPS).status_code == 200  # by the only thread
        assert 'plait_refused_total{reason="client gone"} 1' in httpx2.get(f"{url}/metrics").text


def test_the_core_stops_for_a_client_that_has_gone() -> None:
    # Without a limit on words: half a minute and more of one call.
    limits = Limits(sentence_words=1_000_000)
    with serving({"toy": toy_pipeline()}, threads=1, limits=limits) as url:
        body = b"input=horizontal&parser=&data=" + b"the+dog+saw+a+cat+that+slept+" * 60_000
        with connect(url) as client:
            client.sendall(head_of(len(body)) + body)
            wait_until_pending(url, 1)
            time.sleep(1.5)
            assert pending(url) == 1
        started = time.monotonic()
        wait_until_free(url)
        assert post(url, data=TEXT, **STEPS).status_code == 200  # by the only thread
        assert time.monotonic() - started < 10


def test_work_that_is_late_ends_within_a_sentence() -> None:
    with serving({"stuck": StuckPipeline()}, threads=1, limits=Limits(seconds=0.5)) as url:
        answer = post(url, data=LONG, **STEPS)
        assert (answer.status_code, answer.text) == (503, "The request took longer than 0.5 seconds.\n")
        assert post(url, data=TEXT, **STEPS).status_code == 200


def test_who_never_reads_the_answer_is_given_up() -> None:
    with serving({"toy": toy_pipeline()}, limits=Limits(send_seconds=0.5)) as url, ExitStack() as clients:
        body = f"tokenizer=&tagger=&parser=&data={TEXT.replace(' ', '+') * 4000}".encode()
        for _ in range(2):
            client = clients.enter_context(connect(url))
            client.sendall(head_of(len(body)) + body)
        wait_until_pending(url, 2)
        wait_until_free(url)


def test_unfinished_requests_end() -> None:
    limits = Limits(head_seconds=0.5, body_seconds=0.5)
    with serving({"toy": toy_pipeline()}, limits=limits) as url:
        for sent in (
            b"",
            b"GET / HTTP/1.1\r\nHost: a\r\n",
            head_of(100) + b"data=",
            b"GET /health HTTP/1.1\r\n",
        ):
            with connect(url) as client:
                client.sendall(sent)
                assert client.recv(1000).split(b"\r\n")[0] == b"HTTP/1.1 408 Request Timeout"
                assert client.recv(1000) == b""
        with connect(url) as client:  # one that has behaved before
            client.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
            assert client.recv(5000).startswith(b"HTTP/1.1 200 OK")
            client.sendall(b"GET /health HTTP/1.1\r\n")
            with pytest.raises(ConnectionError):
                trickle(client)
        wait_until_free(url)


def test_who_leaves_after_several_requests_leaves_no_trace(capfd: pytest.CaptureFixture[str]) -> None:
    with serving({"slow": SlowPipeline(0.1)}) as url:
        body = f"tokenizer=&tagger=&parser=&data={TEXT.replace(' ', '+')}".encode()
        with connect(url) as client:
            client.sendall((head_of(len(body)) + body) * 3)
            time.sleep(0.1)
        wait_until_free(url)
        time.sleep(0.5)
    assert "Traceback" not in capfd.readouterr().err


def test_a_head_has_a_limit(server: str) -> None:
    for begin in (b"GET /", b"GET / HTTP/1.1\r\nHost: a\r\nA: "):
        for size in (70_000, 1_000_000):
            with connect(server) as client:
                try:
                    client.sendall(begin + b"a" * size + b"\r\n\r\n")
                    answer = client.recv(1000)
                except ConnectionError:
                    continue
                assert answer.split(b" ")[1] in (b"431", b"400")
    assert httpx2.get(f"{server}/health?{'a' * 50_000}").status_code == 200


def test_slow_connections_do_not_lock_out_others() -> None:
    limits = Limits(connections_of_client=20)
    with serving({"toy": toy_pipeline()}, limits=limits) as url, ExitStack() as clients:
        for number in range(60):
            client = clients.enter_context(connect(url))
            client.sendall([b"", b"GET / HT", head_of(1000)][number % 3])
        for _ in range(5):
            assert post(url, data=TEXT, **STEPS).status_code == 200


def test_slow_requests_do_not_lock_out_others() -> None:
    with (
        serving({"toy": toy_pipeline()}, limits=Limits(pending_requests=2)) as url,
        connect(url) as one,
        connect(url) as other,
    ):
        for client in (one, other):
            client.sendall(head_of(1000) + b"data=")
        wait_until_pending(url, 2)
        time.sleep(1.1)
        assert post(url, data=TEXT, **STEPS).status_code == 200
        assert 'plait_refused_total{reason="slow client"} 1' in httpx2.get(f"{url}/metrics").text


def test_a_length_that_was_not_told_counts_as_it_comes() -> None:
    def chunks(size: int) -> Iterator[bytes]:
        yield b"tokenizer=&tagger=&parser=&data="
        yield b"The+dog+saw+a+cat.+" * (size // 19 + 1)

    limits = Limits(pending_bytes=20_000, document_bytes=5000)
    with serving({"slow": SlowPipeline(0.002)}, limits=limits) as url, ThreadPoolExecutor(8) as clients:

        def ask(size: int) -> int:
            return httpx2.post(f"{url}/process", content=chunks(size), headers=FORM, timeout=30).status_code

        assert list(clients.map(ask, [10] * 8)) == [200] * 8
        assert set(clients.map(ask, [12_000] * 8)) == {200, 503}
        assert ask(12_000) == 200
        assert metric(httpx2.get(f"{url}/metrics").text, "plait_pending_bytes") == 0


def test_names_of_megabytes_and_millions_of_values_are_no_work(server: str) -> None:
    started = time.monotonic()
    url = f"{server}/api/parse"
    name = "tex" * 1_000_000
    answer = post_json(url, json.dumps({name: 1}).encode())
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("No field 'textex")
    assert len(answer.text) < 300
    for body in (b"[" + b"[]," * 1_000_000 + b"[]]", b'{"text": [' + b'"a",' * 900_000 + b'"a"]}'):
        answer = post_json(url, body)
        assert "Expected" in answer.json()["error"]
    answer = httpx2.post(f"{server}/process", content=f"{name}=1&data=a", headers=FORM, timeout=30)
    assert answer.status_code == 400
    assert len(answer.text) < 500
    escaped = "%61" * 1_000_000
    answer = httpx2.post(
        f"{server}/process", content=f"input=horizontal&data={escaped}", headers=FORM, timeout=30
    )
    assert len(answer.json()["result"]) > 1_000_000
    assert time.monotonic() - started < 30


def test_nobody_is_sent_to_another_host(server: str) -> None:
    answer = httpx2.get(f"{server}/process/", headers={"host": "evil.example"}, follow_redirects=False)
    assert answer.status_code == 404
    assert "location" not in answer.headers


def test_parts_of_a_body_that_never_end_are_refused(server: str) -> None:
    kind = {"content-type": "multipart/form-data; boundary=x"}
    whole = b'--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n1 \r\n--x--\r\n'
    for body, message in (
        (whole[:-9], "its last part does not end"),
        (whole.replace(b"; name", b"; nome"), "has no name"),
        (whole.replace(b"data", b"d" * 100_000), "No argument 'dddd"),
        (whole[:-9] + b"\r\n" + whole[:-9] * 50, "more than 14 arguments"),
    ):
        answer = httpx2.post(f"{server}/process", content=body, headers=kind)
        assert answer.status_code == 400
        assert message in answer.text or "cannot be read" in answer.text
    assert httpx2.post(f"{server}/process", content=whole, headers=kind).status_code == 400  # no CoNLL-U


def test_a_server_that_is_told_to_stop_does_so_in_time(tmp_path: Path) -> None:
    toy_pipeline().save(tmp_path / "toy")
    script = tmp_path / "stuck.py"
    script.write_text(
        "import sys, time; from plait.pipeline import Pipeline; from plait.errors import Cancelled\n"
        "def stuck(self, sentences, request, **options):\n"
        "    while not request.cancel.cancelled: time.sleep(0.01)\n"
        "    raise Cancelled\n"
        "Pipeline.annotate = stuck\n"  # in the worker processes too, which begin with this file
        "if __name__ == '__main__':\n"
        f"    sys.argv = ['plait', 'serve', '--model', {str(tmp_path / 'toy')!r}, '--port', '0', '--grace', '2']\n"
        "    from plait.cli import main; main()\n"
    )
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        url = process.stdout.readline().split()[1].rstrip("/")
        with ThreadPoolExecutor(3) as clients, connect(url) as silent, connect(url) as slow:
            silent.sendall(b"GET / HT")
            slow.sendall(head_of(1000) + b"data=")
            waiting = [clients.submit(post, url, data=TEXT, **STEPS) for _ in range(3)]
            wait_until_pending(url, 4)
            process.send_signal(signal.SIGTERM)
            assert [each.result().status_code for each in waiting] == [503] * 3
            process.wait(10)
        assert process.returncode == 0
        assert "Traceback" not in process.stderr.read()
