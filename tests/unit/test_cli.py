"""The command line as a user meets it: what is printed where, and the exit status."""

import gzip
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

GOOD = """\
# sent_id = s1
# text = That 's what they 're after
1\tThat\tthat\tPRON\tDT\t_\t2\tnsubj\t_\t_
2\t's\tbe\tVERB\tVBZ\t_\t0\troot\t_\t_
3\twhat\twhat\tPRON\tWP\t_\t6\tobj\t_\t_
4\tthey\tthey\tPRON\tPRP\t_\t5\tnsubj\t_\t_
5\t're\tbe\tVERB\tVBP\t_\t2\tccomp\t_\t_
6\tafter\tafter\tADP\tIN\t_\t5\tcase\t_\t_

"""
BAD = GOOD.replace("\t6\tobj", "\t9\tobj").replace("s1", "s2")

Command = Callable[..., Any]


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.conllu"
    path.write_text(GOOD)
    return path


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    path = tmp_path / "mixed.conllu"
    path.write_text(GOOD + BAD + GOOD.replace("s1", "s3"))
    return path


def test_stats_as_json_are_counts(plait_command: Command, good: Path) -> None:
    result = plait_command("stats", "--json", good, good)
    assert (result.status, result.err) == (0, "")
    document = json.loads(result.out)
    assert [file["path"] for file in document["files"]] == [str(good)] * 2
    expected = {"sentences": 2, "words": 12, "projective_sentences": 0, "nonprojective_arcs": 2}
    assert document["total"].items() >= expected.items()
    assert document["total"]["gap_degrees"] == {"1": 2}


def test_stats_as_a_table(plait_command: Command, good: Path) -> None:
    result = plait_command("stats", good)
    header, row, note = result.out.splitlines()
    assert header.split()[:3] == ["file", "sentences", "words"]
    assert row.split()[:5] == [str(good), "1", "6", "0.00", "16.67"]
    assert note.startswith("Trees over syntactic words.")


def test_a_bad_sentence_stops_with_status_2_and_is_named(plait_command: Command, mixed: Path) -> None:
    result = plait_command("stats", mixed)
    assert (result.status, result.out) == (2, "")
    assert result.err == f"plait: {mixed}:14 (sent_id s2): HEAD is 9 but the sentence has 6 words.\n"


def test_lenient_leaves_bad_sentences_out_and_says_how_many(plait_command: Command, mixed: Path) -> None:
    result = plait_command("stats", "--json", "--lenient", mixed)
    assert result.status == 0
    assert json.loads(result.out)["total"]["sentences"] == 2
    assert result.err.endswith("plait: 1 bad sentence left out\n")


@pytest.mark.parametrize("verb", ["convert", "stats", "parse"])
def test_lenient_needs_one_good_sentence(plait_command: Command, tmp_path: Path, verb: str) -> None:
    (tmp_path / "a.conllu").write_text("1\ta\n\n2\tb\n\n")
    result = plait_command(verb, "--lenient", "a.conllu")
    assert result.status == 2
    assert "plait: a.conllu: no sentence of it can be read.\n" in result.err
    assert result.out == ""


def test_a_cycle_is_a_bad_sentence_for_stats(plait_command: Command, tmp_path: Path) -> None:
    path = tmp_path / "cycle.conllu"
    path.write_text(GOOD.replace("\t0\troot", "\t1\troot"))
    result = plait_command("stats", path)
    assert result.status == 2
    assert "(sent_id s1): the heads form a cycle: 1 → 2 → 1." in result.err
    assert plait_command("stats", "--lenient", path).status == 0


def test_text_without_trees_is_counted(plait_command: Command) -> None:
    result = plait_command("stats", "--json", "--from", "text", "-", stdin=b"a b c\nd e\n")
    total = json.loads(result.out)["total"]
    assert (total["sentences"], total["words"], total["trees"]) == (2, 5, 0)


def test_convert_names_what_is_lost(plait_command: Command, good: Path, tmp_path: Path) -> None:
    result = plait_command("convert", good, "-o", "out.conll")
    assert result.status == 0
    assert result.err == "plait: CoNLL-X has no place for: comments (2)\n"
    assert (tmp_path / "out.conll").read_text() == GOOD.split("after\n", 1)[1]


def test_convert_reads_and_writes_standard_streams_and_compressed_data(plait_command: Command) -> None:
    result = plait_command("convert", "-", stdin=gzip.compress(GOOD.encode()))
    assert (result.status, result.out, result.err) == (0, GOOD, "")
    assert plait_command("convert", stdin=GOOD.encode()).out == GOOD


def test_convert_keeps_whole_sentences_before_an_error(
    plait_command: Command, mixed: Path, tmp_path: Path
) -> None:
    result = plait_command("convert", mixed, "-o", "out.conllu")
    assert result.status == 2
    assert (tmp_path / "out.conllu").read_text() == GOOD


def test_convert_nests_prepositional_phrases_and_makes_them_flat_again(plait_command: Command) -> None:
    words = [("in", "APPR", 0, "--"), ("dem", "ART", 1, "NK"), ("Haus", "NN", 1, "NK")]
    rows = (
        f"{i}\t{form}\t_\t_\t{tag}\t_\t{head}\t{label}\t_\t_\n"
        for i, (form, tag, head, label) in enumerate(words, 1)
    )
    flat = "".join(rows) + "\n"
    nested = plait_command("convert", "--pp", "nested", stdin=flat.encode()).out
    assert [line.split("\t")[6] for line in nested.splitlines()[:3]] == ["0", "3", "1"]
    assert plait_command("convert", "--pp", "flat", stdin=nested.encode()).out == flat


def test_convert_does_not_overwrite_its_input(plait_command: Command, good: Path) -> None:
    result = plait_command("convert", good, "-o", good.name)
    assert (result.status, good.read_text()) == (2, GOOD)
    assert "input and output are the same file" in result.err


def test_convert_without_input_keeps_the_output(plait_command: Command, good: Path) -> None:
    (good.parent / "link.conllu").symlink_to("nowhere.conllu")
    for missing in ("missing.conllu", "link.conllu"):
        result = plait_command("convert", missing, "-o", good.name)
        assert (result.status, good.read_text()) == (2, GOOD)
        assert result.err == f"plait: {missing}: there is no such file.\n"


def test_validate_lists_problems_and_its_status_tells(
    plait_command: Command, good: Path, mixed: Path
) -> None:
    result = plait_command("validate", good)
    assert (result.status, result.out, result.err) == (0, "", "0 errors, 0 warnings\n")
    result = plait_command("validate", mixed)
    assert result.status == 2
    assert result.out == f"{mixed}:14 (sent_id s2): HEAD is 9 but the sentence has 6 words.\n"
    document = json.loads(plait_command("validate", "--json", mixed).out)
    assert (document["errors"], document["warnings"]) == (1, 0)
    assert document["problems"][0]["line"] == 14


@pytest.mark.parametrize("verb", ["stats", "convert", "validate"])
def test_wrong_paths_are_bad_input(plait_command: Command, tmp_path: Path, verb: str) -> None:
    (tmp_path / "empty.conllu").touch()
    for path, message in {
        "nowhere.conllu": "nowhere.conllu: there is no such file.",
        str(tmp_path): "this is a directory; give the files in it.",
        "empty.conllu": "empty.conllu: there is no sentence in it; the file is empty.",
    }.items():
        result = plait_command(verb, path)
        assert result.status == 2
        assert message in result.err + result.out
        assert "Traceback" not in result.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_a_failure_without_traceback(plait_command: Command, good: Path) -> None:
    result = plait_command("convert", good, "-o", "/dev/full")
    assert result.status == 1
    assert result.err.startswith("plait: /dev/full: cannot be written: no space is left")


def test_wrong_commands_get_a_hint(plait_command: Command) -> None:
    result = plait_command("stat")
    assert result.status == 2
    assert "Did you mean 'stats'?" in result.err
    assert plait_command("stats").status == 2
    assert "plait 0." in plait_command("--version").out
    assert "validate" in plait_command("--help").out


def test_an_interrupt_ends_with_whole_sentences(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "plait", "convert", "-", "-o", "out.conllu"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    assert process.stdin
    process.stdin.write(GOOD.encode() * 50 + GOOD.encode()[:60])
    process.stdin.flush()
    deadline = time.monotonic() + 30
    while not (tmp_path / "out.conllu").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == b"\nplait: interrupted\n"
    written = (tmp_path / "out.conllu").read_text()
    assert written == GOOD * (len(written) // len(GOOD))


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "big.conllu").write_text(GOOD * 20_000)
    command = f"{sys.executable} -m plait convert big.conllu | head -1"
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert done.stdout == b"# sent_id = s1\n"
    assert done.stderr == b""
