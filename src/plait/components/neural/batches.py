"""Sentences of about the same length together, on the device where the net is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from plait.components.neural.corpus import COLUMNS, Corpus
from plait.components.neural.net import Batch

Chosen = NDArray[np.int64]


class Batches:
    """A corpus whose arrays are on a device."""

    def __init__(self, corpus: Corpus, device: torch.device) -> None:
        self.corpus = corpus
        self.device = device
        self.lengths = corpus.lengths
        self._ids = self._put(corpus.ids)
        if corpus.labelled:
            self._heads = self._put(corpus.heads)
            self._shares = torch.from_numpy(corpus.shares.astype(np.float32)).to(device)
            self._columns = {name: self._put(getattr(corpus, name)) for name in (*COLUMNS, "label")}

    def _put(self, column: NDArray[np.integer]) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(column)).to(self.device)

    def shuffled(self, chosen: Chosen, words: int, rng: np.random.Generator) -> list[Chosen]:
        """Lists of sentences in a random order, each of at most so many words with those that fill up."""
        jitter = self.lengths[chosen] * (1 + 0.1 * rng.random(len(chosen))) + rng.random(len(chosen))
        found = list(self.sorted(chosen[np.argsort(jitter, kind="stable")], words))
        return [found[number] for number in rng.permutation(len(found))]

    def sorted(self, chosen: Chosen, words: int) -> Iterator[Chosen]:
        """As they come, cut where there are enough."""
        first, longest = 0, 0
        for place, length in enumerate(self.lengths[chosen].tolist()):
            longest = max(longest, length)
            if place > first and longest * (place + 1 - first) > words:
                yield chosen[first:place]
                first, longest = place, length
        if first < len(chosen):
            yield chosen[first:]

    def by_length(self, words: int) -> list[Chosen]:
        """All sentences, the longest first: what does not fit into the memory is noticed at once."""
        order = np.argsort(-self.lengths, kind="stable").astype(np.int64)
        return list(self.sorted(order, words))

    def make(self, chosen: Chosen) -> Batch:
        lengths = self.lengths[chosen]
        width = int(lengths.max())
        rows = np.repeat(np.arange(len(chosen)), lengths)
        ends = np.cumsum(lengths)
        within = np.arange(ends[-1]) - np.repeat(ends - lengths, lengths)
        source = np.repeat(self.corpus.offsets[:-1][chosen], lengths) + within
        packed = torch.from_numpy(np.stack([rows, rows * width + within, source])).to(
            self.device, non_blocking=True
        )
        sentence, place, where = packed
        ids = torch.full((len(chosen) * width,), len(self.corpus.types), device=self.device)
        ids[place] = self._ids[where].long()
        mask = torch.zeros(len(chosen) * width, dtype=torch.bool, device=self.device)
        mask[place] = True
        square = (len(chosen), width)
        if not self.corpus.labelled:
            none = torch.zeros(0, device=self.device)
            return Batch(ids.view(square), mask.view(square), sentence, place, none, none, {})
        targets = {name: column[where].long() for name, column in self._columns.items()}
        heads = self._heads[where].long()
        return Batch(
            ids.view(square), mask.view(square), sentence, place, heads, self._shares[where], targets
        )
