"""What is read of files and folders, and how they are written so that nobody can lead it elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import plait
from plait import OutputError, Sentence, folders
from plait.learning.workshop import Workshop

links = pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="links are opened like files here")


def test_a_small_file_takes_little_memory_however_large_it_might_have_been(tmp_path: Path) -> None:
    path = tmp_path / "small"
    path.write_bytes(b"ja")
    tracemalloc.start()
    try:
        assert folders.read_file(path, 1 << 30) == b"ja"
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_file_may_have_as_much_as_is_allowed_and_no_byte_more(tmp_path: Path) -> None:
    path = tmp_path / "full"
    path.write_bytes(b"abc")
    assert folders.read_file(path, 3) == b"abc"
    with pytest.raises(OSError, match="full is larger than 2 bytes"):
        folders.read_file(path, 2)


# --- Names that others can guess


def _link(place: Path, target: Path) -> None:
    place.symlink_to(target)


def _other_name(place: Path, target: Path) -> None:
    place.hardlink_to(target)


def _pipe(place: Path, target: Path) -> None:  # noqa: ARG001
    os.mkfifo(place)


def write_claimed(target: Path, write: Callable[[Path], object]) -> None:
    with folders.claimed(target) as part:
        assert part
        write(part)


@links
@pytest.mark.parametrize("plant", [_link, _other_name, _pipe])
def test_what_was_planted_is_never_written_through(
    plant: Callable[[Path, Path], None], tmp_path: Path
) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    plant(tmp_path / ".part-a.txt", precious)
    with pytest.raises(OSError, match=r"a\.txt"):
        write_claimed(tmp_path / "a.txt", lambda part: part.write_text("theirs"))
    folders.unclaim(tmp_path / "a.txt")
    assert precious.read_text() == "mine"
    assert not (tmp_path / "a.txt").exists()


@links
def test_what_is_planted_meanwhile_is_not_written_through_either(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")

    def plant_and_open(part: Path) -> None:
        part.unlink()
        part.symlink_to(precious)
        folders.open_to_write(part)

    with pytest.raises(OSError, match=r"a\.txt"):
        write_claimed(tmp_path / "a.txt", plant_and_open)
    assert precious.read_text() == "mine"


@links
def test_what_is_put_in_the_place_of_what_was_written_gets_no_name(tmp_path: Path) -> None:
    def put(part: Path) -> None:
        part.unlink()
        part.write_text("theirs")

    with pytest.raises(OSError, match="was put in the place"):
        write_claimed(tmp_path / "a.txt", put)
    assert not (tmp_path / "a.txt").exists()


@links
def test_a_checkpoint_is_not_written_through_a_link(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    for name in ("fold-1.partial", "fold-1.jsonl"):
        (folder / name).symlink_to(precious)
    Workshop(folder).keep_sentences("fold-1", [Sentence(forms=["a"])])
    assert precious.read_text() == "mine"
    assert not (folder / "fold-1.jsonl").is_symlink()
    assert len(plait.read(folder / "fold-1.jsonl")) == 1


def test_an_output_may_be_a_link_of_whoever_gave_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").symlink_to(tmp_path / "b.conllu")
    plait.write([Sentence(forms=["a"])], tmp_path / "a.conllu")
    assert (tmp_path / "b.conllu").exists()
    with pytest.raises(OutputError):
        plait.write([Sentence(forms=["a"])], tmp_path / "none" / "a.conllu")


# --- What processes that were killed have left

LEFT = ("m.old-01234567", "m.new-89abcdef")
locks = pytest.mark.skipif(sys.platform == "win32", reason="who is alive is not known there")


def _leave(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name / "inner").mkdir(parents=True)
        (folder / name / "inner" / "file").write_text("left")


def _replace(place: Path) -> None:
    with folders.replacing(place) as new:
        (new / "file").write_text("new")


def _write(place: Path) -> None:
    folders.write_file(place, b"new")


def _remove(place: Path) -> None:
    place.mkdir()
    folders.remove(place)


@locks
@pytest.mark.parametrize("work", [_replace, _write, _remove])
def test_the_next_to_do_the_work_takes_left_overs_away(work: Callable[[Path], None], tmp_path: Path) -> None:
    _leave(tmp_path, *LEFT)
    (tmp_path / "m.old-fedcba98").write_text("a file")
    others = ("m.old-notes", "m.older-01234567", "n.old-01234567", "m.old-01234567-mine")
    _leave(tmp_path, *others)
    (tmp_path / "m.old-aaaaaaaa").symlink_to(tmp_path / "n.old-01234567")
    work(tmp_path / "m")
    found = {path.name for path in tmp_path.iterdir()}
    assert found == {*others, "m.old-aaaaaaaa", *(() if work is _remove else ("m",))}


@locks
def test_what_a_living_process_has_is_left_to_it(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from plait import folders\n"
        "with folders.replacing(Path('m')) as new: print(new, flush=True); sys.stdin.read(1)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        theirs = tmp_path / process.stdout.readline().strip()
        _replace(tmp_path / "m")
        assert theirs.is_dir()
        process.kill()
        process.wait()
        assert theirs.is_dir()
        _replace(tmp_path / "m")
        assert not theirs.exists()
