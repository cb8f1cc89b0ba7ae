"""Sentences, their trees and their frames as the arrays the core reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.errors import FormatError, NotATreeError, Problem
from plait.features.encoding import Encoder, hash_text
from plait.layers import Frames
from plait.sentence import EMPTY, Sentence
from plait.trees import tree_of

Longs = NDArray[np.int64]
Ints = NDArray[np.int32]
NONE = 0  # the role of a word that has none


@dataclass(frozen=True, slots=True)
class Words:
    """Rows of values of all words, and their trees."""

    values: NDArray[np.uint32]
    offsets: Longs
    heads: Ints

    @classmethod
    def of(
        cls,
        sentences: Sequence[Sentence],
        encoder: Encoder,
        listed: Callable[[Sentence, int], int] | None = None,
    ) -> Words:
        """A word without a head is taken for a root. `listed` gives one more value of every word."""
        heads = [head or 0 for sentence in sentences for head in sentence.heads]
        values, offsets = encoder.encode(sentences)
        if listed is not None:
            more = [
                listed(sentence, word) for sentence in sentences for word in range(1, len(sentence.forms) + 1)
            ]
            values = np.column_stack([values, np.array(more, np.uint32)])
        return cls(values, offsets, np.array(heads, np.int32))


def require_trees(sentences: Iterable[Sentence], path: str) -> None:
    """FormatError for a sentence that has no tree to learn from."""
    for sentence in sentences:
        try:
            tree_of(sentence)
        except NotATreeError as error:
            message = f"roles are learned from trees: {error}"
            raise FormatError(Problem(message, path, sentence.line, sentence.sent_id)) from None


@dataclass(frozen=True, slots=True)
class Proposed:
    """Predicates of sentences, and words with each: arguments, or what may be some."""

    firsts: Longs  # of sentences, in predicates
    predicates: Ints
    senses: NDArray[np.uint32]
    bounds: Longs  # of predicates, in words
    words: Ints
    roles: Ints

    def batch(self, words: Words, labels: int) -> _core.RoleBatch:
        return _core.RoleBatch(
            words.values,
            words.offsets,
            words.heads,
            labels,
            self.firsts,
            self.predicates,
            self.senses,
            self.bounds,
            self.words,
        )

    def with_words(self, bounds: Longs, words: Ints, roles: Ints | None = None) -> Proposed:
        return replace(
            self, bounds=bounds, words=words, roles=np.zeros(len(words), np.int32) if roles is None else roles
        )


def gold_frames(
    sentences: Sequence[Sentence], number: Callable[[str], int], *, with_senses: bool = False
) -> Proposed:
    """The frames that sentences have; `number` gives those of roles."""
    counts, predicates, senses, sizes, words, roles = [0], [], [], [0], [], []
    for sentence in sentences:
        frames = (sentence.find(Frames) or Frames(())).frames
        counts.append(len(frames))
        for frame in frames:
            predicates.append(frame.predicate)
            senses.append(hash_text(frame.sense) if with_senses and frame.sense != EMPTY else 0)
            sizes.append(len(frame.arguments))
            words += [argument.word for argument in frame.arguments]
            roles += [number(argument.role) for argument in frame.arguments]
    return Proposed(
        np.cumsum(counts, dtype=np.int64),
        np.array(predicates, np.int32),
        np.array(senses, np.uint32),
        np.cumsum(sizes, dtype=np.int64),
        np.array(words, np.int32),
        np.array(roles, np.int32),
    )


def bare(predicates: Sequence[Sequence[int]]) -> Proposed:
    """Predicates by sentence, without words."""
    flat = [word for each in predicates for word in each]
    return Proposed(
        np.cumsum([0, *map(len, predicates)], dtype=np.int64),
        np.array(flat, np.int32),
        np.zeros(len(flat), np.uint32),
        np.zeros(len(flat) + 1, np.int64),
        np.zeros(0, np.int32),
        np.zeros(0, np.int32),
    )
