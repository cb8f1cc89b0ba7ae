"""A trained net as the run time reads it: matrices and vectors of words as int8 with a scale for every row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from plait.components.neural.corpus import COLUMNS
from plait.components.neural.heads import Attention, Tags
from plait.components.neural.inputs import GramWords
from plait.components.neural.net import Net, RecurrentBody
from plait.components.neural.recurrence import Recurrent

SCALE = ".scale"
Arrays = dict[str, NDArray[Any]]


def export(net: Net, *, quantize: bool = True) -> Arrays:
    """The tensors of a small net by the names of the run time; without `quantize`, all as float32."""
    body = net.body
    if not isinstance(net.words, GramWords) or not isinstance(body, RecurrentBody) or body.fed is not None:
        raise ValueError("only recurrent nets over hashed parts of words can be exported")
    if body.attention is None or net.shape.body != "sru":
        raise ValueError("only recurrent nets with attention can be exported")
    found: Arrays = {}
    for name, tensor, is_matrix in _tensors(net, net.words, body, body.attention):
        rows = tensor.detach().cpu().float().numpy()
        if is_matrix and quantize:
            found[name], found[name + SCALE] = quantized(rows)
        else:
            found[name] = np.ascontiguousarray(rows)
    return found


def quantized(rows: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A row of zeros has the scale 0."""
    scale = np.abs(rows).max(axis=1) / np.float32(127)
    steps = rows / np.where(scale > 0, scale, 1)[:, None]
    return np.rint(steps).astype(np.int8), scale.astype(np.float32)


def _tensors(
    net: Net, words: GramWords, body: RecurrentBody, attention: Attention
) -> Iterator[tuple[str, Tensor, bool]]:
    yield "embed.words", words.words.weight, True
    yield "embed.grams", words.grams[: words.buckets], True
    for number, layer in enumerate(body.layers):
        assert isinstance(layer, Recurrent)
        at = f"layer{number}."
        yield from _norm(at, layer.ln)
        yield at + "conv_w", layer.conv.weight.squeeze(1), False
        assert layer.conv.bias is not None
        yield at + "conv_b", layer.conv.bias, False
        yield from _linear(at, "", layer.w)
        if isinstance(layer.skip, nn.Linear):
            yield at + "skip", layer.skip.weight, True
    yield from _tags(body.tags)
    yield from _norm("att.", attention.ln1, "1")
    yield from _linear("att.", "qkv_", attention.qkv)
    yield from _linear("att.", "out_", attention.out)
    yield from _norm("att.", attention.ln2, "2")
    yield from _linear("att.", "ff1_", attention.ff1)
    yield from _linear("att.", "ff2_", attention.ff2)
    yield from _norm("final.", body.final)
    trees = net.trees
    yield "root", trees.root, False
    yield from _linear("arc.", "dep_", trees.arc_dep)
    yield from _linear("arc.", "head_", trees.arc_head)
    # The run time multiplies heads by U, then words by the result, so that a row of U is an output.
    yield "arc.u", trees.u, True
    yield "arc.v", trees.v, False
    yield from _linear("label.", "dep_", trees.label_dep)
    yield from _linear("label.", "head_", trees.label_head)
    yield "label.m", trees.m.flatten(0, 1), True
    yield "label.p", trees.p.weight, True
    yield "label.b", trees.p.bias, False


def _tags(tags: Tags) -> Iterator[tuple[str, Tensor, bool]]:
    yield from _norm("tags.", tags.ln)
    yield from _linear("tags.", "", tags.w)
    for name in COLUMNS:
        out = tags.out[name]
        assert isinstance(out, nn.Linear)
        yield from _linear("tags.", f"{name}_", out)


def _norm(at: str, norm: nn.LayerNorm, number: str = "") -> Iterator[tuple[str, Tensor, bool]]:
    yield f"{at}ln{number}_g", norm.weight, False
    yield f"{at}ln{number}_b", norm.bias, False


def _linear(at: str, name: str, layer: nn.Linear) -> Iterator[tuple[str, Tensor, bool]]:
    yield f"{at}{name}w", layer.weight, True
    yield f"{at}{name}b", layer.bias, False
