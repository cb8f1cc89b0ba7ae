"""A pretrained encoder of the BERT family by the names of the run time, from those it has in its file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait.components.neural.pieces import Pieces, read_pieces
from plait.errors import InputError

Floats = NDArray[np.float32]
_BUCKET_SPAN = 128  # from this distance on all are alike


@dataclass(frozen=True, slots=True)
class Family:
    """Names of arrays in a layer: query, key and value, the output of attention, and the norm after it."""

    qkv: tuple[str, str, str]
    out: str
    norm: str
    skipped: int  # places before the first one


_FAMILIES = {
    "bert": Family(
        ("attention.self.query", "attention.self.key", "attention.self.value"),
        "attention.output.dense",
        "attention.output.LayerNorm",
        0,
    ),
    "mpnet": Family(
        ("attention.attn.q", "attention.attn.k", "attention.attn.v"),
        "attention.attn.o",
        "attention.LayerNorm",
        2,
    ),
}


def check_config(config: Mapping[str, Any], where: str) -> None:
    """InputError for an encoder that the run time cannot compute: before it is trained, not afterwards."""
    kind = config.get("model_type")
    if kind not in _FAMILIES:
        known = " and ".join(_FAMILIES)
        raise InputError(f"{where}: the encoder is of the kind '{kind}'; Plait can run {known}.")
    for name, usual in (("hidden_act", "gelu"), ("position_embedding_type", "absolute")):
        if config.get(name, usual) != usual:
            raise InputError(f"{where}: '{name}' is '{config[name]}'; Plait can run '{usual}' only.")


def check_encoder(folder: Path) -> None:
    """InputError for a folder with another kind of encoder, or of pieces."""
    check_config(_json(folder / "config.json"), str(folder))
    pieces_in(folder)


def pieces_in(folder: Path) -> Pieces:
    path = folder / "tokenizer.json"
    try:
        return read_pieces(_json(path))
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: {error}.") from None


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"{path}: not a table.")
    return found


def encoder_arrays(
    config: Mapping[str, Any], state: Mapping[str, Floats]
) -> Iterator[tuple[str, Floats, bool]]:
    """Names, arrays, and whether each is a matrix."""
    family = _FAMILIES[config["model_type"]]
    places = state["embeddings.position_embeddings.weight"][family.skipped :]
    if family.skipped == 0:  # every word is of the first of two kinds of sentences
        places = places + state["embeddings.token_type_embeddings.weight"][0]
    yield "encoder.words", state["embeddings.word_embeddings.weight"], True
    yield "encoder.places", places, True
    yield from _norm("encoder.ln", state, "embeddings.LayerNorm")
    for number in range(config["num_hidden_layers"]):
        own, at = f"encoder.layer.{number}.", f"encoder{number}."
        for part in ("weight", "bias"):
            rows = np.concatenate([state[f"{own}{name}.{part}"] for name in family.qkv])
            yield f"{at}qkv_{part[0]}", rows, part == "weight"
        yield from _linear(at + "out_", state, own + family.out)
        yield from _norm(at + "ln1", state, own + family.norm)
        yield from _linear(at + "ff1_", state, own + "intermediate.dense")
        yield from _linear(at + "ff2_", state, own + "output.dense")
        yield from _norm(at + "ln2", state, own + "output.LayerNorm")
    shares = state.get("encoder.relative_attention_bias.weight")
    if shares is not None:
        yield "encoder.distances", shares[distance_buckets(len(places), len(shares))].T.copy(), False


def distance_buckets(places: int, buckets: int) -> NDArray[np.int64]:
    """Of every distance from a query to a key, from the furthest before it on: small ones have a bucket of their own,
    greater ones share it with others in a range that grows with them (Raffel et al. 2020, section 2.1).
    """
    away = np.arange(-places + 1, places)
    half = buckets // 2
    exact = half // 2
    size = np.abs(away)
    with np.errstate(divide="ignore"):
        steps = np.log(size.astype(np.float32) / np.float32(exact)) / np.log(_BUCKET_SPAN / exact)
    far = exact + np.where(size < exact, 0, steps * (half - exact)).astype(np.int64)
    found: NDArray[np.int64] = np.where(size < exact, size, np.minimum(far, half - 1)) + half * (away > 0)
    return found


def _linear(name: str, state: Mapping[str, Floats], own: str) -> Iterator[tuple[str, Floats, bool]]:
    yield name + "w", state[own + ".weight"], True
    yield name + "b", state[own + ".bias"], False


def _norm(name: str, state: Mapping[str, Floats], own: str) -> Iterator[tuple[str, Floats, bool]]:
    yield name + "_g", state[own + ".weight"], False
    yield name + "_b", state[own + ".bias"], False
