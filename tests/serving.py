"""A server on a real socket, in a thread of its own."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from threading import Thread
from typing import Any

import httpx2

import plait
from plait import Pipeline, Recipe, Sentence
from plait.errors import Cancelled
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
    """A pipeline that takes its time with every sentence, and ends between two, as all do."""

    def __init__(self, seconds: float) -> None:
        toy = toy_pipeline()
        super().__init__(toy.components, toy.model)
        self.seconds = seconds

    def annotate(
        self, sentences: Iterable[Sentence], request: Request = PLAIN, **options: Any
    ) -> Iterator[Sentence]:
        for sentence in super().annotate(sentences, request, **options):
            time.sleep(self.seconds)
            if request.cancel is not None and request.cancel.cancelled:
                raise Cancelled
            yield sentence

    def __reduce__(self) -> tuple[Any, ...]:
        return restore, (SlowPipeline, toy_pipeline(), self.seconds)


class StuckPipeline(SlowPipeline):
    """A pipeline that is never done with a long sentence, and ends only when it is told to."""

    def __init__(self) -> None:
        super().__init__(0.0)

    def annotate(
        self, sentences: Iterable[Sentence], request: Request = PLAIN, **options: Any
    ) -> Iterator[Sentence]:
        for sentence in super().annotate(sentences, request, **options):
            while len(sentence) > 20:
                time.sleep(0.01)
                if request.cancel is not None and request.cancel.cancelled:
                    raise Cancelled
            yield sentence

    def __reduce__(self) -> tuple[Any, ...]:
        return restore, (StuckPipeline, toy_pipeline())


class DeafPipeline(SlowPipeline):
    """A pipeline that never comes back from some sentences, whatever it is told."""

    def __init__(self) -> None:
        super().__init__(0.0)

    def annotate(
        self, sentences: Iterable[Sentence], request: Request = PLAIN, **options: Any
    ) -> Iterator[Sentence]:
        return self.look(super().annotate(sentences, request, **options))

    @staticmethod
    def look(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        for sentence in sentences:
            if "sleeping" in sentence.forms:  # no thread of the process runs meanwhile
                re.match("(?:a|b|ab)*c", "ab" * 60)
            if "waiting" in sentence.forms:
                time.sleep(3600)
            yield sentence

    def __reduce__(self) -> tuple[Any, ...]:
        return restore, (DeafPipeline, toy_pipeline())


def restore(kind: type[SlowPipeline], toy: Pipeline, *options: float) -> SlowPipeline:
    """In a worker process, where nobody trains a toy."""
    made = kind.__new__(kind)
    Pipeline.__init__(made, toy.components, toy.model)
    made.seconds = options[0] if options else 0.0
    return made


@contextmanager
def serving(
    pipelines: Mapping[str, Pipeline], *, threads: int = 2, limits: Limits | None = None, **options: Any
) -> Iterator[str]:
    """The address of a server that is up."""
    listener = socket.create_server(("127.0.0.1", 0))
    limits = limits or Limits()
    app = create_app(partial(dict, pipelines), threads=threads, limits=limits, **options)
    server = Server(app, limits)
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


def post_json(url: str, body: bytes) -> httpx2.Response:
    return httpx2.post(url, content=body, headers={"content-type": "application/json"}, timeout=60)


def ask(server: str, path: str, **question: Any) -> httpx2.Response:
    """A question to the JSON interface."""
    return post_json(f"{server}/api/{path}", json.dumps(question).encode())


def metric(text: str, name: str) -> float:
    """A value of Prometheus' text."""
    return next(float(line.split()[-1]) for line in text.splitlines() if line.startswith(f"{name} "))
