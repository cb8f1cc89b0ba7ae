"""`plait train`, `plait parse` and `plait info` as a user meets them."""

from __future__ import annotations

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

import plait
from plait.learning import store
from plait.trees import tree_of
from toy import best_trees, toy, write_toy

Command = Callable[..., Any]
QUICK = ("--beam", "1", "--bits", "14", "--epochs", "3")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with treebanks and two models."""
    folder = tmp_path_factory.mktemp("toy")
    write_toy(folder, "train.conllu", 60, 1)
    write_toy(folder, "dev.conllu", 20, 2)
    plait.TransitionParser(beam=1, bits=14, epochs=4).fit(toy(60), dev=toy(20, 2)).save(folder / "toy.plait")
    plait.TransitionParser(beam=4, bits=14, epochs=4).fit(toy(60), dev=toy(20, 2)).save(folder / "beam.plait")
    return folder


# train


def test_training_tells_what_it_does(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    result = plait_command(
        "train", folder / "train.conllu", "--dev", folder / "dev.conllu", "-o", "m.plait", *QUICK
    )
    assert result.status == 0
    epochs = result.err.splitlines()
    assert len(epochs) == 3
    assert epochs[0].startswith("parser: epoch 1/3: LAS ")
    header, *rows, note, saved = result.out.splitlines()
    assert header.split() == ["epoch", "dev", "LAS", "dev", "UAS", "updates", "seconds"]
    assert len(rows) == 3
    assert sum("*" in row for row in rows) == 1
    assert note.startswith("* is kept.")
    assert saved.startswith("Saved m.plait: epoch ")
    assert ", dev LAS " in saved
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.plait"]
    assert plait.load(tmp_path / "m.plait")["parser"].origin_.treebank == "train.conllu"


def test_training_without_a_dev_set_keeps_the_last_epoch(
    plait_command: Command, folder: Path, tmp_path: Path
) -> None:
    result = plait_command("train", folder / "train.conllu", "-o", "m.plait", *QUICK, "--compact")
    assert result.status == 0
    assert result.out.splitlines()[-1].startswith("Saved m.plait: epoch 3, ")
    assert "loss not measured without --dev." in result.out
    assert plait.load(tmp_path / "m.plait")["parser"].scores_ == {}


def test_a_compact_model_tells_its_loss(plait_command: Command, folder: Path) -> None:
    result = plait_command(
        "train", folder / "train.conllu", "--dev", folder / "dev.conllu", "-o", "m.plait", *QUICK, "--compact"
    )
    assert "Compacted from " in result.out
    assert " LAS lost on the dev set." in result.out


def test_a_lexicon_is_an_option_of_the_tagger(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "list.tsv").write_text("zebra\tNOUN\n", encoding="utf-8")
    start = ("train", folder / "train.conllu", "-o", "m.plait", "--lexicon", "list.tsv", "--components")
    result = plait_command(*start, "tagger", "--set", "tagger.bits=12", "--set", "tagger.epochs=1")
    assert result.status == 0, result.err
    tagger = plait.load(tmp_path / "m.plait")["tagger"]
    assert tagger.options.lexicon == "list.tsv"
    assert tagger.state.setup.mapped == {"lexicon": {"zebra": "NOUN"}, "lexclass": {"zebra": "NOUN"}}
    result = plait_command(*start, "parser", "--force")
    assert result.status == 2
    assert "A lexicon is for one of these components" in result.err


def test_options_come_from_file_and_command_line(
    plait_command: Command, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "my.toml").write_text(
        '[parser]\nsystem = "standard"\nbeam = 1\nbits = 12\nepochs = 2\nseed = 7\n'
    )
    (tmp_path / "my.txt").write_text("S0.upos S1.upos\nS0.form\n")
    result = plait_command(
        *("train", folder / "train.conllu", "-o", "m.plait", "--config", "my.toml", "--seed", "8"),
        *("--set", "explore=0.5", "--set", "hash_seed=3", "--projectivize", "head", "--features", "my.txt"),
        *("--learner", "perceptron", "--single-root", "no", "--tags", "gold", "--licence", "CC0"),
    )
    assert result.status == 0, result.err
    parser = plait.load(tmp_path / "m.plait")["parser"]
    options = parser.options
    assert (options.system, options.bits, options.epochs) == ("standard", 12, 2)
    assert (options.seed, options.explore, options.hash_seed) == (8, 0.5, 3)
    assert (options.projectivize, options.learner, options.single_root) == ("head", "perceptron", "no")
    assert parser.origin_.licence == "CC0"
    # The options of a model can be used again.
    again = plait_command("train", folder / "train.conllu", "-o", "n.plait", "--config", "m.plait")
    assert again.status == 0
    assert store.fingerprint(tmp_path / "n.plait") == store.fingerprint(tmp_path / "m.plait")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--oracle", "dynamic"], "No oracle 'dynamic' for system 'swap'. Available: eager, lazy, minimal"),
        (["--set", "bem=3"], "No option 'bem'. Did you mean 'beam'?"),
        (["--set", "beam"], "NAME=VALUE is expected, not 'beam'."),
        (["--set", "beam=many"], "beam must be a whole number, not 'many'."),
        (["--beam", "0"], "beam is 0 but must be from 1"),
        (["--system", "hybrid"], "'hybrid' is not one of"),
        (["--tags", "predicted"], "--tags predicted needs a tagger"),
        (["--features", "none.txt"], "none.txt: cannot be read as a template file"),
        (["--config", "none.toml"], "none.toml: cannot be read"),
        (["--dev", "none.conllu"], "none.conllu: there is no such file."),
        (["--resume"], "there is no checkpoint, so there is no training to resume."),
    ],
)
def test_wrong_options_are_bad_input(
    plait_command: Command, folder: Path, arguments: list[str], message: str
) -> None:
    result = plait_command("train", folder / "train.conllu", "-o", "m.plait", *QUICK[2:], *arguments)
    assert result.status == 2
    assert message in result.err
    assert "Traceback" not in result.err


def test_bad_templates_are_named_with_their_line(
    plait_command: Command, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "my.txt").write_text("S0.form\nS0.upso\n")
    result = plait_command("train", folder / "train.conllu", "-o", "m.plait", "--features", "my.txt")
    assert result.status == 2
    assert result.err == "plait: my.txt:2: S0.upso: no attribute 'upso'. Did you mean 'upos'?\n"


def test_bad_trees_are_named_or_left_out(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    bad = "# sent_id = bad\n1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n\n"
    (tmp_path / "bad.conllu").write_text((folder / "train.conllu").read_text() + bad)
    result = plait_command("train", "bad.conllu", "-o", "m.plait", *QUICK)
    assert result.status == 2
    assert "(sent_id bad): the heads form a cycle: 1 → 2 → 1." in result.err
    result = plait_command("train", "bad.conllu", "-o", "m.plait", *QUICK, "--lenient")
    assert result.status == 0
    assert "plait: 1 bad sentence left out" in result.err


def test_sentences_that_cannot_be_learned_from_are_counted(plait_command: Command, folder: Path) -> None:
    crossing = sum(len(sentence) > 6 for sentence in toy(60))
    result = plait_command("train", folder / "train.conllu", "-o", "m.plait", *QUICK, "--system", "standard")
    expected = f"plait: {crossing} of 60 sentences left out: the system 'standard' cannot derive their trees"
    assert result.err.count(expected) == 1
    assert "--projectivize" in result.err


def test_nothing_else_is_overwritten(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    result = plait_command("train", folder / "train.conllu", "-o", "thesis", *QUICK)
    assert result.status == 1
    assert "something else than a model is there" in result.err


def interrupted_training(folder: Path, place: Path, epochs: int) -> subprocess.CompletedProcess[bytes]:
    """Ctrl-C after so many lines on standard error."""
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "plait", "train", folder / "train.conllu", "-o", "m.plait"),
            *("--beam", "1", "--bits", "14", "--epochs", "10000"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=place,
    )
    assert process.stderr
    seen = b"".join(process.stderr.readline() for _ in range(epochs))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess([], process.returncode, out, seen + err)


def test_an_interrupt_saves_the_best_and_training_can_go_on(
    plait_command: Command, folder: Path, tmp_path: Path
) -> None:
    done = interrupted_training(folder, tmp_path, 3)
    assert done.returncode == 0
    assert b"plait: interrupted; --resume goes on from the last whole epoch" in done.stderr
    reached = len(plait.load(tmp_path / "m.plait")["parser"].history_)
    assert reached >= 3
    assert (tmp_path / "m.plait.checkpoint").exists()
    wanted = str(reached + 2)
    arguments = ("train", folder / "train.conllu", "--beam", "1", "--bits", "14", "--epochs", wanted)
    resumed = plait_command(*arguments, "-o", "m.plait", "--resume")
    assert resumed.status == 0, resumed.err
    # The interrupt may have come while the last epoch was being written: then it is run again.
    assert resumed.err.startswith(
        (f"parser: epoch {reached + 1}/{wanted}: ", f"parser: epoch {reached}/{wanted}: ")
    )
    assert not (tmp_path / "m.plait.checkpoint").exists()
    plait_command(*arguments, "-o", "whole.plait")
    assert (tmp_path / "m.plait").read_bytes() == (tmp_path / "whole.plait").read_bytes()


def test_a_forgotten_checkpoint_is_mentioned(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    interrupted_training(folder, tmp_path, 1)
    result = plait_command("train", folder / "train.conllu", "-o", "m.plait", *QUICK, "--force")
    assert result.status == 0
    assert result.err.startswith(
        "plait: starting anew; --resume would have gone on from m.plait.checkpoint\n"
    )


# parse


def test_a_file_is_parsed(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    result = plait_command("parse", "-m", folder / "toy.plait", folder / "dev.conllu", "-o", "out.conllu")
    assert (result.status, result.out, result.err) == (0, "", "")
    gold, parsed = plait.read(folder / "dev.conllu"), plait.read(tmp_path / "out.conllu")
    assert plait.evaluate(gold, parsed).las > 90
    for sentence, twin in zip(gold, parsed, strict=True):
        assert (sentence.forms, sentence.upos, sentence.comments) == (twin.forms, twin.upos, twin.comments)
    expected = (tmp_path / "out.conllu").read_text()
    for threads in "2", "3":
        result = plait_command(
            "parse",
            "-m",
            folder / "toy.plait",
            "--threads",
            threads,
            stdin=(folder / "dev.conllu").read_bytes(),
        )
        assert (result.status, result.out) == (0, expected)


def test_all_formats_go_in_and_out(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    for name in "in.conll", "in.conll09", "in.jsonl", "in.txt", "in.conllu.gz":
        plait.write(plait.read(folder / "dev.conllu"), tmp_path / name)
    expected = [sentence.forms for sentence in plait.read(folder / "dev.conllu")]
    for name, target in {
        "in.conll": "out.conll09",
        "in.conll09": "out.jsonl",
        "in.jsonl": "out.conll",
        "in.txt": "out.conllu",
        "in.conllu.gz": "out.conllu.gz",
    }.items():
        result = plait_command("parse", "-m", folder / "toy.plait", name, "-o", target, "--tokenized")
        assert result.status == 0, result.err
        parsed = plait.read(tmp_path / target)
        assert [sentence.forms for sentence in parsed] == expected
        assert all(tree_of(sentence).count(0) == 1 for sentence in parsed)
    assert gzip.decompress((tmp_path / "out.conllu.gz").read_bytes())
    result = plait_command("parse", "-m", folder / "toy.plait", "in.jsonl", "--to", "conllx", "--confidence")
    assert "CoNLL-X has no place for: MISC (" in result.err


def test_the_best_trees_stand_one_after_the_other(plait_command: Command, folder: Path) -> None:
    result = plait_command("parse", "-m", folder / "beam.plait", folder / "dev.conllu", "--nbest", "3")
    assert result.status == 0
    blocks = result.out.strip().split("\n\n")
    assert blocks[0].splitlines()[:2] == ["# sent_id = toy-1", "# nbest = 1"]
    parser = plait.load(folder / "beam.plait").parser
    assert isinstance(parser, plait.TransitionParser)
    found = best_trees(parser, plait.read(folder / "dev.conllu"), 3)
    scores = [f"# score = {tree.score:.4f}" for trees in found for tree in trees]
    assert [block.splitlines()[2] for block in blocks] == scores
    ranks = [line for line in result.out.splitlines() if line.startswith("# nbest")]
    assert {"# nbest = 1", "# nbest = 2"} <= set(ranks) <= {f"# nbest = {rank}" for rank in (1, 2, 3)}
    assert ranks.count("# nbest = 1") == 20
    refused = plait_command("parse", "-m", folder / "beam.plait", "--nbest", "2", "--confidence")
    assert refused.status == 2


def test_confidence_stands_in_misc(plait_command: Command, folder: Path) -> None:
    result = plait_command("parse", "-m", folder / "toy.plait", folder / "dev.conllu", "--confidence")
    words = [line.split("\t")[9] for line in result.out.splitlines() if line[:1].isdigit()]
    assert all(cell.startswith("Confidence=0.") for cell in words)


def test_known_heads_are_kept(plait_command: Command, folder: Path) -> None:
    text = (
        "1\tthe\t_\tDET\t_\t_\t3\tmine\t_\t_\n"
        "2\tdog\t_\tNOUN\t_\t_\t_\t_\t_\t_\n"
        "3\tslept\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n"
    )
    result = plait_command("parse", "-m", folder / "toy.plait", "--keep", "heads", stdin=text.encode())
    assert result.out.startswith("1\tthe\t_\tDET\t_\t_\t3\tmine\t_\t_\n")
    cycle = text.replace("NOUN\t_\t_\t_", "NOUN\t_\t_\t3").replace("VERB\t_\t_\t_", "VERB\t_\t_\t2")
    result = plait_command(
        "parse", "-m", folder / "toy.plait", "--keep", "heads", stdin=(text + cycle).encode()
    )
    assert result.status == 2
    assert result.err == "plait: <stdin>:5: the given heads: the heads form a cycle: 2 → 3 → 2.\n"
    assert result.out.count("\n\n") == 1
    result = plait_command(
        "parse", "-m", folder / "toy.plait", "--keep", "heads", "--lenient", stdin=(cycle + text).encode()
    )
    assert (result.status, result.out.count("\n\n")) == (0, 1)
    assert "1 bad sentence left out" in result.err


def test_what_comes_before_a_bad_sentence_is_written(
    plait_command: Command, folder: Path, tmp_path: Path
) -> None:
    good = (folder / "dev.conllu").read_text()
    (tmp_path / "bad.conllu").write_text(good + "1\tx\n\n" + good)
    for threads in "1", "2":
        result = plait_command(
            "parse", "-m", folder / "toy.plait", "bad.conllu", "-o", "out.conllu", "--threads", threads
        )
        assert result.status == 2
        assert "10 columns expected, 2 found" in result.err
        assert len(plait.read(tmp_path / "out.conllu")) == 20
    result = plait_command("parse", "-m", folder / "toy.plait", "bad.conllu", "-o", "out.conllu", "--lenient")
    assert (result.status, len(plait.read(tmp_path / "out.conllu"))) == (0, 40)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_an_interrupt_leaves_whole_sentences(folder: Path, tmp_path: Path, threads: str) -> None:
    text = (folder / "dev.conllu").read_bytes()
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "plait", "parse", "-m", folder / "toy.plait"),
            *("-o", "out.conllu", "--threads", threads),
        ],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    assert process.stdin
    process.stdin.write(text * 300)
    process.stdin.flush()
    out = tmp_path / "out.conllu"
    deadline = time.monotonic() + 30
    while not (out.exists() and out.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == b"\nplait: interrupted\n"
    written = out.read_text()
    assert written.endswith("\n\n")
    assert len(plait.read(out)) == written.count("\n\n")


def test_very_long_sentences_and_odd_words_parse(plait_command: Command, folder: Path) -> None:
    line = "{}\tword\t_\tNOUN\t_\t_\t_\t_\t_\t_\n"
    long = "".join(line.format(number) for number in range(1, 5002)) + "\n"
    result = plait_command("parse", "-m", folder / "toy.plait", stdin=long.encode())
    assert (result.status, result.err, result.out.count("\n")) == (0, "", 5002)
    result = plait_command("parse", "-m", folder / "toy.plait", "--beam", "2", stdin=long.encode())
    assert result.status == 0
    assert "<stdin>:1: warning: this sentence has 5,001 words and will take long with beam 2" in result.err
    odd = "1\t𐍈𒀀\t_\tꙮ\t?!\tX=|\t_\t_\t_\t_\n2\t‏עברית\t_\t_\t_\t_\t1\tunheard:of\t_\t_\n\n"
    result = plait_command("parse", "-m", folder / "toy.plait", stdin=odd.encode())
    assert result.status == 0
    assert "\t0\troot\t" in result.out


def test_models_and_files_that_are_not_there(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    assert "nowhere: there is no such model." in plait_command("parse", "-m", "nowhere").err
    (tmp_path / "x.conllu").write_text((folder / "dev.conllu").read_text())
    result = plait_command("parse", "-m", folder / "toy.plait", "x.conllu", "-o", "x.conllu")
    assert result.status == 2
    assert "input and output are the same file" in result.err


# info


def test_info_tells_what_a_model_is(plait_command: Command, folder: Path) -> None:
    result = plait_command("info", folder / "beam.plait")
    assert result.status == 0
    facts = dict(line.split("  ", 1) for line in result.out.splitlines())
    assert facts["treebank"].strip().startswith("toy1.conllu: 60 sentences, ")
    assert facts["parser, how"].strip().startswith("System `swap`, oracle `lazy`, beam 4, seed 1; ")
    assert " LAS 9" in facts["parser, how"] or " LAS 100" in facts["parser, how"]
    assert facts["licence"].strip() == "unknown"
    assert {"model", "written by", "parser"} <= set(facts)
    document = json.loads(plait_command("info", folder / "beam.plait", "--json").out)
    assert document["options"]["parser"]["beam"] == 4
    assert document["size"] > 0
    assert document["scores"]["las"] > 90
    assert plait_command("info", folder).status == 2


def test_words_without_tags_are_parsed_with_a_warning(plait_command: Command, folder: Path) -> None:
    result = plait_command("parse", "-m", folder / "toy.plait", "--tokenized", stdin=b"a b\nc d\n")
    assert result.status == 0
    assert result.err == (
        "plait: <stdin>:1: warning: the words have no UPOS, but the model has learned from tags and needs them\n"
    )
