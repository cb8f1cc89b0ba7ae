"""How much a worker process has annotated since it last said so."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from plait.sentence import Sentence


class Tally:
    """Counted by any of its threads."""

    def __init__(self) -> None:
        self._turn = Lock()
        self._sentences = 0
        self._words = 0

    def count(self, sentences: Sequence[Sentence]) -> None:
        words = sum(map(len, sentences))
        with self._turn:
            self._sentences += len(sentences)
            self._words += words

    def take(self) -> tuple[int, int]:
        """Sentences and words, which are then counted anew."""
        with self._turn:
            found = self._sentences, self._words
            self._sentences = self._words = 0
        return found
