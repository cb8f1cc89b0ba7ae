"""How likely sentences are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from plait import checks
from plait.components.ngrams.counting import (
    BEGIN,
    END,
    FIRST,
    MOST,
    Table,
    context_keys,
    keys_at,
    look_up,
    numbered,
    tables,
    vocabulary,
)
from plait.features.texts import pack_texts, unpack_texts
from plait.learning.tensors import Tensors


def words_of(forms: Iterable[str]) -> list[str]:
    """As the model sees them: large letters make no difference."""
    return [form.lower() for form in forms]


@dataclass(frozen=True)
class Model:
    """A back-off model, whose tables are for n-grams of one word, two words and so on."""

    words: list[str]
    tables: list[Table]

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]], order: int, fewest_words: int, fewest: int) -> Model:
        words = vocabulary(sentences, fewest_words)
        numbers = {word: number for number, word in enumerate(words, FIRST)}
        row = numbered(sentences, numbers, order)
        return cls(words, tables(row, order, len(words) + FIRST - 1, fewest))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, FIRST)}

    @property
    def order(self) -> int:
        return len(self.tables)

    def scores(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """The logarithms of the probabilities of sentences, their ends included."""
        row = numbered(sentences, self._numbers, self.order)
        if not len(row):
            return np.zeros(0)
        chances = self._chances(row)
        ends = np.flatnonzero(row == END) + 1
        result: NDArray[np.float64] = np.add.reduceat(chances, np.concatenate([[0], ends[:-1]]))
        return result

    def _chances(self, row: NDArray[np.int32]) -> NDArray[np.float64]:
        """Of every place; of beginnings 0."""
        at = keys_at(row, self.order)
        result = np.zeros(len(row))
        waiting = np.flatnonzero(row != BEGIN)
        for length in range(self.order, 0, -1):
            table = self.tables[length - 1]
            found = look_up(table.keys, table.chances, at[length - 1][waiting], np.nan)
            known = ~np.isnan(found)
            result[waiting[known]] += found[known]
            waiting = waiting[~known]
            rests = look_up(table.contexts, table.rests, context_keys(at, length, waiting), 0.0)
            result[waiting] += rests
        result[waiting] -= np.log(len(self.words) + FIRST - 1)  # never seen: as likely as any
        return result

    def tensors(self) -> Tensors:
        found: Tensors = {"words": pack_texts(self.words)}
        for length, table in enumerate(self.tables, 1):
            found |= {
                f"keys{length}": table.keys,
                f"chances{length}": table.chances,
                f"contexts{length}": table.contexts,
                f"rests{length}": table.rests,
            }
        return found

    @classmethod
    def from_tensors(cls, tensors: Tensors, order: int) -> Model:
        if not 1 <= order <= MOST:
            raise ValueError("there are too many tables")
        return cls(
            unpack_texts(tensors["words"]), [_table(tensors, length) for length in range(1, order + 1)]
        )


def _table(tensors: Tensors, length: int) -> Table:
    keys, contexts = (
        checks.vector(tensors[f"{name}{length}"], np.uint64, name) for name in ("keys", "contexts")
    )
    chances, rests = (
        checks.vector(tensors[f"{name}{length}"], np.float32, name) for name in ("chances", "rests")
    )
    for names, values in ((keys, chances), (contexts, rests)):
        if len(names) != len(values):
            raise ValueError("n-grams and their probabilities differ in number")
        if (names[1:] <= names[:-1]).any():
            raise ValueError("n-grams are not sorted")
        if not (np.isfinite(values).all() and (values <= 1e-3).all()):
            raise ValueError("a logarithm of a probability is none")
    return Table(keys, chances, contexts, rests)
