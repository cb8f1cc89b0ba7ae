"""The net in numpy, a sentence at a time: the referee for the core, and what runs where the core cannot.

With quantized tensors it computes as the core does: activations rounded to 8 bits for every word, products of integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait.components.neural.corpus import COLUMNS
from plait.components.neural.encoder_reference import EncoderReference
from plait.components.neural.pieces import Pieces
from plait.components.neural.shape import SMALL, NetShape
from plait.components.neural.words import Letters, Words, spelling_of

Floats = NDArray[np.float32]
_SCALE = ".scale"
_HEADS = 8
_ROTARY_BASE = 1000.0
_SLOPE = np.float32(0.1)
_EPSILON = np.float32(1e-5)


@dataclass(frozen=True, slots=True)
class Result:
    """Logits of the tags by column, scores of arcs (word, head), what labels are scored from, and the vectors."""

    tags: dict[str, Floats]
    arcs: Floats
    label_dep: Floats
    label_head: Floats
    vectors: Floats


class Reference:
    """The forward pass over exported tensors."""

    def __init__(
        self,
        tensors: dict[str, NDArray[Any]],
        words: Words,
        shape: NetShape = SMALL,
        letters: Letters | None = None,
        pieces: Pieces | None = None,
    ) -> None:
        self._tensors = tensors
        self._pieces = pieces
        self._words = words
        self._shape = shape
        parts = tensors["embed.grams" if shape.spelling == "grams" else "embed.letters"]
        self._spelling = spelling_of(shape.spelling, len(parts), letters)
        self._layers = sum(name.endswith(".b") and name.startswith("layer") for name in tensors)
        self._cache: dict[str, Floats] = {}
        self._matrices = {
            name: np.ascontiguousarray(tensor.T, np.float32)
            for name, tensor in tensors.items()
            if tensor.ndim == 2 and not name.startswith("embed.")
        }

    def run(self, forms: list[str]) -> Result:
        plain = np.stack([self._vector(form) for form in forms])
        x = plain
        tags: dict[str, Floats] = {}
        layer = self._lstm if self._shape.body == "lstm" else self._recurrent
        for number in range(self._layers):
            x = layer(x, f"layer{number}.")
            if number + 1 == self._shape.tag_layer:
                tags = self._tags(x, plain)
                if self._shape.feed:
                    fed = [self._product(softmax(tags[name]), f"fed.{name}") for name in COLUMNS[:3]]
                    x = np.concatenate([x, *fed], 1)
        if self._shape.body == "encoder":
            tags, x = self._encoded(forms, plain)
        elif self._shape.attention:
            x = self._attention(x)
        h = self._norm(x, "final.ln")
        places = np.concatenate([self._tensors["root"][None], h])
        dependents = _leaky(self._linear(h, "arc.dep_"))
        heads = _leaky(self._linear(places, "arc.head_"))
        # U maps heads: its rows, which have a scale each, are the outputs.
        arcs = dependents @ self._product(heads, "arc.u").T + heads @ self._tensors["arc.v"]
        words = np.arange(len(forms))
        arcs[words, words + 1] = -np.inf
        return Result(
            tags,
            arcs,
            _leaky(self._linear(h, "label.dep_")),
            _leaky(self._linear(places, "label.head_")),
            h,
        )

    def _encoded(self, forms: list[str], plain: Floats) -> tuple[dict[str, Floats], Floats]:
        """Tags, and vectors before their last norm."""
        facts, pieces = self._shape.encoder, self._pieces
        assert facts is not None
        assert pieces is not None
        encoder = EncoderReference(
            self._tensors, heads=facts.heads, begin=facts.begin, end=facts.end, epsilon=facts.epsilon
        )
        for_tags, for_trees = encoder.read([pieces.cut(form) for form in forms])
        own = self._linear(plain, "own.")
        return self._tags(self._norm(for_tags + own, "own.ln"), plain), for_trees + own

    def labels(self, result: Result, heads: NDArray[np.integer[Any]]) -> Floats:
        """Logits of the labels of every word under its head."""
        above = result.label_head[heads]
        size = above.shape[1]
        matrix = self._product(above, "label.m").reshape(len(above), -1, size)
        joint = np.einsum("wld,wd->wl", matrix, result.label_dep)
        both = np.concatenate([result.label_dep, above], 1)
        found: Floats = joint + self._product(both, "label.p") + self._tensors["label.b"]
        return found

    def _vector(self, form: str) -> Floats:
        if form not in self._cache:
            number = self._words.numbers.get(form.lower(), 0)
            numbers = self._spelling.parts(form)
            if self._shape.spelling == "grams":
                spelled = self._rows("embed.grams", numbers).mean(0)
            else:
                spelled = self._spelled(numbers)
            self._cache[form] = np.concatenate([self._rows("embed.words", [number])[0], spelled])
        return self._cache[form]

    def _spelled(self, numbers: list[int]) -> Floats:
        """The largest value of every channel over all windows, those that reach over the ends among them."""
        letters = self._rows("embed.letters", numbers)
        shown = np.pad(letters, ((0, self._spelling.width - len(letters)), (0, 0)))
        pooled = []
        for size in (2, 3, 4):
            padded = np.pad(shown, ((size - 1, size - 1), (0, 0)))
            windows = np.stack([padded[at : at + size].ravel() for at in range(len(padded) - size + 1)])
            name = f"spell.conv{size}_"
            kernel = self._rows(name + "w", list(range(len(self._tensors[name + "b"]))))
            pooled.append((windows @ kernel.T + self._tensors[name + "b"]).max(0))
        seen = np.maximum(np.concatenate(pooled), 0)[None]
        found: Floats = np.tanh(self._linear(seen, "spell.out_"))[0]
        return found

    def _rows(self, name: str, numbers: list[int]) -> Floats:
        rows: Floats = self._tensors[name][numbers].astype(np.float32)
        scale = self._tensors.get(name + _SCALE)
        return rows if scale is None else rows * scale[numbers][:, None]

    def _product(self, x: Floats, name: str) -> Floats:
        """Rows of words times the transposed matrix."""
        matrix = self._matrices[name]
        scale = self._tensors.get(name + _SCALE)
        if scale is None:
            plain: Floats = x @ matrix
            return plain
        unit = np.abs(x).max(axis=1, keepdims=True) / np.float32(127)
        steps = np.rint(x / np.where(unit > 0, unit, np.float32(1)))
        # Sums of fewer than 1,000 products of bytes are exact in float32.
        found: Floats = (steps.astype(np.float32) @ matrix) * unit * scale
        return found

    def _linear(self, x: Floats, name: str) -> Floats:
        found: Floats = self._product(x, name + "w") + self._tensors[name + "b"]
        return found

    def _norm(self, x: Floats, name: str) -> Floats:
        centred = x - x.mean(-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(-1, keepdims=True) + _EPSILON)
        found: Floats = centred / spread * self._tensors[name + "_g"] + self._tensors[name + "_b"]
        return found

    def _recurrent(self, x: Floats, at: str) -> Floats:
        y = self._norm(x, at + "ln")
        padded = np.pad(y, ((1, 1), (0, 0)))
        kernel = self._tensors[at + "conv_w"]
        z = y + self._tensors[at + "conv_b"]
        for place in range(3):
            z = z + kernel[:, place] * padded[place : place + len(y)]
        update, forget, gate = np.split(self._linear(z, at), 3, axis=1)
        forget = _sigmoid(forget)
        added = (1 - forget) * update
        cells = np.zeros_like(update)
        half = cells.shape[1] // 2
        for columns, order in ((slice(half), range(len(x))), (slice(half, None), range(len(x) - 1, -1, -1))):
            before = np.zeros(half, np.float32)
            for word in order:
                before = forget[word, columns] * before + added[word, columns]
                cells[word, columns] = before
        skip = self._product(x, at + "skip") if at + "skip" in self._tensors else x
        found: Floats = _sigmoid(gate) * np.tanh(cells) + skip
        return found

    def _lstm(self, x: Floats, at: str) -> Floats:
        """Gates of input, forgetting, update and output; first those of the way forth, then of the way back."""
        gates = self._linear(x, at)
        size = gates.shape[1] // 8
        found = np.zeros((len(x), 2 * size), np.float32)
        for side, name in enumerate(("forth", "back")):
            hidden, cell = np.zeros((1, size), np.float32), np.zeros(size, np.float32)
            for word in range(len(x)) if side == 0 else range(len(x) - 1, -1, -1):
                own = (
                    gates[word, side * 4 * size : (side + 1) * 4 * size] + self._product(hidden, at + name)[0]
                )
                entering, forgetting, update, leaving = np.split(own, 4)
                cell = _sigmoid(forgetting) * cell + _sigmoid(entering) * np.tanh(update)
                hidden = (_sigmoid(leaving) * np.tanh(cell))[None]
                found[word, side * size : (side + 1) * size] = hidden[0]
        return found

    def _tags(self, h: Floats, plain: Floats) -> dict[str, Floats]:
        seen = np.concatenate([self._norm(h, "tags.ln"), plain], 1)
        hidden = _gelu(self._linear(seen, "tags."))
        return {name: self._linear(hidden, f"tags.{name}_") for name in COLUMNS}

    def _attention(self, x: Floats) -> Floats:
        length, width = x.shape
        size = width // _HEADS
        shaped = self._linear(self._norm(x, "att.ln1"), "att.qkv_").reshape(length, 3, _HEADS, size)
        q, k, v = shaped.transpose(1, 2, 0, 3)
        scores = _rotated(q) @ _rotated(k).transpose(0, 2, 1) / np.float32(np.sqrt(size))
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        mixed = (weights @ v).transpose(1, 0, 2).reshape(length, width)
        x = x + self._linear(mixed, "att.out_")
        hidden = _gelu(self._linear(self._norm(x, "att.ln2"), "att.ff1_"))
        return x + self._linear(hidden, "att.ff2_")


def _rotated(x: Floats) -> Floats:
    length, size = x.shape[-2:]
    steps = np.arange(0, size, 2, dtype=np.float32) / np.float32(size)
    angles = (np.arange(length)[:, None] * _ROTARY_BASE**-steps).astype(np.float32)
    cos, sin = np.cos(angles), np.sin(angles)
    even, odd = x[..., 0::2], x[..., 1::2]
    return np.stack([even * cos - odd * sin, even * sin + odd * cos], -1).reshape(x.shape)


def softmax(x: Floats) -> Floats:
    """Rows into probabilities."""
    found = np.exp(x - x.max(1, keepdims=True))
    return np.asarray(found / found.sum(1, keepdims=True), np.float32)


def _sigmoid(x: Floats) -> Floats:
    found: Floats = np.reciprocal(1 + np.exp(-x))
    return found


def _gelu(x: Floats) -> Floats:
    inner = np.float32(np.sqrt(2 / np.pi)) * (x + np.float32(0.044715) * x**3)
    found: Floats = np.float32(0.5) * x * (1 + np.tanh(inner))
    return found


def _leaky(x: Floats) -> Floats:
    return np.where(x > 0, x, x * _SLOPE)
