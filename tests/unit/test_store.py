"""Model folders: written whole or not at all, and whatever is wrong with one is said, never executed."""

from __future__ import annotations

import json
import random
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

import plait
from plait import InputError, OutputError, store
from toy import quick_parser, toy


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "toy.plait"
    quick_parser(bits=10, epochs=2).fit(toy(30), dev=toy(10, seed=2)).save(path, licence="CC BY 4.0")
    return path


@pytest.fixture
def copy(model: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(model, tmp_path / "copy.plait"))


def sign(folder: Path) -> None:
    """Make the checksums right again: now only the contents can tell that something is wrong."""
    names = ("manifest.json", "config.toml", "weights.safetensors")
    lines = [f"{sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (folder / "SHA256SUMS").write_text("".join(lines))


def edit(folder: Path, **changes: Any) -> None:
    manifest = json.loads((folder / "manifest.json").read_text()) | changes
    kept = {name: value for name, value in manifest.items() if value is not ...}
    (folder / "manifest.json").write_text(json.dumps(kept))
    sign(folder)


def refusal(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        plait.Parser.load(folder)
    assert str(folder) in str(caught.value)
    return str(caught.value)


def test_a_model_is_a_folder_of_plain_files(model: Path) -> None:
    assert sorted(path.name for path in model.iterdir()) == [
        *("README.md", "SHA256SUMS", "config.toml", "manifest.json", "weights.safetensors"),
    ]
    assert "license: CC BY 4.0" in (model / "README.md").read_text()
    assert store.size(model) == sum(path.stat().st_size for path in model.iterdir())
    manifest = store.read_manifest(model)
    assert (manifest["format"], manifest["kind"], manifest["treebank"]) == (1, "parser", "toy1.conllu")


def test_only_a_model_is_replaced(copy: Path, tmp_path: Path) -> None:
    parser = plait.Parser.load(copy)
    parser.save(copy)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("irreplaceable")
    for path in tmp_path / "mine", tmp_path / "mine" / "thesis.txt":
        with pytest.raises(OutputError, match="something else than a model is there"):
            parser.save(path)
    with pytest.raises(OutputError, match="cannot be written"):
        parser.save(tmp_path / "mine" / "thesis.txt" / "below")
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "irreplaceable"
    assert not list(tmp_path.glob("*.partial"))


def test_what_is_no_model_is_said(tmp_path: Path, copy: Path) -> None:
    assert "there is no such model" in refusal(tmp_path / "nowhere")
    assert "not a model of plait" in refusal(tmp_path)
    edit(copy, kind="tagger")
    assert "this is a 'tagger', not a 'parser'" in refusal(copy)


def test_a_newer_format_names_the_plait_that_reads_it(copy: Path) -> None:
    edit(copy, format=2, plait="9.1")
    assert "has format 2, written by plait 9.1; this plait (" in refusal(copy)
    for number in 0, -1, "1", 1.0, True, None, [1]:
        edit(copy, format=number)
        refusal(copy)


@pytest.mark.parametrize("name", ["manifest.json", "config.toml", "weights.safetensors"])
def test_any_damage_is_noticed(copy: Path, name: str) -> None:
    content = (copy / name).read_bytes()
    chance = random.Random(1)
    for _ in range(60):
        place = chance.randrange(len(content))
        changed = bytearray(content)
        changed[place] ^= 1 << chance.randrange(8)
        for damaged in bytes(changed), content[:place], content[:place] + content[place + 1 :]:
            (copy / name).write_bytes(damaged)
            refusal(copy)
    (copy / name).unlink()
    refusal(copy)


def test_wrong_checksums_are_noticed(copy: Path) -> None:
    content = (copy / "SHA256SUMS").read_text()
    for damaged in content[1:], content.replace("config", "konfig"), "", "\udc80", "0" * 64:
        (copy / "SHA256SUMS").write_text(damaged, encoding="utf-8", errors="surrogateescape")
        refusal(copy)
    (copy / "SHA256SUMS").unlink()
    refusal(copy)


@pytest.mark.parametrize("name", ["manifest.json", "config.toml", "weights.safetensors"])
def test_damage_under_right_checksums_is_an_input_error_or_harmless(copy: Path, name: str) -> None:
    content = (copy / name).read_bytes()
    chance = random.Random(2)
    sentences = toy(5)
    for _ in range(150):
        changed = bytearray(content)
        for _ in range(chance.choice([1, 1, 3])):
            changed[chance.randrange(len(content))] = chance.randrange(256)
        (copy / name).write_bytes(bytes(changed))
        sign(copy)
        try:
            parser = plait.Parser.load(copy)
        except InputError:
            continue
        for sentence in parser.parse(sentences):
            plait.trees.tree_of(sentence)


@pytest.mark.parametrize(
    "changes",
    [
        {"labels": ...},
        {"labels": []},
        {"labels": {"names": ["a"]}},
        {"labels": {"names": ["a"], "left": [], "right": [0], "of_root": [0], "of_words": [0]}},
        {"labels": {"names": ["a"], "left": [1], "right": [0], "of_root": [0], "of_words": [0]}},
        {"labels": {"names": ["a"], "left": [-1], "right": [0], "of_root": [0], "of_words": [0]}},
        {"labels": {"names": ["a"], "left": [0, 0], "right": [0], "of_root": [0], "of_words": [0]}},
        {"labels": {"names": [1], "left": [0], "right": [0], "of_root": [0], "of_words": [0]}},
        {"labels": {"names": "a", "left": "0", "right": [[0]], "of_root": [0], "of_words": [0]}},
        {"labels": {"names": ["a"], "left": [0], "right": [0], "of_root": [0], "of_words": [0]}},
        {"features": "S0.shape"},
        {"features": ["S0.form"]},
        {"features": "\n".join(f"S{i}.left1.left1.left1.left1.left2.form" for i in range(10)) * 3},
        {"step": "x"},
        {"step": -1.0},
        {"step": float("nan")},
        {"step": 1e300},
        {"step": 0},
        {"calibrations": {"greedy": {"margins": [1, 0], "shares": [0, 1], "endless": 0.5}}},
        {"calibrations": {"greedy": {"margins": [], "shares": [], "endless": 0.5}}},
        {"calibrations": {"greedy": {"margins": [0], "shares": [2], "endless": 0.5}}},
        {"calibrations": {"greedy": {"margins": ["x"], "shares": [1], "endless": 0.5}}},
        {"calibrations": 3},
        {"history": [{}]},
        {"history": 7},
        {"scores": []},
        {"best_epoch": None},
        {"sentences": ...},
    ],
    ids=str,
)
def test_a_manifest_that_makes_no_sense_is_refused(copy: Path, changes: dict[str, Any]) -> None:
    edit(copy, **changes)
    assert "damaged or incomplete" in refusal(copy)


@pytest.mark.parametrize(
    "tensors",
    [
        {},
        {"weights": np.zeros(10, np.int8)},
        {"weights": np.zeros((2, 9), np.int8)},
        {"weights": np.zeros(2000, np.float64)},
        {"weights": np.zeros(5, np.int8), "filled": np.zeros(3, np.uint8)},
        {"weights": np.zeros(5, np.int8), "filled": np.zeros(3, np.float32)},
    ],
    ids=lambda tensors: str({name: (array.dtype, array.shape) for name, array in tensors.items()}),
)
def test_weights_that_do_not_fit_are_refused(copy: Path, tensors: dict[str, np.ndarray[Any, Any]]) -> None:
    save_file(tensors, copy / "weights.safetensors")
    sign(copy)
    assert "damaged or incomplete" in refusal(copy)


def test_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "exact"
    quick_parser(bits=10, epochs=1, precision="float32").fit(toy(10)).save(folder)
    size = plait.Parser.load(folder)._fitted.weights.table.size
    for value in float("nan"), float("inf"), 1e30:
        table = np.zeros(size, np.float32)
        table[3] = value
        save_file({"weights": table}, folder / "weights.safetensors")
        sign(folder)
        assert "damaged or incomplete" in refusal(folder)


def test_other_options_than_the_weights_were_made_for_are_refused(copy: Path) -> None:
    config = (copy / "config.toml").read_text()
    for change in (
        ("bits = 10", "bits = 30"),
        ("bits = 10", "bits = 11"),
        ('"swap"', '"hybrid"'),
        ("[parser]", "["),
    ):
        (copy / "config.toml").write_text(config.replace(*change))
        sign(copy)
        refusal(copy)
