"""Where models may be written, and that nothing is lost there: neither what others keep nor the model before."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plait
from plait import OutputError, Pipeline, TransitionParser, folders
from toy import quick_parser, toy, write_toy

Command = Callable[..., Any]
QUICK = ("--beam", "1", "--bits", "10", "--epochs", "1")
FOREIGN = {"manifest_version": 3, "name": "An extension", "version": "1.0", "format": 1}


@pytest.fixture(scope="module")
def parser() -> TransitionParser:
    return quick_parser(bits=10, epochs=1).fit(toy(10))


@pytest.fixture
def model(parser: TransitionParser, tmp_path: Path) -> Path:
    parser.save(tmp_path / "model")
    return tmp_path / "model"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def refused(parser: TransitionParser, path: Path, message: str) -> None:
    for force in False, True:
        with pytest.raises(OutputError, match=message):
            parser.save(path, force=force)


def test_only_a_model_is_replaced_and_only_by_force(parser: TransitionParser, model: Path) -> None:
    with pytest.raises(OutputError, match="there is a model already; --force"):
        parser.save(model)
    before = (model / "manifest.json").stat().st_ino
    parser.save(model, force=True, licence="CC0")
    assert (model / "manifest.json").stat().st_ino != before
    assert TransitionParser.load(model).origin_.licence == "CC0"
    assert names(model.parent) == ["model"]


def test_folders_of_others_are_never_replaced(parser: TransitionParser, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    refused(parser, mine, "something else than a model")
    (mine / "manifest.json").write_text(json.dumps(FOREIGN))
    refused(parser, mine, "something else than a model")
    for content in "", "[]", "{}", '"manifest"', "[" * 100_000, '{"format": "1", "plait": "1", "kind": "x"}':
        (mine / "manifest.json").write_text(content)
        refused(parser, mine, "something else than a model")
    refused(parser, mine / "manifest.json", "something else than a model")
    refused(parser, mine / "manifest.json" / "below", "cannot be written")
    assert names(mine) == ["manifest.json"]
    assert names(tmp_path) == ["mine"]


def test_a_model_with_something_else_beside_it_is_kept(parser: TransitionParser, model: Path) -> None:
    (model / "thesis.txt").write_text("irreplaceable")
    refused(parser, model, "something else than a model")
    (model / "thesis.txt").rename(model.parent / "thesis.txt")
    (model / "data").mkdir()
    (model / "data" / "manifest.json").write_text(json.dumps(FOREIGN))
    refused(parser, model, "something else than a model")
    shutil.rmtree(model / "data")
    shutil.copytree(model, model.parent / "deep" / "er")
    shutil.copytree(model.parent / "deep" / "er", model / "part" / "of")
    shutil.copy(model / "manifest.json", model / "part")
    refused(parser, model, "something else than a model")
    shutil.rmtree(model / "part")
    parser.save(model, force=True)


def test_places_without_a_name_and_links_are_refused(
    parser: TransitionParser, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(model)
    for place in ".", "..", "/", "../..", "README.md/..":
        refused(parser, Path(place), "give it a name")
    link = model.parent / "link"
    link.symlink_to("model")
    refused(parser, link, "symbolic link")
    (model.parent / "broken").symlink_to("nowhere")
    refused(parser, model.parent / "broken", "symbolic link")
    assert (model / "manifest.json").exists()


def test_a_slash_at_the_end_is_no_obstacle(parser: TransitionParser, tmp_path: Path) -> None:
    parser.save(f"{tmp_path}/new/")
    assert names(tmp_path) == ["new"]
    assert TransitionParser.load(f"{tmp_path}/new/").labels_


def test_a_pipeline_is_replaced_as_a_whole(parser: TransitionParser, tmp_path: Path) -> None:
    pipeline = Pipeline({"parser": parser, "another": parser})
    pipeline.save(tmp_path / "model")
    with pytest.raises(OutputError, match="there is a model already"):
        pipeline.save(tmp_path / "model")
    pipeline.save(tmp_path / "model", force=True)
    assert list(plait.load(tmp_path / "model").components) == ["parser", "another"]


def test_what_fails_halfway_leaves_the_old_model(
    parser: TransitionParser, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path.name: path.read_bytes() for path in model.iterdir()}
    for name in "write_bytes", "rename":
        with monkeypatch.context() as patch:
            calls: list[str] = []
            whole = getattr(Path, name)

            def fail(path: Path, *given: Any, whole: Any = whole, calls: list[str] = calls) -> Any:
                calls.append(path.name)
                if ".new-" in str(path):
                    raise OSError("no space")
                return whole(path, *given)

            patch.setattr(Path, name, fail)
            with pytest.raises(OutputError, match="no space"):
                parser.save(model, force=True, licence="new")
            assert calls
        assert {path.name: path.read_bytes() for path in model.iterdir()} == before
        assert names(model.parent) == ["model"]


def test_a_crash_between_two_renames_leaves_a_model_that_is_named(model: Path) -> None:
    lost = model.with_name("model.old-1a2b3c4d")
    model.rename(lost)
    for load in TransitionParser.load, plait.load:
        with pytest.raises(
            plait.InputError, match=r"no such model\. It was lost .*model\.old-1a2b3c4d: rename"
        ):
            load(model)
    lost.rename(model)
    TransitionParser.load(model)


def test_all_is_on_the_disk_before_the_old_model_goes(
    parser: TransitionParser, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[str] = []
    sync, rename = os.fsync, Path.rename
    monkeypatch.setattr(os, "fsync", lambda number: (events.append("sync"), sync(number))[1])
    monkeypatch.setattr(Path, "rename", lambda path, to: (events.append("rename"), rename(path, to))[1])
    parser.save(model, force=True)
    assert events == [*["sync"] * 6, "rename", "rename", "sync"]  # five files and their folder; the one above


def test_only_files_of_a_bounded_size_are_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert folders.read_file(tmp_path / "file", 5) == b"12345"
    with pytest.raises(OSError, match="larger than 4 bytes"):
        folders.read_file(tmp_path / "file", 4)
    os.mkfifo(tmp_path / "pipe")
    for path in tmp_path / "pipe", tmp_path, Path("/dev/zero"):
        with pytest.raises(OSError):
            folders.read_file(path, 4)


# plait train


@pytest.mark.usefixtures("model")
def test_training_does_not_begin_where_it_cannot_save(plait_command: Command, tmp_path: Path) -> None:
    train = write_toy(tmp_path, "train.conllu", 10, 1)
    (tmp_path / "extension").mkdir()
    (tmp_path / "extension" / "manifest.json").write_text(json.dumps(FOREIGN))
    (tmp_path / "link").symlink_to("model")
    (tmp_path / "taken.checkpoint").write_text("my notes")
    for output, message in (
        ("extension", "something else than a model"),
        ("model", "there is a model already; --force"),
        (".", "give it a name"),
        ("..", "give it a name"),
        ("link", "symbolic link"),
        ("link/", "symbolic link"),
        ("x" * 250, "cannot be written"),
        ("train.conllu/model", "cannot be written"),
        ("taken", "something else is in the place of the checkpoint"),
    ):
        result = plait_command("train", train, "-o", output, *QUICK)
        assert (result.status, result.out) == (1, ""), output
        assert message in result.err
        assert "epoch" not in result.err
    assert (tmp_path / "taken.checkpoint").read_text() == "my notes"
    assert names(tmp_path / "extension") == ["manifest.json"]


def test_training_replaces_a_model_by_force_and_takes_a_slash(
    plait_command: Command, model: Path, tmp_path: Path
) -> None:
    train = write_toy(tmp_path, "train.conllu", 12, 1)
    result = plait_command("train", train, "-o", "model/", *QUICK, "--force", "--compact")
    assert result.status == 0, result.err
    assert plait.load(model).origin_.sentences == 12
    assert plait_command("train", train, "-o", "new/", *QUICK).status == 0
    assert names(tmp_path) == ["model", "new", "train.conllu"]


def test_a_treebank_whose_name_is_not_text(tmp_path: Path) -> None:
    write_toy(tmp_path, "train.conllu", 10, 1).rename(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.conllu"))
    done = subprocess.run(
        [sys.executable, "-m", "plait", "train", b"\xff.conllu", "-o", b"\xfe", *QUICK],
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert plait.load(os.fsdecode(os.fsencode(tmp_path) + b"/\xfe")).origin_.treebank == "\ufffd.conllu"


def test_too_many_labels_are_known_before_the_first_epoch(plait_command: Command, tmp_path: Path) -> None:
    size = 2500
    chain = plait.Sentence(
        forms=["a"] * size,
        upos=["X"] * size,
        heads=[*range(2, size + 1), 0],
        deprels=[f"l{number}" for number in range(size - 1)] + ["root"],
    )
    mirrored = plait.Sentence(
        forms=chain.forms,
        upos=chain.upos,
        heads=[0, *range(1, size)],
        deprels=["root", *chain.deprels[:-1]],
    )
    plait.write([chain, mirrored], tmp_path / "train.conllu")
    for options in (
        (),
        ("--components", "tokenizer,parser"),
        ("--components", "tokenizer,tagger,parser", "--preset", "accurate"),
    ):
        result = plait_command("train", "train.conllu", "-o", "model", *QUICK[2:], *options)
        assert result.status == 2
        assert "too many labels: with both directions there are 5,001" in result.err
        assert "epoch" not in result.err


def test_labels_that_no_model_can_keep_are_known_before_the_first_epoch(
    plait_command: Command, tmp_path: Path
) -> None:
    text = write_toy(tmp_path, "train.conllu", 10, 1).read_text()
    (tmp_path / "train.conllu").write_text(text.replace("\tobj\t", "\tob j\t"))
    result = plait_command("train", "train.conllu", "-o", "model", *QUICK)
    assert result.status == 2
    assert "a label holds white space or a control character: 'ob j'" in result.err
    assert "epoch" not in result.err
