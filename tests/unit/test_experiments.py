"""Experiments: what a TOML file may say, that finished cells are kept, and what comes out."""

from __future__ import annotations

import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import plait
from plait.errors import InputError
from plait.evaluation.significance import Bootstrap, SentenceTest
from plait.experiments import Outcome, read_experiment, run
from plait.experiments.comparison import Verdict, compare_on_test, score_on_test
from plait.experiments.document import read_document
from plait.experiments.ladder import read_ladder
from plait.experiments.ladder.spec import is_ladder
from plait.experiments.measures import METRICS, by_sentence, measure
from plait.experiments.pictures import draw_pictures
from plait.experiments.tables import accuracy_tables, cells_csv, column_tables, write_tables
from plait.features.clusters import Clusters
from plait.layers import Parse
from plait.learning.attachment import Answers
from plait.sentence import Sentence

Command = Callable[..., tuple[int, str, str]]

TOY = """
output = "out"
oracles = ["lazy", "nd-all"]
seeds = [1, 2]
epochs = 2

[parser]
bits = 12

[treebanks.Toy]
train = "train.conllu"
dev = "dev.conllu"
test = "test.conllu"
"""


def toy_sentences(count: int, seed: int) -> list[Sentence]:
    """Subject, verb, object, and often an adverb whose arc crosses that of a relative clause."""
    chance = random.Random(seed)
    sentences = []
    for _ in range(count):
        words = [chance.choice(["dogs", "cats", "birds"]), chance.choice(["see", "hear"]), "mice"]
        if chance.random() < 0.5:
            sentences.append(
                Sentence(
                    forms=[*words, "today", "that", "sleep"],
                    upos=["NOUN", "VERB", "NOUN", "ADV", "PRON", "VERB"],
                    heads=[2, 0, 2, 2, 6, 3],
                    deprels=["nsubj", "root", "obj", "advmod", "nsubj", "acl:relcl"],
                )
            )
        else:
            sentences.append(
                Sentence(
                    forms=words,
                    upos=["NOUN", "VERB", "NOUN"],
                    heads=[2, 0, 2],
                    deprels=["nsubj", "root", "obj"],
                )
            )
    return sentences


def write_toy(folder: Path, text: str = TOY) -> Path:
    for seed, part in enumerate(("train", "dev", "test")):
        plait.write(toy_sentences(20, seed), folder / f"{part}.conllu")
    path = folder / "toy.toml"
    path.write_text(text, encoding="utf-8")
    return path


def is_gone(group: int) -> bool:
    """Python's own helper process follows its parent within moments."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An experiment that has been run."""
    path = write_toy(tmp_path_factory.mktemp("toy"))
    run(read_experiment(path), jobs=2)
    return path


def test_the_grid(tmp_path: Path) -> None:
    text = TOY.replace("seeds", 'systems = ["swap", "standard"]\nbeams = [1, 4]\nseeds')
    experiment = read_experiment(write_toy(tmp_path, text))
    # The arc-standard system has no oracle LAZY.
    assert len(experiment.cells) == 2 * 2 * (2 + 1)
    first = experiment.cells[0]
    assert first.name == "Toy.swap.lazy.beam1.seed1"
    assert str(first) == "Toy, swap, lazy, greedy, seed 1"
    assert first.options.bits == 12
    assert first.options.patience == 2, "a learning curve needs every epoch"
    assert experiment.output == tmp_path / "out"
    assert experiment.metric == "las"


def test_the_metric_chooses_epochs_too(tmp_path: Path) -> None:
    text = TOY.replace("epochs = 2", 'epochs = 2\nmetric = "las_full"', 1)
    experiment = read_experiment(write_toy(tmp_path, text))
    assert {cell.options.metric for cell in experiment.cells} == {"las_full"}
    own = text.replace("bits = 12", 'bits = 12\nmetric = "las"')
    with pytest.raises(InputError, match=r"metric stands outside the table \[parser\]"):
        read_experiment(write_toy(tmp_path, own))


def test_the_example_in_the_repository(treebanks: Path) -> None:
    assert treebanks.is_dir()
    experiment = read_experiment(Path(__file__).parents[2] / "experiments" / "oracles.toml")
    assert len(experiment.cells) == 5 * 5 * 2 * 3


def test_the_files_of_the_papers(treebanks: Path) -> None:
    assert treebanks.is_dir()
    folder = Path(__file__).parents[2] / "experiments" / "papers"
    ladders = {path for path in folder.glob("*.toml") if is_ladder(read_document(path))}
    assert {path.stem: len(read_ladder(path).rows) for path in ladders} == {
        "bohnet-2010": 2,
        "bohnet-2010-sizes": 5,
    }
    rows = {path.stem: len(read_experiment(path).rows) for path in {*folder.glob("*.toml")} - ladders}
    assert rows == {
        "bjorkelund-nivre-2015-beam": 5,
        "bjorkelund-nivre-2015-greedy": 5,
        "bohnet-kuhn-2012": 2,
        "bohnet-kuhn-2012-margin": 2,
        "nivre-2009": 4,
        "sartorio-2013": 5,
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seeds", "seed", "no key 'seed'. Did you mean 'seeds'?"),
        ('"nd-all"', '"nd-al"', "no oracle 'nd-al'. Did you mean 'nd-all'?"),
        ('"nd-all"', '"dynamic"', "no oracle 'dynamic'. Available: eager, lazy, minimal, nd-swap, nd-all."),
        ("bits", "bit", "No option 'bit'. Did you mean 'bits'?"),
        ("bits = 12", "beam = 4", "beam stands outside the table [parser]"),
        ("bits = 12", "bits = 99", "bits is 99 but must be from"),
        ("[1, 2]", "[1, 1]", "seeds names 1 twice"),
        ("[1, 2]", "[]", "seeds must be a list of one or more"),
        ("[1, 2]", '["a"]', "seeds: 'a' is not a whole number of at least 0"),
        ("epochs = 2", "epochs = 0", "epochs: 0 is not a whole number of at least 1"),
        ("epochs = 2", 'projectivize = "hed"', "no projectivize 'hed'. Did you mean 'head'?"),
        ("epochs = 2", 'projectivize = "head"', "projectivize goes with other systems"),
        ("epochs = 2", 'completion = "2a"', "completion must be a list of one or more"),
        ("epochs = 2", 'completion = ["2d"]\nbeams = [4]', "no factors '2d'"),
        ("epochs = 2", 'completion = ["2a"]', "completion needs a beam"),
        ("epochs = 2", 'completion = ["2a"]\nsystems = ["eager"]', "completion goes with the systems"),
        ("epochs = 2", 'metric = "ula"', "no metric 'ula'. Did you mean 'uas'?"),
        ('output = "out"', "", "no output"),
        ('dev = "dev.conllu"', "", "treebanks.Toy has no dev"),
        ("dev =", "def =", "no part of treebanks.Toy 'def'. Did you mean 'dev'?"),
        ('"dev.conllu"', '"nowhere.conllu"', "treebanks.Toy.dev: there is no file"),
        ("[treebanks.Toy]", "[treebanks.'a/b']", "'a/b' cannot name a treebank"),
        ("output =", "output", "not TOML"),
    ],
)
def test_what_is_wrong_in_a_file_is_said(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = write_toy(tmp_path, TOY.replace(old, new))
    with pytest.raises(InputError) as error:
        read_experiment(path)
    assert message in str(error.value)
    assert str(error.value).startswith(f"{path}: ")


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "{b = " * 50_000, "a = " + "1" * 10_000])
def test_a_file_that_is_too_deep_is_an_error(tmp_path: Path, plait_command: Command, text: str) -> None:
    (tmp_path / "a.toml").write_text(text)
    result = plait_command("experiment", "a.toml")
    assert result[0] == 2
    assert result[2].startswith("plait: a.toml: not TOML: ")


def test_no_treebank(tmp_path: Path) -> None:
    path = write_toy(tmp_path, TOY[: TOY.index("[treebanks")])
    with pytest.raises(InputError, match=r"such as \[treebanks.Gothic\]"):
        read_experiment(path)
    with pytest.raises(InputError, match="there is no such file"):
        read_experiment(tmp_path / "other.toml")


def test_finished_cells_are_not_run_again(finished: Path) -> None:
    experiment = read_experiment(finished)
    again: list[Outcome] = []
    outcomes = run(experiment, on_outcome=lambda outcome, *_: again.append(outcome))
    assert not again
    assert [outcome.cell for outcome in outcomes] == list(experiment.cells)
    lost, damaged = experiment.cells[:2]
    (finished.parent / "out/cells" / f"{lost.name}.json").unlink()
    (finished.parent / "out/cells" / f"{damaged.name}.json").write_text('{"origin":')
    same = run(experiment, jobs=2, on_outcome=lambda outcome, *_: again.append(outcome))
    assert {outcome.cell for outcome in again} == {lost, damaged}
    for before, now in zip(outcomes, same, strict=True):
        assert (before.scores, before.best_epoch) == (now.scores, now.best_epoch), "same seed, same result"


def test_other_options_or_data_are_other_cells(tmp_path: Path) -> None:
    path = write_toy(tmp_path, TOY.replace("[1, 2]", "[1]").replace('"lazy", ', ""))
    again: list[Outcome] = []
    run(read_experiment(path))
    path.write_text(path.read_text().replace("epochs = 2", "epochs = 1"))
    (outcome,) = run(read_experiment(path), on_outcome=lambda each, *_: again.append(each))
    assert len(outcome.history) == 1
    plait.write(toy_sentences(20, 9), tmp_path / "train.conllu")
    run(read_experiment(path), on_outcome=lambda each, *_: again.append(each))
    assert len(again) == 2


def test_tables_and_pictures(finished: Path) -> None:
    experiment = read_experiment(finished)
    outcomes = run(experiment)
    (table,) = accuracy_tables(experiment, outcomes)
    assert table.columns == ["oracle", "Toy"]
    assert [row[0] for row in table.rows] == ["lazy", "nd-all"]
    scores = [outcome.scores["las"] for outcome in outcomes[:2]]
    assert table.rows[0][1] == f"**{sum(scores) / 2:.2f}** ({min(scores):.2f}–{max(scores):.2f})"
    assert "labels without subtypes, punctuation counted" in table.note
    pictures = draw_pictures(experiment, outcomes)
    assert {path.name for path in pictures} == {
        f"{name}-swap-beam1.{suffix}" for name in ("learning-curves", "swaps") for suffix in ("svg", "png")
    }
    before = [path.read_bytes() for path in pictures]
    draw_pictures(experiment, outcomes)
    assert [path.read_bytes() for path in pictures] == before
    write_tables(experiment, outcomes, None, pictures)
    report = (experiment.output / "report.md").read_text(encoding="utf-8")
    assert "![swaps-swap-beam1](swaps-swap-beam1.svg)" in report
    assert not (experiment.output / "test.csv").exists()
    rows = list(csv.DictReader(cells_csv(outcomes).splitlines()))
    assert [row["seed"] for row in rows] == ["1", "2", "1", "2"]


def test_static_oracles_swap_the_same_in_every_epoch(tmp_path: Path) -> None:
    text = TOY.replace("bits = 12", "bits = 12\nexplore = 0.0").replace(', "nd-all"', "")
    # One swap brings the relative clause, which is whole by then, over the adverb.
    swaps = sum(len(sentence) == 6 for sentence in toy_sentences(20, 0)) / 20
    for outcome in run(read_experiment(write_toy(tmp_path, text))):
        assert outcome.cell.options.oracle == "lazy"
        assert outcome.swaps_per_sentence() == [swaps] * 2


def test_the_oracles_that_are_best_on_dev_meet_on_test(finished: Path) -> None:
    experiment = read_experiment(finished)
    lazy, _, all_, _ = run(experiment)
    scores = {"eager": 70.0, "lazy": 80.0, "nd-swap": 60.0, "nd-all": 50.0}
    outcomes = [
        replace(
            model,
            cell=replace(model.cell, options=replace(model.cell.options, oracle=oracle)),
            scores=model.scores | {"las": score, "las_full": 100 - score},
        )
        for (oracle, score), model in zip(scores.items(), (lazy, lazy, all_, all_), strict=True)
    ]
    for name in "eager", "nd-swap":
        twin = next(each.cell for each in outcomes if each.cell.options.oracle == name)
        model = lazy if name == "eager" else all_
        target = experiment.output / "models" / twin.name
        shutil.copytree(experiment.output / "models" / model.cell.name, target, dirs_exist_ok=True)
    for metric, best in ("las", ("lazy", "nd-swap")), ("las_full", ("eager", "nd-all")):
        chosen = replace(experiment, metric=metric)
        cells = [outcome.cell for outcome in outcomes]
        (result,) = compare_on_test(chosen, outcomes, score_on_test(chosen, cells))
        assert (result.static, result.non_deterministic) == best
        (table,) = accuracy_tables(chosen, outcomes)
        bold = tuple(row[0] for row in table.rows if row[1].startswith("**"))
        assert sorted(bold) == sorted(best)


def test_test_sets_are_compared(finished: Path) -> None:
    experiment = read_experiment(finished)
    outcomes = run(experiment)
    (result,) = compare_on_test(experiment, outcomes, score_on_test(experiment, experiment.cells))
    assert (result.static, result.non_deterministic) == ("lazy", "nd-all")
    gold = plait.read(finished.parent / "test.conllu")
    scores = [
        plait.evaluate(
            gold, plait.TransitionParser.load(experiment.output / "models" / cell.name).apply(gold)
        ).las
        for cell in experiment.cells
    ]
    assert result.static_score == pytest.approx(sum(scores[:2]) / 2)
    assert result.non_deterministic_score == pytest.approx(sum(scores[2:]) / 2)
    assert result.verdict.difference == pytest.approx(sum(scores[2:]) / 2 - sum(scores[:2]) / 2)


def test_marks_as_in_the_paper() -> None:
    none = Bootstrap(0.0, 0.0, 1.0, 1, 0)
    marks = [Verdict(1.0, SentenceTest(None, 1, p), none).mark for p in (0.05, 0.049, 0.01, 0.009)]
    assert marks == ["", "†", "†", "‡"]


def test_the_command(finished: Path, plait_command: Command) -> None:
    output = finished.parent / "out"
    status, out, err = plait_command("experiment", finished, "--jobs", 1)
    assert status == 0, err
    assert "swap, greedy: accuracy by oracle, dev sets" in out
    assert "Test sets" not in out
    assert not (output / "test.csv").exists(), "the test set is scored only when asked"
    status, out, err = plait_command("experiment", finished, "--test", "--json")
    assert status == 0, err
    results = json.loads(out)
    assert len(results["cells"]) == 4
    assert results["test"][0]["static"] == "lazy"
    assert (output / "test.csv").read_text(encoding="utf-8").startswith("treebank,system,beam,static,")
    (output / "test.csv").unlink()


def test_the_command_on_bad_input(tmp_path: Path, plait_command: Command) -> None:
    path = write_toy(tmp_path, TOY.replace('test = "test.conllu"', ""))
    status, _, err = plait_command("experiment", path, "--test")
    assert status == 2
    assert err == "plait: treebanks.Toy has no test set, which --test needs.\n"
    (tmp_path / "dev.conllu").write_text("1\tdogs\n\n", encoding="utf-8")
    status, out, err = plait_command("experiment", path)
    assert status == 2
    assert not out
    assert "dev.conllu:1" in err
    status, _, err = plait_command("experiment", "nothing.toml")
    assert (status, err) == (2, "plait: nothing.toml: there is no such file.\n")


def test_every_column_is_what_evaluation_says(finished: Path) -> None:
    experiment = read_experiment(finished)
    gold = plait.read(finished.parent / "dev.conllu")
    for outcome in run(experiment):
        parser = plait.TransitionParser.load(experiment.output / "models" / outcome.cell.name)
        scores = plait.evaluate(gold, parser.apply(gold))
        assert outcome.scores["exact_labeled"] == scores.exact_labeled
        assert outcome.scores["crossing_recall"] == scores.nonprojective.recall
        assert outcome.scores["uas_no_punct"] == scores.without_punctuation().uas
        right, size = outcome.counts.sum(axis=0)
        assert 100 * right / size == pytest.approx(scores.las)


@pytest.mark.parametrize("metric", METRICS)
def test_sentences_add_up_to_the_column(metric: str) -> None:
    gold = toy_sentences(30, 3)
    parsed = []
    chance = random.Random(4)
    for sentence in gold:
        sentence.upos = [chance.choice([tag, "PUNCT"]) for tag in sentence.upos]
        copy = sentence.copy()
        if chance.random() < 0.4:
            copy.deprels[0] = "nsubj:pass"
        if chance.random() < 0.4:
            copy.heads[2] = 1
        parsed.append(copy)
    right, size = by_sentence(gold, parsed, metric).sum(axis=0)
    assert measure(gold, parsed)[metric] == pytest.approx(100 * right / size)
    assert right < size
    # The epoch is chosen by the very number that is reported.
    parses = [Parse(sentence.heads, sentence.deprels, 0.0) for sentence in parsed]
    assert Answers(gold, "", metric).score(parses)[metric] == pytest.approx(100 * right / size)


WIDE = (
    TOY.replace("seeds = [1, 2]", "seeds = [1]")
    .replace('oracles = ["lazy", "nd-all"]', 'oracles = ["lazy", "static"]\nsystems = ["swap", "standard"]')
    .replace("epochs = 2", 'epochs = 2\nprojectivize = ["baseline", "head"]\nagainst = "swap lazy"', 1)
    .replace("bits = 12", 'bits = 12\n[system.standard]\nfeatures = "zn-swap"')
)


def test_systems_with_several_ways_to_do_without_crossing_arcs(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    text = WIDE.replace("epochs = 2", 'epochs = 2\ncolumns = ["las_full", "crossing_f1"]', 1)
    experiment = read_experiment(write_toy(tmp_path, text))
    names = ("standard-baseline static", "standard-head static", "swap lazy")
    assert sorted(experiment.rows) == sorted(names)
    assert {cell.options.features for cell in experiment.cells} == {"", "zn-swap"}
    outcomes = {outcome.cell.row: outcome for outcome in run(experiment)}
    for row in names[:2]:
        assert all(epoch.counts["left_out"] == 0 for epoch in outcomes[row].history), "it sees every sentence"
    assert outcomes[names[0]].scores["crossing_f1"] == 0, "what was lifted stays where it is"
    (table,) = column_tables(experiment, list(outcomes.values()))
    assert table.columns == ["treebank", "row", "LAS, whole labels", "crossing F1", "difference"]
    told = {row[1]: row for row in table.rows}
    assert told["swap lazy"][-1] == ""
    difference = outcomes[names[0]].scores["las"] - outcomes["swap lazy"].scores["las"]
    assert told[names[0]][-1].startswith(f"{difference:+.2f}")


def test_completion_models_are_compared_width_by_width(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    text = TOY.replace('["lazy", "nd-all"]', '["lazy"]').replace(
        "epochs = 2", 'epochs = 2\nbeams = [2, 4]\ncompletion = ["", "2a,2b,+"]\nagainst = "swap lazy"', 1
    )
    experiment = read_experiment(write_toy(tmp_path, text))
    assert (experiment.systems, experiment.rows) == (("swap", "swap-2ab+"), ("swap lazy", "swap-2ab+ lazy"))
    assert experiment.only(["Toy.swap-2ab+.lazy.beam4.seed2"]).cells[0].options.completion == "2a,2b,+"
    outcomes = run(experiment)
    assert [table.title for table in column_tables(experiment, outcomes)] == [
        "beam 2: all rows, dev sets",
        "beam 4: all rows, dev sets",
    ]
    for table in column_tables(experiment, outcomes):
        assert [(row[1], bool(row[-1])) for row in table.rows] == [
            ("swap lazy", False),
            ("swap-2ab+ lazy", True),
        ]
    both = text.replace("bits = 12", 'bits = 12\ncompletion = "2a"')
    with pytest.raises(InputError, match="not twice"):
        read_experiment(write_toy(tmp_path, both))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'against = "swap lazy"',
            'against = "swap lazi"',
            "no row to compare with 'swap lazi'. Did you mean",
        ),
        ("[system.standard]", "[system.eager]", "no system 'eager'. Available: standard, swap."),
        ('features = "zn-swap"', "beam = 1", "beam stands outside the table [standard]"),
        ("against", 'columns = ["las_ful"]\nagainst', "no column 'las_ful'. Did you mean 'las_full'?"),
        ("against", 'tags = "given"\nagainst', "no kind of tags 'given'."),
        ("against", "folds = 4\nagainst", "folds are for predicted tags"),
        ("against", 'clusters = "none.txt"\nagainst', "clusters: there is no file"),
    ],
)
def test_what_is_wrong_with_rows_and_columns_is_said(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(InputError) as error:
        read_experiment(write_toy(tmp_path, WIDE.replace(old, new, 1)))
    assert message in str(error.value)


def test_predicted_tags_and_clusters(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    text = TOY.replace(
        "seeds = [1, 2]", 'seeds = [1]\ntags = "predicted"\nfolds = 2\nclusters = "clusters.txt"'
    )
    path = write_toy(tmp_path, text)
    Clusters.learn([sentence.forms for sentence in toy_sentences(60, 8)], clusters=4, least=1).save(
        tmp_path / "clusters.txt"
    )
    experiment = read_experiment(path).keeping_models()
    outcomes = run(experiment)
    tagging = experiment.cells[0].tagging
    assert tagging is not None
    train, dev = tagging.lessons(experiment.output)
    gold = plait.read(tmp_path / "dev.conllu")
    assert [sentence.heads for sentence in dev] == [sentence.heads for sentence in gold]
    assert [s.heads for s in train] == [s.heads for s in plait.read(tmp_path / "train.conllu")]
    assert [s.upos for s in tagging.tag(experiment.output, gold)] == [sentence.upos for sentence in dev]
    assert "predicted tags" in experiment.convention
    scores = score_on_test(experiment, experiment.cells)
    assert len(compare_on_test(experiment, outcomes, scores)) == 1
    parser = plait.TransitionParser.load(experiment.output / "models" / experiment.cells[0].name)
    assert parser.state.setup.clusters is not None


def test_tags_of_another_treebank_are_not_taken(tmp_path: Path) -> None:
    text = TOY.replace("seeds = [1, 2]", 'seeds = [1]\ntags = "predicted"\nfolds = 2').replace(
        ', "nd-all"', ""
    )
    experiment = read_experiment(write_toy(tmp_path, text))
    tagging = experiment.cells[0].tagging
    assert tagging is not None
    for seed in 0, 9:
        plait.write(toy_sentences(20, seed), tmp_path / "train.conllu")
        run(experiment)
        train, _ = tagging.lessons(experiment.output)
        assert [s.forms for s in train] == [s.forms for s in toy_sentences(20, seed)]
        assert (train.seen, train.path) == ("predicted", str(tmp_path / "train.conllu"))


def test_cells_done_elsewhere_are_joined(finished: Path, tmp_path: Path, plait_command: Command) -> None:
    path = write_toy(tmp_path)
    status, out, err = plait_command("experiment", path, "--only", "Toy.*.seed2", "--jobs", 1)
    assert (status, out) == (0, ""), err
    made = sorted(each.stem for each in (tmp_path / "out/cells").iterdir())
    assert made == ["Toy.swap.lazy.beam1.seed2", "Toy.swap.nd-all.beam1.seed2"]
    assert not (tmp_path / "out/report.md").exists()
    status, out, err = plait_command("experiment", path, "--finished")
    assert status == 0, err
    assert "One seed." in out
    assert len((tmp_path / "out/cells.csv").read_text(encoding="utf-8").splitlines()) == 1 + 2
    (tmp_path / "out/cells/Toy.swap.lazy.beam1.seed2.json").rename(tmp_path / "kept")
    status, out, err = plait_command("experiment", path, "--finished", "--json")
    assert [cell["oracle"] for cell in json.loads(out)["cells"]] == ["nd-all"]
    (tmp_path / "kept").rename(tmp_path / "out/cells/Toy.swap.lazy.beam1.seed2.json")
    (tmp_path / "out/models/Toy.swap.lazy.beam1.seed2").rename(tmp_path / "kept")
    status, out, err = plait_command("experiment", path, "--finished", "--test", "--json")
    assert status == 0, err
    assert [cell["oracle"] for cell in json.loads(out)["test_cells"]] == ["nd-all"], "one parser is there"
    (tmp_path / "kept").rename(tmp_path / "out/models/Toy.swap.lazy.beam1.seed2")
    for cell in (finished.parent / "out/cells").glob("*.seed1.json"):
        shutil.copy(cell, tmp_path / "out/cells")
    for seed in 1, 2:
        kept = tmp_path / f"out/cells/Toy.swap.lazy.beam1.seed{seed}.json"
        kept.rename(tmp_path / "kept")
        _, out, err = plait_command("experiment", path, "--finished")
        assert "Mean and range over at most 2 seeds." in out, err
        (tmp_path / "kept").rename(kept)
    again: list[Outcome] = []
    experiment = read_experiment(path)
    assert len(run(experiment, on_outcome=lambda outcome, *_: again.append(outcome))) == 4
    assert not again, "scores are enough; a parser is needed for test sets only"
    run(experiment.keeping_models(), on_outcome=lambda outcome, *_: again.append(outcome))
    assert [outcome.cell.options.seed for outcome in again] == [1, 1]
    status, _, err = plait_command("experiment", path, "--only", "Toto.*")
    assert (status, err) == (
        2,
        "plait: No cell is called Toto.*, but for instance Toy.swap.lazy.beam1.seed1.\n",
    )
    status, _, err = plait_command("experiment", path, "--only", "Toy.*", "--test")
    assert status == 2


def begin_long_cell(folder: Path) -> subprocess.Popen[bytes]:
    """An experiment of which one cell is finished and the other takes long."""
    short = TOY.replace("[1, 2]", "[1]").replace('"lazy", ', "").replace("epochs = 2", "epochs = 400")
    path = write_toy(folder, short + '[treebanks.Long]\ntrain = "long.conllu"\ndev = "long.conllu"\n')
    plait.write(toy_sentences(3000, 5), folder / "long.conllu")
    process = subprocess.Popen(
        [sys.executable, "-m", "plait", "experiment", path, "--jobs", "1"],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith(b"plait: 1/2 Toy, swap, nd-all, greedy, seed 1: ")
    time.sleep(1)  # the second cell is being trained
    return process


@pytest.mark.skipif(os.name != "posix", reason="signals to a group of processes")
def test_an_interrupt_keeps_what_is_finished(tmp_path: Path) -> None:
    process = begin_long_cell(tmp_path)
    assert process.stderr is not None
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    said = process.stderr.read().decode()
    assert process.wait(timeout=20) == 130
    assert said.split("\n", 1)[0].endswith(f"stays in {tmp_path / 'out'}; the same command goes on there")
    assert said.endswith("plait: interrupted\n")
    process.stderr.close()
    assert [each.name for each in (tmp_path / "out/cells").iterdir()] == ["Toy.swap.nd-all.beam1.seed1.json"]
    assert is_gone(process.pid)


@pytest.mark.skipif(os.name != "posix", reason="signals to a group of processes")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_nobody_works_for_an_experiment_that_was_killed(how: signal.Signals, tmp_path: Path) -> None:
    process = begin_long_cell(tmp_path)
    process.send_signal(how)
    assert process.wait(timeout=20) == -how
    assert process.stderr is not None
    process.stderr.close()
    assert is_gone(process.pid)
    assert [each.name for each in (tmp_path / "out/cells").iterdir()] == ["Toy.swap.nd-all.beam1.seed1.json"]
