"""Selection of templates with real trials, on a little language."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import plait
from conftest import Result
from plait import Sentence, TransitionParser, _core
from plait.components.transition.cached import CachedParser
from plait.components.transition.model import BUDGET
from plait.components.transition.setup import make_setup
from plait.errors import InputError
from plait.experiments.selection.scores import GoldWords
from plait.learning.arcs import LabelledTrees
from plait.learning.learner import epoch_order
from plait.learning.lessons import Lessons
from plait.transitions.table import ORACLE_CODES
from toy import toy, write_toy, written

Command = Callable[..., Result]
STATIC = {"beam": 1, "oracle": "lazy", "explore": 0.0, "bits": 14, "epochs": 3, "precision": "float32"}
WHOLE = "S0.upos S1.upos\nS0.upos S1.upos B0.upos\nS0.upos\nB0.upos\nB1.upos\nB2.form\nS3.form\nbias\n"
QUICK = ("--set", "bits=12", "--shuffles", "2", "--passes", "2", "--jobs", "1")


@pytest.mark.parametrize("learner", ["passive-aggressive", "perceptron"])
@pytest.mark.parametrize(
    ("system", "oracle"), [("swap", "lazy"), ("swap", "eager"), ("swap", "minimal"), ("eager", "static")]
)
def test_kept_states_teach_the_same_weights(system: str, oracle: str, learner: str) -> None:
    treebank = toy(40, crossing=system == "swap")
    options = TransitionParser(**STATIC | {"system": system, "oracle": oracle, "learner": learner}).options
    lessons = Lessons.of(treebank)
    kept = CachedParser(options, lessons)
    gold = LabelledTrees.of(treebank, "")
    setup = make_setup(options, lessons, gold)
    encoded = gold.encode(setup.encode_words(treebank), setup.labels)
    sentences = [number for number in range(40) if number % 3]
    for chosen in (range(len(kept.lines)), [0, 3, 5, 11]):
        trainer = _core.Trainer(
            setup.core_of(chosen),
            14,
            ORACLE_CODES[oracle],
            learner != "perceptron",
            options.chosen_step,
            1,
            0,
            0,
            False,
            0.0,
            False,
            BUDGET,
        )
        words = encoded.words
        for number in (1, 2):
            order = np.array(sentences)[epoch_order(7, number, len(sentences))]
            trainer.learn(
                *(words.values, words.offsets, None, None, None, None),
                *(encoded.heads, encoded.labels, None, order, 0.0, 1),
            )
        assert trainer.averaged().any()
        np.testing.assert_array_equal(kept.learn(chosen, sentences, 7, 2), trainer.averaged())


def test_a_list_of_all_lines_is_the_list_itself() -> None:
    treebank = toy(30)
    options = TransitionParser(**STATIC).options
    kept = CachedParser(options, Lessons.of(treebank))
    parser = TransitionParser(**STATIC).fit(treebank)
    everything = range(len(kept.lines))
    weights = kept.learn(everything, range(30), options.seed, 3)
    heads, labels = kept.parse(everything, weights, kept.encode(treebank))
    parsed = parser.apply(treebank)
    assert heads.tolist() == [head for sentence in parsed for head in sentence.heads]
    assert labels.tolist() == [label for sentence in parsed for label in sentence.deprels]


def test_templates_are_ranked_by_what_is_lost_without_them(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("S0.form B1.form\nS0.upos S1.upos B0.upos\nB2.prefix1\n")
    options = TransitionParser(**STATIC | {"features": str(path)}).options
    kept = CachedParser(options, Lessons.of(toy(60)))
    weights = kept.learn(range(3), range(40), 1, 3)
    lost = kept.rank(weights, range(40, 60))
    assert max(lost) == lost[1] > 0


def test_only_static_states_can_be_kept() -> None:
    lessons = Lessons.of(toy(5))
    for options in ({"oracle": "nd-all"}, {"beam": 4}, {"system": "spine", "oracle": "static"}):
        with pytest.raises(InputError, match="a static oracle"):
            CachedParser(TransitionParser(**STATIC | options).options, lessons)


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    write_toy(tmp_path, "toy-train.conllu", 80, 1)
    (tmp_path / "whole.txt").write_text(WHOLE)
    (tmp_path / "begin.txt").write_text("B2.form\nS0.upos\n")
    return tmp_path


def select(command: Command, *more: str, output: str = "out.txt") -> Result:
    return command(
        *(
            "features",
            "select",
            "toy-train.conllu",
            "-o",
            output,
            "--from",
            "whole.txt",
            "--default",
            "begin.txt",
        ),
        *QUICK,
        *more,
    )


def chosen(path: Path) -> list[str]:
    lines = (line.partition("#")[0].strip() for line in path.read_text().split("\n"))
    return [line for line in lines if line]


def results(folder: Path, name: str = "out") -> list[bytes]:
    return [(folder / f"{name}{ending}").read_bytes() for ending in (".txt", ".csv")]


def test_what_is_useful_is_found_and_what_is_not_is_dropped(lists: Path, plait_command: Command) -> None:
    done = select(plait_command)
    assert done.status == 0, done.err
    found = chosen(lists / "out.txt")
    assert "S0.upos S1.upos" in found
    assert not {"B2.form", "S3.form"} & set(found)
    assert "plait: 2 templates to begin with" in done.err
    assert " left, about " in done.err
    with (lists / "out.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert rows[0]["action"] == "begin"
    assert {row["template"]: row["action"] for row in rows}["B2.form"] == "drop"
    assert {row["action"] for row in rows if row["template"] in found} <= {"keep", "stay"}
    text = (lists / "out.txt").read_text()
    assert "# B2.form: rank " in text
    assert plait.TransitionParser(features=str(lists / "out.txt")).fit(toy(5))


def test_a_copy_is_rejected_whatever_the_threshold(lists: Path, plait_command: Command) -> None:
    """Lemmas are empty in this treebank, so that one line says what another says, and one says nothing."""
    (lists / "whole.txt").write_text("B2.form\nS0.upos\nS0.upos S1.lemma\nS0.lemma\n")
    assert select(plait_command, "--threshold", "-100").status == 0
    assert set(chosen(lists / "out.txt")) <= {"B2.form", "S0.upos"}
    assert (lists / "out.txt").read_text().count("says nothing that others do not") == 2


def test_it_goes_on_where_it_was_with_the_same_bytes(lists: Path, plait_command: Command) -> None:
    assert select(plait_command).status == 0
    whole = results(lists)
    journal = lists / "out.trials.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    assert len(lines) > 10
    for rest in (b"", lines[7][:30], b'{"trial": [0, [0], 1]}\n'):
        journal.write_bytes(b"".join(lines[:7]) + rest)
        assert select(plait_command).status == 0
        assert results(lists) == whole
        assert journal.read_bytes() == b"".join(lines)
    # Two at a time make the same choice, though not the same trials.
    assert select(plait_command, "--jobs", "2", output="two.txt").status == 0
    assert results(lists, "two") == whole


def test_another_threshold_uses_the_trials_that_are_there(lists: Path, plait_command: Command) -> None:
    assert select(plait_command).status == 0
    before = (lists / "out.trials.jsonl").read_bytes()
    assert select(plait_command, "--threshold", "1000").status == 0
    after = (lists / "out.trials.jsonl").read_bytes()
    assert after.startswith(before)
    assert chosen(lists / "out.txt") == ["S0.upos"]


def test_trials_of_another_treebank_are_not_mixed_in(lists: Path, plait_command: Command) -> None:
    assert select(plait_command).status == 0
    write_toy(lists, "toy-train.conllu", 80, 2)
    refused = select(plait_command)
    assert refused.status == 2
    assert "out.trials.jsonl: the trials in it are of another treebank" in refused.err
    assert select(plait_command, "--force").status == 0


def test_an_interrupt_keeps_what_was_done(lists: Path, plait_command: Command) -> None:
    assert select(plait_command, output="whole.list.txt").status == 0
    command = [sys.executable, "-m", "plait", "features", "select", "toy-train.conllu", "-o", "out.txt"]
    command += ["--from", "whole.txt", "--default", "begin.txt", *QUICK, "--jobs", "2"]
    for _ in range(5):  # on a busy machine the interrupt may come when all is done
        for left in lists.glob("out.*"):
            left.unlink()
        with subprocess.Popen(
            command, cwd=lists, stderr=subprocess.PIPE, start_new_session=True, text=True
        ) as process:
            assert process.stderr is not None
            assert "to begin with" in process.stderr.readline()
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
            said = process.stderr.read()
            status = process.wait(timeout=30)
        if "goes on" in said:
            break
    assert status == 130
    assert "trials are in out.trials.jsonl: the same command goes on" in said
    assert "not tried" in (lists / "out.txt").read_text()
    assert "Traceback" not in said
    kept, newline, _ = (lists / "out.trials.jsonl").read_bytes().rpartition(b"\n")
    assert newline
    assert kept.count(b'"trial"') >= 2
    assert select(plait_command).status == 0
    assert (lists / "out.trials.jsonl").read_bytes().startswith(kept)
    assert results(lists) == results(lists, "whole.list")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--score", "bleu"], "No score 'bleu' of a parser. Available: las, lump, pmlas."),
        (["--set", "beem=1"], "beem"),
        (["--from", "nowhere.txt"], "nowhere.txt: cannot be read as a template file"),
        (["--set", "oracle=nd-all", "--ranking", "states"], "can be ranked by states"),
    ],
)
def test_what_is_wrong_is_told(
    lists: Path, plait_command: Command, arguments: list[str], message: str
) -> None:
    assert lists
    refused = select(plait_command, *arguments)
    assert refused.status == 2
    assert message in refused.err


@pytest.mark.parametrize("read", ["toy-train.conllu", "whole.txt", "begin.txt"])
def test_what_is_read_is_not_written_over(lists: Path, plait_command: Command, read: str) -> None:
    before = (lists / read).read_bytes()
    refused = select(plait_command, output=read)
    assert refused.status == 2
    assert "input and output are the same file" in refused.err
    assert (lists / read).read_bytes() == before


def test_a_folder_in_the_place_of_the_list_is_found_before_the_work(
    lists: Path, plait_command: Command
) -> None:
    (lists / "out").mkdir()
    refused = select(plait_command, output="out")
    assert (refused.status, refused.err) == (
        2,
        "plait: out: a folder is there, but a file will be written.\n",
    )


def test_a_treebank_that_could_be_mended_is_tried_again(lists: Path, plait_command: Command) -> None:
    good = (lists / "toy-train.conllu").read_bytes()
    (lists / "toy-train.conllu").write_bytes(b"dogs sleep\n")
    assert select(plait_command).status == 2
    (lists / "toy-train.conllu").write_bytes(good)
    assert select(plait_command).status == 0


def test_too_little_to_choose_by(lists: Path, plait_command: Command) -> None:
    write_toy(lists, "toy-train.conllu", 3, 1)
    refused = select(plait_command)
    assert refused.status == 2
    assert "too few sentences" in refused.err


@pytest.mark.parametrize("subject", ["tagger", "graph", "completion"])
def test_other_lists_are_chosen_too(subject: str, tmp_path: Path, plait_command: Command) -> None:
    plait.write(written(60), tmp_path / "toy-train.conllu")
    three = "H.upos D.upos X.upos\n"
    own = {
        "tagger": {"": "W0.lower\nW-1.lower\nW0.shape\n"},
        "graph": {"first": "H.upos D.upos\nD.prefix1\n", "sibling": three, "grandchild": three},
        "completion": {
            "first": "H.upos D.upos\nD.prefix1\n",
            "sibling": three,
            "grandchild": three,
            "third": "H.upos D.upos X.upos Y.upos\n",
        },
    }[subject]
    whole = tmp_path / "whole"
    whole.mkdir()
    for name, text in own.items():
        (whole / f"{name or 'list'}.txt").write_text(text)
    source = whole / "list.txt" if "" in own else whole
    done = plait_command(
        *("features", "select", "toy-train.conllu", "-o", "out.txt" if "" in own else "out", "--of", subject),
        *("--from", source, "--default", source, "--shuffles", "1", "--passes", "1", "--jobs", "1"),
        *("--set", "bits=12", "--order", "best", "--ranking", "alone"),
        *(("--set", "beam=2") if subject == "completion" else ()),
    )
    assert done.status == 0, done.err
    if subject == "tagger":
        assert chosen(tmp_path / "out.txt")
    else:
        assert {path.name for path in (tmp_path / "out").iterdir()} >= {f"{name}.txt" for name in own}
        shown = plait_command("features", "show", "out", "--of", subject)
        assert "sibling: H.upos D.upos X.upos\n" in shown.out


def test_scores() -> None:
    gold = Sentence(
        forms=["a", "b"], upos=["X", "Y"], feats=["Case=Nom", "_"], heads=[2, 0], deprels=["det:x", "root"]
    )
    words = GoldWords([gold])

    def score(name: str, **changes: object) -> float:
        other = gold.copy()
        for column, value in changes.items():
            setattr(other, column, value)
        return float(words.rights([other], name)[0])

    assert [score(name) for name in ("las", "lump", "pmlas", "alltags")] == [2, 2, 2, 2]
    relabelled = {"deprels": ["det:y", "root"]}
    assert score("las", **relabelled) == 2  # subtypes do not count
    assert score("pmlas", **relabelled) == 1
    assert score("lump", upos=["X", "Z"]) == pytest.approx(2 - 1 / 4)
    assert score("lump", heads=[0, 1]) == pytest.approx(2 - 2 * 2 / 4)
    assert score("pmlas", feats=["_", "_"]) == 1
    assert score("alltags", feats=["_", "_"]) == 1
    bare = gold.copy()
    bare.feats = ["_", "_"]
    # Without morphology the rest is divided by three.
    wrong = bare.copy()
    wrong.upos = ["X", "Z"]
    assert float(GoldWords([bare]).rights([wrong], "lump")[0]) == pytest.approx(2 - 1 / 3)
    trees = words.rights_of_trees(np.array([2, 1], np.int32), np.array(["det", "root"], object), "las")
    assert trees.tolist() == [1.0]


def test_the_journal_is_plain_json(lists: Path, plait_command: Command) -> None:
    assert select(plait_command, "--shuffles", "1").status == 0
    entries = [json.loads(line) for line in (lists / "out.trials.jsonl").read_text().splitlines()]
    assert set(entries[0]) == {"origin"}
    assert all(set(entry) in ({"trial", "right"}, {"ranked", "ranking"}) for entry in entries[1:])


def test_a_list_is_shown_line_by_line(plait_command: Command) -> None:
    shown = plait_command("features", "show", "basic")
    assert shown.out.splitlines()[:2] == ["S0.upos", "S1.upos"]
    assert len(shown.out.splitlines()) == 20
