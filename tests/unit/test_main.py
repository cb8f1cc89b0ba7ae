"""What no verb should have to think of: closed and full streams, odd characters, errors nobody foresaw."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Result
from plait import Sentence, write
from plait.errors import printable

Command = Callable[..., Result]
unix = pytest.mark.skipif(sys.platform == "win32", reason="of Unix")
PLAIT = f'"{sys.executable}" -m plait'


def in_shell(command: str, folder: Path) -> Result:
    done = subprocess.run(command, shell=True, capture_output=True, cwd=folder, timeout=60, check=False)
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "file.conllu"
    write([Sentence(forms=["été", "后"], heads=[0, 1], deprels=["root", "x"])], path)
    return path


def broken(tmp_path: Path, exception: str) -> dict[str, str]:
    """An environment in which reading a treebank raises what nobody expects."""
    (tmp_path / "sitecustomize.py").write_text(
        "import plait.formats.files as files\n"
        "def fail(*_):\n"
        f"    raise {exception}\n"
        "files.Source.peek = fail\n"
    )
    return os.environ | {"PYTHONPATH": str(tmp_path)}


@pytest.mark.parametrize(
    ("exception", "message"),
    [
        ("ZeroDivisionError('a\\x1b[2Jb')", r"ZeroDivisionError: a\x1b[2Jb"),
        ("MemoryError", "plait: there is not enough memory."),
        ("OSError(5, 'Input/output error', 'disk')", "plait: disk: Input/output error."),
    ],
)
def test_the_unforeseen_is_one_line(
    plait_command: Command, treebank: Path, tmp_path: Path, exception: str, message: str
) -> None:
    result = plait_command("stats", treebank, env=broken(tmp_path, exception))
    assert (result.status, result.out, result.err.count("\n")) == (1, "", 1)
    assert message in result.err


@pytest.mark.parametrize("arguments", [["--debug", "stats"], ["stats", "--debug"]])
def test_debug_shows_where(
    plait_command: Command, treebank: Path, tmp_path: Path, arguments: list[str]
) -> None:
    result = plait_command(*arguments, treebank, env=broken(tmp_path, "ZeroDivisionError('why')"))
    assert result.status == 1
    assert result.err.startswith("Traceback")
    assert "in fail" in result.err
    assert "ZeroDivisionError: why" in result.err.splitlines()[-1]


def test_debug_shows_where_bad_input_was_found(plait_command: Command) -> None:
    result = plait_command("stats", "nowhere.conllu", "--debug")
    assert result.status == 2
    assert "Traceback" in result.err
    assert result.err.endswith("plait: nowhere.conllu: there is no such file.\n")


@unix
@pytest.mark.parametrize("verb", ["stats", "validate", "draw", "convert", "oracle", "info en", "--help"])
def test_standard_output_that_is_full_or_closed(treebank: Path, tmp_path: Path, verb: str) -> None:
    file = "" if " " in verb or verb == "--help" else treebank.name
    for place in ("/dev/full", "&-"):
        result = in_shell(f"{PLAIT} {verb} {file} >{place}", tmp_path)
        assert result.status == 1, result.err
        assert "plait: <stdout>: cannot be written: " in result.err
        assert result.err.count("plait:") == 1
        assert "Traceback" not in result.err
        assert "Exception ignored" not in result.err


@unix
def test_standard_input_that_is_closed(tmp_path: Path) -> None:
    result = in_shell(f"{PLAIT} stats - <&-", tmp_path)
    assert (result.status, result.err) == (2, "plait: <stdin>: cannot be opened: it is closed.\n")


@unix
def test_standard_error_that_is_full(tmp_path: Path) -> None:
    assert in_shell(f"{PLAIT} stats nowhere.conllu 2>/dev/full", tmp_path).status == 2
    assert in_shell(f"{PLAIT} nothing 2>/dev/full", tmp_path).status == 2


@unix
def test_a_reader_that_goes_away(treebank: Path, tmp_path: Path) -> None:
    write([Sentence(forms=["a"], heads=[0], deprels=["root"])] * 30_000, treebank)
    result = in_shell(f"{PLAIT} convert {treebank.name} | head -1", tmp_path)
    assert (result.out.count("\n"), result.err) == (1, "")


@unix
@pytest.mark.parametrize("arguments", [["stats"], ["parse"], ["parse", "--text"], ["draw"], ["info"], []])
def test_arguments_that_are_not_utf8(tmp_path: Path, arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "plait", *arguments, b"caf\xe9 \x1b[31m"],
        capture_output=True,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"\x1b" not in done.stderr
    assert rb"caf\xe9" in done.stderr or rb"caf\udce9" in done.stderr


@unix
def test_files_with_odd_names(treebank: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in (b"caf\xe9.conllu", b"two\nlines\x1b.conllu"):
        (folder / os.fsdecode(name)).write_bytes(treebank.read_bytes())
    result = in_shell(f"{PLAIT} tag folder --keep tags", tmp_path)
    assert result.status == 0, result.err
    assert "# newdoc id = folder/caf\\xe9.conllu\n" in result.out
    assert "# newdoc id = folder/two\\nlines\\x1b.conllu\n" in result.out
    drawn = in_shell(f"{PLAIT} draw file.conllu -o $(printf 'folder/\\351.svg')", tmp_path)
    assert (drawn.status, drawn.err) == (0, "")


def test_json_is_json_whatever_the_terminal_speaks(plait_command: Command, tmp_path: Path) -> None:
    write([Sentence(forms=["é"], heads=[0], deprels=["é"])], tmp_path / "é.conllu")
    for encoding in ("ascii", "utf-8"):
        result = plait_command(
            "stats", "é.conllu", "--json", env=os.environ | {"PYTHONIOENCODING": f"{encoding}:strict"}
        )
        assert result.status == 0, result.err
        assert "é.conllu" in json.dumps(json.loads(result.out), ensure_ascii=False)


def test_what_would_disturb_a_terminal_is_escaped() -> None:
    assert printable("é 后 \U0001f469\u200d\U0001f52c") == "é 后 \U0001f469\u200d\U0001f52c"
    assert printable("a\x1b\n\t\u202e\udce9\ud800") == r"a\x1b\n\t\u202e\xe9\ud800"


@pytest.mark.parametrize(
    "arguments", [["refer", "no.json"], ["rules", "check", "no.rules"], ["features", "show", "no"]]
)
def test_debug_may_stand_after_a_sub_verb(plait_command: Command, arguments: list[str]) -> None:
    result = plait_command(*arguments, "--debug")
    assert result.status == 2
    assert "Traceback" in result.err


def test_help_of_a_usual_verb_lists_options_only(plait_command: Command) -> None:
    options = plait_command("refer", "--help").out.partition("Options:\n")[2]
    assert options.lstrip().startswith("-m, --model")


def test_one_pipe_is_not_two_files(plait_command: Command) -> None:
    result = plait_command("convert", "-", "--roles", "-", stdin=b"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    assert result.status == 2
    assert "cannot both come from standard input" in result.err
