"""A net of the run time as one of torch: to tell what it is not sure of, on a GPU where there is one."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from plait.components.neural.corpus import Classes
from plait.components.neural.export import SCALE, Arrays, tensors_of
from plait.components.neural.inputs import CharWords
from plait.components.neural.model import Net as RunningNet
from plait.components.neural.net import Lstm, Net, RecurrentBody, Shape
from plait.components.neural.store import assemble

_GATES = {"sru": 3, "lstm": 4}  # rows of a layer's matrix for one of its units


def net_of(running: RunningNet, classes: Classes) -> Net | None:
    """Nothing if it has another body than those that learn here from nothing."""
    gates = _GATES.get(running.shape.body)
    if gates is None:
        return None
    arrays = running.tensors
    spelled = "embed.grams" if running.shape.spelling == "grams" else "spell.out_w"
    shape = Shape(
        **{
            name: getattr(running.shape, name)
            for name in ("body", "spelling", "tag_layer", "feed", "attention")
        },
        layers=sum(name.startswith("layer") and name.endswith(".w") for name in arrays),
        width=len(arrays["layer0.w"]) // gates,
        word_dim=arrays["embed.words"].shape[1],
        part_dim=arrays[spelled].shape[1 if spelled == "embed.grams" else 0],
        buckets=len(arrays["embed.grams"]) if spelled == "embed.grams" else 1,
        arc=len(arrays["arc.dep_w"]),
        label=len(arrays["label.dep_w"]),
    )
    letters = "" if running.letters is None else "".join(running.letters.known)
    net = assemble(shape, classes, running.words, letters, None)
    with torch.no_grad():
        fill(net, arrays)
    net.eval()
    return net


def fill(net: Net, arrays: Arrays) -> None:
    """The inverse of `export`."""
    assert isinstance(net.body, RecurrentBody)
    for name, tensor, _ in tensors_of(net):
        value = torch.from_numpy(_plain(arrays, name))
        if name.startswith("spell.conv") and name.endswith("_w"):
            assert isinstance(net.words, CharWords)
            size = int(name.removeprefix("spell.conv").removesuffix("_w"))
            conv = next(each for each in net.words.convs if each.kernel_size == (size,))
            conv.weight.copy_(value.view(len(value), size, -1).transpose(1, 2))
        else:
            tensor.copy_(value)  # a view of the parameter; that of an LSTM is a copy, and comes below
    for number, layer in enumerate(net.body.layers):
        if isinstance(layer, Lstm):
            cells = layer.cells
            weights = torch.from_numpy(_plain(arrays, f"layer{number}.w")).chunk(2)
            biases = torch.from_numpy(_plain(arrays, f"layer{number}.b")).chunk(2)
            for way, weight, bias in zip(("", "_reverse"), weights, biases, strict=True):
                getattr(cells, f"weight_ih_l0{way}").copy_(weight)
                getattr(cells, f"bias_ih_l0{way}").copy_(bias)
                getattr(cells, f"bias_hh_l0{way}").zero_()


def _plain(arrays: Arrays, name: str) -> NDArray[np.float32]:
    scale = arrays.get(name + SCALE)
    rows = arrays[name].astype(np.float32)
    found: NDArray[np.float32] = rows if scale is None else rows * scale[:, None]
    return found
