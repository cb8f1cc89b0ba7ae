"""Ladders: what a TOML file may say, that taggers are shared and finished cells kept, and what comes out."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plait
from plait.errors import InputError
from plait.experiments.ladder import Ladder, Rung, climb, read_ladder
from plait.experiments.ladder.picture import draw_ladder
from plait.experiments.ladder.report import accuracy_tables, cost_table, standings, write_report
from toy import written

Command = Callable[..., tuple[int, str, str]]

TOY = """
output = "out"
epochs = 2

[recipe]
model = { folds = 2 }
tagger = { bits = 12, epochs = 2 }
lemmatizer = { epochs = 2 }
parser = { bits = 12 }

[rows.greedy]
preset = "fast"

[rows."beam 2".parser]
beam = 2

[rows.stacked]
tags = ["gold"]
parser = { kind = "stack", levels = { guide = { bits = 12 }, parser = { bits = 12, beam = 1 } } }

[rows.vote]
vote = ["greedy", "beam 2"]

[treebanks.Toy]
train = "train.conllu"
dev = "dev.conllu"
"""


def write_toy(folder: Path, text: str = TOY) -> Path:
    for seed, part in enumerate(("train", "dev"), 1):
        plait.write(written(24, seed), folder / f"{part}.conllu")
    path = folder / "toy.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder that has been climbed."""
    path = write_toy(tmp_path_factory.mktemp("toy"))
    climb(read_ladder(path), jobs=2)
    return path


@pytest.fixture(scope="module")
def ladder(finished: Path) -> Ladder:
    return read_ladder(finished)


@pytest.fixture(scope="module")
def rungs(ladder: Ladder) -> list[Rung]:
    return climb(ladder)


def test_the_cells(ladder: Ladder) -> None:
    assert [cell.name for cell in ladder.cells] == [
        "Toy.gold.greedy.seed1",
        "Toy.gold.beam-2.seed1",
        "Toy.gold.stacked.seed1",
        "Toy.gold.vote.seed1",
        "Toy.predicted.greedy.seed1",
        "Toy.predicted.beam-2.seed1",
        "Toy.predicted.vote.seed1",
    ]
    greedy, beam, stacked, vote = ladder.cells[:4]
    assert str(beam) == "Toy, gold tags, beam 2, seed 1"
    assert greedy.recipe is not None
    options: Any = greedy.recipe.plan("parser").options
    assert (options.beam, options.bits, options.epochs) == (1, 12, 2)
    assert stacked.recipe is not None
    plan = stacked.recipe.plan("parser")
    levels: dict[str, Any] = {name: level.options for name, level in plan.members.items()}
    assert plan.kind == "stack"
    assert levels["parser"].guided
    assert (levels["guide"].system, levels["guide"].epochs, levels["parser"].epochs) == ("eager", 2, 2)
    assert vote.members == (greedy, beam)
    assert greedy.tagging is None
    first, second = (cell.tagging for cell in ladder.cells[4:6])
    assert first is not None
    assert second is not None
    assert first.name == second.name, "rows with the same tagger share it"


def test_seeds_and_tables_of_a_row(tmp_path: Path) -> None:
    text = TOY.replace("epochs = 2", "epochs = 2\nseeds = [3, 4]\n", 1).replace(
        "beam = 2", "beam = 2\nepochs = 1"
    )
    text = text.replace("[rows.vote]", '[rows.three]\nparser = { kind = "vote" }\n\n[rows.vote]')
    ladder = read_ladder(write_toy(tmp_path, text))
    three = [cell.recipe for cell in ladder.cells if cell.row.name == "three" and cell.recipe]
    for recipe, seed in zip(three, (3, 4) * 2, strict=True):
        voters: list[Any] = [voter.options for voter in recipe.plan("parser").members.values()]
        assert [(voter.epochs, voter.seed) for voter in voters] == [(2, seed)] * 3
    cells = [cell for cell in ladder.cells if cell.row.name == "beam 2"]
    assert [(cell.tags, cell.seed) for cell in cells] == [
        *(("gold", 3), ("gold", 4), ("predicted", 3), ("predicted", 4))
    ]
    parsers: list[Any] = [cell.recipe.plan("parser").options for cell in cells if cell.recipe]
    assert [(parser.seed, parser.epochs) for parser in parsers] == [(3, 1), (4, 1)] * 2


def test_taggers_know_the_lexicon_of_their_treebank(tmp_path: Path) -> None:
    (tmp_path / "toy.tsv").write_text("dog\tNOUN\n")
    more = '[treebanks.Other]\ntrain = "train.conllu"\ndev = "dev.conllu"\n'
    text = TOY.replace('preset = "fast"', 'preset = "fast"\nlexicon = true')
    ladder = read_ladder(write_toy(tmp_path, f'{text}lexicon = "toy.tsv"\n{more}'))
    known: dict[tuple[str, str], Any] = {
        (cell.treebank.name, cell.row.name): cell.recipe.plan("tagger").options
        for cell in ladder.cells
        if cell.recipe
    }
    assert known["Toy", "greedy"].lexicon == str(tmp_path / "toy.tsv")
    assert known["Toy", "beam 2"].lexicon == known["Other", "greedy"].lexicon == ""
    predicted = [cell.tagging for cell in ladder.cells if cell.tagging]
    assert len({each.name for each in predicted}) == 3, "two taggers of Toy, one of Other"


def test_some_sentences_of_a_treebank(tmp_path: Path) -> None:
    text = TOY.replace('dev = "dev.conllu"', 'dev = "dev.conllu"\nsentences = 6')
    text = text[: text.index("[rows.stacked]")] + text[text.index("[treebanks") :]
    text = text.replace("epochs = 2", 'epochs = 2\ntags = ["gold"]', 1)
    ladder = read_ladder(write_toy(tmp_path, text))
    found = climb(ladder)[0]
    train, dev = plait.read(tmp_path / "train.conllu"), plait.read(tmp_path / "dev.conllu")
    assert found.cell.recipe is not None
    few = plait.train(train[:6], dev=dev, recipe=found.cell.recipe.only("parser"))
    assert plait.evaluate(dev, few.parse(dev)).las == found.measures.las
    again: list[Rung] = []
    more = read_ladder(write_toy(tmp_path, text.replace("sentences = 6", "sentences = 7")))
    climb(more, on_rung=lambda rung, *_: again.append(rung))
    assert len(again) == len(ladder.cells), "another number is another experiment"


def test_the_example_in_the_repository(treebanks: Path) -> None:
    assert treebanks.is_dir()
    ladder = read_ladder(Path(__file__).parents[2] / "experiments" / "ladder.toml")
    assert len(ladder.cells) == 6 * sum(len(row.tags) for row in ladder.rows)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("epochs = 2\n\n[recipe", "epoch = 2\n\n[recipe", "no key 'epoch'. Did you mean 'epochs'?"),
        ('preset = "fast"', 'preset = "fats"', "rows.'greedy': No preset 'fats'. Did you mean 'fast'?"),
        ("beam = 2", "bean = 2", "rows.'beam 2': [parser] No option 'bean'. Did you mean 'beam'?"),
        ('"beam 2".parser', '"beam 2".parsr', "rows.'beam 2': No component 'parsr'. Did you mean 'parser'?"),
        ('tags = ["gold"]', 'tags = ["golden"]', "no tag 'golden'. Did you mean 'gold'?"),
        ('["greedy", "beam 2"]', '["greedy", "beam 3"]', "no row to vote 'beam 3'. Did you mean 'beam 2'?"),
        ('["greedy", "beam 2"]', '["vote"]', "no row to vote 'vote'."),
        ('preset = "fast"', 'over = "beam 3"', "no row to be over 'beam 3'. Did you mean 'beam 2'?"),
        ('["greedy", "beam 2"]', "[]", "vote must be a list of one or more"),
        ("vote = [", "parser = { beam = 1 }\nvote = [", "no key of rows.'vote', which is a vote: 'parser'"),
        (
            '[rows."beam 2".parser]',
            '[rows."beam/2".parser]\n[rows."beam 2".parser]',
            "would have the same files",
        ),
        ('preset = "fast"', "preset = 1", "preset must be text"),
        (
            "[recipe]",
            "[recipe.tager]\nbits = 1\n[recipe]",
            "recipe: No component 'tager'. Did you mean 'tagger'?",
        ),
        ("dev =", "def =", "no part of treebanks.Toy 'def'. Did you mean 'dev'?"),
        ('preset = "fast"', 'lexicon = "toy.tsv"', "rows.'greedy': lexicon is true or false"),
        ("dev =", 'lexicon = "toy.tsv"\ndev =', "treebanks.Toy.lexicon: there is no file"),
        ("dev =", "sentences = 0\ndev =", "treebanks.Toy.sentences: 0 is not a whole number of at least 1"),
    ],
)
def test_what_is_wrong_in_a_file_is_said(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = write_toy(tmp_path, TOY.replace(old, new, 1))
    with pytest.raises(InputError) as error:
        read_ladder(path)
    assert message in str(error.value)
    assert str(error.value).startswith(f"{path}: ")


def test_what_is_measured(ladder: Ladder, rungs: list[Rung]) -> None:
    dev = plait.read(ladder.treebanks[0].dev)
    for rung in rungs:
        parsed = plait.read(ladder.output / rung.cell.parsed)
        scores = plait.evaluate(dev, parsed)
        assert rung.measures.las == scores.las
        assert rung.measures.tlas == scores.tlas
        assert (rung.measures.upos == 100) or rung.cell.tags == "predicted"
        assert rung.measures.words_per_second > 0
    by_name = {rung.cell.name: rung.measures for rung in rungs}
    voters = [by_name[f"Toy.gold.{row}.seed1"] for row in ("greedy", "beam-2")]
    vote = by_name["Toy.gold.vote.seed1"]
    assert vote.bytes == sum(each.bytes for each in voters)
    assert vote.seconds == pytest.approx(sum(each.seconds for each in voters))
    assert vote.words_per_second < min(each.words_per_second for each in voters)
    model = plait.load(ladder.output / "models" / "Toy.predicted.greedy.seed1")
    assert list(model.components) == ["tagger", "lemmatizer", "parser"]
    assert plait.evaluate(dev, model.parse(dev)).las == by_name["Toy.predicted.greedy.seed1"].las


def test_a_row_is_what_train_would_have_made(ladder: Ladder, rungs: list[Rung]) -> None:
    cell = next(rung.cell for rung in rungs if rung.cell.name == "Toy.predicted.beam-2.seed1")
    train, dev = plait.read(cell.treebank.train), plait.read(cell.treebank.dev)
    assert cell.recipe is not None
    whole = plait.train(train, dev=dev, recipe=cell.recipe.only("tagger", "lemmatizer", "parser"))
    stored = plait.load(ladder.output / "models" / cell.name)
    assert list(whole.parse(dev)) == list(stored.parse(dev))


def test_a_treebank_without_lemmas_has_tags(tmp_path: Path) -> None:
    path = write_toy(tmp_path, TOY.replace('["greedy", "beam 2"]', '["greedy"]'))
    for part in "train", "dev":
        bare = plait.read(tmp_path / f"{part}.conllu")
        for sentence in bare:
            sentence.lemmas = ["_"] * len(sentence)
        plait.write(bare, tmp_path / f"{part}.conllu")
    ladder = read_ladder(path)
    climb(ladder)
    model = plait.load(ladder.output / "models" / "Toy.predicted.greedy.seed1")
    assert list(model.components) == ["tagger", "parser"]


def test_finished_cells_are_not_run_again(finished: Path, rungs: list[Rung], ladder: Ladder) -> None:
    again: list[Rung] = []
    assert climb(ladder, on_rung=lambda rung, *_: again.append(rung)) == rungs
    assert not again
    (ladder.output / "cells" / "Toy.gold.vote.seed1.json").unlink()
    (ladder.output / rungs[0].cell.parsed).unlink()
    counted: list[tuple[int, int]] = []
    new = climb(read_ladder(finished), on_rung=lambda _, *done: counted.append(done))
    assert counted == [(5, 7), (7, 7)]
    assert [each.measures.las for each in new] == [each.measures.las for each in rungs]


def test_tables_picture_and_files(ladder: Ladder) -> None:
    rungs = climb(ladder)
    found = standings(ladder, rungs)
    gold, predicted = accuracy_tables(ladder, found)
    assert gold.columns == ["row", "Toy", "mean", "difference", "better / worse"]
    assert [row[0] for row in gold.rows] == ["greedy", "beam 2", "stacked", "vote"]
    assert [row[0] for row in predicted.rows] == ["greedy", "beam 2", "vote"]
    assert gold.rows[0][1:] == [f"{rungs[0].measures.las:.2f}"] * 2 + ["+0.00", ""]
    difference = rungs[1].measures.las - rungs[0].measures.las
    assert f"({difference:+.2f}" in gold.rows[1][1]
    assert found[1].against_first["Toy"].difference == pytest.approx(difference)
    assert len(cost_table(found).rows) == 7
    pictures = draw_ladder(ladder, found)
    assert [path.name for path in pictures] == ["ladder.svg", "ladder.png"]
    before = [path.read_bytes() for path in pictures]
    # A text that is drawn as curves is named in a comment: every row once in the panel of each kind of tags.
    for row, panels in ("greedy", 2), ("beam 2", 2), ("stacked", 1), ("vote", 2):
        assert before[0].count(f"<!-- {row} -->".encode()) == panels
    assert [path.read_bytes() for path in draw_ladder(ladder, found)] == before
    write_report(ladder, rungs, found, pictures)
    assert "![ladder](ladder.svg)" in (ladder.output / "report.md").read_text(encoding="utf-8")
    rows = list(csv.DictReader((ladder.output / "cells.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["row"] for row in rows[:4]] == ["greedy", "beam 2", "stacked", "vote"]
    assert float(rows[0]["las"]) == pytest.approx(rungs[0].measures.las, abs=1e-4)
    rows = list(csv.DictReader((ladder.output / "comparisons.csv").read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 3 + 2


def test_the_command(finished: Path, ladder: Ladder, plait_command: Command) -> None:
    status, out, err = plait_command("experiment", finished, "--jobs", 1)
    assert status == 0, err
    assert "LAS with predicted tags, dev sets" in out
    assert "Speed and size" in out
    assert (ladder.output / "report.md").is_file()
    status, out, err = plait_command("experiment", finished, "--json")
    assert status == 0, err
    assert len(json.loads(out)["cells"]) == 7
    status, _, err = plait_command("experiment", finished, "--test")
    assert (status, err.splitlines()[-1]) == (2, "plait: treebanks.Toy has no test set, which --test needs.")


def test_test_sets_are_scored_when_asked(finished: Path, ladder: Ladder, plait_command: Command) -> None:
    """A test set is no part of what a cell is made from: it may be named later."""
    plait.write(written(20, 9), finished.parent / "test.conllu")
    path = finished.with_name("tested.toml")
    path.write_text(TOY + 'test = "test.conllu"\n', encoding="utf-8")
    status, out, err = plait_command("experiment", path, "--test", "--json")
    assert status == 0, err
    assert not [line for line in err.splitlines() if "/7" in line], "nothing is trained again"
    found = {(cell["tags"], cell["row"]): cell for cell in json.loads(out)["test_cells"]}
    gold = plait.read(finished.parent / "test.conllu")
    model = plait.load(ladder.output / "models" / "Toy.predicted.greedy.seed1")
    scores = plait.evaluate(gold, model.parse(gold))
    assert found["predicted", "greedy"]["las"] == round(scores.las, 2)
    assert found["predicted", "greedy"]["exact_labeled"] == round(scores.exact_labeled, 2)
    assert ("gold", "vote") in found
    report = (ladder.output / "report.md").read_text(encoding="utf-8")
    assert "LAS with gold tags, test sets" in report
    assert (ladder.output / "test-comparisons.csv").is_file()


def test_parts_of_a_ladder(tmp_path: Path, plait_command: Command) -> None:
    """What is not there yet has no score, and no mean; a vote brings those who vote."""
    plait.write(written(20, 9), tmp_path / "test.conllu")
    other = '[treebanks.Other]\ntrain = "train.conllu"\ndev = "dev.conllu"\ntest = "test.conllu"\n'
    text = TOY.replace("epochs = 2", 'epochs = 2\ntags = ["gold"]\nseeds = [1, 2]', 1)
    path = write_toy(tmp_path, f'{text}test = "test.conllu"\n{other}')
    status, _, err = plait_command("experiment", path, "--finished")
    assert (status, err) == (2, f"plait: Nothing in {tmp_path / 'out'} is finished.\n")
    wanted = ("--only", "Toy.gold.vote.seed1", "--only", "*.greedy.seed[12]")
    status, out, err = plait_command("experiment", path, *wanted, "--jobs", 1)
    assert (status, out) == (0, ""), err
    made = {each.stem for each in (tmp_path / "out/cells").iterdir()}
    greedy = {f"{treebank}.gold.greedy.seed{seed}" for treebank in ("Toy", "Other") for seed in (1, 2)}
    assert made == {"Toy.gold.vote.seed1", "Toy.gold.beam-2.seed1"} | greedy
    assert not (tmp_path / "out/report.md").exists()
    status, out, err = plait_command("experiment", path, "--finished", "--json", "--test")
    assert status == 0, err
    found = json.loads(out)
    cells = {(each["treebank"], each["row"], each["seed"]): each["las"] for each in found["cells"]}
    assert len(cells) == len(found["test_cells"]) == 6
    report = (tmp_path / "out/report.md").read_text(encoding="utf-8")
    rows = {
        line.split(" | ")[0].strip("| "): line.split(" | ")[1:] for line in report.splitlines() if "|" in line
    }
    assert rows["beam 2"][1:4] == ["–", "–", "–"]
    assert rows["beam 2"][0].startswith(f"{cells['Toy', 'beam 2', 1]:.2f} (")
    # Of the two seeds of the first row, only the one that the other row has too is compared with.
    compared = csv.DictReader((tmp_path / "out/comparisons.csv").read_text(encoding="utf-8").splitlines())
    differences = {each["row"]: float(each["difference"]) for each in compared}
    expected = cells["Toy", "beam 2", 1] - cells["Toy", "greedy", 1]
    assert differences["beam 2"] == pytest.approx(expected, abs=0.011)
    # A vote without one who votes does not count, and no tagger is trained to tell of what is there.
    (tmp_path / "out/cells/Toy.gold.beam-2.seed1.json").unlink()
    status, out, err = plait_command("experiment", path, "--finished", "--json")
    assert {each["row"] for each in json.loads(out)["cells"]} == {"greedy"}, err
    status, _, err = plait_command("experiment", path, "--only", "Toy.*", "--finished")
    assert status == 2
    assert "--only trains cells" in err


def test_only_the_last_kind_of_tags_is_finished(
    rungs: list[Rung], ladder: Ladder, plait_command: Command, tmp_path: Path
) -> None:
    assert rungs
    path = write_toy(tmp_path)
    shutil.copytree(ladder.output, tmp_path / "out")
    for cell in (tmp_path / "out/cells").glob("Toy.gold.*"):
        cell.unlink()
    for tagging in (tmp_path / "out/cells").glob("*.tags.*"):
        tagging.unlink()
    shutil.rmtree(tmp_path / "out/tagged")
    status, out, err = plait_command("experiment", path, "--finished")
    assert status == 0, err
    assert "gold tags" not in out
    assert "LAS with predicted tags" in out
    assert not (tmp_path / "out/tagged").exists(), "nothing is trained"


def test_what_works_after_the_parser_is_trained_too(tmp_path: Path) -> None:
    text = """
output = "out"
epochs = 2

[recipe]
model = { folds = 2, components = "tagger,lemmatizer,parser,relabel" }
tagger = { bits = 12, epochs = 2 }
lemmatizer = { epochs = 2 }
parser = { bits = 12, beam = 1 }

[rows.plain.model]
components = "tagger,lemmatizer,parser"

[rows.relabelled]
over = "plain"
relabel = { bits = 12 }

[treebanks.Toy]
train = "train.conllu"
dev = "dev.conllu"
"""
    pytest.importorskip("scipy")
    ladder = read_ladder(write_toy(tmp_path, text))
    climb(ladder)
    for cell in ladder.cells:
        names = list(plait.load(ladder.output / "models" / cell.name).components)
        expected = ["tagger", "lemmatizer"] if cell.tags == "predicted" else []
        assert names == [*expected, "parser", *(["relabel"] if cell.row.over else [])]
    found = standings(ladder, climb(ladder))
    assert [list(each.against_over) for each in found] == [[], ["Toy"]] * 2
    table = accuracy_tables(ladder, found)[0]
    assert table.columns[-1] == "over"
    assert table.rows[1][-1].startswith("plain: ")
