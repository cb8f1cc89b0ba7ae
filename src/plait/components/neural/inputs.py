"""Vectors of word types: of the form, and of hashed parts or of characters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from plait.components.neural.recurrence import Columns
from plait.components.neural.words import FIRST_LETTER, UNKNOWN, Letters, Words, gram_table

_PAD = 0


class Lexicon:
    """What the net reads of word types, on the device where it runs; the last row is for places without a word."""

    def __init__(self, columns: dict[str, NDArray[np.int32]], device: torch.device) -> None:
        self.columns = {name: torch.from_numpy(rows).to(device) for name, rows in columns.items()}
        self.device = device

    def __getitem__(self, name: str) -> Tensor:
        return self.columns[name]


class GramWords(nn.Module):
    """The vector of the lower-cased form beside the mean of the vectors of its parts."""

    def __init__(
        self, words: Words, buckets: int, dims: tuple[int, int], *, unseen: float, dropout: float
    ) -> None:
        super().__init__()
        self.list = words
        self.buckets = buckets
        self.words = nn.Embedding(len(words.forms), dims[0])
        self.grams = nn.Parameter(torch.randn(buckets + 1, dims[1]))
        self.width = sum(dims)
        self.unseen = unseen
        self.dropout = Columns(dropout)
        with torch.no_grad():
            self.words.weight.normal_(0, 0.3)
            self.grams.normal_(0, 0.5)
            self.grams[buckets] = 0

    def columns(self, types: Sequence[str]) -> dict[str, NDArray[np.int32]]:
        return {"words": self.list.encode([*types, ""]), "grams": gram_table([*types, ""], self.buckets)}

    def forward(self, ids: Tensor, lexicon: Lexicon) -> Tensor:
        words = hidden_words(lexicon["words"][ids], self.unseen if self.training else 0.0)
        types, places = torch.unique(ids, return_inverse=True)
        grams = functional.embedding_bag(
            lexicon["grams"][types], self.grams, mode="mean", padding_idx=self.buckets
        )
        found: Tensor = self.dropout(torch.cat([self.words(words), grams[places]], -1))
        return found


class CharWords(nn.Module):
    """The vector of the form beside a convolution over its characters."""

    def __init__(
        self,
        words: Words,
        characters: str,
        dims: tuple[int, int],
        *,
        unseen: float,
        dropout: float,
    ) -> None:
        super().__init__()
        self.list = words
        self.characters = characters
        self.spelling = Letters(list(characters))
        self.words = nn.Embedding(len(words.forms), dims[0])
        self.letters = nn.Embedding(len(characters) + FIRST_LETTER, 64, padding_idx=_PAD)
        self.convs = nn.ModuleList([nn.Conv1d(64, 100, size, padding=size - 1) for size in (2, 3, 4)])
        self.out = nn.Linear(300, dims[1])
        self.width = sum(dims)
        self.unseen = unseen
        self.dropout = Columns(dropout)
        with torch.no_grad():
            self.words.weight.normal_(0, 0.3)

    def columns(self, types: Sequence[str]) -> dict[str, NDArray[np.int32]]:
        rows = np.full((len(types) + 1, self.spelling.width), _PAD, np.int32)
        for row, form in zip(rows, types, strict=False):
            numbers = self.spelling.parts(form)
            row[: len(numbers)] = numbers
        return {"words": self.list.encode([*types, ""]), "characters": rows}

    def forward(self, ids: Tensor, lexicon: Lexicon) -> Tensor:
        words = hidden_words(lexicon["words"][ids], self.unseen if self.training else 0.0)
        types, places = torch.unique(ids, return_inverse=True)
        letters = self.letters(lexicon["characters"][types]).transpose(1, 2)
        pooled = torch.cat([conv(letters).amax(-1) for conv in self.convs], -1)
        spelled = torch.tanh(self.out(functional.relu(pooled)))
        found: Tensor = self.dropout(torch.cat([self.words(words).to(spelled.dtype), spelled[places]], -1))
        return found


def hidden_words(words: Tensor, rate: float) -> Tensor:
    """Some of them as if they were unknown."""
    if rate == 0:
        return words
    return words.masked_fill(torch.rand(words.shape, device=words.device) < rate, UNKNOWN)
