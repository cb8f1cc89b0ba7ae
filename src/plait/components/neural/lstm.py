"""The LSTM layer (Hochreiter and Schmidhuber 1997), both ways at once on a CPU: its weights get their gradient from one
product over all words, where torch takes one for each place.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


class _Cells(torch.autograd.Function):
    """Inputs are gates before the recurrent part is added (place, way, sentence, gate), weights (way, gate, unit) and 1
    for words, 0 for what fills up (place, way, sentence, 1). Gates in torch's order: in, forget, new, out.
    """

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weights: Tensor, mask: Tensor, kind: torch.dtype) -> Tensor:
        places, ways, sentences, size = inputs.shape
        units = size // 4
        turned = weights.to(kind).transpose(1, 2).contiguous()
        gates = inputs.clone()
        cells = inputs.new_zeros(places + 1, ways, sentences, units)
        found = inputs.new_zeros(places + 1, ways, sentences, units)
        for place in range(places):
            at = gates[place]
            at += torch.bmm(found[place].to(kind), turned)
            at[..., : 2 * units].sigmoid_()
            at[..., 2 * units : 3 * units].tanh_()
            at[..., 3 * units :].sigmoid_()
            into, keep, new, out = at.split(units, -1)
            cell = cells[place + 1]
            torch.mul(into, new, out=cell)
            cell.addcmul_(keep, cells[place]).mul_(mask[place])
            torch.mul(out, cell.tanh(), out=found[place + 1])
        ctx.save_for_backward(gates, cells, found, weights, mask)
        ctx.kind = kind
        return found[1:].clone()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, None, None]:
        gates, cells, found, weights, mask = ctx.saved_tensors
        places, ways, sentences, size = gates.shape
        units, kind = size // 4, ctx.kind
        plain = weights.to(kind)
        wanted = torch.empty_like(gates)
        later, later_cell = torch.zeros_like(cells[0]), torch.zeros_like(cells[0])
        for place in reversed(range(places)):
            into, keep, new, out = gates[place].split(units, -1)
            shown = cells[place + 1].tanh()
            above = gradients[0][place] + later
            cell = (above * out * (1 - shown * shown) + later_cell) * mask[place]
            by_in, by_keep, by_new, by_out = wanted[place].split(units, -1)
            torch.mul(cell * new, into * (1 - into), out=by_in)
            torch.mul(cell * cells[place], keep * (1 - keep), out=by_keep)
            torch.mul(cell * into, 1 - new * new, out=by_new)
            torch.mul(above * shown, out * (1 - out), out=by_out)
            later_cell = cell * keep
            later = torch.bmm(wanted[place].to(kind), plain).to(gates.dtype)
        by_way = wanted.transpose(0, 1).reshape(ways, places * sentences, size)
        before = found[:-1].transpose(0, 1).reshape(ways, places * sentences, units)
        change = torch.bmm(by_way.to(kind).transpose(1, 2), before.to(kind)).to(weights.dtype)
        return wanted, change, None, None


def run_lstm(cells: nn.LSTM, x: Tensor, mask: Tensor) -> Tensor:
    """What a layer of torch in both directions finds; places without a word are 0, and nothing comes from them."""
    ways = ("", "_reverse")
    weights = torch.cat([getattr(cells, f"weight_ih_l0{way}") for way in ways])
    biases = [getattr(cells, f"bias_ih_l0{way}") + getattr(cells, f"bias_hh_l0{way}") for way in ways]
    mixed = torch.is_autocast_enabled(x.device.type)
    inputs = functional.linear(x, weights, torch.cat(biases)).to(weights.dtype)
    sentences, length, _ = x.shape
    inputs = inputs.view(sentences, length, 2, -1).permute(1, 2, 0, 3)
    present = mask.t()[:, None, :, None].to(inputs.dtype).expand(length, 2, sentences, 1)
    recurrent = torch.stack([getattr(cells, f"weight_hh_l0{way}") for way in ways])
    kind = torch.bfloat16 if mixed else inputs.dtype
    found: Tensor = _Cells.apply(_second_back(inputs), recurrent, _second_back(present), kind)
    return _second_back(found).permute(2, 0, 1, 3).flatten(2)


def _second_back(x: Tensor) -> Tensor:
    """The second way from its end, or again from its beginning."""
    return torch.stack([x[:, 0], x[:, 1].flip(0)], 1)
