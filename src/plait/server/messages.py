"""What the server and its worker processes tell each other, as MessagePack."""

from __future__ import annotations

import msgspec
from msgspec import Struct


class Begin(Struct, tag=True, frozen=True):
    """A request as it came; its answer is made in turns, of which this is the first."""

    id: int
    path: str
    query: bytes
    kind: str  # the header Content-Type
    body: bytes


class Go(Struct, tag=True, frozen=True):
    """The next turn."""

    id: int


class Leave(Struct, tag=True, frozen=True):
    """Nobody waits for this answer any longer."""

    id: int


class ModelFacts(Struct, frozen=True):
    """What the page and programs are told about a model."""

    name: str
    abilities: list[str]
    title: str
    acknowledgements: list[str]
    beam: int
    searches: bool
    says: bool
    says_graphs: bool
    finds_roles: bool
    keeps_heads: bool


class Ready(Struct, tag=True, frozen=True):
    """The models are loaded."""

    models: list[ModelFacts]


class Failed(Struct, tag=True, frozen=True):
    """They cannot be."""

    message: str


class Beat(Struct, tag=True, frozen=True):
    """The process can still run Python."""


class Began(Struct, tag=True, frozen=True):
    """A turn begins: should the process be lost, this may be why."""

    id: int


class Turned(Struct, tag=True, frozen=True):
    """What a turn gave. With a fault, that was the last one: `input`, `cancelled`, `slow` or `broken`."""

    id: int
    text: bytes
    ended: bool
    seconds: float  # of work, not of waiting for the processor
    sentences: int  # annotated meanwhile, by this turn or another one
    words: int
    fault: str = ""
    message: str = ""


encode = msgspec.msgpack.Encoder().encode
read_order = msgspec.msgpack.Decoder(Begin | Go | Leave).decode
read_report = msgspec.msgpack.Decoder(Ready | Failed | Beat | Began | Turned).decode
