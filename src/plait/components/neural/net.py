"""The whole net: words, layers, tags, trees; the layers recurrent, or those of a pretrained encoder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from plait.components.neural.corpus import COLUMNS
from plait.components.neural.heads import IMPOSSIBLE, Attention, Biaffine, Fed, Tags, mean_loss
from plait.components.neural.inputs import CharWords, GramWords, Lexicon
from plait.components.neural.lstm import run_lstm
from plait.components.neural.recurrence import Columns, Recurrent


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """`body` is `sru`, `lstm` or `encoder`; `spelling` is `grams` or `characters`. Tags are read off after layer
    `tag_layer`; with `feed` they are input of the next one. `unseen` is the share of words hidden from the net.
    """

    body: str = "sru"
    spelling: str = "grams"
    layers: int = 3
    width: int = 256
    tag_layer: int = 2
    feed: bool = False
    attention: bool = True
    word_dim: int = 96
    part_dim: int = 192
    buckets: int = 30_000
    arc: int = 200
    label: int = 64
    dropout: float = 0.1
    input_dropout: float = 0.1
    unseen: float = 0.1


class Batch(NamedTuple):
    """Sentences of about the same length. `ids` and `mask` are squares (sentence, place); everything else has a row for
    each word: its `sentence`, its `place` in the flattened square, its `heads` with their `shares`, its classes.
    """

    ids: Tensor
    mask: Tensor
    sentence: Tensor
    place: Tensor
    heads: Tensor
    shares: Tensor
    targets: dict[str, Tensor]


class Found(NamedTuple):
    """Of every word: logits of tags, scores of heads, and what its label is scored from."""

    tags: dict[str, Tensor]
    arcs: Tensor
    label_dep: Tensor
    label_head: Tensor


class RecurrentBody(nn.Module):
    """Recurrent layers, of either kind, with the tags between them."""

    def __init__(self, shape: Shape, inputs: int, sizes: dict[str, int]) -> None:
        super().__init__()
        self.shape = shape
        self.tags = Tags(shape.width, inputs, sizes, shape.dropout)
        self.fed = Fed(sizes) if shape.feed else None
        layers: list[nn.Module] = []
        for number in range(shape.layers):
            before = inputs if number == 0 else shape.width
            if self.fed is not None and number == shape.tag_layer:
                before += self.fed.width
            make = Recurrent if shape.body == "sru" else Lstm
            layers.append(make(before, shape.width, shape.dropout))
        self.layers = nn.ModuleList(layers)
        self.attention = Attention(shape.width, shape.dropout) if shape.attention else None
        self.final = nn.LayerNorm(shape.width)

    def forward(self, plain: Tensor, mask: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        x = plain
        tags: dict[str, Tensor] = {}
        for number, layer in enumerate(self.layers, 1):
            x = layer(x, mask)
            if number == self.shape.tag_layer:
                tags = self.tags(x, plain)
                if self.fed is not None:
                    x = torch.cat([x, self.fed(tags).to(x.dtype)], -1)
        if self.attention is not None:
            x = self.attention(x, mask)
        return self.final(x), tags


class Lstm(nn.Module):
    """One layer in both directions."""

    def __init__(self, inputs: int, width: int, dropout: float) -> None:
        super().__init__()
        self.cells = nn.LSTM(inputs, width // 2, batch_first=True, bidirectional=True)
        self.dropout = Columns(dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        if not x.is_cuda:
            return run_lstm(self.cells, self.dropout(x), mask)
        lengths = mask.sum(1).cpu()
        with torch.autocast(x.device.type, enabled=False):
            dropped = self.dropout(x).float()
            packed = pack_padded_sequence(dropped, lengths, batch_first=True, enforce_sorted=False)
            found, _ = pad_packed_sequence(self.cells(packed)[0], batch_first=True, total_length=x.shape[1])
        return found


class Net(nn.Module):
    """Reads words, and nothing else."""

    def __init__(
        self, shape: Shape, words: GramWords | CharWords, body: nn.Module, labels: int, width: int
    ) -> None:
        super().__init__()
        self.shape = shape
        self.words = words
        self.body = body
        self.trees = Biaffine(width, shape.arc, shape.label, labels, shape.dropout)
        self.dropout = Columns(shape.dropout)

    def forward(self, ids: Tensor, mask: Tensor, lexicon: Lexicon) -> Found:
        plain = self.words(ids, lexicon)
        if hasattr(self.body, "read"):  # an encoder has pieces of its own
            h, tags = self.body.read(ids, mask, lexicon, plain)
        else:
            h, tags = self.body(plain, mask)
        return Found(tags, *self.trees(self.dropout(h), mask))

    def loss(self, batch: Batch, lexicon: Lexicon, smoothing: float = 0.0) -> Tensor:
        """The sum of six cross-entropies; `smoothing` is the share of those heads and classes that are not right."""
        found = self(batch.ids, batch.mask, lexicon)
        arcs = functional.log_softmax(found.arcs.flatten(0, 1)[batch.place], -1)
        total = -(arcs.gather(1, batch.heads) * batch.shares).sum() / len(arcs)
        if smoothing:
            possible = arcs > IMPOSSIBLE / 2
            others = -(arcs.where(possible, 0.0).sum(-1) / possible.sum(-1)).mean()
            total = (1 - smoothing) * total + smoothing * others
        labels = self.label_logits(found, batch, batch.heads[:, 0])
        total = total + mean_loss(labels, batch.targets["label"], smoothing)
        for name in COLUMNS:
            logits = found.tags[name].flatten(0, 1)[batch.place]
            total = total + mean_loss(logits, batch.targets[name], smoothing)
        return total

    def label_logits(self, found: Found, batch: Batch, heads: Tensor) -> Tensor:
        """Of every word under its head."""
        width = batch.mask.shape[1] + 1
        dependents = found.label_dep.flatten(0, 1)[batch.place]
        above = found.label_head.flatten(0, 1)[batch.sentence * width + heads]
        return self.trees.labels(dependents, above)

    def groups(self, rate: float, decay: float, encoder_rate: float) -> Iterator[dict[str, object]]:  # noqa: ARG002
        """Parameters with the step and the decay of each: none for biases and norms."""
        own = [
            parameter for name, parameter in self.named_parameters() if not name.startswith("body.encoder.")
        ]
        for which, amount in ((True, decay), (False, 0.0)):
            chosen = [parameter for parameter in own if (parameter.dim() > 1) == which]
            yield {"params": chosen, "lr": rate, "weight_decay": amount}


def recurrent_net(shape: Shape, words: GramWords | CharWords, sizes: dict[str, int]) -> Net:
    body = RecurrentBody(shape, words.width, sizes)
    return Net(shape, words, body, sizes["label"], shape.width)
