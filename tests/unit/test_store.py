"""Model folders: written whole or not at all, and whatever is wrong with one is said, never executed."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save as to_bytes
from safetensors.numpy import save_file

import plait
from plait import InputError, TransitionParser
from plait.learning import store
from plait.learning.tensors import read_tensors
from signing import edit, sign
from toy import quick_parser, toy


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "toy"
    quick_parser(bits=10, epochs=2).fit(toy(30), dev=toy(10, seed=2)).save(path, licence="CC BY 4.0")
    return path


@pytest.fixture
def copy(model: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(model, tmp_path / "copy"))


def refusal(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        plait.TransitionParser.load(folder)
    assert str(folder) in str(caught.value)
    return str(caught.value)


def test_a_model_is_a_folder_of_plain_files(model: Path) -> None:
    assert sorted(path.name for path in model.iterdir()) == [
        *("README.md", "SHA256SUMS", "config.toml", "manifest.json", "weights.safetensors"),
    ]
    assert "license: CC BY 4.0" in (model / "README.md").read_text()
    assert store.size(model) == sum(path.stat().st_size for path in model.iterdir())
    manifest = store.read_manifest(model)
    assert (manifest["format"], manifest["kind"]) == (2, "transition")
    assert manifest["origin"]["treebank"] == "toy1.conllu"


def test_what_is_no_model_is_said(tmp_path: Path, copy: Path) -> None:
    assert "there is no such model" in refusal(tmp_path / "nowhere")
    assert "not a model of plait" in refusal(tmp_path)
    edit(copy, kind="tagger")
    assert "damaged or incomplete" in refusal(copy)
    edit(copy, kind="nothing")
    assert "No kind of component 'nothing'" in refusal(copy)


def test_a_newer_format_names_the_plait_that_reads_it(copy: Path) -> None:
    edit(copy, format=3, plait="9.1")
    assert "has format 3, written by plait 9.1; this plait (" in refusal(copy)
    edit(copy, format=1)
    assert "has format 1, of an older plait; train it anew with the recipe in its folder" in refusal(copy)
    for number in 0, -1, "2", 2.0, True, None, [2]:
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
            parser = plait.TransitionParser.load(copy)
        except InputError:
            continue
        for sentence in parser.apply(sentences):
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
        {"unit": "x"},
        {"unit": -1.0},
        {"unit": float("nan")},
        {"unit": 1e300},
        {"unit": 10**400},
        {"unit": True},
        {"unit": 0},
        {"calibrations": {"greedy": {"margins": [1, 0], "shares": [0, 1], "endless": 0.5}}},
        {"calibrations": {"greedy": {"margins": [], "shares": [], "endless": 0.5}}},
        {"calibrations": {"greedy": {"margins": [0], "shares": [2], "endless": 0.5}}},
        {"calibrations": {"greedy": {"margins": ["x"], "shares": [1], "endless": 0.5}}},
        {"calibrations": 3},
        {"calibrations": {"slow": {"margins": [0], "shares": [1], "endless": 0.5}}},
        {"history": [{}]},
        {"history": 7},
        {"scores": []},
        {"best_epoch": None},
        {"best_epoch": 10**400},
        {"best_epoch": -1},
        {"best_epoch": 1.0},
        {"scores": {"las": float("inf")}},
        {"scores": {"las": "99"}},
        {"licence": 5},
        {"licence": "\0"},
        {"plait": ["1.0"]},
        {"plait": "\x1b[2J"},
        {
            "history": [dict.fromkeys(("number", "states", "updates", "swaps", "left_out", "seconds"), 1)]
            * 10_001
        },
        {"single_root": "no"},
        {"single_root": 0},
        {"silent": "lemma"},
        {"words": "many"},
        {"parts": [[]]},
        {"filter": {"tags": ["A"], "rows": [[0, 1, 1]]}},
        {"filter": {"tags": ["A"], "rows": [[0, 1, 3, 0]]}},
        {"filter": {"tags": ["\n"], "rows": []}},
        {"filter": {"tags": ["A", "B"], "rows": [[0, 1, 2, 0], [0, 1, 1, 0]]}},
        {"features": "for X in " + "S0.form," * 2000 + "S1.form:\n" + "  X\n" * 2000},
        {"features": "for X in \\g<1>:\n  X.form\n"},
        {"features": "S0" + ".left1" * 3000 + ".form"},
        {"features": "S\u0663.form"},
    ],
    ids=str,
)
def test_a_manifest_that_makes_no_sense_is_refused(copy: Path, changes: dict[str, Any]) -> None:
    edit(copy, **changes)
    assert "damaged or incomplete" in refusal(copy)


@pytest.mark.parametrize("text", ["", " ", "a b", "a\tb", "a\nb", "a\0", "\x1b[2J", "\x7f", "\u2028"])
def test_labels_that_would_break_a_treebank_are_refused(copy: Path, text: str) -> None:
    labels = json.loads((copy / "manifest.json").read_text())["state"]["labels"]
    labels["names"][0] = text
    edit(copy, labels=labels)
    assert "names" in refusal(copy)


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
    size = plait.TransitionParser.load(folder).state.weights.table.size
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


def test_tensors_of_other_types_are_refused(copy: Path) -> None:
    for kind, size in ("F8_E5M2", 1), ("F8_E4M3", 1), ("BF16", 2), ("BOOL", 1), ("F16", 2):
        header = json.dumps(
            {"weights": {"dtype": kind, "shape": [2], "data_offsets": [0, 2 * size]}}
        ).encode()
        content = len(header).to_bytes(8, "little") + header + bytes(2 * size)
        (copy / "weights.safetensors").write_bytes(content)
        sign(copy)
        assert kind in refusal(copy)


@pytest.mark.parametrize("name", ["manifest.json", "config.toml", "weights.safetensors", "SHA256SUMS"])
def test_pipes_devices_and_folders_are_refused_at_once(copy: Path, name: str) -> None:
    for make in os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero"):
        (copy / name).unlink()
        make(copy / name)
        refusal(copy)
        if (copy / name).is_dir():
            (copy / name).rmdir()
        else:
            (copy / name).unlink()
        (copy / name).touch()


def test_halves_of_characters_are_refused_wherever_they_are(copy: Path) -> None:
    for changes in {"treebank": "\ud800"}, {"nobody asked": ["\udfff"]}, {"\ud800": 1}:
        edit(copy, **changes)
        assert "manifest.json is damaged" in refusal(copy)


@pytest.mark.parametrize("name", ["manifest.json", "config.toml"])
def test_depth_and_size_have_a_limit(copy: Path, name: str) -> None:
    for content in "[" * 100_000, '{"a":' * 100_000, "a = " + "[" * 100_000, "a." * 100_000, " " * (1 << 25):
        (copy / name).write_text(content)
        sign(copy)
        refusal(copy)


def test_a_filter_takes_no_more_than_it_holds() -> None:
    """5,000 tags took 1.2 GB, more than is allowed here."""
    code = """
import resource
from plait.learning.arcs import Labels
from plait.learning.seen_labels import SeenLabels
from plait.components.transition.model import Setup
from plait.components.transition.options import TransitionOptions
from plait.features import parts, templates
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
tags = [f"T{i}" for i in range(5000)]
rows = [(0, head, head, 0) for head in range(1, 5000)]
found = Setup(TransitionOptions(bits=10), Labels(["a"], [0], [0], [0], [0]), templates.load("swap"), single_root=True,
              parts=parts.parse({}), label_filter=SeenLabels(tags, rows))
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert int(done.stdout) < 100


def test_arrays_are_views_of_the_file() -> None:
    arrays = {
        "a": np.arange(6, dtype=np.float32).reshape(2, 3),
        "b": np.arange(3, dtype=np.int8),
        "c": np.zeros((0, 4)),
    }
    content = to_bytes(arrays)
    found = read_tensors(content)
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        assert (found[name] == array).all()
        assert not found[name].flags.owndata
        assert not found[name].flags.writeable


@pytest.mark.parametrize(
    "header",
    [
        [],
        {"a": 7},
        {"a": {"dtype": "F32", "shape": [2]}},
        {"a": {"dtype": "F16", "shape": [4], "data_offsets": [0, 8]}},
        {"a": {"dtype": ["F32"], "shape": [2], "data_offsets": [0, 8]}},
        {"a": {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]}},
        {"a": {"dtype": "F32", "shape": [-2], "data_offsets": [0, 8]}},
        {"a": {"dtype": "F32", "shape": [-1, -2], "data_offsets": [0, 8]}},
        {"a": {"dtype": "F32", "shape": [2], "data_offsets": [8, 0]}},
        {"a": {"dtype": "F32", "shape": [2], "data_offsets": [-8, 0]}},
        {"a": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}},
        {"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}},
        {"a": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}},
        {"a": {"dtype": "F32", "shape": [1 << 62, 1 << 62, 0], "data_offsets": [0, 8]}},
        {"a": {"dtype": "F32", "shape": [1] * 40 + [2], "data_offsets": [0, 8]}},
        {
            "a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
            "b": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]},
        },
    ],
)
def test_what_is_no_file_of_arrays_is_refused(header: object) -> None:
    told = json.dumps(header).encode()
    content = len(told).to_bytes(8, "little") + told + bytes(8)
    with pytest.raises((ValueError, KeyError, TypeError)):
        read_tensors(content)


def test_what_is_cut_off_is_refused() -> None:
    content = to_bytes({"a": np.arange(6, dtype=np.float32)})
    for size in range(len(content)):
        with pytest.raises(ValueError):
            read_tensors(content[:size])
    with pytest.raises(ValueError):
        read_tensors(content + b"\0")


def test_arrays_that_are_not_aligned_are_read() -> None:
    about = {
        "a": {"dtype": "I8", "shape": [3], "data_offsets": [0, 3]},
        "b": {"dtype": "F32", "shape": [2], "data_offsets": [3, 11]},
    }
    told = json.dumps(about).encode()
    content = len(told).to_bytes(8, "little") + told + b"abc" + np.array([1, 2], np.float32).tobytes()
    found = read_tensors(content)["b"]
    assert found.tolist() == [1, 2]
    assert found.flags.aligned


def test_a_copy_that_was_never_installed_saves_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has learned for an hour is not lost because nobody knows the number of the release."""

    def unknown(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("plait.release.version", unknown)
    quick_parser().fit(toy(12)).save(tmp_path / "m")
    assert TransitionParser.load(tmp_path / "m").ready
