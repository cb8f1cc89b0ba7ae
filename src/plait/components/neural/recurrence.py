"""The recurrent layer: c_t = f_t c_(t-1) + (1 - f_t) u_t in each unit by itself (Lei et al. 2018), half of them
each way.

Nothing but these products is sequential, so that a GPU finds all c in log(length) steps, and a CPU in one plain loop.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


class _Scan(torch.autograd.Function):
    """x_t = f_t x_(t-1) + u_t. Its gradient is the same recurrence from the other end."""

    @staticmethod
    def forward(ctx: Any, forget: Tensor, update: Tensor) -> Tensor:
        found = _scan(forget, update)
        ctx.save_for_backward(forget, found)
        return found

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor]:
        forget, found = ctx.saved_tensors
        next_forget = functional.pad(forget[:, 1:], (0, 0, 0, 1))
        update = _scan(next_forget.flip(1), gradients[0].flip(1)).flip(1)
        before = functional.pad(found[:, :-1], (0, 0, 1, 0))
        return update * before, update


def scan(forget: Tensor, update: Tensor) -> Tensor:
    """Over the second of three dimensions: sentences, words, units."""
    found: Tensor = _Scan.apply(forget, update)
    return found


def _scan(forget: Tensor, update: Tensor) -> Tensor:
    return by_doubling(forget, update) if forget.is_cuda else word_by_word(forget, update)


def word_by_word(forget: Tensor, update: Tensor) -> Tensor:
    found = update.clone()
    for place in range(1, found.shape[1]):
        found[:, place].addcmul_(forget[:, place], found[:, place - 1])
    return found


def by_doubling(forget: Tensor, update: Tensor) -> Tensor:
    """What is known of so many words before becomes known of twice as many (Hillis and Steele 1986)."""
    distance, length = 1, forget.shape[1]
    while distance < length:
        later = torch.addcmul(update[:, distance:], forget[:, distance:], update[:, :-distance])
        update = torch.cat([update[:, :distance], later], 1)
        forget = torch.cat([forget[:, :distance], forget[:, distance:] * forget[:, :-distance]], 1)
        distance *= 2
    return update


class Recurrent(nn.Module):
    """One layer; the mask tells words from what fills up short sentences."""

    def __init__(self, inputs: int, width: int, dropout: float) -> None:
        super().__init__()
        self.ln = nn.LayerNorm(inputs)
        self.conv = nn.Conv1d(inputs, inputs, 3, padding=1, groups=inputs)
        self.w = nn.Linear(inputs, 3 * width)
        self.skip = nn.Linear(inputs, width, bias=False) if inputs != width else nn.Identity()
        self.dropout = Columns(dropout)
        self.each_way = width // 2
        with torch.no_grad():
            spread = torch.linspace(-1, 3, self.each_way)
            self.w.bias[width : 2 * width] = torch.cat([spread, spread])

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        y = self.dropout(self.ln(x)) * mask[..., None]
        z = y + self.conv(y.transpose(1, 2)).transpose(1, 2)
        update, forget, gate = self.w(z).float().chunk(3, -1)
        # Words after the end keep nothing and add nothing, so that the way back begins with 0.
        forget = torch.sigmoid(forget) * mask[..., None]
        added = (1 - forget) * update * mask[..., None]
        half = self.each_way
        forth = (forget[..., :half], added[..., :half])
        back = (forget[..., half:].flip(1), added[..., half:].flip(1))
        cells = scan(torch.cat([forth[0], back[0]], -1), torch.cat([forth[1], back[1]], -1))
        cells = torch.cat([cells[..., :half], cells[..., half:].flip(1)], -1)
        out: Tensor = torch.sigmoid(gate) * torch.tanh(cells) + self.skip(x)
        return out


class Columns(nn.Module):
    """Dropout of the same columns in all words of a sentence (Gal and Ghahramani 2016)."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or self.rate == 0:
            return x
        kept = torch.rand(x.shape[0], 1, x.shape[2], device=x.device, dtype=torch.float32) >= self.rate
        return x * (kept.to(x.dtype) / (1 - self.rate))
