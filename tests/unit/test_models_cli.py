"""`plait models`: names, the registry, and models that come from elsewhere."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import threading
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from click.testing import CliRunner
from safetensors.numpy import load_file, save_file

import plait
from conftest import Result
from plait import InputError, OutputError, Pipeline, TransitionParser
from plait.catalogue import locate, names, packaged, registry, transfer
from plait.cli.models import models
from plait.cli.trial import try_out
from plait.learning import store
from plait.pipeline import ModelOptions, Recipe
from signing import sign
from toy import quick_parser, toy, write_toy, written

Command = Callable[..., Result]
PACKAGED = Path(plait.__file__).parent / "models"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nobody's own models are looked at."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv(names.VARIABLE, raising=False)
    return names.user_folder()


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    parser = quick_parser(bits=10, epochs=1).fit(toy(20))
    return Pipeline({"parser": parser}, ModelOptions(name="xx", language="Toyish", licence="CC0-1.0"))


@pytest.fixture
def model(pipeline: Pipeline, tmp_path: Path) -> Path:
    pipeline.save(tmp_path / "given" / "xx.plait")
    return tmp_path / "given" / "xx.plait"


def sum_of(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


# Names.


def test_names_are_looked_for_in_this_order(
    pipeline: Pipeline, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert locate("xx") == Path("xx")
    pipeline.save("xx")
    assert locate("xx") == Path("xx")
    pipeline.save(home / "xx.plait")
    assert locate("xx") == home / "xx.plait"
    for each in "./xx", "xx.plait", str(tmp_path / "xx"):  # always paths
        assert locate(each) == Path(each)
    pipeline.save(tmp_path / "second" / "xx.plait")
    pipeline.save(tmp_path / "second" / "en")
    monkeypatch.setenv("PLAIT_MODELS", os.pathsep.join(["", "nowhere", str(tmp_path / "second")]))
    assert locate("xx") == tmp_path / "second" / "xx.plait"
    assert locate("en") == tmp_path / "second" / "en"
    assert plait.load("en").model.language == "Toyish"
    assert [each.name for each in names.every()][:2] == ["en", "xx"]
    monkeypatch.delenv("PLAIT_MODELS")
    assert locate("en") == packaged()["en"]


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a.b", "a/b", "a\\b", "A", "-a", "a-", "a--b", "é", "a b", "a" * 65]
)
def test_what_can_be_no_name(name: str, home: Path) -> None:
    assert not names.is_name(name)
    with pytest.raises(InputError, match="cannot be the name of a model"):
        names.place_for(name)
    assert not home.exists()


def test_the_folder_of_a_user_follows_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "relative")  # is to be ignored, says the specification
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr("sys.platform", "linux")
    assert names.user_folder() == tmp_path / ".local/share/plait/models"
    monkeypatch.setattr("sys.platform", "darwin")
    assert names.user_folder() == tmp_path / "Library/Application Support/plait/models"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    assert names.user_folder() == tmp_path / "AppData/Local/plait/models"


def test_who_has_no_model_is_told_how_to_come_by_it(plait_command: Command) -> None:
    absent = plait_command("parse", "-m", "pt", "Olá.")
    assert absent.status == 2
    assert "pt: there is no such model. In the package: en, en-fast, en-say." in absent.err
    assert (
        "plait models train pt --treebank UD_Portuguese-Bosque/, or plait models get PATH-or-URL"
        in absent.err
    )
    assert "plait models list" in plait_command("parse", "-m", "xx", "A.").err


def test_the_list_tells_where_models_are(model: Path, plait_command: Command) -> None:
    assert plait_command("models", "get", model).status == 0
    listed = json.loads(plait_command("models", "list", "--json").out)["models"]
    found = {each["name"]: each for each in listed}
    assert (found["xx"]["where"], found["xx"]["language"]) == ("user", "Toyish")
    assert found["en"]["where"] == "package"
    assert (found["pt"]["where"], found["pt"]["licence"]) == ("", "CC-BY-SA-4.0")
    shown = plait_command("models", "list")
    assert "not here" in shown.out
    assert "UD Portuguese-Bosque" in shown.out


# The registry.


def test_every_recipe_is_in_the_registry_and_the_other_way_round() -> None:
    folder = registry.recipe_of("pt").parent
    assert {path.stem for path in folder.glob("*.toml")} == set(registry.entries())
    for name, entry in registry.entries().items():
        recipe = Recipe.from_toml(registry.recipe_of(name).read_text(encoding="utf-8"))
        assert names.is_name(name)
        assert recipe.model.licence
        assert recipe.model.language == registry.about(name).language
        assert all(0 < score <= 100 for scores in entry.scores.values() for score in scores.values())
    with pytest.raises(InputError, match=r"No recipe for a model 'xx'\. Available: "):
        registry.find("xx")


def test_the_models_of_the_package_are_those_of_the_registry() -> None:
    for name, path in packaged().items():
        entry = registry.find(name)
        assert store.fingerprint(path) == entry.weights
        told = store.read_manifest(path)["scores"]
        assert all(
            told[way][key] == score for way, scores in entry.scores.items() for key, score in scores.items()
        )


def test_what_was_made_elsewhere_cannot_be_trained(plait_command: Command, tmp_path: Path) -> None:
    refused = plait_command("models", "train", "en", "--treebank", tmp_path)
    assert refused.status == 2
    assert "it comes with the package" in refused.err
    assert plait_command("models", "train", "pt", "--treebank", "nowhere").status == 2


QUICK = (
    "--set",
    "beam=1",
    "--set",
    "bits=12",
    "--set",
    "epochs=1",
    "--set",
    "tagger.epochs=1",
    "--threads",
    "1",
)
QUICK += ("--set", "model.folds=2", "--set", "tokenizer.epochs=1", "--set", "lemmatizer.epochs=1")


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    folder = tmp_path / "UD_Portuguese-Bosque"
    folder.mkdir()
    plait.write(written(30), folder / "toy-ud-train.conllu")
    plait.write(written(5, seed=2), folder / "toy-ud-dev.conllu")
    return folder


def test_a_recipe_trains_a_model_that_has_a_name(
    plait_command: Command, bank: Path, tmp_path: Path, home: Path
) -> None:
    train = ("models", "train", "pt", "--treebank", bank, *QUICK)
    done = plait_command(*train)
    assert done.status == 0, done.err
    assert "not the files of UD_Portuguese-Bosque that pt was learned from (train and dev)" in done.err
    assert "The weights are those" not in done.out
    assert plait.load("pt").model.language == "Portuguese"
    assert [path.name for path in home.iterdir()] == ["pt.plait"]
    again = plait_command(*train)
    assert (again.status, "there is a model already" in again.err) == (1, True)
    again = plait_command(*train, "-o", "other")
    assert again.status == 0, again.err
    assert store.fingerprint(tmp_path / "other") == store.fingerprint(home / "pt.plait")


def test_what_comes_out_is_compared_with_what_was_promised(
    bank: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sums = {name: sum_of(bank / f"toy-ud-{name}.conllu") for name in ("train", "dev")}
    promised = registry.Entry(
        "Toy", **sums, weights="0" * 64, scores={"gold tokens": {"las": 12.34, "eless": 1.0}}
    )
    monkeypatch.setattr(registry, "entries", lambda: {"pt": promised})
    run = CliRunner().invoke
    train = ["train", "pt", "--treebank", str(bank), "--threads", "1"]
    done = run(models, train)
    assert done.exit_code == 0, done.output
    assert "not the files" not in done.stderr
    assert "the weights are not those of the published model, though the files are" in done.stderr
    assert re.search(r"las, gold tokens +12\.34 +[0-9.]+\n", done.stdout)
    assert re.search(r"eless, gold tokens +1\.00 +–\n", done.stdout)
    right = replace(promised, weights=store.fingerprint(home / "pt.plait"))
    monkeypatch.setattr(registry, "entries", lambda: {"pt": right})
    done = run(models, [*train, "--force"])
    assert "The weights are those of the published model." in done.stdout
    assert "as published" in run(models, ["verify", "pt"]).stdout


def test_checksums_of_treebanks_see_through_compression(tmp_path: Path) -> None:
    write_toy(tmp_path, "toy-ud-train.conllu", 20, 1)
    plain = tmp_path / "toy-ud-train.conllu"
    entry = registry.Entry("Toy", train=sum_of(plain))
    assert entry.differences(tmp_path) == []
    (tmp_path / "toy-ud-train.conllu.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    assert entry.differences(tmp_path) == []
    assert registry.Entry("Toy", train="0" * 64).differences(tmp_path) == ["train"]
    assert registry.Entry("Toy", dev="0" * 64).differences(tmp_path) == ["dev"]


# Models from elsewhere.


def test_a_path_is_copied_and_looked_at(
    model: Path, home: Path, plait_command: Command, tmp_path: Path
) -> None:
    done = plait_command("models", "get", model, "--sha256", sum_of(model))
    assert done.status == 0, done.err
    assert "Licence: CC0-1.0." in done.out
    assert plait.load("xx").model.language == "Toyish"
    assert (home / "xx.plait").read_bytes() == model.read_bytes()
    assert sorted(path.name for path in home.iterdir()) == ["xx.plait"]
    again = plait_command("models", "get", model)
    assert (again.status, "there is a model already" in again.err) == (1, True)
    assert plait_command("models", "get", model, "--force").status == 0
    store.copy(model, tmp_path / "folder")
    assert plait_command("models", "get", "folder", "--name", "yy").status == 0
    assert (home / "yy.plait").read_bytes() == model.read_bytes()
    taken = plait_command("models", "get", model, "--name", "en")
    assert (taken.status, "a model of the package has this name" in taken.err) == (1, True)


def test_what_is_damaged_or_another_is_not_installed(model: Path, home: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="its checksum is"):
        transfer.get(str(model), checksum="0" * 64)
    with pytest.raises(InputError, match="64 hexadecimal digits"):
        transfer.get(str(model), checksum="12")
    (tmp_path / "bad.plait").write_bytes(model.read_bytes()[:-100])
    with pytest.raises(InputError, match="not a model of plait"):
        transfer.get(str(tmp_path / "bad.plait"))
    with pytest.raises(InputError, match="there is no such model"):
        transfer.get(str(tmp_path / "none.plait"))
    store.copy(model, tmp_path / "folder")
    with pytest.raises(InputError, match="a checksum is that of a file"):
        transfer.get(str(tmp_path / "folder"), checksum="0" * 64)
    assert list(home.iterdir()) == []


class Handler(BaseHTTPRequestHandler):
    """A model, and what servers do to those who ask for one."""

    content: ClassVar[bytes] = b""

    def do_GET(self) -> None:
        if self.path == "/away.plait":
            self.send_response(302)
            self.send_header("Location", "ftp://127.0.0.1/xx.plait")
        elif self.path == "/on.plait":
            self.send_response(302)
            self.send_header("Location", "/xx.plait")
        elif self.path == "/none.plait":
            self.send_response(404)
        else:
            self.send_response(200)
            more = 10 if self.path == "/short.plait" else 0
            if self.path != "/endless.plait":
                self.send_header("Content-Length", str(len(self.content) + more))
        self.end_headers()
        if self.path == "/endless.plait":
            for _ in range(100):
                self.wfile.write(bytes(1 << 16))
        elif self.path in ("/xx.plait", "/short.plait"):
            self.wfile.write(self.content)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def site(model: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(Handler, "content", model.read_bytes())
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_an_address_is_downloaded(site: str, model: Path, home: Path, plait_command: Command) -> None:
    done = plait_command("models", "get", f"{site}/xx.plait", "--sha256", sum_of(model).upper())
    assert done.status == 0, done.err
    assert (home / "xx.plait").read_bytes() == model.read_bytes()
    transfer.get(f"{site}/on.plait#sha256={sum_of(model)}")
    assert sorted(path.name for path in home.iterdir()) == ["on.plait", "xx.plait"]


def test_what_can_go_wrong_on_the_way(site: str, model: Path, home: Path) -> None:
    right = sum_of(model)
    cases = {
        "/xx.plait": "its checksum is",
        "/none.plait": "cannot be downloaded: Not Found",
        "/away.plait": "which is not safe",
    }
    for path, message in cases.items():
        with pytest.raises(InputError, match=message):
            transfer.get(site + path, checksum="1" * 64)
    with pytest.raises(InputError, match="cut off"):
        transfer.get(f"{site}/short.plait", checksum=right)
    with pytest.raises(InputError, match="larger than 100,000 bytes"):
        transfer.get(f"{site}/endless.plait", checksum=right, most=100_000)
    with pytest.raises(InputError, match="over plain http anyone can change it"):
        transfer.get(f"{site}/xx.plait")
    for url in "ftp://127.0.0.1/xx.plait", "file:///etc/passwd#x", "data://x/yy":
        with pytest.raises(InputError, match=r"from a path, or by http|cannot be the name"):
            transfer.get(url)
    with pytest.raises(InputError, match="cannot be downloaded"):
        transfer.get("https://127.0.0.1:1/xx.plait")
    assert list(home.iterdir()) == []


def test_nothing_is_replaced_unasked(model: Path, home: Path) -> None:
    (home / "xx").mkdir(parents=True)
    with pytest.raises(OutputError, match="something of this name"):
        transfer.get(str(model), force=True)


# Checked, packed, passed on.


def test_verify_finds_what_is_damaged(model: Path, home: Path, plait_command: Command) -> None:
    transfer.get(str(model))
    whole = plait_command("models", "verify", "xx", "en-fast")
    assert whole.status == 0, whole.err
    assert f"xx: whole; weights {store.fingerprint(model)}" in whole.out
    assert "en-fast: whole, as published" in whole.out
    content = bytearray((home / "xx.plait").read_bytes())
    content[content.index(b"[parser]") + 3] ^= 1
    (home / "xx.plait").write_bytes(content)
    found = plait_command("models", "verify", "xx", "nowhere")
    assert found.status == 2
    assert "config.toml is damaged" in found.err
    assert "nowhere: there is no such model" in found.err
    assert "2 of the models cannot be used" in found.err


def test_pack_goes_both_ways(model: Path, plait_command: Command, tmp_path: Path) -> None:
    assert plait_command("models", "pack", model, "-o", "folder").status == 0
    assert (tmp_path / "folder" / "parser" / "weights.safetensors").is_file()
    assert plait_command("models", "pack", "folder", "-o", "again.plait").status == 0
    assert (tmp_path / "again.plait").read_bytes() == model.read_bytes()
    assert plait_command("models", "pack", "folder", "-o", "again.plait").status == 1
    assert plait_command("models", "info", "again.plait").status == 0


def test_a_model_is_a_recipe_too(model: Path) -> None:
    from plait.cli.raw import read_recipe

    assert read_recipe(str(model)).model.language == "Toyish"
    assert tomllib.loads(store.load(model).config)["model"]["name"] == "xx"


def test_the_page_has_the_table_of_the_registry() -> None:
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    for name, entry in registry.entries().items():
        about = registry.about(name)
        found = [entry.scores.get(way, {}).get("las") for way in ("gold tokens", "raw text")]
        shown = " | ".join("–" if score is None else f"{score:.2f}" for score in found)
        told = "yes" if entry.weights else "–"
        assert (
            f"| `{name}` | {about.language} | {about.treebank} | {about.licence} | {shown} | {told} |\n"
            in page
        )


def test_verify_uses_what_it_verifies(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What can be loaded may still fail at work."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(TransitionParser, "annotate", fail)
    with pytest.raises(InputError, match="using it fails with 'ZeroDivisionError: division by zero'"):
        try_out(model)


def test_a_lexicon_that_counts_nothing_is_no_lexicon(tmp_path: Path, plait_command: Command) -> None:
    """Forms that were seen 0 times: shares of them cannot be told."""
    model = tmp_path / "forged"
    shutil.copytree(PACKAGED / "en-say", model)
    path = model / "inflector" / "weights.safetensors"
    tensors = load_file(path)
    save_file(tensors | {"counts": np.zeros_like(tensors["counts"])}, path)
    sign(path.parent)
    found = plait_command("models", "verify", str(model))
    assert found.status == 2
    assert "the model is damaged or incomplete: counts: a number is below 1 or too large." in found.err
