"""A trained net as the run time reads it: matrices and vectors of words as int8 with a scale for every row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from plait.components.neural.corpus import COLUMNS, Classes
from plait.components.neural.heads import Attention, Tags
from plait.components.neural.inputs import CharWords, GramWords
from plait.components.neural.model import Model
from plait.components.neural.model import Net as RunningNet
from plait.components.neural.net import Lstm, Net, RecurrentBody
from plait.components.neural.recurrence import Recurrent
from plait.components.neural.shape import NetShape
from plait.components.neural.transformers import encoder_arrays

if TYPE_CHECKING:
    from plait.components.neural.encoder import EncoderBody

SCALE = ".scale"
Arrays = dict[str, NDArray[Any]]


def export(net: Net, *, quantize: bool = True) -> Arrays:
    """The tensors of a net by the names of the run time; without `quantize`, all as float32."""
    found: Arrays = {}
    for name, tensor, is_matrix in tensors_of(net):
        rows = tensor.detach().cpu().float().numpy()
        if is_matrix and quantize:
            found[name], found[name + SCALE] = quantized(rows)
        else:
            found[name] = np.array(rows, order="C")  # a copy: the net may go on learning
    return found


def shape_of(net: Net) -> NetShape:
    known = {each.name for each in fields(net.shape)} & {each.name for each in fields(NetShape)}
    encoder = _encoder_of(net)
    facts = None if encoder is None else encoder.facts()
    return NetShape(**{name: getattr(net.shape, name) for name in known}, encoder=facts)


def model_of(nets: Sequence[Net], classes: Classes) -> Model:
    """Trained nets as the run time uses them."""
    return Model(classes, [running(net) for net in nets])


def running(net: Net) -> RunningNet:
    letters = net.words.characters if isinstance(net.words, CharWords) else ""
    encoder = _encoder_of(net)
    pieces = () if encoder is None else encoder.pieces.forms
    return RunningNet.of(shape_of(net), list(net.words.list.forms), letters, export(net), pieces)


def quantized(rows: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A row of zeros has the scale 0."""
    scale = np.abs(rows).max(axis=1) / np.float32(127)
    steps = rows / np.where(scale > 0, scale, 1)[:, None]
    return np.rint(steps).astype(np.int8), scale.astype(np.float32)


def tensors_of(net: Net) -> Iterator[tuple[str, Tensor, bool]]:
    yield from _words(net.words)
    encoder = _encoder_of(net)
    yield from _recurrent(cast(RecurrentBody, net.body)) if encoder is None else _encoder(encoder)
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


def _encoder_of(net: Net) -> EncoderBody | None:
    """The body, if it is a pretrained encoder; without the import of what reads those."""
    return cast("EncoderBody", net.body) if net.shape.body == "encoder" else None


def _encoder(body: EncoderBody) -> Iterator[tuple[str, Tensor, bool]]:
    state = {name: tensor.detach().cpu().float() for name, tensor in body.encoder.state_dict().items()}
    arrays = {name: tensor.numpy() for name, tensor in state.items()}
    for name, array, is_matrix in encoder_arrays(body.encoder.config.to_dict(), arrays):
        yield name, torch.from_numpy(array), is_matrix
    yield "encoder.mixes", body.mixes.softmax(-1), False
    yield from _linear("own.", "", body.own)
    for name, norm in zip(("own.", "final."), body.ln, strict=True):
        yield from _norm(name, cast(nn.LayerNorm, norm))
    yield from _tags(body.tags)


def _recurrent(body: RecurrentBody) -> Iterator[tuple[str, Tensor, bool]]:
    for number, layer in enumerate(body.layers):
        at = f"layer{number}."
        yield from _sru(at, layer) if isinstance(layer, Recurrent) else _lstm(at, layer)
    yield from _tags(body.tags)
    if body.fed is not None:
        for name, vectors in body.fed.vectors.items():
            yield f"fed.{name}", vectors.weight, True
    if body.attention is not None:
        yield from _attention(body.attention)
    yield from _norm("final.", body.final)


def _words(words: GramWords | CharWords) -> Iterator[tuple[str, Tensor, bool]]:
    yield "embed.words", words.words.weight, True
    if isinstance(words, GramWords):
        yield "embed.grams", words.grams[: words.buckets], True
        return
    yield "embed.letters", words.letters.weight, True
    for conv in words.convs:
        assert isinstance(conv, nn.Conv1d)
        assert conv.bias is not None
        # A row of a window: its first letter, its second ...
        yield f"spell.conv{conv.kernel_size[0]}_w", conv.weight.transpose(1, 2).flatten(1), True
        yield f"spell.conv{conv.kernel_size[0]}_b", conv.bias, False
    yield from _linear("spell.", "out_", words.out)


def _sru(at: str, layer: Recurrent) -> Iterator[tuple[str, Tensor, bool]]:
    yield from _norm(at, layer.ln)
    yield at + "conv_w", layer.conv.weight.squeeze(1), False
    assert layer.conv.bias is not None
    yield at + "conv_b", layer.conv.bias, False
    yield from _linear(at, "", layer.w)
    if isinstance(layer.skip, nn.Linear):
        yield at + "skip", layer.skip.weight, True


def _lstm(at: str, layer: nn.Module) -> Iterator[tuple[str, Tensor, bool]]:
    assert isinstance(layer, Lstm)
    cells = layer.cells
    both = [(cells.weight_ih_l0, cells.bias_ih_l0 + cells.bias_hh_l0)]
    both.append((cells.weight_ih_l0_reverse, cells.bias_ih_l0_reverse + cells.bias_hh_l0_reverse))
    yield at + "w", torch.cat([weight for weight, _ in both]), True
    yield at + "b", torch.cat([bias for _, bias in both]), False
    yield at + "forth", cells.weight_hh_l0, True
    yield at + "back", cells.weight_hh_l0_reverse, True


def _attention(attention: Attention) -> Iterator[tuple[str, Tensor, bool]]:
    yield from _norm("att.", attention.ln1, "1")
    yield from _linear("att.", "qkv_", attention.qkv)
    yield from _linear("att.", "out_", attention.out)
    yield from _norm("att.", attention.ln2, "2")
    yield from _linear("att.", "ff1_", attention.ff1)
    yield from _linear("att.", "ff2_", attention.ff2)


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
