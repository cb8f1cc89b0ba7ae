"""`plait draw` as a user meets it."""

import gzip
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from drawings import HEARING, WHO, WHO_BY_A_SYSTEM
from plait import Sentence, write
from plait.drawing import terminal
from plait.drawing.comparison import draw_comparison
from plait.drawing.tree import draw_tree

Command = Callable[..., Any]
PLAIN = Sentence(forms=["a", "b"], heads=[0, 1], deprels=["root", "x"], comments=["# sent_id = plain"])


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def make(*sentences: Sentence, name: str = "file.conllu") -> Path:
        write([sentence.copy() for sentence in sentences], tmp_path / name, format="conllu")
        return tmp_path / name

    return make


def shown(sentence: Sentence, *, ascii: bool = False) -> str:
    drawn = terminal.draw_tree(sentence, ascii=ascii)
    return f"# sent_id = {sentence.sent_id}\n# text = {sentence.text}\n{drawn}\n\n"


def test_the_first_sentence_in_the_terminal(plait_command: Command, file: Callable[..., Path]) -> None:
    result = plait_command("draw", file(WHO, HEARING))
    assert (result.status, result.out, result.err) == (0, shown(WHO), "")


@pytest.mark.parametrize(
    ("which", "expected"),
    [
        ("2", [HEARING]),
        ("2-3", [HEARING, PLAIN]),
        ("all", [WHO, HEARING, PLAIN]),
        ("hearing", [HEARING]),
    ],
)
def test_sentences_can_be_chosen(
    plait_command: Command, file: Callable[..., Path], which: str, expected: list[Sentence]
) -> None:
    result = plait_command("draw", file(WHO, HEARING, PLAIN), "--sentence", which)
    assert (result.status, result.out, result.err) == (0, "".join(map(shown, expected)), "")


def test_what_comes_after_the_chosen_sentence_is_not_read(
    plait_command: Command, file: Callable[..., Path]
) -> None:
    path = file(WHO)
    path.write_text(path.read_text(encoding="utf-8") + "broken\n\n", encoding="utf-8")
    assert plait_command("draw", path).status == 0
    assert plait_command("draw", path, "--sentence", "2").status == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sentence", "3"], "file.conllu: there is no sentence 3; the file has 2 sentences."),
        (["--sentence", "2-9"], "file.conllu: there is no sentence 9; the file has 2 sentences."),
        (["--sentence", "why"], "there is no sentence with sent_id 'why'; the file has 2 sentences."),
        (["--sentence", "0"], "--sentence 0: sentences count from 1, and a range goes up."),
        (["--sentence", "2-1"], "--sentence 2-1: sentences count from 1"),
        (["-o", "tree.jpg"], "tree.jpg: a picture is written to a file that ends in .svg, .png or .tex."),
        (["-o", "-", "--sentence", "all"], "Standard output takes one picture"),
        (["--against", "nowhere.conllu"], "nowhere.conllu: there is no such file."),
    ],
)
def test_wrong_options(
    plait_command: Command, file: Callable[..., Path], options: list[str], message: str
) -> None:
    result = plait_command("draw", file(WHO, HEARING), *options)
    assert result.status == 2
    assert message in result.err
    assert "Traceback" not in result.err


def test_two_files_cannot_both_be_standard_input(plait_command: Command) -> None:
    result = plait_command("draw", "-", "--against", "-")
    assert result.status == 2
    assert "FILE and --against cannot both be -" in result.err


def test_pictures(plait_command: Command, file: Callable[..., Path], tmp_path: Path) -> None:
    path = file(WHO, HEARING)
    result = plait_command("draw", path, "-o", "tree.svg", "--lemmas", "--width", "0")
    assert (result.status, result.out) == (0, "tree.svg: 8 words, 1 non-projective arc\n")
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == draw_tree(WHO, lemmas=True, width=None)
    assert plait_command("draw", path, "-o", "-", "--width", "300").out == draw_tree(WHO, width=300)
    several = plait_command("draw", path, "-o", "tree.svg", "--sentence", "1-2")
    assert several.out.splitlines()[1] == "tree-2.svg: 9 words, 2 non-projective arcs"
    assert (tmp_path / "tree-2.svg").read_text(encoding="utf-8") == draw_tree(HEARING)


def test_a_picture_in_pixels(plait_command: Command, file: Callable[..., Path], tmp_path: Path) -> None:
    pytest.importorskip("cairosvg", exc_type=(ImportError, OSError))
    assert plait_command("draw", file(WHO), "-o", "tree.png").status == 0
    assert (tmp_path / "tree.png").read_bytes().startswith(b"\x89PNG")


def test_pixels_without_the_extra(plait_command: Command, file: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "cairosvg.py").write_text("raise ImportError")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    result = plait_command("draw", file(WHO), "-o", "tree.png", env=os.environ | {"PYTHONPATH": path})
    assert result.status == 1
    assert "pip install 'plait[png]'" in result.err


def test_the_input_is_not_overwritten(plait_command: Command, file: Callable[..., Path]) -> None:
    path = file(WHO, name="tree.svg")
    result = plait_command("draw", path, "-o", "tree.svg", "--from", "conllu")
    assert result.status == 2
    assert "input and output are the same file" in result.err


def test_standard_input_and_compressed_data(plait_command: Command, file: Callable[..., Path]) -> None:
    data = gzip.compress(file(WHO).read_bytes())
    result = plait_command("draw", "-", stdin=data)
    assert (result.status, result.out) == (0, shown(WHO))


def test_terminals_that_do_not_speak_utf_8(plait_command: Command, file: Callable[..., Path]) -> None:
    path = file(WHO)
    assert plait_command("draw", path, "--ascii").out == shown(WHO, ascii=True)
    result = plait_command("draw", path, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (result.status, result.out, result.err) == (0, shown(WHO, ascii=True), "")
    accented = file(Sentence(forms=["été"], heads=[0], deprels=["root"]))
    result = plait_command("draw", accented, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (result.status, result.out) == (0, "# text = ?t?\n--> ?t?  root\n\n")


def test_comparison(plait_command: Command, file: Callable[..., Path], tmp_path: Path) -> None:
    gold, system = file(WHO, HEARING), file(WHO_BY_A_SYSTEM, HEARING, name="system.conllu")
    result = plait_command("draw", gold, "--against", system)
    assert result.status == 0
    assert result.out.endswith(f"{terminal.draw_comparison(WHO, WHO_BY_A_SYSTEM)}\n\n")
    result = plait_command("draw", gold, "--against", system, "-o", "both.svg")
    assert result.out == "both.svg: UAS 75.0, LAS 62.5\n"
    picture = (tmp_path / "both.svg").read_text(encoding="utf-8")
    assert picture == draw_comparison(WHO, WHO_BY_A_SYSTEM)
    assert ElementTree.fromstring(picture) is not None


def test_files_that_do_not_belong_together(plait_command: Command, file: Callable[..., Path]) -> None:
    gold, short = file(WHO, HEARING), file(WHO, name="short.conllu")
    result = plait_command("draw", gold, "--against", short)
    assert result.status == 2
    assert result.err == f"plait: {gold} has 2 sentences and {short} 1; they must be the same text.\n"
    other = file(HEARING, WHO, name="other.conllu")
    result = plait_command("draw", gold, "--against", other)
    assert result.status == 2
    assert f"{other}:1 (sent_id who): word 1 is 'Who' in the gold sentence and 'A' in" in result.err


def test_a_word_that_is_its_own_head(plait_command: Command, tmp_path: Path) -> None:
    path = tmp_path / "self.conllu"
    path.write_text("# sent_id = s\n1\ta\t_\t_\t_\t_\t1\tx\t_\t_\n\n")
    result = plait_command("draw", path)
    assert result.status == 2
    assert "(sent_id s)" in result.err
    assert "own head" in result.err


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")
def test_colours_are_for_terminals(file: Callable[..., Path]) -> None:
    import pty
    import subprocess

    drawn = {}
    for no_colour in (False, True):
        controller, terminal_end = pty.openpty()
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        with os.fdopen(controller, "rb", buffering=0) as reader:
            process = subprocess.Popen(
                [sys.executable, "-m", "plait", "draw", str(file(WHO))],
                stdout=terminal_end,
                env=environment | ({"NO_COLOR": "1"} if no_colour else {}),
            )
            os.close(terminal_end)
            drawn[no_colour] = b""
            try:
                while piece := reader.read(4096):
                    drawn[no_colour] += piece
            except OSError:  # how Linux says that the other end is closed
                pass
            assert process.wait(timeout=60) == 0
    assert b"\033[33m" in drawn[False]
    assert b"\033[" not in drawn[True]
