"""What is written: sentences never run into each other, and a full disk leaves whole ones and a true message."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import plait
from plait.formats import files

Command = Callable[..., object]

ROW = "1\tShe\t_\tPRON\t_\t_\t0\troot\t_\t_\n"
ENDINGS = ("", "\n", "\r\n", "\n\n", "\n\n\n")
full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


def one(path: Path, ending: str, sent_id: str = "a") -> Path:
    text = f"# sent_id = {sent_id}\n{ROW.strip()}"
    newline = "\r\n" if "\r" in ending else "\n"
    path.write_bytes((text.replace("\n", newline) + ending).encode())
    return path


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", ["o.conllu", "o.conllx", "o.jsonl", "o.txt"])
def test_sentences_of_several_files_stay_apart(tmp_path: Path, ending: str, name: str) -> None:
    a, b = one(tmp_path / "a.conllu", ending), one(tmp_path / "b.conllu", ending, "b")
    plait.write([*plait.read(a), *plait.read(b)], tmp_path / name)
    assert [sentence.forms for sentence in plait.read(tmp_path / name)] == [["She"], ["She"]]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_single_file_comes_back_byte_for_byte(tmp_path: Path, ending: str) -> None:
    a = one(tmp_path / "a.conllu", ending)
    plait.write(plait.read(a), tmp_path / "o.conllu")
    assert (tmp_path / "o.conllu").read_bytes() == a.read_bytes()


def many(path: Path, size: int) -> Path:
    path.write_text("".join(f"# sent_id = {number}\n{ROW}\n" for number in range(size)))
    return path


def limited(limit: int, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """Run `plait` where no file may become longer than the limit."""
    return subprocess.run(
        [sys.executable, "-m", "plait", *map(str, arguments)],
        capture_output=True,
        cwd=cwd,
        timeout=60,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )


@pytest.mark.parametrize("limit", [10, 1000, 300_000])
def test_a_file_that_has_no_more_room_holds_whole_sentences(tmp_path: Path, limit: int) -> None:
    source = many(tmp_path / "a.conllu", 8000)
    result = limited(limit, "convert", source, "-o", "o.conllu", cwd=tmp_path)
    assert result.returncode == 1
    written = (tmp_path / "o.conllu").read_bytes()
    assert written == source.read_bytes()[: len(written)]
    assert limit - 100 < len(written) <= limit or limit == 10
    state = b"is whole up to the last full sentence" if limit > 10 else b"is empty"
    assert b"plait: o.conllu: cannot be written: " in result.stderr
    assert state in result.stderr
    if limit > 10:
        assert len(plait.read(tmp_path / "o.conllu")) == written.count(b"\n\n")
        assert written.endswith(b"\n\n")


def test_a_compressed_file_that_has_no_more_room_is_said_to_be_cut_off(tmp_path: Path) -> None:
    source = many(tmp_path / "a.conllu", 8000)
    result = limited(1000, "convert", source, "-o", "o.conllu.gz", cwd=tmp_path)
    assert result.returncode == 1
    assert result.stderr.count(b"\n") == 1
    assert b"the file is cut off" in result.stderr


VERBS = {
    "stats": "stats a.conllu",
    "stats as JSON": "stats --json a.conllu",
    "convert": "convert a.conllu",
    "validate": "validate a.conllu",
    "evaluate": "evaluate a.conllu a.conllu",
    "compare": "compare a.conllu a.conllu a.conllu",
    "oracle": "oracle a.conllu",
    "letters": "oracle --derivations a.conllu",
    "lattice": "lattice a.conllu",
    "draw": "draw a.conllu",
    "draw SVG": "draw -o - a.conllu",
    "vote": "vote a.conllu a.conllu",
    "help": "--help",
}


@full
@pytest.mark.parametrize("name", VERBS)
def test_standard_output_that_is_full_gets_one_message(tmp_path: Path, name: str) -> None:
    one(tmp_path / "a.conllu", "\n\n")
    with Path("/dev/full").open("wb") as out:
        result = subprocess.run(
            [sys.executable, "-m", "plait", *VERBS[name].split()],
            stdout=out,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            timeout=60,
            check=False,
        )
    messages = [line for line in result.stderr.decode().splitlines() if line.startswith("plait: ")]
    assert result.returncode == 1
    assert messages == [
        "plait: <stdout>: cannot be written: no space is left; what was written may be cut off."
    ]
    assert "Traceback" not in result.stderr.decode()
    assert "Exception" not in result.stderr.decode()


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_closed_standard_streams(tmp_path: Path, closed: str) -> None:
    result = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m plait convert - {closed}"],
        input=None if closed == "<&-" else ROW.encode(),
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    assert result.returncode == (2 if closed == "<&-" else 1)
    assert b"is closed" in result.stderr
    assert result.stderr.count(b"\n") == 1


def test_what_is_in_the_file_for_sure_is_not_kept_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_ENDS", 10)
    with files.open_sink(tmp_path / "o.txt") as sink:
        for _ in range(100):
            sink.write(b"x\n")
        assert len(sink._ends) <= 11  # type: ignore[attr-defined]
