"""Input nobody meant to give: bounded in size, its characters harmless, and an error where it is no treebank."""

from __future__ import annotations

import json
import os
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plait
from plait import FormatError, InputError, Sentence
from plait.drawing import arcs
from plait.errors import PlaitError, printable
from plait.formats import blocks
from plait.trees import is_projective
from plait.trees.lifting import projectivize
from plait.trees.voting import vote
from toy import quick_parser, toy, written

Command = Callable[..., Any]

ROW = "1\tShe\t_\tPRON\t_\t_\t0\troot\t_\t_\n"


def random_tree(size: int, seed: int, *, near: int = 0) -> list[int]:
    """Every word hangs from any word before it in a random order, or from one of the `near` last."""
    chance = random.Random(seed)
    order = chance.sample(range(1, size + 1), size)
    heads = [0] * size
    for place, word in enumerate(order[1:], 1):
        heads[word - 1] = order[chance.randrange(max(0, place - near) if near else 0, place)]
    return heads


def tree_file(path: Path, heads: list[int]) -> Path:
    plait.write([Sentence(forms=["w"] * len(heads), heads=list(heads), deprels=["x"] * len(heads))], path)
    return path


# --- What is no treebank


@pytest.mark.parametrize(
    "verb", ["stats", "validate", "evaluate", "compare", "oracle", "lattice", "draw", "vote"]
)
def test_a_file_that_is_no_treebank_is_an_error(plait_command: Command, tmp_path: Path, verb: str) -> None:
    (tmp_path / "x.csv").write_text("name,age\nAnn,3\nBob,4\n")
    amount = {"evaluate": 2, "compare": 3}.get(verb, 1)
    result = plait_command(verb, *["x.csv"] * amount)
    assert result.status == 2
    assert "x.csv: this is not a treebank" in result.err
    assert "nan" not in result.out


def test_a_treebank_without_trees_has_no_shares(plait_command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(ROW.replace("\t0\troot", "\t_\t_") + "\n")
    result = plait_command("stats", "a.conllu")
    assert result.status == 0
    assert "nan" not in result.out


@pytest.mark.parametrize("content", [b"", b" ", b"\n", b" \n\t\n", "\u3000\n".encode(), b"\r\n\r\n"])
@pytest.mark.parametrize("name", ["a.conllu", "a.txt", "a.jsonl", "a"])
@pytest.mark.parametrize("verb", ["stats", "convert", "validate", "tokenize"])
def test_white_space_alone_is_no_input(
    runner: Command, tmp_path: Path, verb: str, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    status, output = runner(verb, tmp_path / name)
    assert status == 2
    assert "there is no sentence in it; the file is empty." in output


@pytest.mark.parametrize("verb", ["parse", "tag", "tokenize"])
def test_a_text_of_white_space_is_no_input(runner: Command, verb: str) -> None:
    status, output = runner(verb, " \t ")
    assert status == 2
    assert "no word in it" in output


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Run a command in this process: its status, and all it printed."""

    def run(*arguments: object) -> tuple[int, str]:
        monkeypatch.setattr("sys.argv", ["plait", *map(str, arguments)])
        with pytest.raises(SystemExit) as done:
            plait_main()
        captured = capfd.readouterr()
        return int(done.value.code or 0), captured.out + captured.err

    from plait.cli import main as plait_main

    return run


# --- Size


def test_blank_lines_without_end_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLANK_LIMIT", 1000)
    monkeypatch.setattr("plait.formats.text.BLANK_LIMIT", 1000)
    monkeypatch.setattr("plait.formats.text.CHUNK", 100)
    monkeypatch.setattr(blocks, "CHUNK", 100)
    for content in ("\n" * 5000, ROW + "\n" * 5000):
        path = tmp_path / "a.conllu"
        path.write_text(content)
        with pytest.raises(FormatError, match="more than 1,000 line ends on end"):
            plait.read(path)
    from plait.formats.files import open_source
    from plait.formats.text import pieces

    (tmp_path / "a.txt").write_text("a" + " \n" * 5000 + "b")
    with open_source(tmp_path / "a.txt") as source, pytest.raises(FormatError, match="more than 1,000 char"):
        list(pieces(source))


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 5000 + "-" + "9" * 5001, "1." + "9" * 5000])
def test_numbers_of_any_length_are_messages(tmp_path: Path, number: str) -> None:
    for cell in (0, 6):
        cells = ROW.split("\t")
        cells[cell] = number
        path = tmp_path / "a.conllu"
        path.write_text("\t".join(cells) + "\n")
        assert all(len(str(problem)) < 500 for problem in plait.validate(path))
        with pytest.raises(FormatError):
            plait.read(path)
    path.write_text(ROW.replace("root\t_", f"root\t{number}:x") + "\n")
    assert any("DEPS" in problem.message for problem in plait.validate(path))


@pytest.mark.parametrize(
    "options",
    [
        ("draw", "--sentence", "9" * 5000),
        ("draw", "--sentence", "1-" + "9" * 5000),
        ("draw", "--width", "9" * 400),
        ("lattice", "--sentence", "9" * 30),
        ("lattice", "--limit", "9" * 30),
        ("oracle", "--budget", "9" * 30),
    ],
)
def test_counts_of_any_length_are_messages(runner: Command, tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "a.conllu").write_text(ROW + "\n")
    status, output = runner(options[0], tmp_path / "a.conllu", *options[1:])
    assert status == 2
    assert "Traceback" not in output


def test_votes_on_ten_thousand_words_are_counted_at_once() -> None:
    heads = [random_tree(10_000, seed, near=2) for seed in range(3)]
    began = time.monotonic()
    voted = vote([[Sentence(forms=["w"] * 10_000, heads=list(tree))] for tree in heads])
    assert time.monotonic() - began < 20  # it took many minutes
    assert voted[0].heads.count(0) == 1


def test_ten_thousand_words_are_lifted_or_refused_soon() -> None:
    began = time.monotonic()
    # Every fortieth word heads a clause, in which every arc crosses its neighbours.
    heads = [
        (0 if word == 1 else 1)
        if word % 40 == 1
        else max(word - (2, 3, 1, 4)[word % 4], (word - 1) // 40 * 40 + 1)
        for word in range(1, 10_001)
    ]
    assert not is_projective(heads)
    lifted, _ = projectivize(heads, ["x"] * 10_000)
    assert is_projective(lifted)
    with pytest.raises(InputError, match=r"take more than 10,000,000 steps to lift; the sentence has 10,000"):
        projectivize(random_tree(10_000, 1, near=2), ["x"] * 10_000)
    assert time.monotonic() - began < 60  # it took hours


def test_a_sentence_too_long_to_be_drawn_is_refused(plait_command: Command, tmp_path: Path) -> None:
    tree_file(tmp_path / "a.conllu", random_tree(arcs.WORDS + 1, 1))
    for options in ((), ("-o", "a.svg")):
        result = plait_command("draw", "a.conllu", *options)
        assert result.status == 2
        assert "a.conllu:1: the sentence has 2,001 words; up to 2,000 can be drawn." in result.err
    assert plait.read(tmp_path / "a.conllu")[0]._repr_svg_() is None


def test_steps_of_a_long_sentence_are_not_printed(plait_command: Command, tmp_path: Path) -> None:
    tree_file(tmp_path / "a.conllu", list(range(10_000)))
    result = plait_command("oracle", "a.conllu")
    assert result.status == 2
    assert "the sentence has 10,000 words" in result.err
    assert len(plait_command("oracle", "--derivations", "a.conllu").out) == 20_001


@pytest.mark.parametrize("oracle", ["nd-all", "nd-swap"])
def test_oracles_that_look_ahead_have_a_limit(plait_command: Command, tmp_path: Path, oracle: str) -> None:
    tree_file(tmp_path / "a.conllu", random_tree(1000, 1))
    tree_file(tmp_path / "b.conllu", list(range(1000)))
    result = plait_command("oracle", "--derivations", "--oracle", oracle, "a.conllu")
    assert result.status == 2
    assert f"the oracle '{oracle}' is for trees of up to 500" in result.err
    assert plait_command("oracle", "--derivations", "--oracle", oracle, "b.conllu").status == 0
    assert plait_command("oracle", "--compare", "a.conllu").status == 0


# --- Characters


def test_what_steers_a_terminal_is_escaped() -> None:
    assert printable("a\x1b[31m\n\x9b\x7f\u202e\u2028\udcff é 日本 \u200d") == (
        "a\\x1b[31m\\n\\x9b\\x7f\\u202e\\u2028\\xff é 日本 \u200d"
    )
    assert str(InputError("bad \x1b]0;name\x07")) == "bad \\x1b]0;name\\x07"
    assert isinstance(InputError(), PlaitError)


def harmless(output: str) -> bool:
    return not any(character < " " or "\x7f" <= character <= "\x9f" for character in output.replace("\n", ""))


STEERING = "\x1b[31m\x9b\x07"


@pytest.mark.parametrize("verb", ["stats", "validate", "oracle", "draw", "lattice", "evaluate"])
def test_control_characters_of_a_treebank_do_not_reach_the_terminal(
    runner: Command, tmp_path: Path, verb: str
) -> None:
    (tmp_path / "a.conllu").write_text(
        f"# sent_id = a{STEERING}\n# text = b{STEERING}\n"
        + ROW.replace("She", f"She{STEERING}").replace("root", f"root{STEERING}")
        + "2\tx\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"
    )
    options = {"evaluate": [tmp_path / "a.conllu", "--by", "label"]}.get(verb, [])
    _, output = runner(verb, tmp_path / "a.conllu", *options)
    assert harmless(output)


def test_control_characters_of_a_model_do_not_reach_the_terminal(runner: Command, tmp_path: Path) -> None:
    quick_parser(epochs=1).fit(toy(5)).save(tmp_path / "model", licence=STEERING)
    manifest = tmp_path / "model" / "manifest.json"
    content = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(content | {"treebank": STEERING}))
    for options in ((), ("--json",)):
        _, output = runner("info", tmp_path / "model", *options)
        assert harmless(output)


@pytest.mark.parametrize("name", [f"a{STEERING}\n.conllu", os.fsdecode(b"a\xff\xfe.conllu"), "-a b.conllu"])
def test_odd_file_names(runner: Command, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / name
    path.write_text(ROW + "\n")
    for arguments in (
        ("stats", path),
        ("stats", "--json", path),
        ("validate", path),
        ("validate", "--json", path),
        ("oracle", "--compare", path),
        ("evaluate", path, path),
        ("compare", path, path, path),
        ("draw", path, "-o", str(path) + ".svg"),
        ("stats", str(path) + "x"),
        ("parse", path, path),
    ):
        status, output = runner(*arguments)
        assert status in (0, 2), output
        assert "Traceback" not in output
        assert harmless(output.replace("\t", "")), arguments
        if "--json" in arguments:
            found = json.loads(output.strip())
            assert found["files"][0]["path"] == str(path) if "files" in found else found["problems"]


def test_arguments_that_are_not_utf8(runner: Command, tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(ROW + "\n")
    bad = os.fsdecode(b"caf\xe9 \x1b x")
    for arguments in (
        ("parse", bad),
        ("tokenize", bad),
        ("draw", tmp_path / "a.conllu", "--sentence", bad),
        ("oracle", "--system", bad, tmp_path / "a.conllu"),
        ("vote", "--weights", bad, tmp_path / "a.conllu"),
        ("stats", "--from", bad, tmp_path / "a.conllu"),
        (bad,),
    ):
        status, output = runner(*arguments)
        assert status == 2
        assert harmless(output), arguments


# --- Text


@pytest.fixture(scope="module")
def tokenizer() -> plait.Tokenizer:
    return plait.Tokenizer().fit(written(60))


@pytest.mark.parametrize("before", ["", "A dog saw a cat. ", "A dog saw a cat.\n\n", "A dog\nsaw a cat.\n"])
def test_a_fault_never_cuts_a_sentence(tokenizer: plait.Tokenizer, before: str) -> None:
    def pieces() -> Any:
        yield before + "The caf"
        raise InputError("bytes that are not UTF-8")

    found: list[Sentence] = []
    with pytest.raises(InputError, match="not UTF-8"):
        found.extend(tokenizer.stream(pieces()))
    assert not any("caf" in sentence.text for sentence in found)
    assert all(sentence.text.endswith(".") for sentence in found)
    if before.endswith("\n\n"):
        assert [sentence.text for sentence in found] == ["A dog saw a cat."]


def test_bad_bytes_never_cut_a_sentence(runner: Command, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"Good words here.\n\nCaf\xe9 is closed.\n")
    status, output = runner("tokenize", tmp_path / "a.txt")
    assert status == 2
    assert "Good" in output
    assert "Caf" not in output
    assert "a.txt:3: the line holds bytes that are not UTF-8" in output


@pytest.mark.parametrize("verb", ["parse", "tag", "tokenize"])
def test_a_text_without_words_gives_an_error_not_an_empty_file(
    runner: Command, tmp_path: Path, verb: str
) -> None:
    (tmp_path / "a.txt").write_bytes(b"\0\n")
    status, output = runner(verb, tmp_path / "a.txt")
    assert status == 2
    assert "no sentence" in output


def test_texts_of_one_run_have_sent_ids_of_their_own(runner: Command, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("This is one. This is two.\n")
    status, _ = runner("tokenize", tmp_path / "a.txt", tmp_path / "b.txt", "-o", tmp_path / "o.conllu")
    assert status == 0
    assert [sentence.sent_id for sentence in plait.read(tmp_path / "o.conllu")] == ["1", "2", "3", "4"]
    assert not [problem for problem in plait.validate(tmp_path / "o.conllu") if not problem.warning]


# --- What is told of one line


@pytest.mark.parametrize(
    ("column", "entry", "message"),
    [
        (8, "9:x", "DEPS has head 9, which is not in the sentence."),
        (8, "x", "DEPS holds 'x', which is not head:label."),
        (5, "x", "FEATS holds 'x', which is not Name=Value."),
    ],
)
def test_of_one_line_not_all_problems_are_told(
    plait_command: Command, tmp_path: Path, column: int, entry: str, message: str
) -> None:
    cells = ROW.rstrip("\n").split("\t")
    cells[column] = "|".join([entry] * 100_000)
    (tmp_path / "a.conllu").write_text("\t".join(cells) + "\n" + ROW.replace("1", "2", 1) + "\n")
    result = plait_command("validate", "a.conllu")
    assert result.status == 2
    assert f"a.conllu:1: {message}" in result.out
    assert re.search(r"a\.conllu:1: there are 99,9\d\d more problems\.", result.out)
    assert "a.conllu:2: 2 words hang from the root" in result.out  # others are told all the same
    assert len(result.out) < 10_000
    as_json = plait_command("validate", "a.conllu", "--json")
    assert len(json.loads(as_json.out)["problems"]) < 40
