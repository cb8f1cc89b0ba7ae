"""`plait serve`: the page and the REST interface."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Collection
from contextlib import suppress
from functools import partial

import click

from plait.cli.options import threads_option
from plait.errors import InputError, PlaitError
from plait.pipeline import DEFAULT, Pipeline, load

_MEBIBYTE = 1 << 20
_OTHER_FILES = 100
_SWITCH = 0.001  # seconds after which a busy thread lets the one that answers requests have a turn


@click.command()
@click.option("-m", "--model", "models", multiple=True, default=(DEFAULT,), show_default=True, metavar="[NAME=]MODEL",
              help="A file or folder, or a name; again for further ones.")  # fmt: skip
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free one."
)
@click.option("--processes", type=click.IntRange(2, 64), default=2, show_default=True,
              help="Worker processes, each with the models; half of them are for short requests.")  # fmt: skip
@threads_option("How many requests a process works on at a time.", all_cores=True)
@click.option("--beam", type=click.IntRange(1, 64), help="Width of the beam; otherwise that of the model.")
@click.option("--most-size", type=click.FloatRange(min=0.001), default=4.0, show_default=True,
              help="MiB of a request.")  # fmt: skip
@click.option("--most-time", type=click.FloatRange(min=0.1), default=120.0, show_default=True,
              help="Seconds until a request is given up.")  # fmt: skip
@click.option("--most-pending", type=click.IntRange(min=1), default=256, show_default=True,
              help="Requests that may wait; further ones are told to come again.")  # fmt: skip
@click.option("--most-words", type=click.IntRange(min=1), default=1000, show_default=True,
              help="Words of a sentence; with a beam wider than 8, so many times fewer.")  # fmt: skip
@click.option("--most-connections", type=click.IntRange(min=1), default=256, show_default=True,
              help="Connections from one address; behind a proxy, all there may be.")  # fmt: skip
@click.option("--allow-origin", "origins", multiple=True, metavar="ORIGIN",
              help="Whose pages may ask the JSON interface too, such as https://plait.example.org; also the name by "
              "which a proxy calls the server. As often as needed.")  # fmt: skip
@click.option("--grace", type=click.FloatRange(min=0.0), default=10.0, show_default=True,
              help="Seconds in which accepted requests may end when the server is stopped.")  # fmt: skip
def serve(
    models: tuple[str, ...],
    host: str,
    port: int,
    processes: int,
    threads: int,
    beam: int | None,
    most_size: float,
    most_time: float,
    most_pending: int,
    most_words: int,
    most_connections: int,
    origins: tuple[str, ...],
    grace: float,
) -> None:
    """Serve models: a page at / and UDPipe's REST interface at /process and /models.

    Nothing but the models named here can be reached. Interrupt (Ctrl-C) or SIGTERM stops it, after the requests
    that were accepted have been answered or the time for that (--grace) is over.
    """
    try:
        import msgspec  # noqa: F401
        import python_multipart  # noqa: F401

        from plait.server.app import create_app
        from plait.server.limits import Limits
        from plait.server.memory import keep_little, keep_what_is_there
        from plait.server.run import Server
    except ImportError as error:
        if error.name and error.name.partition(".")[0] == "plait":
            raise
        raise PlaitError(
            "The server needs Starlette, uvicorn, msgspec and python-multipart: pip install 'plait[server]'."
        ) from None
    keep_little()
    paths = _paths(models)
    size = int(most_size * _MEBIBYTE)
    limits = Limits(
        request_bytes=size,
        pending_bytes=max(size, 4 * _MEBIBYTE),
        pending_requests=most_pending,
        seconds=most_time,
        sentence_words=most_words,
        connections=max(most_connections, Limits().connections),
        connections_of_client=most_connections,
        grace_seconds=grace,
    )
    listener = _listen(host, port)
    sys.setswitchinterval(_SWITCH)
    _allow_open_files(limits.connections)
    app = create_app(
        partial(_load, paths),
        processes=processes,
        threads=threads,
        beam=beam,
        limits=limits,
        host=host,
        origins=origins,
    )
    server = Server(app, limits)
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"{', '.join(paths)}: http://{shown}:{listener.getsockname()[1]}/ (Ctrl-C stops the server)")
    for stop in (signal.SIGINT, signal.SIGTERM):
        # The server hears them itself; when it has ended, it sends them again to whoever heard them before.
        signal.signal(stop, lambda *_: None)
    keep_what_is_there()
    server.run(sockets=[listener])


def _paths(models: Collection[str]) -> dict[str, str]:
    """Where the models are, by name."""
    paths: dict[str, str] = {}
    for model in models:
        name, equals, path = model.partition("=")
        if not equals:
            name, path = os.path.basename(model.rstrip(os.sep)), model  # noqa: PTH119
        if not name or name in paths:
            raise InputError(
                f"--model {model}: every model needs a name of its own: --model NAME={path or model}."
            )
        paths[name] = path
    return paths


def _load(paths: dict[str, str]) -> dict[str, Pipeline]:
    """In a worker process."""
    return {name: load(path) for name, path in paths.items()}


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        raise PlaitError(f"{host}:{port}: cannot listen there: {error.strerror or error}.") from None


def _allow_open_files(connections: int) -> None:
    """A connection is an open file: ask the system for as many as there may be, where it can be asked."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        wanted = connections + _OTHER_FILES
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
