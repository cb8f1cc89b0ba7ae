"""Models whose arrays and numbers lie, one after the other, with checksums that are right."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file
from safetensors.numpy import save as to_bytes

from signing import sign

_VALUES: tuple[Any, ...] = (0, "", None)
_Keys = tuple[str | int, ...]


def forged(model: Path, place: Path) -> Iterator[str]:
    """Puts one forgery after the other into a place; tells what it is."""
    shutil.copytree(model, place)
    for manifest in sorted(model.rglob("manifest.json")):
        inside = manifest.parent.relative_to(model)
        weights = manifest.with_name("weights.safetensors")
        tensors = load_file(weights)
        for name, tensor in tensors.items():
            for how, other in _others(tensor).items():
                yield from _with(
                    weights, place / inside, to_bytes(tensors | {name: other}), f"{name} is {how}"
                )
        text = manifest.read_text(encoding="utf-8")
        for keys in list(_leaves(json.loads(text).get("state"), ("state",))):
            for value in _VALUES:
                told = json.loads(text)
                _put(told, keys, value)
                yield from _with(manifest, place / inside, json.dumps(told).encode(), f"{keys} is {value!r}")
    shutil.rmtree(place)


def _with(whole: Path, place: Path, content: bytes, told: str) -> Iterator[str]:
    """One file of a model with another content, as long as it is looked at."""
    (place / whole.name).write_bytes(content)
    sign(place)
    yield f"{place.name}: {told}"
    for name in (whole.name, "SHA256SUMS"):
        shutil.copyfile(whole.with_name(name), place / name)


def _others(tensor: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
    most: Any = np.iinfo(tensor.dtype).max if tensor.dtype.kind in "iu" else 1e30
    return {
        "zero": np.zeros_like(tensor),
        "as large as can be": np.full_like(tensor, most),
        "the other way round": tensor[::-1].copy(),
        "empty": tensor[:0],
    }


def _leaves(value: Any, keys: _Keys) -> Iterator[_Keys]:
    """Where single values stand; of a list the first and the last."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _leaves(each, (*keys, name))
    elif isinstance(value, list):
        for place in sorted({0, len(value) - 1}) if value else ():
            yield from _leaves(value[place], (*keys, place))
    else:
        yield keys


def _put(value: Any, keys: _Keys, new: Any) -> None:
    for key in keys[:-1]:
        value = value[key]
    value[keys[-1]] = new
