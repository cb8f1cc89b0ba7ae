"""`plait train` on a folder, `plait parse` of text, `plait tokenize` and `plait tag` as a user meets them."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

import plait
from conftest import Result
from toy import written

Command = Callable[..., Result]
QUICK = (
    *("--beam", "1", "--bits", "14", "--epochs", "5", "--folds", "2", "--set", "tokenizer.epochs=5"),
    *("--set", "tagger.epochs=4", "--set", "tagger.bits=14", "--set", "lemmatizer.epochs=3"),
)
TEXT = "The dog saw a cat today. The bird heard the fish don't."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("treebank")
    plait.write(written(90), place / "toy-ud-train.conllu")
    plait.write(written(30, seed=2), place / "toy-ud-dev.conllu.gz")
    recipe = plait.Recipe().updated(
        {
            "model": {"folds": 2},
            "tokenizer": {"epochs": 5},
            "tagger": {"epochs": 4, "bits": 14},
            "lemmatizer": {"epochs": 3},
            "parser": {"beam": 1, "bits": 14, "epochs": 5},
        }
    )
    pipeline = plait.train(
        plait.read(place / "toy-ud-train.conllu"),
        dev=plait.read(place / "toy-ud-dev.conllu.gz"),
        recipe=recipe,
    )
    pipeline.save(place / "toy.plait")
    return place


def test_a_folder_becomes_a_pipeline(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    result = plait_command("train", folder, "-o", "m.plait", *QUICK, "--licence", "CC0-1.0")
    assert result.status == 0, result.err
    for part in ("tokenizer", "tagger", "lemmatizer", "parser"):
        assert f"{part}: epoch 1/" in result.err
    assert "tags of fold 2/2" in result.err
    assert "raw text" in result.out
    assert "Saved m.plait: epoch " in result.out
    for name in ("tagger", "parser"):
        assert (tmp_path / "m.plait" / name / "weights.safetensors").read_bytes() == (
            folder / "toy.plait" / name / "weights.safetensors"
        ).read_bytes()
    told = plait_command("info", "m.plait")
    assert "CC0-1.0" in told.out
    assert "toy-ud-train.conllu: 90 sentences" in told.out


def test_a_text_is_drawn_or_printed(plait_command: Command, folder: Path) -> None:
    drawn = plait_command("parse", "-m", folder / "toy.plait", TEXT)
    assert drawn.status == 0, drawn.err
    assert "nsubj" in drawn.out
    assert "\t" not in drawn.out
    printed = plait_command("parse", "-m", folder / "toy.plait", TEXT, "--to", "conllu")
    assert printed.out == plait.load(folder / "toy.plait")(TEXT).conllu


def test_text_comes_from_files_folders_and_standard_input(
    plait_command: Command, folder: Path, tmp_path: Path
) -> None:
    expected = plait.load(folder / "toy.plait")(TEXT + "\n").conllu
    model = ("-m", folder / "toy.plait")
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "a.txt").write_text(TEXT + "\n")
    (tmp_path / "news" / "b.txt.gz").write_bytes(gzip.compress(f"{TEXT}\n".encode()))
    (tmp_path / "news" / "ignored.pdf").touch()
    assert plait_command("parse", *model, "-", "--threads", "2", stdin=f"{TEXT}\n".encode()).out == expected
    assert plait_command("parse", *model, stdin=f"{TEXT}\n".encode()).out == expected
    assert plait_command("parse", *model, "news/a.txt").out == expected
    both = plait_command("parse", *model, "news")
    assert both.out.count("# newdoc id = news/") == 2
    assert both.out.replace("# newdoc id = news/a.txt\n", "").replace(
        "# newdoc id = news/b.txt.gz\n", ""
    ) == (expected * 2)


def test_stages_alone_give_the_same(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    model = ("-m", folder / "toy.plait")
    assert plait_command("tokenize", *model, TEXT, "-o", "tokens.conllu").status == 0
    assert set(plait.read(tmp_path / "tokens.conllu")[0].upos) == {"_"}
    assert plait_command("tag", *model, "tokens.conllu", "-o", "tagged.conllu").status == 0
    tagged = plait.read(tmp_path / "tagged.conllu")[0]
    assert (tagged.upos[:3], tagged.lemmas[2], tagged.heads[0]) == (["DET", "NOUN", "VERB"], "see", None)
    parsed = plait_command("parse", *model, "tagged.conllu", "--keep", "tags")
    assert parsed.out == plait_command("parse", *model, TEXT, "--to", "conllu").out


def test_what_is_known_of_a_text_can_be_said(plait_command: Command, folder: Path) -> None:
    model = ("-m", folder / "toy.plait", "--to", "conllu")
    lines = plait_command("parse", *model, "--lines", stdin=b"The dog saw a cat\ntoday. The cat\n").out
    assert [line for line in lines.splitlines() if line.startswith("# text")] == [
        "# text = The dog saw a cat",
        "# text = today. The cat",
    ]
    tokenized = plait_command("parse", *model, "--tokenized", "--from", "text", stdin=b"The dog. saw\n").out
    assert "\tdog.\t" in tokenized
    assert "TokenRange=4:7" in plait_command("tokenize", *model, "--ranges", TEXT).out


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["nosuchfile"], b"", "nosuchfile: there is no such file."),
        (["no such file.txt"], b"", "no such file.txt: there is no such file."),
        ([], b"", "the file is empty."),
        (["--from", "text"], b"The dog.\n\xff\n", "<stdin>:2: the line holds bytes that are not UTF-8"),
        (["-m", "xx", "A text."], b"", "xx: there is no such model. In the package: "),
    ],
)
def test_bad_input_is_named(
    plait_command: Command, folder: Path, arguments: list[str], stdin: bytes, message: str
) -> None:
    if "-m" not in arguments:
        arguments = ["-m", str(folder / "toy.plait"), *arguments]
    result = plait_command("parse", *arguments, stdin=stdin)
    assert result.status == 2
    assert message in result.err
    assert "Traceback" not in result.err


def test_what_comes_before_bad_bytes_is_parsed(plait_command: Command, folder: Path) -> None:
    text = b"The dog saw a cat.\n\nThe \xff dog.\n"
    result = plait_command("parse", "-m", folder / "toy.plait", "--from", "text", stdin=text)
    assert result.status == 2
    assert "# text = The dog saw a cat." in result.out
    lenient = plait_command("parse", "-m", folder / "toy.plait", "--from", "text", "--lenient", stdin=text)
    assert lenient.status == 0
    assert "\ufffd" in lenient.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--parts", "tager"], "No part 'tager'. Available: tokenizer, tagger, lemmatizer, parser, all."),
        (["--set", "tager.epochs=3"], "No table [tager]. Did you mean [tagger]?"),
        (["--set", "tagger.epoch=3"], "No option 'epoch'. Did you mean 'epochs'?"),
        (["--folds", "1"], "folds is 1 but must be from 2"),
        (["--parts", "parser", "--tags", "predicted"], "--tags predicted needs a tagger"),
    ],
)
def test_wrong_options_of_a_training_are_named(
    plait_command: Command, folder: Path, arguments: list[str], message: str
) -> None:
    result = plait_command("train", folder, "-o", "m.plait", *arguments)
    assert result.status == 2
    assert message in result.err


def test_clusters_are_learned_and_used(plait_command: Command, folder: Path) -> None:
    treebank = folder / "toy-ud-train.conllu"
    result = plait_command("cluster", "-m", folder / "toy.plait", treebank, "-o", "paths", "--clusters", "8")
    assert result.status == 0, result.err
    assert result.out.endswith(" words in 8 clusters.\n")
    trained = plait_command("train", folder, "-o", "m.plait", *QUICK, "--clusters", "paths")
    assert trained.status == 0, trained.err
    assert plait_command("parse", "-m", "m.plait", TEXT).status == 0
    missing = plait_command("train", folder, "-o", "m.plait", *QUICK, "--clusters", "nothing")
    assert missing.status == 2
    assert "nothing: " in missing.err


# presets, joint and graph-based parsers

SMALL = (
    *("--bits", "14", "--epochs", "3", "--folds", "2", "--set", "tagger.epochs=3", "--set", "tagger.bits=14"),
    *("--set", "lemmatizer.epochs=2"),
)


def files(folder: Path) -> tuple[str, ...]:
    return str(folder / "toy-ud-train.conllu"), "--dev", str(folder / "toy-ud-dev.conllu.gz")


def test_a_joint_parser_from_a_file_comes_with_a_tagger(
    plait_command: Command, folder: Path, tmp_path: Path
) -> None:
    options = ("--joint", "--tags-per-word", "2", "--tag-margin", "0.5", "--beam", "4", "--compact")
    result = plait_command("train", *files(folder), "-o", "m.plait", *SMALL, *options)
    assert result.status == 0, result.err
    model = plait.load(tmp_path / "m.plait")
    assert list(model.parts) == ["tagger", "lemmatizer", "parser"]
    assert " LAS lost on the dev set." in result.out
    chosen = model.transition_parser.options
    assert (chosen.joint, chosen.tags_per_word, chosen.tag_margin, chosen.beam) == (True, 2, 0.5, 4)
    assert model.parse(plait.read(files(folder)[2]))[0].upos[0] != "_"


def test_a_preset_and_what_goes_before_it(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    options = (
        "--preset",
        "accurate",
        "--mix",
        "2",
        "--beam",
        "3",
        "--set",
        "graph.epochs=2",
        "--set",
        "graph.bits=14",
    )
    result = plait_command("train", *files(folder), "-o", "m.plait", *SMALL, *options)
    assert result.status == 0, result.err
    model = plait.load(tmp_path / "m.plait")
    assert list(model.parts) == ["tagger", "lemmatizer", "parser", "second", "third"]
    chosen = model.transition_parser.options
    assert (chosen.joint, chosen.mix, chosen.beam) == (True, 2, 3)
    assert chosen.completion


def test_a_graph_based_parser(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    options = ("--graph", "--bits", "14", "--epochs", "2")
    result = plait_command("train", *files(folder), "-o", "g.plait", *options)
    assert result.status == 0, result.err
    assert "Saved g.plait: epoch" in result.out
    model = plait.load(tmp_path / "g.plait")
    assert isinstance(model.parser, plait.GraphParser)
    assert model.parser.options.epochs == 2
    result = plait_command("parse", "-m", "g.plait", files(folder)[2], "-o", "out.conllu")
    assert result.status == 0, result.err
    result = plait_command("train", *files(folder), "-o", "x.plait", *options, "--beam", "4")
    assert result.status == 2
    assert "--beam is not about a graph-based parser" in result.err
    result = plait_command("train", *files(folder), "-o", "x.plait", *options, "--preset", "accurate")
    assert result.status == 2
    assert "has a vote of its own" in result.err
