"""What models take of the memory: in proportion to their files, whoever made them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from model_memory import most, peak
from nets import CLASSES, LETTERS, SHAPES, WORDS, make_net, neural_of
from plait.components.neural.model import Model, Net
from plait.components.neural.shape import NetShape
from plait.features.texts import pack_texts
from signing import sign
from toy import toy

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is told there")
PACKAGED = Path(__file__).parents[2] / "src" / "plait" / "models"
TOO_MUCH = "the model would take far more memory than its files"
Tensors = dict[str, np.ndarray[Any, Any]]


def save(folder: Path, shape: NetShape = SHAPES["spelt sru"]) -> Path:
    letters = LETTERS if shape.spelling == "characters" else None
    neural_of(Model(CLASSES, [Net(shape, WORDS, make_net(1, shape=shape), letters)])).save(folder)
    return folder


def change(folder: Path, change_tensors: Callable[[Tensors], Tensors], **state: Any) -> None:
    """Other arrays and another state, signed."""
    path = folder / "weights.safetensors"
    save_file(change_tensors(load_file(path)), path)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["state"] |= state
    (folder / "manifest.json").write_text(json.dumps(manifest, separators=(",", ":")))
    sign(folder)


def many_letters(folder: Path) -> None:
    """Nets whose letters add something to thousands of channels: as a table, gigabytes."""
    letters, channels, nets = 910, 4096, 12

    def enlarge(tensors: Tensors) -> Tensors:
        own = {name.removeprefix("net0."): tensor for name, tensor in tensors.items()}
        own["letters"] = pack_texts([chr(0x4E00 + number) for number in range(letters - 4)])
        own["embed.letters"] = np.ones((letters, 1), np.int8)
        own["embed.letters.scale"] = np.ones(letters, np.float32)
        for width in (2, 3, 4):
            own[f"spell.conv{width}_w"] = np.ones((channels, width), np.int8)
            own[f"spell.conv{width}_w.scale"] = np.ones(channels, np.float32)
            own[f"spell.conv{width}_b"] = np.zeros(channels, np.float32)
        own["spell.out_w"] = np.ones((len(own["spell.out_w"]), 3 * channels), np.int8)
        return {f"net{number}.{name}": tensor for number in range(nets) for name, tensor in own.items()}

    manifest = json.loads((folder / "manifest.json").read_text())
    change(folder, enlarge, nets=manifest["state"]["nets"] * nets)


def many_words(folder: Path) -> None:
    forms = ["".join(pair) for pair in product(map(chr, range(0x4E00, 0x4E00 + 700)), repeat=2)]

    def enlarge(tensors: Tensors) -> Tensors:
        width = tensors["net0.embed.words"].shape[1]
        return tensors | {
            "net0.words": pack_texts(forms),
            "net0.embed.words": np.zeros((len(forms) + 1, width), np.int8),
            "net0.embed.words.scale": np.ones(len(forms) + 1, np.float32),
        }

    change(folder, enlarge)


def many_arrays(folder: Path) -> None:
    change(folder, lambda tensors: tensors | {f"z{i}": np.zeros(0, np.int8) for i in range(100_000)})


def many_values(piece: object) -> Callable[[Path], None]:
    def enlarge(folder: Path) -> None:
        pieces = [piece] * (8_000_000 // len(json.dumps(piece)))
        change(folder, lambda tensors: tensors, unknown=pieces)

    return enlarge


@pytest.mark.parametrize(
    ("enlarge", "message"),
    [
        (many_letters, "loaded"),
        (many_words, "loaded"),
        (many_arrays, TOO_MUCH),
        *((many_values(piece), TOO_MUCH) for piece in ([], {}, {"a": 0}, 1000, [[0]])),
    ],
    ids=["letters", "words", "arrays", "lists", "tables", "entries", "numbers", "lists of lists"],
)
def test_a_model_that_was_made_to_be_large_is_not(
    enlarge: Callable[[Path], None], message: str, tmp_path: Path
) -> None:
    small, model = save(tmp_path / "small"), save(tmp_path / "model")
    enlarge(model)
    memory, told = peak(model, small)
    assert message in told
    assert memory <= most(model), f"{memory:,} bytes"


@pytest.mark.parametrize("name", ["en", "en-fast", "en-say"])
def test_models_of_the_package_are_no_larger_than_is_promised(name: str, tmp_path: Path) -> None:
    model = PACKAGED / name
    memory, told = peak(model, save(tmp_path / "small"))
    assert told == "loaded"
    assert memory <= most(model), f"{memory:,} bytes"


def test_letters_without_a_table_say_the_same() -> None:
    """A net that knows far more letters than it has weights adds what each of them adds when it is asked."""
    shape = SHAPES["spelt sru"]
    arrays = make_net(1, shape=shape)
    few = Net(shape, WORDS, arrays, LETTERS)
    more = type(LETTERS)([*LETTERS.known, *(chr(0x4E00 + number) for number in range(5000))])
    rows = np.zeros((5000, arrays["embed.letters"].shape[1]), np.int8)
    arrays["embed.letters"] = np.concatenate([arrays["embed.letters"], rows])
    arrays["embed.letters.scale"] = np.concatenate([arrays["embed.letters.scale"], np.ones(5000, np.float32)])
    many = Net(shape, WORDS, arrays, more)
    for sentence in toy(5):
        found = [Model(CLASSES, [net]).run([sentence], price=0.0, vectors=True) for net in (few, many)]
        assert found[0] == found[1]
        assert (found[0].vectors == found[1].vectors).all()
