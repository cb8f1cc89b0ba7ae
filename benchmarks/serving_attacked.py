"""How late 64 well-behaved clients are answered while others attack the server.

    python benchmarks/serving_attacked.py --model en --text en_ewt-ud-dev.conllu --seconds 30

The clients keep a connection each, send a sentence of 20 words and pause for a moment when it is answered. The
attackers send as fast as they can: connections whose requests come byte by byte or whose answers are never read;
documents whose clients leave; sentences of 40,000 words and of as many as are allowed; combining marks by the ten
thousand; quotes that never close, lines of dashes for rules, texts of nothing but quotes, bodies that are none, and
small questions that take long.

Another client asks /health twenty times a second.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from statistics import quantiles
from urllib.parse import quote_plus, urlsplit
from urllib.request import Request, urlopen

import click

import plait

_KIND = "Content-Type: application/x-www-form-urlencoded"
_JSON = "Content-Type: application/json"
_STEPS = "tokenizer=&tagger=&parser=&data="
_READ = "input=horizontal&tagger=&parser=&data="
_SLOW = 300  # connections
_OTHERS = 4  # attackers of every other kind

Attacker = Callable[["Target"], Awaitable[str]]


class Target:
    """Where the server is, and what is sent there."""

    def __init__(self, url: str, texts: list[str], number: int) -> None:
        self.host, self.port = urlsplit(url).hostname or "", urlsplit(url).port or 0
        self.texts = texts
        self.document = quote_plus(" ".join(texts)) * 12
        self.number = number  # of the attacker

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self.host, self.port)


def request(body: str, path: str = "/process", kind: str = _KIND) -> bytes:
    data = body.encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{kind}\r\nContent-Length: {len(data)}\r\n\r\n"
    return head.encode() + data


async def read_answer(reader: asyncio.StreamReader) -> str:
    """The status of an answer that is read to its end."""
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    length = next((int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length:")), None)
    if length is not None:
        await reader.readexactly(length)
    else:
        while size := int(await reader.readuntil(b"\r\n"), 16):
            await reader.readexactly(size + 2)
        await reader.readexactly(2)
    return head.split(b" ", 2)[1].decode()


async def slow(target: Target) -> str:
    """Headers, or a body, or nothing at all, byte by byte; or an answer that nobody reads."""
    reader, writer = await target.connect()
    text = target.texts[0]
    whole = request(_STEPS + quote_plus(text))
    if target.number % 4 == 3:
        writer.write(request(_STEPS + target.document))
        await asyncio.sleep(30)
        writer.close()
        return "never read"
    writer.write(whole[: (0, 20, whole.index(b"\r\n\r\n") + 10)[target.number % 4]])
    while not reader.at_eof():
        writer.write(b"a")
        await writer.drain()
        with suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await reader.read(1000)
    return "closed by the server"


async def leaving(target: Target) -> str:
    """A document, or a sentence as long as is allowed, whose client leaves."""
    _, writer = await target.connect()
    long = _READ + "the+dog+saw+a+cat+" * 190
    writer.write(request(long if target.number % 2 else _STEPS + target.document))
    await writer.drain()
    await asyncio.sleep(0.05)
    writer.close()
    return "left"


async def huge(target: Target) -> str:
    """One sentence of 40,000 words, or of as many as are allowed."""
    reader, writer = await target.connect()
    writer.write(request(_READ + "the+dog+saw+a+cat+" * (190 if target.number % 2 else 8000)))
    try:
        return await read_answer(reader)
    finally:
        writer.close()


async def marks(target: Target) -> str:
    """80,000 combining marks."""
    reader, writer = await target.connect()
    writer.write(request(_STEPS + "a" + "\u0301" * 80_000))
    try:
        return await read_answer(reader)
    finally:
        writer.close()


async def sent(target: Target, whole: bytes, stays: float) -> str:
    """The status of an answer, or that its client has left after so many seconds."""
    reader, writer = await target.connect()
    try:
        writer.write(whole)
        async with asyncio.timeout(stays):
            return await read_answer(reader)
    except TimeoutError:
        return "left"
    finally:
        writer.close()


async def open_quote(target: Target) -> str:
    """A text of JSON that does not end, as a page from elsewhere would send it, and as a program would."""
    kind = ("Content-Type: text/plain\r\nOrigin: https://evil.example", _JSON)[target.number % 2]
    return await sent(target, request('"' + '\\"' * 100_000, "/api/parse", kind), 10)


async def dashes(target: Target) -> str:
    """Rules that are one line of dashes; some of the clients leave."""
    body = json.dumps({"files": ["-" * 240_000], "names": ["a"], "graph": ""})
    return await sent(target, request(body, "/api/rules", _JSON), (10, 0.2)[target.number % 2])


async def only_quotes(target: Target) -> str:
    """4 MiB of quotes, each a word."""
    quotes = '"' * ((4 << 20) - 100)
    if target.number % 2:
        return await sent(target, request(_STEPS + quotes), 30)
    body = json.dumps({"text": quotes[: 2 << 20]}, separators=(",", ":"))[: (4 << 20) - 100]
    return await sent(target, request(body, "/api/parse", _JSON), 30)


async def malformed(target: Target) -> str:
    """Bodies that are no forms, and JSON that is as deep as it is long."""
    if target.number % 2:
        body = "--x\r\nA\r\n" * 5000
        return await sent(target, request(body, kind="Content-Type: multipart/form-data; boundary=x"), 10)
    return await sent(target, request('{"text": ' + "[" * 1_000_000, "/api/parse", _JSON), 10)


async def small(target: Target) -> str:
    """Questions of less than 2 KiB that take as long as such questions can."""
    words = 60
    heads = [(number * 37) % words + 1 for number in range(words)]
    rows = (f"{i}\ta\t_\t_\t_\t_\t{head if head != i else 0}\td\t_\t_\n" for i, head in enumerate(heads, 1))
    chain = (f"{i}\ta\t_\t_\t_\t_\t{max(0, i - 2)}\td\t_\t_\n" for i in range(1, words + 1))
    conllu = "".join(rows if target.number % 8 < 4 else chain) + "\n"
    path, question = (
        ("/api/lattice", {"conllu": conllu}),
        ("/api/derivation", {"conllu": conllu, "oracles": ["minimal"]}),
        ("/api/parse", {"text": "the dog saw a cat that heard a bird and " * 45}),
        ("/api/trace", {"conllu": conllu, "alternatives": 50}),
    )[target.number % 4]
    return await sent(target, request(json.dumps(question), path, _JSON), 10)


ATTACKS: dict[str, tuple[Attacker, int]] = {
    "slow clients": (slow, _SLOW),
    "clients that leave": (leaving, _OTHERS),
    "huge sentences": (huge, _OTHERS),
    "combining marks": (marks, _OTHERS),
    "open quotes": (open_quote, _OTHERS),
    "dashes": (dashes, _OTHERS),
    "only quotes": (only_quotes, _OTHERS),
    "malformed bodies": (malformed, _OTHERS),
    "small questions": (small, 8 * _OTHERS),
}


async def keep_attacking(attacker: Attacker, target: Target, said: Counter[str], until: float) -> None:
    while time.monotonic() < until:
        try:
            async with asyncio.timeout_at(until):
                said[await attacker(target)] += 1
        except TimeoutError:
            return
        except (OSError, EOFError):
            said["refused"] += 1
        if attacker is slow:  # their number is the attack, not how often they come
            await asyncio.sleep(1.0)


def attack(url: str, texts: list[str], names: list[str], seconds: float, told: Connection) -> None:
    """In a process of its own."""

    async def all_of_them() -> dict[str, Counter[str]]:
        said = {name: Counter[str]() for name in names}
        until = time.monotonic() + seconds
        await asyncio.gather(
            *(
                keep_attacking(ATTACKS[name][0], Target(url, texts, number), said[name], until)
                for name in names
                for number in range(ATTACKS[name][1])
            )
        )
        return said

    told.send(asyncio.run(all_of_them()))


def behave(url: str, texts: list[str], clients: int, pause: float, seconds: float, told: Connection) -> None:
    """The well-behaved clients, in a process of their own."""

    async def client(number: int, until: float) -> None:
        target = Target(url, texts, number)
        await asyncio.sleep(max(pause, 0.5) * number / clients)  # not all at once
        reader, writer = await target.connect()
        turn = number
        while time.monotonic() < until:
            writer.write(request(_STEPS + quote_plus(texts[turn % len(texts)])))
            turn += 1
            started = time.monotonic()
            try:
                status = await read_answer(reader)
            except (OSError, EOFError):
                status = "lost"
                reader, writer = await target.connect()
            times.append(time.monotonic() - started)
            statuses[status] += 1
            await asyncio.sleep(pause)
        writer.close()

    async def all_of_them() -> None:
        until = time.monotonic() + seconds
        await asyncio.gather(*(client(number, until) for number in range(clients)))

    times: list[float] = []
    statuses: Counter[str] = Counter()
    asyncio.run(all_of_them())
    told.send((times, statuses))


def look(url: str, seconds: float, told: Connection) -> None:
    """How long /health takes, in a process of its own."""

    async def all_of_them() -> None:
        target, until = Target(url, [], 0), time.monotonic() + seconds
        reader, writer = await target.connect()
        while time.monotonic() < until:
            started = time.monotonic()
            writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert await read_answer(reader) == "200"
            times.append(time.monotonic() - started)
            await asyncio.sleep(0.05)
        writer.close()

    times: list[float] = []
    asyncio.run(all_of_them())
    told.send(times)


def measure(url: str, texts: list[str], names: list[str], clients: int, pause: float, seconds: float) -> None:
    context = multiprocessing.get_context("spawn")
    (heard, told), (heard_attack, told_attack), (heard_health, told_health) = (
        multiprocessing.Pipe(False) for _ in range(3)
    )
    attacker = context.Process(target=attack, args=(url, texts, names, seconds + 6, told_attack))
    normal = context.Process(target=behave, args=(url, texts, clients, pause, seconds, told))
    looker = context.Process(target=look, args=(url, seconds + 3, told_health))
    attacker.start()
    time.sleep(3)  # it is under attack when they come
    looker.start()
    normal.start()
    times, statuses = heard.recv()
    health = heard_health.recv()
    said = heard_attack.recv()
    normal.join()
    looker.join()
    attacker.join()
    cuts = quantiles(times, n=100)
    attacked = "; ".join(
        f"{name}: {', '.join(f'{count:,} {what}' for what, count in counts.most_common())}"
        for name, counts in said.items()
    )
    click.echo(
        f"{' + '.join(names) or 'no attack'}: {len(times) / seconds:,.0f} answers a second "
        f"({', '.join(f'{status}: {count:,}' for status, count in statuses.items())}), "
        f"latency 50 / 99 %: {1000 * cuts[49]:.0f} / {1000 * cuts[98]:.0f} ms, at most {1000 * max(times):.0f} ms; "
        f"/health 99 %: {1000 * quantiles(health, n=100)[98]:.0f} ms, at most {1000 * max(health):.0f} ms"
        f"{'; ' + attacked if attacked else ''}"
    )


@click.command()
@click.option("--model", default="en", show_default=True)
@click.option("--text", "source", required=True, help="A treebank whose sentences are sent as text.")
@click.option("--seconds", type=float, default=30.0, show_default=True, help="For every kind of attack.")
@click.option("--clients", type=int, default=64, show_default=True)
@click.option(
    "--pause", type=float, default=0.5, show_default=True, help="Seconds between answer and request."
)
@click.option("--threads", type=int, default=2, show_default=True, help="Of the server.")
@click.option("--beam", type=int, help="Of the server; by default that of the model.")
@click.option("--only", type=click.Choice([*ATTACKS, "all"]), help="Instead of one after the other.")
def main(
    model: str,
    source: str,
    seconds: float,
    clients: int,
    pause: float,
    threads: int,
    beam: int | None,
    only: str | None,
) -> None:
    texts = [each.text for each in plait.stream(source) if len(each) == 20][:50]
    options = ["--model", model, "--port", "0", "--threads", str(threads)]
    options += ["--beam", str(beam)] if beam else []
    command = [sys.executable, "-m", "plait", "serve", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().split()[1].rstrip("/")
        try:
            for text in texts:  # what is made when it is first needed is made now
                urlopen(Request(f"{url}/process", (_STEPS + quote_plus(text)).encode())).close()
            everything = [[], *([name] for name in ATTACKS), list(ATTACKS)]
            for names in everything[-1:] if only == "all" else [[only]] if only else everything:
                measure(url, texts, names, clients, pause, seconds)
                lost = re.search(
                    rb"^plait_processes_lost_total (\d+)", urlopen(f"{url}/metrics").read(), re.M
                )
                click.echo(f"  worker processes lost so far: {int(lost[1]) if lost else 'unknown'}")
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
