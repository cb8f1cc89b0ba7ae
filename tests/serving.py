"""A server on a real socket, in a thread of its own."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from threading import Thread
from typing import Any

import plait
from plait import Pipeline, Recipe, Sentence
from plait.learning.request import PLAIN, Request
from plait.server.app import create_app
from plait.server.limits import Limits
from plait.server.run import Server
from toy import written

RECIPE = Recipe().updated(
    {
        "model": {
            "name": "xx",
            "language": "Toy",
            "licence": "CC0-1.0",
            "attribution": "A toy.",
            "tags": "gold",
        },
        "tokenizer": {"epochs": 5},
        "tagger": {"epochs": 4, "bits": 14},
        "lemmatizer": {"epochs": 3},
        "parser": {"beam": 1, "bits": 14, "epochs": 5},
    }
)
TEXT = "The dog saw a cat today. The bird heard the fish that slept."


@cache
def toy_pipeline() -> Pipeline:
    return plait.train(written(90), recipe=RECIPE)


class SlowPipeline(Pipeline):
    """A pipeline that takes its time with every sentence."""

    def __init__(self, seconds: float) -> None:
        toy = toy_pipeline()
        super().__init__(toy.components, toy.model)
        self.seconds = seconds

    def annotate(
        self, sentences: Iterable[Sentence], request: Request = PLAIN, **options: Any
    ) -> Iterator[Sentence]:
        for sentence in super().annotate(sentences, request, **options):
            time.sleep(self.seconds)
            yield sentence


@contextmanager
def serving(
    pipelines: Mapping[str, Pipeline], *, threads: int = 2, limits: Limits | None = None
) -> Iterator[str]:
    """The address of a server that is up."""
    listener = socket.create_server(("127.0.0.1", 0))
    limits = limits or Limits()
    server = Server(create_app(pipelines, threads=threads, limits=limits), limits)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


def metric(text: str, name: str) -> float:
    """A value of Prometheus' text."""
    return next(float(line.split()[-1]) for line in text.splitlines() if line.startswith(f"{name} "))
