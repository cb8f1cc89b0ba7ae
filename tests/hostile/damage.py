"""Ways to damage a model folder, from a flipped bit to lies that fit together. Each takes a folder and a chance."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from plait.learning.store import CHECKED

TEXTS = (
    *("", " ", "\n", "a\tb", "a\nb", "\0", "\x1b[2J", "\x7f", "\ud800", "\u2028", "a b", "_", "=", "|"),
    *("a" * 5000, "é" * 300, "../..", "/dev/zero", "-1", "nan", "S0.form", "\\g<1>", "{0}", "%s"),
    "for X in S0:\n  X.form",
)  # fmt: skip
NUMBERS = (0, 1, -1, 2, 255, 4096, 65535, 2**31, 2**32, -(2**63), 2**64, 10**400, 0.5, -0.0, 1e300, 1e-300)
ODD = (None, True, False, [], {}, [[]], [0], [""], {"": 0}, float("nan"), float("inf"), [[[]]] * 3)
_DTYPES = (np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64, np.float16, np.float32, np.float64)
_HOSTILE_BYTES = (b"\n", b"\t", b"\0", b"\xed\xa0\x80", b"\xff", b"\n\n", b"\\", b"\x1b", b"\xc2\x85", b"\r")
_LABEL_LISTS = ("left", "right", "of_root", "of_words")
_TYPES = ("F8_E5M2", "F8_E4M3", "BF16", "BOOL", "I4", "", "C64", "F99")
Chance = random.Random


def flip_bytes(folder: Path, chance: Chance) -> None:
    path = _file(folder, chance)
    content = bytearray(path.read_bytes())
    # Of a long file mostly the beginning, where more than weights can be hit.
    most = len(content) if chance.random() < 0.3 else min(len(content), 4000)
    for _ in range(chance.choice((1, 1, 3, 20))):
        content[chance.randrange(most)] = chance.randrange(256)
    path.write_bytes(bytes(content))


def cut_and_paste(folder: Path, chance: Chance) -> None:
    path = _file(folder, chance)
    content = path.read_bytes()
    first, last = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    how = chance.randrange(5)
    if how == 0:
        content = content[:first]
    elif how == 1:
        content = content[:first] + content[last:]
    elif how == 2:
        content = content[:last] + content[first:]
    elif how == 3:
        content = content[:first] + chance.choice(_HOSTILE_BYTES) + content[first:]
    else:
        content = chance.randbytes(chance.choice((0, 1, 8, 1000)))
    path.write_bytes(content)


def change_manifest(folder: Path, chance: Chance) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    for _ in range(chance.choice((1, 1, 2, 4))):
        _change(manifest, chance)
    path.write_text(json.dumps(manifest), encoding="utf-8")


def deepen_manifest(folder: Path, chance: Chance) -> None:
    deep = chance.choice(("[", '{"a":')) * chance.choice((10, 500, 5000, 200_000))
    text = (folder / "manifest.json").read_text(encoding="utf-8")
    place = chance.choice((0, chance.randrange(len(text))))
    (folder / "manifest.json").write_text(text[:place] + deep + text[place:], encoding="utf-8")


def grow_manifest(folder: Path, chance: Chance) -> None:
    """Lists that are far longer than they should be, and still make sense."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    size = chance.choice((100, 5000, 70_000))
    names = [f"N{number}" for number in range(size)]
    # What a component has learned stands in its state, what is told of it beside that.
    state = manifest.get("state")
    state = state if isinstance(state, dict) else {}  # another way was here before
    changes: dict[str, Any] = {
        "filter": {"tags": names, "rows": [[0, head, head, 0] for head in range(1, size)]},
        "labels": {"names": names} | {each: [*range(size)] for each in _LABEL_LISTS},
        "tags": [[name, "_", "_"] for name in names],
        "columns": names,
        "silent": names,
        "parts": {"sibling": "\n".join(f"H.feats.F{i}" for i in range(size))},
        "features": chance.choice(
            (
                "for X in " + ", ".join(f"S{i % 10}.form" for i in range(size)) + ":\n" + "  X\n" * size,
                "\n".join(f"W{i:+}.form" for i in range(size)),
                "\n".join(f"T-{1 + i % 3}.feats.F{i}" for i in range(size)),
                "\n".join(f"S0.feats.F{i}" for i in range(size)),
                "S0" + ".left1" * size + ".form",
            )
        ),
        "history": [*islice(cycle(manifest.get("history") or [0]), size)],
        "scores": dict.fromkeys(names, 1.0),
    }
    names = [name for name in changes if manifest.get(name) or state.get(name)] or ["scores"]
    name = "filter" if "filter" in names and chance.random() < 0.5 else chance.choice(names)
    place = state if name in state else manifest
    several = name == "features" and isinstance(place[name], dict)  # lists of templates, each a text
    place[name] = dict.fromkeys(place[name], changes["parts"]["sibling"]) if several else changes[name]
    path.write_text(json.dumps(manifest), encoding="utf-8")


def change_config(folder: Path, chance: Chance) -> None:
    path = folder / "config.toml"
    lines = path.read_text(encoding="utf-8").splitlines()
    for _ in range(chance.choice((1, 1, 3))):
        place = chance.randrange(len(lines))
        name, equals, _ = lines[place].partition(" = ")
        value = chance.choice(
            (*map(repr, NUMBERS), "true", "nan", "[]", "{}", '"x"', '"\\u0000"', "9" * 5000, "[" * 999)
        )
        how = chance.randrange(4)
        lines[place] = (
            f"{name} = {value}"
            if equals and how
            else chance.choice(("", "[x]", lines[-1], "\x01", "a." * 999))
        )
    path.write_text("\n".join(lines), encoding="utf-8")


def change_tensors(folder: Path, chance: Chance) -> None:
    path = folder / "weights.safetensors"
    tensors = load_file(path)
    for _ in range(chance.choice((1, 1, 2))):
        name = chance.choice(sorted(tensors))
        tensors[name] = np.ascontiguousarray(_other(tensors, name, chance))
        if chance.random() < 0.2:
            tensors[chance.choice((name, *TEXTS[4:], "filled"))[:99]] = tensors.pop(name)
    try:
        save_file(
            {name.encode("utf-8", "replace").decode(): tensor for name, tensor in tensors.items()}, path
        )
    except SafetensorError:
        path.write_bytes(b"")


def change_texts(folder: Path, chance: Chance) -> None:
    """Bytes within lists of texts, and within the JSON of multiword tokens."""
    path = folder / "weights.safetensors"
    tensors = load_file(path)
    names = [name for name, tensor in sorted(tensors.items()) if _is_text(tensor)]
    if not names:
        return change_manifest(folder, chance)
    name = chance.choice(names)
    content = tensors[name].tobytes()
    if content.startswith(b"{"):
        known = json.loads(content)
        for _ in range(chance.choice((1, 2, 5))):
            _change(known, chance)
        content = json.dumps(known).encode()
    else:
        for _ in range(chance.choice((1, 1, 4))):
            place = chance.randrange(len(content) + 1)
            content = content[:place] + chance.choice(_HOSTILE_BYTES) + content[place + chance.randrange(3) :]
    tensors[name] = np.frombuffer(content, np.uint8)
    save_file(tensors, path)
    return None


def poison_texts(folder: Path, chance: Chance) -> None:
    """The same poison in all texts of a list, so that some of it would come out."""
    path = folder / "weights.safetensors"
    tensors = load_file(path)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    lists = [name for name, tensor in sorted(tensors.items()) if _is_text(tensor)]
    state = manifest.get("state") or {}
    lists += [name for name, value in state.items() if value and isinstance(value, dict | list)]
    if not lists:
        return change_manifest(folder, chance)
    name = chance.choice(lists)
    poison = chance.choice(TEXTS)
    if name in state:
        state[name] = _poisoned(state[name], poison)
        (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        return None
    content = tensors[name].tobytes()
    if content.startswith(b"{"):
        changed = json.dumps(_poisoned(json.loads(content), poison)).encode()
    else:
        how = chance.choice((b"%b%b", b"%.0b%b"))  # after the text, or in its place
        dose = poison.encode("utf-8", "surrogatepass")
        changed = b"".join(how % (line, dose) + b"\n" for line in content.split(b"\n")[:-1])
    tensors[name] = np.frombuffer(changed, np.uint8)
    save_file(tensors, path)
    return None


def change_header(folder: Path, chance: Chance) -> None:
    """The header of the tensors: types, shapes and places that do not fit."""
    path = folder / "weights.safetensors"
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    name = chance.choice(sorted(header))
    entry = header[name]
    how = chance.randrange(4)
    if how == 0:
        entry["dtype"] = chance.choice(_TYPES)
    elif how == 1:
        entry["shape"] = chance.choice(
            ([], [0], [-1], [2**63], [2**32, 2**32], entry["shape"] * 2, [1, *entry["shape"]])
        )
    elif how == 2:
        entry["data_offsets"] = chance.choice(([0, 0], [0, 2**63], [5, 1], [0, size], []))
    else:
        _change(header, chance)
    changed = json.dumps(header).encode()
    length = chance.choice((len(changed), len(changed), len(changed), 2**63, 0, len(content)))
    path.write_bytes(length.to_bytes(8, "little") + changed + content[8 + size :])


def put_something_else(folder: Path, chance: Chance) -> None:
    """Pipes, devices, folders and links in the place of files."""
    names = [*CHECKED, "SHA256SUMS", "README.md", *(each.name for each in folder.iterdir() if each.is_dir())]
    path = folder / chance.choice(names)
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    make: Callable[[], Any] = chance.choice(
        (
            lambda: os.mkfifo(path),
            lambda: path.mkdir(),
            lambda: path.symlink_to(
                chance.choice(("/dev/zero", "/dev/full", path.name, ".", "..", "/proc/self/mem"))
            ),
            lambda: path.write_bytes(b""),
            lambda: None,
            lambda: _fill(path, chance.choice((1 << 24, 1 << 34))),
        )
    )
    make()


def mix_models(folder: Path, chance: Chance) -> None:
    """A file of another model."""
    others = [path for path in folder.parents[0].rglob("manifest.json") if path.parent != folder]
    others += [path for path in folder.rglob("manifest.json") if path.parent != folder]
    if others:
        name = chance.choice(CHECKED)
        source = chance.choice(sorted(others)).with_name(name)
        if source.is_file():
            shutil.copy(source, folder / name)


WAYS: tuple[Callable[[Path, Chance], None], ...] = (
    *(
        flip_bytes,
        cut_and_paste,
        change_manifest,
        change_manifest,
        deepen_manifest,
        grow_manifest,
        change_config,
    ),
    *(
        change_tensors,
        change_texts,
        poison_texts,
        poison_texts,
        change_header,
        put_something_else,
        mix_models,
    ),
)


def _fill(path: Path, size: int) -> None:
    """So many zeros, which take no space."""
    with path.open("wb") as stream:
        stream.truncate(size)


def _file(folder: Path, chance: Chance) -> Path:
    return chance.choice(
        [path for path in sorted(folder.iterdir()) if path.is_file() and path.stat().st_size]
    )


def _change(value: Any, chance: Chance) -> None:
    """Walk down to somewhere, and change what is there."""
    while True:
        keys = sorted(value) if isinstance(value, dict) else range(len(value))
        if not keys:
            return
        key = chance.choice(keys)
        if not isinstance(value[key], dict | list) or not value[key] or chance.random() < 0.15:
            break
        value = value[key]
    how = chance.randrange(8)
    if how == 0:
        del value[key]
    elif how == 1 and isinstance(value, list):
        value.insert(key, value[chance.randrange(len(value))])
    elif how == 1:
        value[chance.choice(TEXTS)] = value[key]
    elif how == 2:
        value[key] = [value[key]]
    elif how == 3 and isinstance(value[key], str):
        place = chance.randrange(len(value[key]) + 1)
        value[key] = value[key][:place] + chance.choice(TEXTS) + value[key][place:]
    elif how == 4 and isinstance(value[key], int | float):
        number = value[key]
        real = float(max(-1e300, min(number, 1e300)))
        value[key] = chance.choice((number + 1, number - 1, -number, real, str(number)))
    else:
        value[key] = chance.choice(chance.choice((TEXTS, NUMBERS, ODD)))


def _poisoned(value: Any, poison: str) -> Any:
    """With all texts but the names of entries changed."""
    if isinstance(value, dict):
        return {name: _poisoned(each, poison) for name, each in value.items()}
    if isinstance(value, list):
        return [_poisoned(each, poison) for each in value]
    return (poison and value + poison) if isinstance(value, str) else value


def _other(tensors: dict[str, Any], name: str, chance: Chance) -> Any:
    tensor = tensors[name]
    how = chance.randrange(8)
    if how == 0:
        return tensor.astype(chance.choice(_DTYPES))
    if how == 1:
        return tensor[: chance.randrange(len(tensor) + 1)]
    if how == 2:
        return np.concatenate([tensor, tensor])
    if how == 3:
        return tensor.reshape(1, -1) if chance.random() < 0.5 else tensor.reshape(-1, 1)
    if how == 4 and tensor.dtype.kind == "f" and len(tensor):
        changed = tensor.copy()
        changed[chance.randrange(len(changed))] = chance.choice((np.nan, np.inf, -np.inf, 3e38))
        return changed
    if how == 5:
        return np.full_like(tensor, chance.choice((0, 1, 120)))
    if how == 6:
        return tensors[chance.choice(sorted(tensors))]
    return (
        tensor[np.array([chance.randrange(len(tensor)) for _ in tensor[:10_000]], np.int64)]
        if len(tensor)
        else tensor
    )


def _is_text(tensor: Any) -> bool:
    if tensor.dtype != np.uint8 or tensor.ndim != 1 or not tensor.size:
        return False
    return re.match(rb"\{\"|[^\n]+\n", tensor.tobytes()) is not None and tensor.tobytes().endswith(
        (b"\n", b"}")
    )
