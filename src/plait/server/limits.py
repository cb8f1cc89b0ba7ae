"""How much a server takes on, and what it answers when that is too much."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20
_USUAL_BEAM = 8


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many words a sentence may have, and all of a request."""

    sentence: int
    together: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Sizes are in bytes. What is pending has been accepted and not yet answered.

    Documents take turns, so all of them get late together: fewer are accepted than would be late.
    """

    request_bytes: int = 4 * MEBIBYTE
    document_bytes: int = MEBIBYTE // 16  # from here on a request is a document
    pending_requests: int = 256
    pending_bytes: int = 4 * MEBIBYTE
    seconds: float = 120.0
    beam: int = 64
    sentence_words: int = 1000
    question_words: int = (
        250_000  # of a text for the JSON interface, which answers with some 160 bytes a word
    )
    document_words: int = 1_000_000  # of one for /process: more than 4 MiB of any language have
    answer_bytes: int = 128 * MEBIBYTE  # what no answer within these bounds comes near to
    trace_words: int = 100
    oracle_words: int = 60  # EAGER may need n²/4 swaps, and the player is told every state
    minimal_budget: int = 50_000
    lattice_states: int = 400
    sentences_drawn: int = 200
    words_drawn: int = 250  # of one sentence: pictures take more than linear time
    nodes_drawn: int = 80  # of a structure of rules, whose edges take more than linear time
    rule_characters: int = 250_000  # of rules and graph
    rule_steps: int = 400_000
    rule_matches: int = 4_000
    # Of connections. A client is told apart by its address; behind a proxy all of them have that of the proxy.
    connections: int = 900  # below what systems allow a process to have open
    connections_of_client: int = 256
    head_bytes: int = MEBIBYTE // 16  # first line and headers
    head_seconds: float = 10.0
    body_seconds: float = 10.0  # and one more for every 16 KiB that have come
    send_seconds: float = 20.0  # for every 48 KiB of an answer
    idle_seconds: float = 30.0  # longer than those after which a client is told to come again
    grace_seconds: float = 10.0  # for what was accepted before the server was told to stop

    def sizes(self, beam: int = 1) -> Sizes:
        """With a beam wider than usual, a sentence may have so many times fewer words."""
        return Sizes(self.sentence_words * _USUAL_BEAM // max(_USUAL_BEAM, beam), self.question_words)

    def document_sizes(self, beam: int = 1) -> Sizes:
        """The same for `/process`, which gives documents back in fewer bytes."""
        return Sizes(self.sizes(beam).sentence, self.document_words)


class RefusedError(Exception):
    """A request that is not answered: with a status, and with a time after which to try again.

    `unread`: there may be more of its body that nobody has read.
    """

    def __init__(self, status: int, message: str, retry_after: int = 0, *, unread: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
        self.unread = unread


def too_large(limit: int) -> RefusedError:
    return RefusedError(413, f"The request is larger than {limit:,} bytes.", unread=True)


def busy(retry_after: int) -> RefusedError:
    return RefusedError(503, "The server is busy; try again later.", retry_after, unread=True)
