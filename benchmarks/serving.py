"""How many requests a server answers, how late, and in how much memory: `wrk` on this machine's own loopback.

    python benchmarks/serving.py --model en --text en_ewt-ud-dev.conllu --minutes 10

Half of the time 64 clients send single sentences, the other half documents of 1 MB, in both cases as fast as they are
answered; who is told to come again later does so. Before that, one client alone measures the server's own time for a
sentence of 20 words. Latencies are those of whole answers, seen by one further client: wrk's own would count refusals.
At the end the memory is compared with that of the first minute.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from http.client import IncompleteRead
from pathlib import Path
from statistics import median, quantiles
from threading import Event, Thread
from urllib.error import HTTPError
from urllib.parse import quote_plus
from urllib.request import Request, urlopen

import click

import plait

_MEGABYTE = 1_000_000
_SAMPLE = 5.0  # seconds between looks at the memory
_MINUTE = 60.0
_MOST_GROWTH = 0.10
# One body for all requests; a client that was refused waits as long as it was told.
_SCRIPT = """
local file = io.open("{path}", "rb")
wrk.method = "POST"
wrk.body = file:read("*a")
wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
local waits = {{}}
function response(status, headers)
  if status == 503 then table.insert(waits, 1000 * tonumber(headers["retry-after"] or "1")) end
end
function delay() return table.remove(waits) or 0 end
"""


@click.command()
@click.option("--model", default="en", show_default=True)
@click.option("--text", "source", required=True, help="A treebank whose sentences are sent as text.")
@click.option("--minutes", type=float, default=10.0, show_default=True)
@click.option("--clients", type=int, default=64, show_default=True)
@click.option("--threads", type=int, default=2, show_default=True, help="Of the server.")
@click.option("--beam", type=int, help="Of the server; by default that of the model.")
@click.option("--only", type=click.Choice(["sentences", "documents"]), help="Instead of one after the other.")
def main(
    model: str, source: str, minutes: float, clients: int, threads: int, beam: int | None, only: str | None
) -> None:
    if shutil.which("wrk") is None:
        raise click.ClickException("This benchmark needs wrk: apt install wrk.")
    sentences = list(plait.stream(source))
    options = ["--model", model, "--port", "0", "--threads", str(threads)]
    options += ["--beam", str(beam)] if beam else []
    command = [sys.executable, "-m", "plait", "serve", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().split()[1].rstrip("/")
        try:
            twenty = [each.text for each in sentences if len(each) == 20][:50]
            measure_alone(url, twenty)
            document = document_of([each.text for each in sentences])
            loads = {
                "sentences": ("sentences of 20 words", twenty[0]),
                "documents": ("documents of 1 MB", document),
            }
            chosen = [loads[only]] if only else list(loads.values())
            memory: list[int] = []
            for name, text in chosen:
                memory += load(url, name, text, 60 * minutes / len(chosen), clients)
            compare_memory(memory)
        finally:
            server.terminate()


def document_of(texts: list[str]) -> str:
    text = "\n".join(texts)
    return (text * (_MEGABYTE // len(text.encode()) + 1)).encode()[:_MEGABYTE].decode(errors="ignore")


def body_of(text: str) -> bytes:
    return f"tokenizer=&tagger=&parser=&data={quote_plus(text)}".encode()


def measure_alone(url: str, texts: list[str]) -> None:
    times = []
    for text in texts * 5:
        with urlopen(Request(f"{url}/process", body_of(text))) as answer:
            answer.read()
            found = re.search(r"dur=([0-9.]+)", answer.headers["server-timing"])
            assert found is not None
            times.append(float(found[1]))
    ordered = quantiles(times[len(texts) :], n=100)
    click.echo(
        f"one client, sentences of 20 words: server time {median(times[len(texts) :]):.2f} ms median, "
        f"{ordered[98]:.2f} ms 99th percentile"
    )


def compare_memory(memory: list[int]) -> None:
    first = max(memory[: max(1, int(_MINUTE / _SAMPLE))]) / 2**20
    last = memory[-1] / 2**20
    growth = last / first - 1
    verdict = "within" if growth <= _MOST_GROWTH else "NOT within"
    click.echo(
        f"memory in MiB: {first:.0f} at most in the first minute, {last:.0f} at the end, {growth:+.1%}: "
        f"{verdict} {_MOST_GROWTH:.0%}"
    )


def load(url: str, name: str, text: str, seconds: float, clients: int) -> list[int]:
    """Tell how the server bears it; the memory it used, every few seconds."""
    with tempfile.TemporaryDirectory() as folder:
        body, script = Path(folder) / "body", Path(folder) / "post.lua"
        body.write_bytes(body_of(text))
        script.write_text(_SCRIPT.format(path=body))
        memory: list[int] = []
        times: list[float] = []
        done = Event()
        watchers = [
            Thread(target=watch, args=(url, memory, done)),
            Thread(target=take_part, args=(url, body.read_bytes(), times, done)),
        ]
        before = counts(url)
        for watcher in watchers:
            watcher.start()
        started = time.monotonic()
        command = ["wrk", "-t1", f"-c{clients}", f"-d{seconds:.0f}s", "--timeout", "150s", "--latency"]
        told = subprocess.run(
            [*command, "-s", str(script), f"{url}/process"], capture_output=True, text=True, check=True
        ).stdout
        took = time.monotonic() - started
        done.set()
        for watcher in watchers:
            watcher.join()
    after = counts(url)
    answered = {status: after[status] - before.get(status, 0) for status in after}
    cuts = quantiles(times, n=100) if len(times) > 1 else times * 99
    late = [(share, f"{1000 * cuts[share - 1]:,.0f} ms") for share in (50, 90, 99)]
    faults = " ".join(line.strip() for line in told.splitlines() if "Socket errors" in line)
    click.echo(
        f"{clients} clients, {name}, {took:.0f} s: {answered.get('200', 0) / took:,.1f} answers a second; by status "
        f"{', '.join(f'{status}: {count:,}' for status, count in sorted(answered.items()) if count)}; "
        f"latency {', '.join(f'{share}% {value}' for share, value in late)} of {len(times):,}; "
        f"{faults or 'no socket errors'}; given up as late: {late_count(url):,}"
    )
    mebibytes = [value / 2**20 for value in memory]
    click.echo(
        f"  memory in MiB: {mebibytes[0]:.0f} at the start, {mebibytes[len(mebibytes) // 2]:.0f} in the middle, "
        f"{mebibytes[-1]:.0f} at the end, {max(mebibytes):.0f} at most"
    )
    return memory


def watch(url: str, memory: list[int], done: Event) -> None:
    while True:
        found = re.search(r"^process_resident_memory_bytes (\d+)", metrics(url), re.MULTILINE)
        assert found is not None
        memory.append(int(found[1]))
        if done.wait(_SAMPLE):
            return


def take_part(url: str, body: bytes, times: list[float], done: Event) -> None:
    """One more client, which looks at the clock."""
    while not done.is_set():
        started = time.monotonic()
        try:
            with urlopen(Request(f"{url}/process", body)) as answer:
                answer.read()
            times.append(time.monotonic() - started)
        except HTTPError as error:
            done.wait(float(error.headers["retry-after"]))
        except (IncompleteRead, ConnectionError):  # given up by the server: counted there as late
            pass


def counts(url: str) -> dict[str, int]:
    """Answers of /process by status."""
    found = re.findall(
        r'^plait_requests_total{route="/process",status="(\d+)"} (\d+)', metrics(url), re.MULTILINE
    )
    return {status: int(count) for status, count in found}


def late_count(url: str) -> int:
    found = re.search(r'^plait_refused_total{reason="late"} (\d+)', metrics(url), re.MULTILINE)
    return int(found[1]) if found else 0


def metrics(url: str) -> str:
    with urlopen(f"{url}/metrics") as answer:
        text: str = answer.read().decode()
        return text


if __name__ == "__main__":
    main()
