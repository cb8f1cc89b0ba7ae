"""All words of a treebank in one row, checked to be trees: what every score is computed from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from plait import formats
from plait.errors import InputError, NotATreeError, Problem
from plait.sentence import Sentence, Treebank, each_sentence
from plait.trees import TreeBatch, find_fault

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

Given = Iterable[Sentence] | str | Path  # sentences, or the path of a treebank

ROOT = -1


class Document:
    """The sentences of one file as columns over all their words, which count from 0 here.

    `heads` points into that one row; the head of a root is `ROOT`.
    """

    def __init__(self, given: Given, role: str) -> None:
        """`role` ("gold", "system") names the file in messages when it has no path."""
        sentences = formats.read(given, treebank=True) if isinstance(given, (str, Path)) else given
        self.sentences = list(each_sentence(sentences))
        self.name = (sentences.path if isinstance(sentences, Treebank) else "") or role
        self._columns: dict[str, list[str]] = {}
        self._trees = self._checked_trees()
        self.offsets: Ints = self._trees.offsets
        self.sizes: Ints = np.diff(self.offsets)
        first_of_sentence = np.repeat(self.offsets[:-1], self.sizes)
        heads = self._trees.heads
        self.heads: Ints = np.where(heads == 0, ROOT, heads + first_of_sentence - 1)

    def __len__(self) -> int:
        """The number of words."""
        return int(self.offsets[-1])

    def column(self, name: str) -> list[str]:
        if name not in self._columns:
            parts = (getattr(sentence, name) for sentence in self.sentences)
            self._columns[name] = list(chain.from_iterable(parts))
        return self._columns[name]

    def entries(self, name: str, words: Ints) -> list[str]:
        """The entries of these words, which rise."""
        column = self.column(name)
        return column if len(words) == len(column) else [column[word] for word in words.tolist()]

    def having(self, name: str, wanted: Callable[[str], bool]) -> Bools:
        """For every word, whether its entry in this column is one of the wanted."""
        column = self.column(name)
        chosen = set(filter(wanted, set(column)))
        return np.fromiter(map(chosen.__contains__, column), np.bool_, len(column))

    @cached_property
    def sentence_numbers(self) -> Ints:
        """For every word, the sentence it is in, from 0."""
        return np.repeat(np.arange(len(self.sentences)), self.sizes)

    @cached_property
    def nonprojective(self) -> Bools:
        """For every word, whether the arc from its head spans a word that the head does not dominate."""
        return self._trees.edge_degrees > 0

    @cached_property
    def arc_lengths(self) -> Ints:
        """For every word, the distance to its head in words; 0 for a root."""
        return np.where(self.heads == ROOT, 0, np.abs(self.heads - np.arange(len(self))))

    def place(self, number: int, message: str) -> str:
        """The message with the file and sentence it is about."""
        sentence = self.sentences[number]
        if not sentence.line and not sentence.sent_id:
            message = f"sentence {number + 1}: {message}"
        return str(Problem(message, path=self.name, line=sentence.line, sent_id=sentence.sent_id))

    def _checked_trees(self) -> TreeBatch:
        for number, sentence in enumerate(self.sentences):
            if None in sentence.heads:
                word = sentence.heads.index(None) + 1
                raise InputError(self.place(number, f"word {word} has no head, so it cannot be scored."))
        trees = [cast(list[int], sentence.heads) for sentence in self.sentences]
        try:
            return TreeBatch(trees)
        except (NotATreeError, OverflowError):
            number, fault = next((i, fault) for i, heads in enumerate(trees) if (fault := find_fault(heads)))
            raise InputError(self.place(number, fault[1])) from None
