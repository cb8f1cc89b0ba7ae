"""What is read off the vectors of words: tags, arcs, labels; and the attention before them."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from plait.components.neural.corpus import COLUMNS, NOT_LEARNED
from plait.components.neural.recurrence import Columns

_HEADS = 8
_ROTARY_BASE = 1000.0
_SLOPE = 0.1
IMPOSSIBLE = -1e9


class Tags(nn.Module):
    """UPOS, XPOS, whole FEATS and lemma script of a word."""

    def __init__(
        self, inputs: int, plain: int, sizes: dict[str, int], dropout: float, hidden: int = 256
    ) -> None:
        super().__init__()
        self.ln = nn.LayerNorm(inputs)
        self.w = nn.Linear(inputs + plain, hidden)
        self.out = nn.ModuleDict({name: nn.Linear(hidden, sizes[name]) for name in COLUMNS})
        self.dropout = Columns(dropout)

    def forward(self, h: Tensor, plain: Tensor) -> dict[str, Tensor]:
        seen = torch.cat([self.dropout(self.ln(h)), plain.to(h.dtype)], -1)
        hidden = self.dropout(functional.gelu(self.w(seen), approximate="tanh"))
        return {name: self.out[name](hidden) for name in COLUMNS}


class Fed(nn.Module):
    """Tags as further input: vectors of all classes of a column, weighted by their probabilities."""

    def __init__(self, sizes: dict[str, int], width: int = 64) -> None:
        super().__init__()
        self.width = 3 * width
        self.vectors = nn.ModuleDict(
            {name: nn.Linear(sizes[name], width, bias=False) for name in COLUMNS[:3]}
        )

    def forward(self, logits: dict[str, Tensor]) -> Tensor:
        return torch.cat([self.vectors[name](logits[name].float().softmax(-1)) for name in COLUMNS[:3]], -1)


class Attention(nn.Module):
    """One layer, with places as rotations (Su et al. 2021), and its feed-forward net."""

    def __init__(self, width: int, dropout: float) -> None:
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.ff1, self.ff2 = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.dropout = Columns(dropout)
        self.size = width // _HEADS

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        sentences, length, width = x.shape
        shaped = self.qkv(self.ln1(x)).view(sentences, length, 3, _HEADS, self.size)
        q, k, v = shaped.permute(2, 0, 3, 1, 4)
        q, k = rotated(q), rotated(k)
        mixed = functional.scaled_dot_product_attention(q, k, v.to(q.dtype), attn_mask=mask[:, None, None, :])
        x = x + self.dropout(self.out(mixed.transpose(1, 2).reshape(sentences, length, width)))
        hidden = functional.gelu(self.ff1(self.ln2(x)), approximate="tanh")
        return x + self.dropout(self.ff2(self.dropout(hidden)))


def rotated(x: Tensor) -> Tensor:
    """Pairs of neighbours turned by an angle that grows with the place."""
    length, size = x.shape[-2:]
    steps = torch.arange(0, size, 2, device=x.device, dtype=torch.float32) / size
    angles = torch.arange(length, device=x.device)[:, None] * _ROTARY_BASE**-steps
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(-2)


class Biaffine(nn.Module):
    """Scores of all arcs, and of labels for given ones (Dozat and Manning 2017)."""

    def __init__(self, width: int, arc: int, label: int, labels: int, dropout: float) -> None:
        super().__init__()
        self.root = nn.Parameter(torch.randn(width) * 0.1)
        self.arc_dep, self.arc_head = nn.Linear(width, arc), nn.Linear(width, arc)
        self.u = nn.Parameter(torch.randn(arc, arc) / arc)
        self.v = nn.Parameter(torch.zeros(arc))
        self.label_dep, self.label_head = nn.Linear(width, label), nn.Linear(width, label)
        self.m = nn.Parameter(torch.randn(labels, label, label) / label)
        self.p = nn.Linear(2 * label, labels)
        self.dropout = Columns(dropout)

    def forward(self, h: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Scores of arcs (sentence, word, head), and what labels are scored from."""
        root = self.root.to(h.dtype).expand(len(h), 1, -1)
        places = torch.cat([root, h], 1)
        dependents = self._project(self.arc_dep, h)
        heads = self._project(self.arc_head, places)
        scores = (dependents @ self.u.to(h.dtype) @ heads.transpose(1, 2)).float()
        scores = scores + (heads @ self.v.to(heads.dtype)).float()[:, None, :]
        length = h.shape[1]
        itself = torch.eye(length, length + 1, device=h.device, dtype=torch.bool).roll(1, 1)
        possible = functional.pad(mask, (1, 0), value=True)[:, None, :] & ~itself
        scores = scores.masked_fill(~possible, IMPOSSIBLE)
        return scores, self._project(self.label_dep, h), self._project(self.label_head, places)

    def labels(self, dependents: Tensor, heads: Tensor) -> Tensor:
        """Of words and their heads, one beside the other."""
        at = torch.einsum("wd,lde->wle", dependents, self.m.to(dependents.dtype))
        joint = torch.einsum("wle,we->wl", at, heads)
        found: Tensor = joint.float() + self.p(torch.cat([dependents, heads], -1)).float()
        return found

    def _project(self, layer: nn.Module, x: Tensor) -> Tensor:
        found: Tensor = self.dropout(functional.leaky_relu(layer(x), _SLOPE))
        return found


def mean_loss(logits: Tensor, gold: Tensor, smoothing: float = 0.0) -> Tensor:
    """Cross-entropy over those words whose class is known."""
    known = (gold != NOT_LEARNED).sum().clamp(min=1)
    total = functional.cross_entropy(
        logits.float(), gold, ignore_index=NOT_LEARNED, reduction="sum", label_smoothing=smoothing
    )
    return total / known
