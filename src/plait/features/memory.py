"""What was once found for a word is remembered, within bounds: most words cost a look into a dictionary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from plait.locks import Lock

_MOST_WORDS = 1 << 17  # then start anew, so that memory stays flat
_MOST_CHARACTERS = 1 << 24  # of them; or some very long ones would fill the memory
_FIRST_ROWS = 1024

Word = TypeVar("Word", bound=str | tuple[str, ...])
Value = TypeVar("Value")


class Memory(dict[Word, Value]):
    """Words and what was found for them; with `find`, a new word is looked up when it is asked for. One that is full is
    to be replaced by a new one.
    """

    def __init__(self, find: Callable[[Word], Value] | None = None) -> None:
        super().__init__()
        self._find = find
        self._characters = 0

    @property
    def is_full(self) -> bool:
        return len(self) > _MOST_WORDS or self._characters > _MOST_CHARACTERS

    def learn(self, found: Mapping[Word, Value]) -> None:
        """New words that were looked up together."""
        self.update(found)
        self._characters += sum(map(_size, found))

    def __missing__(self, word: Word) -> Value:
        if self._find is None:
            raise KeyError(word)
        value = self[word] = self._find(word)
        self._characters += _size(word)
        return value


class RowMemory(Generic[Word]):
    """Rows of integers for words: in one table, or in several at the same place. Threads may share it: they take
    turns, since what one of them learns all of them know.
    """

    def __init__(self, rows_of: Callable[[Word], Sequence[Any]], *empty: NDArray[Any]) -> None:
        """`rows_of` gives the row of a word in each table, of which `empty` are those without rows."""
        self._rows_of = rows_of
        self._empty = empty
        self._turn = Lock()
        self._forget()

    def rows(self, words: Iterable[Word], count: int) -> list[NDArray[Any]]:
        """Of every table the rows of these words, of which there are so many."""
        with self._turn:
            if self._numbers.is_full:
                self._forget()
            numbers = np.fromiter(map(self._numbers.__getitem__, words), np.int64, count)
            return [table[numbers] for table in self._tables]

    def _forget(self) -> None:
        self._numbers: Memory[Word, int] = Memory(self._add)
        self._tables = [np.empty((_FIRST_ROWS, *table.shape[1:]), table.dtype) for table in self._empty]

    def _add(self, word: Word) -> int:
        """The number of the rows for a new word."""
        number = len(self._numbers)
        if number == len(self._tables[0]):
            self._tables = [np.concatenate([table, np.empty_like(table)]) for table in self._tables]
        for table, row in zip(self._tables, self._rows_of(word), strict=True):
            table[number] = row
        return number


def _size(word: str | tuple[str, ...]) -> int:
    return len(word) if isinstance(word, str) else sum(map(len, word))
