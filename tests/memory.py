"""Treebanks in memory instead of files."""

from __future__ import annotations

import plait
from plait.formats import FORMATS, sentences_of
from plait.formats.files import CHUNK, Source


class InMemory(Source):
    """A source that hands out its bytes in pieces of any size."""

    def __init__(self, data: bytes, piece: int = CHUNK) -> None:
        self.name = "memory"
        self._data = data
        self._piece = piece
        self._ahead = b""

    def _read(self, size: int) -> bytes:  # noqa: ARG002
        taken, self._data = self._data[: self._piece], self._data[self._piece :]
        return taken


def parse(data: bytes, piece: int = CHUNK, format: str = "conllu") -> list[plait.Sentence]:
    return list(sentences_of(InMemory(data, piece), FORMATS[format]))


def render(treebank: list[plait.Sentence], format: str = "conllu") -> bytes:
    return "".join(map(FORMATS[format].render, treebank)).encode()
