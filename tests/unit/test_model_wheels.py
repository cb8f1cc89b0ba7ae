"""Wheels that carry models: installed by pip, found by their names, never imported."""

from __future__ import annotations

import base64
import csv
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

import plait
from conftest import Result
from plait import InputError, OutputError, Pipeline
from plait.catalogue.wheel import write_wheel
from plait.pipeline import ModelOptions
from toy import quick_parser, toy

Command = Callable[..., Result]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    parser = quick_parser(bits=10, epochs=1).fit(toy(20))
    options = ModelOptions(name="xx-toy", language="Toyish", licence="CC0-1.0", attribution="Made by nobody.")
    path = tmp_path_factory.mktemp("model") / "any.plait"
    Pipeline({"parser": parser}, options).save(path)
    return path


@pytest.fixture(scope="module")
def wheel(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    about = {
        "name": "xx-toy",
        "version": "1.2.post1",
        "licence": "CC0-1.0",
        "summary": "A toy\nLicense: none",
    }
    return write_wheel(model, tmp_path_factory.mktemp("dist"), **about)


def test_what_is_in_a_wheel(wheel: Path, model: Path) -> None:
    assert wheel.name == "plait_model_xx_toy-1.2.post1-py3-none-any.whl"
    about = "plait_model_xx_toy-1.2.post1.dist-info"
    with zipfile.ZipFile(wheel) as opened:
        assert opened.testzip() is None
        files = {name: opened.read(name) for name in opened.namelist()}
    assert list(files) == [
        "plait_model_xx_toy/xx-toy.plait",
        *(f"{about}/{name}" for name in ("METADATA", "WHEEL", "entry_points.txt", "RECORD")),
    ]
    assert files["plait_model_xx_toy/xx-toy.plait"] == model.read_bytes()
    assert files[f"{about}/entry_points.txt"] == b"[plait_models]\nxx-toy = plait_model_xx_toy\n"
    told = files[f"{about}/METADATA"].decode()
    assert (
        "Name: plait-model-xx-toy\nVersion: 1.2.post1\nSummary: A toy License: none\nLicense: CC0-1.0\n"
        in told
    )
    assert "Made by nobody." in told
    assert "library_name" not in told
    rows = list(csv.reader(files[f"{about}/RECORD"].decode().splitlines()))
    assert [row[0] for row in rows] == list(files)
    for name, digest, size in rows[:-1]:
        found = base64.urlsafe_b64encode(sha256(files[name]).digest()).rstrip(b"=").decode()
        assert (digest, int(size)) == (f"sha256={found}", len(files[name]))
    assert rows[-1][1:] == ["", ""]


def test_pip_installs_it_and_plait_finds_it(wheel: Path, tmp_path: Path) -> None:
    pytest.importorskip("pip")
    site = tmp_path / "site"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--no-index",
        "--quiet",
        "--target",
        site,
        wheel,
    ]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # Whatever of it were imported would be heard of.
    (site / "plait_model_xx_toy" / "__init__.py").write_text("raise SystemExit('imported')")
    paths = os.pathsep.join([str(site), *filter(None, (os.environ.get("PYTHONPATH"),))])
    environment = os.environ | {"PYTHONPATH": paths}
    code = (
        "import plait, sys; from plait.catalogue import names; nlp = plait.load('xx-toy'); "
        "print(nlp.model.language, [each.where for each in names.every() if each.name == 'xx-toy'], "
        "any('plait_model' in name for name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert done.stdout == "Toyish ['wheel'] False\n", done.stderr
    told = subprocess.run(
        [sys.executable, "-m", "plait", "info", "xx-toy"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert "Toyish" in told.stdout, told.stderr


def test_the_command_takes_what_the_model_tells(model: Path, plait_command: Command, tmp_path: Path) -> None:
    done = plait_command("models", "package", model)
    assert done.status == 0, done.err
    (made,) = (tmp_path / "dist").iterdir()
    assert made.name.startswith("plait_model_xx_toy-")
    again = plait_command("models", "package", model)
    assert (again.status, "--force replaces it" in again.err) == (1, True)
    before = made.read_bytes()
    assert plait_command("models", "package", model, "--force").status == 0
    assert made.read_bytes() == before
    named = plait_command("models", "package", model, "--name", "mine", "--version", "3", "-o", "other")
    assert named.status == 0, named.err
    assert (tmp_path / "other" / "plait_model_mine-3-py3-none-any.whl").is_file()


def test_what_no_wheel_can_be_made_of(model: Path, tmp_path: Path) -> None:
    about = {"licence": "", "summary": ""}
    for version in "", "x", "1-2", "../1", "1.0\n":
        with pytest.raises(InputError, match="is no version"):
            write_wheel(model, tmp_path, name="xx", version=version, **about)
    with pytest.raises(InputError, match="cannot be the name"):
        write_wheel(model, tmp_path, name="../xx", version="1", **about)
    with pytest.raises(InputError, match="there is no such model"):
        write_wheel(tmp_path / "nowhere", tmp_path, name="xx", version="1", **about)
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        write_wheel(model, tmp_path / "file", name="xx", version="1", **about)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_entry_points_of_others_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from plait.catalogue import names

    site = tmp_path / "site"
    entries = (("en", "os:system"), ("xx", "a.b.c"), ("yy", "../x"), ("../zz", "m"), ("ww", "m"))
    for number, (name, value) in enumerate(entries):
        folder = site / f"p{number}-1.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: p{number}\nVersion: 1\n")
        (folder / "entry_points.txt").write_text(f"[plait_models]\n{name} = {value}\n")
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "yy.plait").write_text("elsewhere")
    (site / "m").mkdir()
    (site / "zz.plait").write_text("elsewhere")
    monkeypatch.syspath_prepend(str(site))
    assert [each.name for each in names.every() if each.where == "wheel"] == []
    with pytest.raises(InputError, match="there is no such model"):
        plait.load("ww")
