"""A pretrained transformer as the body of a net: pieces averaged per word, a learned mix of layers for tags and one for
trees, and the net's own vectors of words added, since many encoders do not see case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel

from plait.components.neural.heads import Tags
from plait.components.neural.inputs import CharWords, GramWords, Lexicon
from plait.components.neural.net import Net, Shape
from plait.components.neural.pieces import MOST_PIECES
from plait.components.neural.recurrence import Columns
from plait.components.neural.shape import EncoderFacts
from plait.components.neural.transformers import check_encoder, pieces_in
from plait.errors import InputError

_SCALE = ".scale"


class EncoderBody(nn.Module):
    """Layers of a transformer."""

    def __init__(self, folder: Path, shape: Shape, plain: int, sizes: dict[str, int]) -> None:
        super().__init__()
        self.encoder = read_encoder(folder)
        self.pieces = pieces_in(folder)
        config = self.encoder.config
        self.width: int = config.hidden_size
        self.longest: int = config.max_position_embeddings - 2
        self.pad: int = config.pad_token_id
        layers = config.num_hidden_layers + 1
        self.mixes = nn.Parameter(torch.zeros(2, layers))
        self.own = nn.Linear(plain, self.width)
        self.ln = nn.ModuleList([nn.LayerNorm(self.width) for _ in range(2)])
        self.tags = Tags(self.width, plain, sizes, shape.dropout)
        self.dropout = Columns(shape.dropout)
        with torch.no_grad():
            self.mixes[:, -1] = 1.0
            self.own.weight.mul_(0.1)

    def columns(self, types: Sequence[str]) -> dict[str, NDArray[np.int32]]:
        """Pieces of word types, filled up with -1."""
        rows = np.full((len(types) + 1, MOST_PIECES), -1, np.int32)
        for row, form in zip(rows, types, strict=False):
            found = self.pieces.cut(form)
            row[: len(found)] = found
        return {"pieces": rows}

    def facts(self) -> EncoderFacts:
        """What the run time needs to know beside the arrays."""
        config, pieces = self.encoder.config, self.pieces
        return EncoderFacts(
            heads=config.num_attention_heads,
            epsilon=config.layer_norm_eps,
            unknown=pieces.unknown,
            begin=pieces.begin,
            end=pieces.end,
            lowercase=pieces.lowercase,
            accents=pieces.accents,
            signs=pieces.signs,
        )

    def read(
        self, ids: Tensor, mask: Tensor, lexicon: Lexicon, plain: Tensor
    ) -> tuple[Tensor, dict[str, Tensor]]:
        pieces, owners = self._pieces(ids, mask, lexicon["pieces"])
        states = self.encoder(
            input_ids=pieces, attention_mask=(pieces != self.pad).long(), output_hidden_states=True
        ).hidden_states
        stacked = torch.stack(states)  # layer, sentence, piece, column
        mixed = torch.einsum("ml,lspc->mspc", self.mixes.softmax(-1).to(stacked.dtype), stacked).float()
        sentences, length = ids.shape
        own = self.own(plain)
        vectors = []
        ones = torch.ones(owners.numel(), device=ids.device)
        counts = torch.zeros(sentences * length + 1, device=ids.device).index_add(0, owners.flatten(), ones)
        for mix, ln in zip(mixed, self.ln, strict=True):
            sums = torch.zeros(sentences * length + 1, self.width, device=ids.device)
            sums = sums.index_add(0, owners.flatten(), mix.flatten(0, 1))
            means = (sums / counts.clamp(min=1)[:, None])[:-1].view(sentences, length, -1)
            vectors.append(ln(self.dropout(means) + own))
        tags: dict[str, Tensor] = self.tags(vectors[0], plain)
        return vectors[1], tags

    def _pieces(self, ids: Tensor, mask: Tensor, table: Tensor) -> tuple[Tensor, Tensor]:
        """Pieces of all sentences, and the word each belongs to; those that belong to none have a number too many."""
        sentences, length = ids.shape
        found = table[ids].masked_fill(~mask[..., None], -1)
        present = (found >= 0).flatten(1)
        places = present.long().cumsum(1)  # from 1: there is one in front
        longest = min(int(places.max()) + 2, self.longest)
        present = present & (places < longest - 1)
        pieces = torch.full((sentences, longest), self.pad, device=ids.device)
        owners = torch.full((sentences, longest), sentences * length, device=ids.device)
        pieces[:, 0] = self.pieces.begin
        pieces.scatter_(1, (present.sum(1, keepdim=True) + 1), self.pieces.end)
        rows = torch.arange(sentences, device=ids.device)[:, None].expand_as(present)
        words = torch.arange(sentences * length, device=ids.device).view(sentences, length)
        words = words[..., None].expand_as(found).flatten(1)
        pieces[rows[present], places[present]] = found.flatten(1)[present].long()
        owners[rows[present], places[present]] = words[present]
        return pieces, owners


class EncoderNet(Net):
    """A net with such a body."""

    def groups(self, rate: float, decay: float, encoder_rate: float) -> Iterator[dict[str, object]]:
        """The encoder learns in smaller steps, the smaller the lower the layer."""
        yield from super().groups(rate, decay, encoder_rate)
        assert isinstance(self.body, EncoderBody)
        encoder = self.body.encoder
        layers = encoder.config.num_hidden_layers
        rated: dict[int, list[nn.Parameter]] = {}
        for name, parameter in encoder.named_parameters():
            found = [int(part) for part in name.split(".") if part.isdigit()]
            rated.setdefault(found[0] + 1 if found else 0, []).append(parameter)
        for layer, parameters in rated.items():
            step = encoder_rate * 0.9 ** (layers - layer)
            yield {"params": parameters, "lr": step, "weight_decay": decay}


def encoder_net(folder: Path, shape: Shape, words: GramWords | CharWords, sizes: dict[str, int]) -> Net:
    body = EncoderBody(folder, shape, words.width, sizes)
    return EncoderNet(shape, words, body, sizes["label"], body.width)


def read_encoder(folder: Path) -> Any:
    """From `config.json` and `*.safetensors`: floats, or int8 with a scale for every row. Nothing else is read, and
    InputError says what is missing or unknown.
    """
    check_encoder(folder)
    model = AutoModel.from_config(AutoConfig.from_pretrained(folder, local_files_only=True))
    tensors: dict[str, Tensor] = {}
    for path in sorted(folder.glob("*.safetensors")):
        tensors |= load_file(path)
    scales = {name: tensors.pop(name) for name in [*tensors] if name.endswith(_SCALE)}
    state = {}
    for name, tensor in tensors.items():
        scale = scales.get(name + _SCALE)
        state[name] = tensor.float() if scale is None else tensor.float() * scale[:, None]
    missing, _ = model.load_state_dict(state, strict=False)
    lost = [name for name in missing if "pooler" not in name and "position_ids" not in name]
    if lost:
        raise InputError(f"{folder}: no weights for {', '.join(lost[:5])}.")
    if hasattr(model, "pooler"):
        model.pooler = None
    return model


def quantized(folder: Path) -> dict[str, NDArray[Any]]:
    """The tensors of an encoder as int8 with a scale for every row, vectors as float32."""
    found: dict[str, NDArray[Any]] = {}
    for path in sorted(folder.glob("*.safetensors")):
        for name, tensor in load_file(path).items():
            if tensor.dim() != 2 or "pooler" in name:
                if tensor.is_floating_point() and "pooler" not in name:
                    found[name] = tensor.float().numpy()
                continue
            scale = tensor.abs().amax(1).clamp(min=1e-12) / 127
            found[name] = torch.round(tensor / scale[:, None]).to(torch.int8).numpy()
            found[name + _SCALE] = scale.float().numpy()
    return found
