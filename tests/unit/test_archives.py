"""Models in one file: the same as folders everywhere, and safe to open, whoever made them."""

from __future__ import annotations

import io
import pickle
import random
import shutil
import stat
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import plait
from conftest import Result
from plait import InputError, OutputError, Pipeline
from plait.learning import archive, store
from toy import quick_parser, toy, write_toy

Command = Callable[..., Result]


@pytest.fixture(scope="module")
def parser() -> plait.TransitionParser:
    return quick_parser(bits=10, epochs=2).fit(toy(30))


@pytest.fixture
def model(parser: plait.TransitionParser, tmp_path: Path) -> Path:
    Pipeline({"parser": parser}).save(tmp_path / "toy.plait")
    return tmp_path / "toy.plait"


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        plait.load(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def files_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def forged(path: Path, files: dict[str, bytes], *, method: int = zipfile.ZIP_STORED, mode: int = 0) -> Path:
    """An archive with any names and modes."""
    with zipfile.ZipFile(path, "w", method) as opened:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            entry.compress_type = method
            opened.writestr(entry, content)
    return path


def test_the_suffix_decides(parser: plait.TransitionParser, tmp_path: Path) -> None:
    parser.save(tmp_path / "one.plait")
    parser.save(tmp_path / "one")
    assert (tmp_path / "one.plait").is_file()
    assert (tmp_path / "one").is_dir()
    inside = {name: (tmp_path / "one" / name).read_bytes() for name in archive.FILES}
    assert files_of(tmp_path / "one.plait") == inside
    for same in (store.fingerprint, store.identity):
        assert same(tmp_path / "one.plait") == same(tmp_path / "one")
    assert store.size(tmp_path / "one.plait") == (tmp_path / "one.plait").stat().st_size
    # What a folder was called before is a folder still.
    (tmp_path / "one").rename(tmp_path / "old.plait")
    assert plait.load(tmp_path / "old.plait").parser


def test_the_same_model_has_the_same_bytes(model: Path, parser: plait.TransitionParser) -> None:
    before = model.read_bytes()
    Pipeline({"parser": parser}).save(model, force=True)
    assert model.read_bytes() == before
    plait.load(model).save(model, force=True)
    assert model.read_bytes() == before
    with zipfile.ZipFile(model) as opened:
        entries = opened.infolist()
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}
    assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)


def test_it_works_as_a_folder_does(model: Path, tmp_path: Path, plait_command: Command) -> None:
    store.copy(model, tmp_path / "folder")
    one, other = plait.load(model), plait.load(tmp_path / "folder")
    expected = list(other.parse(toy(5, seed=9)))
    assert list(one.parse(toy(5, seed=9))) == expected
    assert list(pickle.loads(pickle.dumps(one)).parse(toy(5, seed=9))) == expected
    assert plait.TransitionParser.load(_parser_alone(tmp_path, one)).labels_
    write_toy(tmp_path, "in.conllu", 5, 9)
    for place in model, tmp_path / "folder":
        told = plait_command("info", place)
        assert told.status == 0, told.err
        assert "transition" in told.out
        parsed = plait_command("parse", "-m", place, "in.conllu", "-o", f"{place.name}.conllu")
        assert parsed.status == 0, parsed.err
    assert (tmp_path / "toy.plait.conllu").read_bytes() == (tmp_path / "folder.conllu").read_bytes()


def _parser_alone(folder: Path, pipeline: Pipeline) -> Path:
    pipeline["parser"].save(folder / "alone.plait")
    return folder / "alone.plait"


def test_unzip_gives_the_folder_and_zip_the_file(model: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(model) as opened:
        opened.extractall(tmp_path / "unzipped")
    assert plait.load(tmp_path / "unzipped").parser
    shutil.make_archive(str(tmp_path / "zipped"), "zip", tmp_path / "unzipped")  # deflated, with folders
    assert store.fingerprint(tmp_path / "zipped.zip") == store.fingerprint(model)
    assert plait.load(tmp_path / "zipped.zip").parser


def test_a_file_and_a_folder_replace_each_other(model: Path, tmp_path: Path) -> None:
    pipeline = plait.load(model)
    pipeline.save(tmp_path / "folder")
    with pytest.raises(OutputError, match="there is a model already"):
        pipeline.save(model)
    (tmp_path / "folder").rename(tmp_path / "was.plait")
    pipeline.save(tmp_path / "was.plait", force=True)
    assert (tmp_path / "was.plait").is_file()
    model.rename(tmp_path / "file")
    pipeline.save(tmp_path / "file", force=True)
    assert (tmp_path / "file").is_dir()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "was.plait"]


def test_what_is_no_model_is_not_replaced(model: Path, tmp_path: Path) -> None:
    pipeline = plait.load(model)
    (tmp_path / "letter.plait").write_text("Dear Ada")
    (tmp_path / "other.plait").write_bytes(forged(tmp_path / "x.zip", {"thesis.tex": b"x"}).read_bytes())
    with zipfile.ZipFile(tmp_path / "mixed.plait", "w") as opened:  # a model, and something else
        for name, content in files_of(model).items():
            opened.writestr(name, content)
        opened.writestr("thesis.tex", "x")
    for name in "letter", "other", "mixed":
        before = (tmp_path / f"{name}.plait").read_bytes()
        with pytest.raises(OutputError, match="something else than a model is there"):
            pipeline.save(tmp_path / f"{name}.plait", force=True)
        assert (tmp_path / f"{name}.plait").read_bytes() == before
    for name in ".plait", "":
        with pytest.raises(OutputError):
            pipeline.save(tmp_path / name)


def test_what_fails_halfway_leaves_the_old_model(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline, before = plait.load(model), model.read_bytes()

    def fail(*_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OutputError, match="no space"):
        pipeline.save(model, force=True)
    assert model.read_bytes() == before
    assert [path.name for path in model.parent.iterdir()] == ["toy.plait"]


@pytest.mark.parametrize(
    "name",
    [
        *("../escaped", "/tmp/escaped", "..\\escaped", "C:\\escaped", "C:escaped", "a/../../escaped", "../", "/"),
        *("./manifest.json", "parser//manifest.json", "parser/x.py", "parser/__init__.py", "x", ".hidden", "parser"),
        *("manifest.json\0.txt", "parser/deep/er/and/er/manifest.json", "pår ser/manifest.json", "MANIFEST.JSON"),
    ],
)  # fmt: skip
def test_there_is_no_place_for_other_names(model: Path, tmp_path: Path, name: str) -> None:
    raw = name.replace("\0", "@")
    path = forged(tmp_path / "bad.plait", files_of(model) | {raw: b""})
    if raw != name:  # Python itself writes no such name
        path.write_bytes(path.read_bytes().replace(raw.encode(), name.encode()))
    assert "there is no place for" in refusal(path)
    assert not list(tmp_path.glob("**/escaped"))


def test_links_and_devices_are_refused(model: Path, tmp_path: Path) -> None:
    for kind in stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFDIR:
        path = forged(tmp_path / "bad.plait", files_of(model), mode=kind | 0o644)
        assert "there is no place for" in refusal(path)
    assert plait.load(forged(tmp_path / "fine.plait", files_of(model), mode=stat.S_IFREG | 0o600)).parser


def test_names_that_are_there_twice_are_refused(model: Path, tmp_path: Path) -> None:
    path = forged(tmp_path / "bad.plait", files_of(model) | {"manifest.jsom": b"{}"})
    path.write_bytes(path.read_bytes().replace(b"manifest.jsom", b"manifest.json"))
    assert "manifest.json is there twice" in refusal(path)


def test_other_ways_of_packing_are_refused(model: Path, tmp_path: Path) -> None:
    assert plait.load(forged(tmp_path / "a.plait", files_of(model), method=zipfile.ZIP_DEFLATED)).parser
    for method in zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA:
        assert "not for models" in refusal(forged(tmp_path / "bad.plait", files_of(model), method=method))
    content = bytearray(model.read_bytes())
    place = content.index(b"PK\x01\x02") + 8  # flags in the directory
    content[place] |= 1
    (tmp_path / "locked.plait").write_bytes(content)
    assert "not for models" in refusal(tmp_path / "locked.plait")


def test_bombs_do_not_go_off(model: Path, tmp_path: Path) -> None:
    files = files_of(model) | {"parser/weights.safetensors": bytes(300 << 20)}
    path = forged(tmp_path / "bomb.plait", files, method=zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 1 << 20
    assert "100 times as large" in refusal(path)
    # One that says less than it is gives what it says, and that is damaged.
    files["parser/weights.safetensors"] = bytes(50_000_000)
    content = bytearray(forged(path, files, method=zipfile.ZIP_DEFLATED).read_bytes())
    size = (50_000_000).to_bytes(4, "little")
    while size in content:
        place = content.index(size)
        content[place : place + 4] = (1000).to_bytes(4, "little")
    path.write_bytes(content)
    assert "damaged" in refusal(path)


def test_directories_out_of_bounds_are_refused(model: Path, tmp_path: Path) -> None:
    content = model.read_bytes()
    end = struct.unpack("<4s4H2LH", content[-22:])
    for change in {3: 5000, 4: 5000}, {5: 1 << 30}, {1: 1}, {2: 1}, {7: 3}, {0: b"PK\x05\x07"}:
        fields = [change.get(place, value) for place, value in enumerate(end)]
        (tmp_path / "bad.plait").write_bytes(content[:-22] + struct.pack("<4s4H2LH", *fields))
        refusal(tmp_path / "bad.plait")
    # The structure of archives of more than 4 GB, which would be believed.
    further = b"PK\x06\x07" + bytes(16)
    (tmp_path / "bad.plait").write_bytes(content[:-22] + further + content[-22:])
    assert "of another kind" in refusal(tmp_path / "bad.plait")
    many = {f"parser/p{number}/manifest.json": b"" for number in range(2001)}
    assert "too many files" in refusal(forged(tmp_path / "bad.plait", files_of(model) | many))


def test_whatever_is_damaged_is_noticed(model: Path, tmp_path: Path) -> None:
    content, chance = model.read_bytes(), random.Random(3)
    expected = store.load(model)
    path = tmp_path / "bad.plait"
    for case in range(400):
        place = chance.randrange(len(content))
        if case % 2:  # most of what can go wrong is at the end
            place = len(content) - 1 - chance.randrange(2000)
        changed = bytearray(content)
        changed[place] ^= 1 << chance.randrange(8)
        cut = chance.choice(
            (bytes(changed), bytes(changed), content[:place], content[:place] + content[place + 1 :])
        )
        path.write_bytes(cut)
        with suppress(InputError):
            # Else it was a bit that says nothing: of a date, of a system. What is read is the same.
            found = store.load(path)
            assert (found.manifest, found.config) == (expected.manifest, expected.config)


def test_a_part_that_is_missing_is_said(model: Path, tmp_path: Path) -> None:
    files = files_of(model)
    for name in files:
        path = forged(tmp_path / "bad.plait", {key: value for key, value in files.items() if key != name})
        if name.endswith("README.md"):
            assert plait.load(path).parser
        else:
            refusal(path)


def test_what_is_no_file_at_all(tmp_path: Path) -> None:
    for content in b"", b"PK", b"PK\x05\x06" + bytes(18), bytes(100), b"x" * 5000:
        (tmp_path / "bad.plait").write_bytes(content)
        assert "not a model of plait" in refusal(tmp_path / "bad.plait")
    if sys.platform != "win32":
        subprocess.run(["mkfifo", tmp_path / "pipe.plait"], check=True)
        assert "not a file" in refusal(tmp_path / "pipe.plait")


def test_too_much_does_not_fit(monkeypatch: pytest.MonkeyPatch, model: Path, tmp_path: Path) -> None:
    pipeline = plait.load(model)
    monkeypatch.setattr(archive, "MOST_BYTES", archive._MOST_DIRECTORY + 100)
    with pytest.raises(OutputError, match="do not fit into one file; a folder"):
        pipeline.save(tmp_path / "large.plait")
    assert "larger than" in refusal(forged(tmp_path / "b.plait", {"README.md": bytes(2 << 20)}))


def test_archives_hold_what_was_given() -> None:
    files = {"manifest.json": b"{}", "parser/config.toml": b"", "weights.safetensors": bytes(range(256))}
    with zipfile.ZipFile(io.BytesIO(archive.pack(files))) as opened:
        assert opened.testzip() is None
        assert {name: opened.read(name) for name in opened.namelist()} == files
