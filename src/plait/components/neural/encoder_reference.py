"""The transformer in numpy, a sentence at a time: the referee for the core."""

from __future__ import annotations

from collections.abc import Sequence
from math import erf
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
_AROUND = 2  # pieces beside those of the words
_erf = np.vectorize(erf, otypes=[np.float32])


class EncoderReference:
    """Over exported tensors; quantized ones are computed with as the core does."""

    def __init__(
        self, tensors: dict[str, NDArray[Any]], *, heads: int, begin: int, end: int, epsilon: float
    ) -> None:
        self._tensors = tensors
        self._heads = heads
        self._around = begin, end
        self._epsilon = np.float32(epsilon)
        self._longest, self.width = tensors["encoder.places"].shape
        self._layers = sum(name.endswith(".qkv_w") for name in tensors)

    def read(self, pieces: Sequence[Sequence[int]]) -> tuple[Floats, Floats]:
        """Vectors of words, given their pieces: for tags, and for trees."""
        flat = [number for word in pieces for number in word]
        states = np.empty((self._layers + 1, len(flat), self.width), np.float32)
        for first, last, kept, end in windows(len(flat), self._longest - _AROUND):
            found = self._states([self._around[0], *flat[first:last], self._around[1]])
            states[:, kept:end] = found[:, 1 + kept - first : 1 + end - first]
        mixed = np.einsum("ml,lpc->mpc", self._tensors["encoder.mixes"], states)
        ends = np.cumsum([0, *map(len, pieces)])
        means = np.add.reduceat(mixed, ends[:-1], axis=1) / np.diff(ends)[:, None]
        return means[0].astype(np.float32), means[1].astype(np.float32)

    def _states(self, pieces: Sequence[int]) -> Floats:
        places = np.arange(len(pieces))
        x = self._rows("encoder.words", np.array(pieces)) + self._rows("encoder.places", places)
        x = self._norm(x, "encoder.ln")
        found = [x]
        for number in range(self._layers):
            at = f"encoder{number}."
            x = self._norm(x + self._linear(self._attended(x, at), at + "out_"), at + "ln1")
            hidden = _gelu(self._linear(x, at + "ff1_"))
            x = self._norm(x + self._linear(hidden, at + "ff2_"), at + "ln2")
            found.append(x)
        return np.stack(found)

    def _attended(self, x: Floats, at: str) -> Floats:
        length, width = x.shape
        size = width // self._heads
        shaped = self._linear(x, at + "qkv_").reshape(length, 3, self._heads, size)
        q, k, v = shaped.transpose(1, 2, 0, 3)
        scores = q @ k.transpose(0, 2, 1) / np.float32(np.sqrt(size))
        distances = self._tensors.get("encoder.distances")
        if distances is not None:
            places = np.arange(length)
            scores = scores + distances[:, places[None] - places[:, None] + self._longest - 1]
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        found: Floats = (weights @ v).transpose(1, 0, 2).reshape(length, width)
        return found

    def _rows(self, name: str, numbers: NDArray[np.int64]) -> Floats:
        rows: Floats = self._tensors[name][numbers].astype(np.float32)
        scale = self._tensors.get(name + ".scale")
        return rows if scale is None else rows * scale[numbers][:, None]

    def _linear(self, x: Floats, name: str) -> Floats:
        matrix, bias = self._tensors[name + "w"], self._tensors[name + "b"]
        scale = self._tensors.get(name + "w.scale")
        if scale is None:
            plain: Floats = x @ matrix.T + bias
            return plain
        unit = np.abs(x).max(axis=1, keepdims=True) / np.float32(127)
        steps = np.rint(x / np.where(unit > 0, unit, np.float32(1)))
        # Sums of bytes beyond 1,000 products are exact in 64 bits only.
        sums = (steps.astype(np.float64) @ matrix.T.astype(np.float64)).astype(np.float32)
        found: Floats = sums * unit * scale + bias
        return found

    def _norm(self, x: Floats, name: str) -> Floats:
        centred = x - x.mean(-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(-1, keepdims=True) + self._epsilon)
        found: Floats = centred / spread * self._tensors[name + "_g"] + self._tensors[name + "_b"]
        return found


def windows(count: int, size: int) -> list[tuple[int, int, int, int]]:
    """First and last piece that is seen, and those whose vectors are used: a long sentence in windows that overlap by a
    quarter, a piece taken from the one it is further inside of.
    """
    found = []
    start = kept = 0
    while count - start > size:
        end = start + size
        following = min(end - size // 4, count - size)
        middle = following + (end - following) // 2
        found.append((start, end, kept, middle))
        start, kept = following, middle
    return [*found, (start, count, kept, count)]


def _gelu(x: Floats) -> Floats:
    found: Floats = np.float32(0.5) * x * (1 + _erf(x / np.float32(np.sqrt(2))))
    return found
