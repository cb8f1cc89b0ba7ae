"""`plait train` on a folder, `plait parse` of text, `plait tokenize` and `plait tag` as a user meets them."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import plait
from conftest import Result
from plait.learning import store
from plait.trees import is_projective
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
    assert "annotated fold 2/2" in result.err
    assert "raw text" in result.out
    assert "Saved m.plait: epoch " in result.out
    assert store.fingerprint(tmp_path / "m.plait") == store.fingerprint(folder / "toy.plait")
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
    doc = plait.load(folder / "toy.plait")(TEXT + "\n")
    expected = doc.conllu
    model = ("-m", folder / "toy.plait")
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "a.txt").write_text(TEXT + "\n")
    (tmp_path / "news" / "b.txt.gz").write_bytes(gzip.compress(f"{TEXT}\n".encode()))
    (tmp_path / "news" / "ignored.pdf").touch()
    assert plait_command("parse", *model, "-", "--threads", "2", stdin=f"{TEXT}\n".encode()).out == expected
    assert plait_command("parse", *model, stdin=f"{TEXT}\n".encode()).out == expected
    assert plait_command("parse", *model, "news/a.txt").out == expected
    (tmp_path / "both.conllu").write_text(plait_command("parse", *model, "news").out)
    both = plait.read(tmp_path / "both.conllu")
    assert [sentence.comment("newdoc id") for sentence in both] == ["news/a.txt", None, "news/b.txt.gz", None]
    assert [sentence.sent_id for sentence in both] == ["1", "2", "3", "4"]
    assert [sentence.heads for sentence in both] == [sentence.heads for sentence in doc] * 2
    assert plait_command("validate", "both.conllu").status == 0


@pytest.mark.parametrize("verb", ["parse", "tag", "tokenize"])
@pytest.mark.parametrize(
    "text",
    ["Hello", "他今天来了。", "The " + "dog " * 200 + "saw.", "U.S.A", "3.14", "the cat and/or the dog"],
)
def test_what_is_no_file_is_a_text(plait_command: Command, folder: Path, verb: str, text: str) -> None:
    result = plait_command(verb, "-m", folder / "toy.plait", "--to", "conllu", text)
    assert result.status == 0, result.err
    assert result.out.startswith("# newpar\n# sent_id = 1\n# text = " + text.split()[0])


def test_several_texts_are_several_documents(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    model = ("-m", folder / "toy.plait")
    result = plait_command("parse", *model, "Hello", "a.txt", TEXT, "-o", "o.conllu")
    assert result.status == 0, result.err
    parsed = plait.read(tmp_path / "o.conllu")
    assert [sentence.sent_id for sentence in parsed] == ["1", "2", "3", "4", "5"]
    assert [sentence.comment("newdoc id") for sentence in parsed] == ["text-1", "a.txt", None, "text-3", None]
    assert plait_command("validate", "o.conllu").out == ""
    drawn = plait_command("parse", *model, "Hello", "cat")
    assert [line.split()[1] for line in drawn.out.split("\n\n")] == ["Hello", "cat"]


def test_an_argument_can_be_said_to_be_a_text(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "cat").write_text("The dog saw a cat.")
    for argument in ("cat", "and/or", "a.txt", "-"):
        result = plait_command("tokenize", "-m", folder / "toy.plait", "--text", "--", argument)
        assert f"\n# text = {argument}\n" in result.out
    assert (
        "\n# text = The dog saw a cat.\n" in plait_command("tokenize", "-m", folder / "toy.plait", "cat").out
    )
    result = plait_command("cluster", "cats", "-o", "clusters")
    assert (result.status, result.err) == (2, "plait: cats: there is no such file.\n")


def test_a_mistyped_name_leaves_the_output_alone(
    plait_command: Command, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "o.conllu").write_text("precious")
    for verb in ("parse", "tag", "tokenize"):
        assert plait_command(verb, "-m", folder / "toy.plait", "nowhere.txt", "-o", "o.conllu").status == 2
    assert (tmp_path / "o.conllu").read_text() == "precious"


def test_trees_become_pictures(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    model = ("-m", folder / "toy.plait")
    document = plait.load(folder / "toy.plait")(TEXT)
    result = plait_command("parse", *model, TEXT, "-o", "pic.svg")
    assert result.status == 0, result.err
    assert [line.split(":")[0] for line in result.out.splitlines()] == ["pic-1.svg", "pic-2.svg"]
    assert (tmp_path / "pic-2.svg").read_text(encoding="utf-8") == document[1].draw().svg
    assert plait_command("parse", *model, "The dog saw a cat.", "-o", "one.svg").status == 0
    assert (tmp_path / "one.svg").read_text(encoding="utf-8").startswith("<svg")
    assert plait_command("parse", *model, TEXT, "--to", "tree", "-o", "trees.txt").status == 0
    drawn = (tmp_path / "trees.txt").read_text(encoding="utf-8")
    assert drawn == f"{document[0].draw()}\n\n{document[1].draw()}\n"


@pytest.mark.parametrize("verb", ["tag", "tokenize"])
def test_only_trees_become_pictures(plait_command: Command, folder: Path, tmp_path: Path, verb: str) -> None:
    for name in ("pic.svg", "pic.PNG"):
        result = plait_command(verb, "-m", folder / "toy.plait", TEXT, "-o", name)
        assert result.status == 2
        assert f"{name}: this is the name of a picture" in result.err
        assert not (tmp_path / name).exists()


def test_drawings_show_how_sure_the_parser_is(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    model = ("-m", folder / "toy.plait", "The dog saw a cat.", "--confidence")
    printed = plait_command("parse", *model, "--to", "conllu").out
    sure = [
        line.split("Confidence=")[1].split("|")[0] for line in printed.splitlines() if "Confidence=" in line
    ]
    assert len(sure) == 6
    drawn = plait_command("parse", *model).out
    assert [line.split()[-1] for line in drawn.splitlines()] == sure
    assert plait_command("parse", *model, "-o", "pic.svg").status == 0
    assert all(f">{share}</text>" in (tmp_path / "pic.svg").read_text(encoding="utf-8") for share in sure)


def test_a_parser_alone_does_not_cut_text(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    plait.load(folder / "toy.plait")["parser"].save(tmp_path / "parser.plait")
    (tmp_path / "a.txt").write_text("the dog saw a cat\n")
    for argument in ("the dog saw a cat", "a.txt"):
        refused = plait_command("parse", "-m", "parser.plait", argument)
        assert refused.status == 2
        assert "The model has no tokenizer, so it cannot read text" in refused.err
        result = plait_command("parse", "-m", "parser.plait", argument, "--tokenized", "--to", "conllu")
        assert result.status == 0, result.err
        assert "2\tdog\t" in result.out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "utf-8"])
def test_every_terminal_gets_a_drawing(folder: Path, encoding: str) -> None:
    command = [sys.executable, "-m", "plait", "parse", "-m", folder / "toy.plait", "The été saw a 猫."]
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    done = subprocess.run(command, capture_output=True, env=environment, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode(encoding)
    assert ("►" in lines) == (encoding == "utf-8")
    assert (">" in lines) == (encoding != "utf-8")
    assert ("?t?" if encoding == "ascii" else "été") in lines
    assert ("猫" if encoding == "utf-8" else "?") in lines


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
        (["nowhere/file"], b"", "nowhere/file: there is no such file;"),
        (["./no such file"], b"", "./no such file: there is no such file;"),
        (["no such file.txt"], b"", "no such file.txt: there is no such file;"),
        (["TEXT.md"], b"", "TEXT.md: there is no such file; with --text, this is a text."),
        ([""], b"", "The text has no word in it."),
        (["--text"], b"", "--text needs a text."),
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
        (["--components", "tager"], "No component 'tager'. Did you mean 'tagger'?"),
        (["--set", "tager.epochs=3"], "No component 'tager'. Did you mean 'tagger'?"),
        (["--set", "tagger.epoch=3"], "No option 'epoch'. Did you mean 'epochs'?"),
        (["--folds", "1"], "folds is 1 but must be from 2"),
        (["--components", "parser", "--tags", "predicted"], "--tags predicted needs a tagger"),
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
    missing = plait_command("train", folder, "-o", "n.plait", *QUICK, "--clusters", "nothing")
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
    assert list(model.components) == ["tagger", "lemmatizer", "parser"]
    assert " LAS lost on the dev set." in result.out
    chosen = model["parser"].options
    assert (chosen.joint, chosen.tags_per_word, chosen.tag_margin, chosen.beam) == (True, 2, 0.5, 4)
    assert model.parse(plait.read(files(folder)[2]))[0].upos[0] != "_"


def test_a_sentence_that_is_learned_from_twice_is_left_out_once(plait_command: Command, folder: Path) -> None:
    """With gold and with predicted tags; and each parser is called by its own system."""
    crossing = sum(not is_projective(sentence.tree()) for sentence in plait.read(files(folder)[0]))
    options = ("--beam", "1", "--system", "standard", "--components", "tagger,parser")
    (folder / "stack.toml").write_text(
        '[parser]\nkind = "stack"\n[parser.levels.guide]\nkind = "transition"\nsystem = "eager"\nbeam = 1\n'
        'bits = 14\nprojectivize = ""\nepochs = 1\n[parser.levels.parser]\nkind = "transition"\nguided = true\n'
    )
    config = ("--config", folder / "stack.toml")
    result = plait_command("train", *files(folder), "-o", "m.plait", *config, *SMALL, *options)
    assert result.status == 0, result.err
    said = [line for line in result.err.splitlines() if "left out" in line]
    expected = f"plait: {crossing} of 90 sentences left out: the system "
    assert [line.split(" cannot")[0] for line in said] == [f"{expected}'eager'", f"{expected}'standard'"]


def test_a_preset_and_what_goes_before_it(plait_command: Command, folder: Path, tmp_path: Path) -> None:
    options = (
        "--preset",
        "accurate",
        "--mix",
        "2",
        "--beam",
        "3",
        "--set",
        "parser.voters.graph.epochs=2",
        "--set",
        "parser.voters.graph.bits=14",
        "--set",
        "parser.voters.greedy.epochs=2",
    )
    result = plait_command("train", *files(folder), "-o", "m.plait", *SMALL, *options)
    assert result.status == 0, result.err
    model = plait.load(tmp_path / "m.plait")
    assert list(model.components) == ["tagger", "lemmatizer", "parser"]
    voters = model["parser"].members
    assert [each.options.epochs for each in voters.values()] == [3, 2, 2]
    assert model.parser is voters["beam"]
    chosen = voters["beam"].options
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
    assert "--beam is not about a graph parser" in result.err
    result = plait_command("train", *files(folder), "-o", "x.plait", *options, "--compact")
    assert result.status == 2
    assert "--compact is about a transition-based parser" in result.err
    for wish in ("--beam", "4"), ("--nbest", "2"), ("--confidence",), ("--keep", "heads"):
        result = plait_command("parse", "-m", "g.plait", files(folder)[2], *wish)
        assert (result.status, result.out) == (2, "")
        assert "a transition component" in result.err
