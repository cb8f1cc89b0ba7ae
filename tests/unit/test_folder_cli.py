"""`plait parse` from a folder to a folder: names, faults, kills, several at a time."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import plait
from conftest import Result
from plait.cli import plait as program
from plait.cli.corpus import Shard, Task

MODEL = "en-fast"
Command = Callable[..., Result]
SENTENCES = ["The dog saw a cat today.", "A hearing is scheduled on the issue.", "Who did you send it to?"]


@pytest.fixture(scope="module")
def nlp() -> plait.Pipeline:
    return plait.load(MODEL)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, status: int = 0) -> str:
    """The command in this process; what it says on standard error."""
    result = CliRunner().invoke(program, ["parse", "-m", MODEL, *arguments])
    error = result.exception
    assert (2 if isinstance(error, plait.InputError) else result.exit_code) == status, result.output
    return f"{error}" if isinstance(error, plait.InputError) else result.stderr


def corpus(folder: Path, files: int = 3, sentences: int = 2) -> dict[str, str]:
    """Texts of several lengths; they by the names of what they become."""
    folder.mkdir(exist_ok=True)
    texts: dict[str, str] = {}
    for number in range(files):
        size = sentences * (1 + number % 3)
        text = "\n".join(f"{SENTENCES[(number + i) % 3]} It was number {i}." for i in range(size)) + "\n"
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
        texts[f"{number}.conllu"] = text
    return texts


def found(folder: Path) -> dict[str, bytes]:
    """All files but the one that tells how they were made."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".plait.json"
    }


def expected(nlp: plait.Pipeline, texts: dict[str, str]) -> dict[str, bytes]:
    return {name: nlp(text).conllu.encode() for name, text in texts.items()}


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_names_folders_and_compression_are_kept(here: Path, nlp: plait.Pipeline, jobs: str) -> None:
    wanted = expected(nlp, corpus(here / "corpus"))
    inner = here / "corpus" / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "news.2020.txt.gz").write_bytes(gzip.compress(b"The dog saw a cat."))
    (inner / "more.conllu.xz").write_bytes(lzma.compress(nlp("She left.").conllu.encode()))
    (inner / "picture.jpg").write_bytes(b"\xff\xd8")
    (inner / ".hidden.txt").write_text("No.")
    said = run("corpus/", "-o", "parsed/", "--jobs", jobs)
    made = found(here / "parsed")
    assert {name: made.pop(name) for name in wanted} == wanted
    assert set(made) == {"a/b/news.2020.conllu.gz", "a/b/more.conllu.xz"}
    assert gzip.decompress(made["a/b/news.2020.conllu.gz"]).decode() == nlp("The dog saw a cat.").conllu
    assert "1\tShe\t" in lzma.decompress(made["a/b/more.conllu.xz"]).decode()
    words = sum(line[:1].isdigit() for each in wanted.values() for line in each.decode().splitlines())
    assert f"plait: 5 files made, {words + 6 + 3:,} words, " in said


def test_finished_files_stay_and_others_are_made(here: Path, nlp: plait.Pipeline) -> None:
    wanted = expected(nlp, corpus(here / "corpus"))
    run("corpus", "-o", "parsed/")
    (here / "parsed" / "1.conllu").unlink()
    before = {path: path.stat().st_mtime_ns for path in (here / "parsed").glob("*.conllu")}
    said = run("corpus", "-o", "parsed")
    assert "1 file made" in said
    assert "2 finished before" in said
    assert found(here / "parsed") == wanted
    assert {path: path.stat().st_mtime_ns for path in before} == before


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_file_that_fails_is_told_and_the_rest_is_made(here: Path, nlp: plait.Pipeline, jobs: str) -> None:
    wanted = expected(nlp, corpus(here / "corpus", 4))
    (here / "corpus" / "bad.txt").write_bytes(b"Good words.\n\nBad \xff ones.")
    (here / "corpus" / "cut.txt.gz").write_bytes(gzip.compress(b"The dog saw a cat." * 900)[:-20])
    (here / "corpus" / "empty.txt").write_bytes(b" \n")
    (here / "corpus" / "rows.conllu").write_text("1\tonly\tthree\n\n")
    (here / "corpus" / "link.txt").symlink_to("nowhere.txt")
    said = run("corpus/", "-o", "parsed/", "--jobs", jobs, status=2)
    assert found(here / "parsed") == wanted
    assert "plait: corpus/bad.txt:3: the line holds bytes that are not UTF-8" in said
    assert "plait: corpus/cut.txt.gz: the compressed data are damaged or cut off" in said
    assert "plait: corpus/empty.txt:" in said
    assert "plait: corpus/rows.conllu:1" in said
    assert "plait: corpus/link.txt: there is no such file" in said
    assert "4 files made" in said
    assert "; 5 failed" in said
    again = run("corpus/", "-o", "parsed/", "--jobs", jobs, status=2)
    assert "0 files made, 0 words, 0 words/s; 4 finished before or by another run; 5 failed" in again
    lenient = run("corpus/", "-o", "lenient/", "--lenient", "--jobs", jobs, status=2)
    assert "rows.conllu:1" in lenient
    assert set(found(here / "lenient")) == {*wanted, "bad.conllu"}


def test_what_is_said_of_a_file_names_it(here: Path) -> None:
    corpus(here / "corpus", 1)
    said = run("corpus/", "-o", "parsed/", "--to", "conllx")
    assert "plait: corpus/0.txt: CoNLL-X has no place for: " in said
    assert set(found(here / "parsed")) == {"0.conllx"}


def test_other_options_and_other_models_are_noticed(here: Path) -> None:
    corpus(here / "corpus", 2)
    run("corpus/", "-o", "parsed/")
    before = found(here / "parsed")
    told = run("corpus/", "-o", "parsed/", "--ranges", status=2)
    assert "parsed/: its files were made in another way (ranges was not given, is true)" in told
    told = run("corpus/", "-o", "parsed/", "-m", "en", status=2)
    assert "(model was en-fast " in told
    assert ", is en " in told
    assert found(here / "parsed") == before
    assert "other shards" in run(
        "corpus/", "-o", "parsed/", "--ranges", "--force", "--shard", "1/2", status=2
    )
    assert found(here / "parsed") == before
    run("corpus/", "-o", "parsed/", "--ranges", "--force")
    after = found(here / "parsed")
    assert set(after) == set(before)
    assert all(b"TokenRange" in each for each in after.values())
    assert json.loads((here / "parsed" / ".plait.json").read_text())["ranges"] is True
    run("corpus/", "-o", "parsed/", "--ranges", "--threads", "2", "--jobs", "2")  # which change nothing


def test_files_of_unknown_origin_are_not_taken_for_ours(here: Path) -> None:
    corpus(here / "corpus", 2)
    (here / "parsed").mkdir()
    (here / "parsed" / "1.conllu").write_text("mine\n")
    assert "nothing in its folder tells how it was made" in run("corpus/", "-o", "parsed/", status=2)
    assert (here / "parsed" / "1.conllu").read_text() == "mine\n"
    (here / "parsed" / ".plait.json").write_text("{")
    assert "damaged" in run("corpus/", "-o", "parsed/", status=2)
    (here / "parsed" / ".plait.json").unlink()
    run("corpus/", "-o", "parsed/", "--force")
    assert b"# text" in found(here / "parsed")["1.conllu"]


def test_a_source_that_has_changed_is_told(here: Path) -> None:
    corpus(here / "corpus", 2)
    run("corpus/", "-o", "parsed/")
    later = time.time() + 60
    os.utime(here / "corpus" / "1.txt", (later, later))
    assert "plait: parsed/1.conllu: older than what it was made of" in run("corpus/", "-o", "parsed/")


def test_what_cannot_be_meant_is_refused(here: Path) -> None:
    corpus(here / "corpus", 2)
    assert "would be written among" in run("corpus/", "-o", "corpus/", status=2)
    assert "both become parsed/0.conllu" in run("corpus/", "corpus/0.txt", "-o", "parsed/", status=2)
    (here / "0.conllu").write_text("1\tShe\t_\tPRON\t_\t_\t0\troot\t_\t_\n\n")
    assert "which is read as well" in run("0.conllu", "corpus/1.txt", "-o", "./", status=2)
    assert "written as 3/16" in run("corpus/", "-o", "parsed/", "--shard", "3", status=2)
    assert "end its name with a slash" in run("corpus/", "-o", "parsed.conllu", "--jobs", "2", status=2)
    assert "not into a folder" in run("corpus/", "-o", "parsed/", "--to", "tree", status=2)
    assert "the text 'corpse', which is no file or folder," in run("corpse", "-o", "parsed/", status=2)
    assert "the text 'corpse', which is no" in run("corpse", "-o", "parsed/", "--jobs", "2", status=2)
    assert "standard input cannot be written into a folder" in run("-", "-o", "parsed/", status=2)
    (here / "none").mkdir()
    assert "no file to read" in run("none", "-o", "parsed/", status=2)
    assert not (here / "parsed").exists()


def test_the_folder_that_is_written_is_not_read(here: Path) -> None:
    corpus(here / "corpus", 2)
    run("corpus/", "-o", "corpus/parsed/")
    assert "2 finished before" in run("corpus/", "-o", "corpus/parsed/")


def test_what_is_no_file_is_not_waited_for(here: Path) -> None:
    corpus(here / "corpus", 1)
    os.mkfifo(here / "corpus" / "pipe.txt")
    assert "1 file made" in run("corpus/", "-o", "parsed/")
    assert set(found(here / "parsed")) == {"0.conllu"}


def test_shards_are_all_and_none_twice(here: Path, nlp: plait.Pipeline) -> None:
    wanted = expected(nlp, corpus(here / "corpus", 5))
    made = 0
    for number in range(1, 4):
        run("corpus/", "-o", "parsed/", "--shard", f"{number}/3")
        made, before = len(found(here / "parsed")), made
        assert made > before
    assert found(here / "parsed") == wanted


@pytest.mark.parametrize("shards", [1, 2, 7, 300])
def test_shards_have_about_the_same_size(shards: int) -> None:
    tasks = [Task(f"{i}", f"{i}", (i * 7919) % 1000) for i in range(200)]
    shares = [
        Shard(number, shards).share(tasks[::-1] if number % 2 else tasks) for number in range(1, shards + 1)
    ]
    assert sorted(task.source for share in shares for task in share) == sorted(task.source for task in tasks)
    sizes = [sum(task.size for task in share) for share in shares]
    assert max(sizes) - min(sizes) <= 1000


@pytest.mark.parametrize("text", ["0/3", "4/3", "a/b", "3", "1/0", "-1/3", "1/3/5", "", "²/3"])
def test_a_shard_that_is_none(text: str) -> None:
    with pytest.raises(plait.InputError, match="3/16"):
        Shard.read(text)


# Processes that are killed.


@pytest.fixture
def started(here: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start commands in groups of their own, of which none is left."""
    running: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str, stderr: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "plait", "parse", "-m", MODEL, *arguments],
            cwd=here,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            start_new_session=True,
        )
        running.append(process)
        return process

    yield start
    for process in running:
        if is_running(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stderr:
            process.stderr.close()


def is_running(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "this takes too long"
        time.sleep(0.02)


def finished(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*.conllu") if not path.name.startswith(".")]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_after_a_kill_only_whole_files_are_there_and_the_rest_follows(
    here: Path, nlp: plait.Pipeline, jobs: str, started: Callable[..., subprocess.Popen[bytes]]
) -> None:
    wanted = expected(nlp, corpus(here / "corpus", 12, 200))
    arguments = ("corpus/", "-o", "parsed/", "--jobs", jobs)
    process = started(*arguments)
    until(lambda: len(finished(here / "parsed")) > 2)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    whole = {path.name: path.read_bytes() for path in finished(here / "parsed")}
    assert 0 < len(whole) < 12
    assert whole == {name: wanted[name] for name in whole}
    times = {path: path.stat().st_mtime_ns for path in finished(here / "parsed")}
    run(*arguments)
    assert found(here / "parsed") == wanted  # and nothing that the kill left
    assert {path: path.stat().st_mtime_ns for path in times} == times


@pytest.mark.parametrize("planted", [".part-1.conllu", ".part-.plait.json"])
def test_nothing_is_written_through_a_link_that_was_planted(
    here: Path, started: Callable[..., subprocess.Popen[bytes]], planted: str
) -> None:
    corpus(here / "corpus", 3)
    (here / "precious").write_text("mine")
    (here / "parsed").mkdir()
    (here / "parsed" / planted).symlink_to(here / "precious")
    process = started("corpus/", "-o", "parsed/")
    _, said = process.communicate(timeout=60)
    assert process.returncode == (2 if planted == ".part-1.conllu" else 1), said
    assert f"{planted} is no plain file; take it away".encode() in said
    assert b"this should not have happened" not in said
    assert (here / "precious").read_text() == "mine"
    (here / "parsed" / planted).unlink()
    assert "1.conllu" not in found(here / "parsed")
    assert len(found(here / "parsed")) == (2 if planted == ".part-1.conllu" else 0)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_leaves_whole_files_only(
    here: Path, nlp: plait.Pipeline, jobs: str, started: Callable[..., subprocess.Popen[bytes]]
) -> None:
    wanted = expected(nlp, corpus(here / "corpus", 12, 200))
    process = started("corpus/", "-o", "parsed/", "--jobs", jobs)
    until(lambda: finished(here / "parsed"))
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130, said
    assert said.strip() == b"plait: interrupted"
    until(lambda: not is_running(process.pid), 10)
    made = found(here / "parsed")
    assert 0 < len(made) < 12
    assert made == {name: wanted[name] for name in made}


def test_workers_end_when_their_parent_is_killed(
    here: Path, started: Callable[..., subprocess.Popen[bytes]]
) -> None:
    corpus(here / "corpus", 4, 20_000)
    process = started("corpus/", "-o", "parsed/", "--jobs", "2")
    until(lambda: len(list((here / "parsed").glob(".part-*"))) == 2)
    process.kill()
    process.wait()
    until(lambda: not is_running(process.pid), 20)
    assert found(here / "parsed") == {}


def test_a_worker_that_is_killed_costs_its_file_only(
    here: Path, nlp: plait.Pipeline, started: Callable[..., subprocess.Popen[bytes]]
) -> None:
    wanted = expected(nlp, corpus(here / "corpus", 5, 1500))
    process = started("corpus/", "-o", "parsed/", "--jobs", "2")
    until(lambda: len(list((here / "parsed").glob(".part-*"))) == 2)
    workers = [
        int(each)
        for each in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()
    ]
    os.kill(workers[0], signal.SIGKILL)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2, said
    assert b"its process ended with status -9" in said
    assert b"; 1 failed" in said
    made = found(here / "parsed")
    assert len(made) == 4
    assert made == {name: wanted[name] for name in made}


def test_two_runs_side_by_side_share_the_work(
    here: Path, nlp: plait.Pipeline, started: Callable[..., subprocess.Popen[bytes]]
) -> None:
    wanted = expected(nlp, corpus(here / "corpus", 8, 100))
    runs = [started("corpus/", "-o", "parsed/") for _ in range(2)]
    said = [each.communicate(timeout=120)[1].decode() for each in runs]
    assert [each.returncode for each in runs] == [0, 0], said
    assert found(here / "parsed") == wanted
    made = [int(each.split()[1]) for each in said]
    assert sum(made) == 8  # none was made twice


def test_two_runs_with_other_options_do_not_mix(
    here: Path, started: Callable[..., subprocess.Popen[bytes]]
) -> None:
    corpus(here / "corpus", 4)
    runs = [started("corpus/", "-o", "parsed/", *more) for more in ((), ("--ranges",))]
    said = [each.communicate(timeout=60)[1] for each in runs]
    assert sorted(each.returncode for each in runs) == [0, 2], said
    assert len({b"TokenRange" in each for each in found(here / "parsed").values()}) == 1


def test_a_terminal_shows_how_far_it_is(
    here: Path, started: Callable[..., subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    corpus(here / "corpus", 6, 1000)
    (here / "corpus" / "bad.txt").write_bytes(b"\xff")
    ours, theirs = pty.openpty()
    process = started("corpus/", "-o", "parsed/", "--jobs", "2", stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            data = os.read(ours, 1 << 16)
        except OSError:  # so Linux says that nobody is left to write
            break
        if not data:
            break
        shown += data
    os.close(ours)
    assert process.wait(60) == 2
    text = shown.decode()
    assert "/7 files, " in text
    assert " words/s" in text
    assert "0:00:" in text  # time left
    assert "corpus/bad.txt:1: the line holds bytes" in text
    assert "6 files made" in text
