"""An experiment on domains: what it reads, what is made once, what its tables tell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from plait import InputError, formats
from plait.experiments.domains import read_domains, run_domains
from plait.experiments.domains.report import domain_tables, row_results
from plait.experiments.domains.runner import Cell, genre
from toy import written

FILE = """
output = "results"
seeds = [1, 2]
folds = 2
epochs = 1

[treebanks.Toy]
train = "train.conllu"
dev = "dev.conllu"

[settings.mail]
train = ["news"]
target = "mail"

[raw.texts]
mail = ["more.conllu.txt:2-3"]

[knowledge]
spellings = ["list.tsv"]
lexicon = ["lexicon.tsv"]
clusters = 4
least = 1

[sources.swap]
beam = 1
bits = 12

[sources.graph]
kind = "graph"
bits = 12

[learner]
beam = 1
bits = 12

[rows.baseline]

[rows."all that is known"]
knows = ["norms", "lexicon", "clusters"]

[rows.co-training]
adds = "agreement"
sources = ["swap", "graph"]
least = 2

[rows.distillation]
adds = "vote"
sources = ["graph", "swap"]
most = 5

[rows.gold]
gold = true
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    for name, seed in (("train", 1), ("dev", 2)):
        treebank = written(40, seed=seed)
        for number, sentence in enumerate(treebank):
            kind = "news" if number < 25 else "mail"
            sentence.comments = [f"# sent_id = {kind}-{number}"]
        formats.write(treebank, tmp_path / f"{name}.conllu")
    (tmp_path / "more.conllu.txt").write_text("Not this.\nBut this one.\nAnd that one.\nNor this.\n")
    (tmp_path / "list.tsv").write_text("u\tyou\n")
    (tmp_path / "lexicon.tsv").write_text("dog\tNOUN\n")
    path = tmp_path / "domains.toml"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_rows_are_learned_and_compared(file: Path) -> None:
    plan = read_domains(file)
    assert len(list(plan.cells)) == 10
    results = run_domains(plan)
    by_row = {row.row.name: row for row in row_results(plan.settings, results)}
    assert by_row["co-training"].added > 0
    assert by_row["distillation"].added == 5
    assert by_row["baseline"].pooled is None
    gold = [each for each in formats.read(file.parent / "dev.conllu") if genre(each) == "mail"]
    for result in results:
        assert result.words == [len(sentence) for sentence in gold]
        assert 100 * sum(result.right) / sum(result.words) == pytest.approx(result.las)
    raw = formats.read(file.parent / "results/tagged/mail.plain.tags/raw.jsonl")
    train = [each for each in formats.read(file.parent / "train.conllu") if genre(each) == "mail"]
    assert [each.forms for each in raw][-2:] == [["But", "this", "one", "."], ["And", "that", "one", "."]]
    assert {tuple(each.forms) for each in raw[:-2]} == {tuple(each.forms) for each in train}
    assert all(None in each.heads for each in raw)  # of these, the trees are not known
    learned = formats.read(file.parent / "results/tagged/mail.plain.tags/train.jsonl")
    assert {genre(each) for each in learned} == {"news"}
    (table,) = domain_tables(plan, results)
    assert [line[0] for line in table.rows] == [row.name for row in plan.rows]
    before = {path: path.stat().st_mtime_ns for path in (file.parent / "results/cells").iterdir()}
    assert run_domains(plan) == results
    assert {path: path.stat().st_mtime_ns for path in (file.parent / "results/cells").iterdir()} == before


def test_what_decides_a_result_is_told(file: Path) -> None:
    plan = read_domains(file)
    before = {cell.name: json.dumps(cell.origin()) for cell in (Cell(plan, *each) for each in plan.cells)}
    file.write_text(FILE.replace("[sources.swap]\nbeam = 1", "[sources.swap]\nbeam = 2"), encoding="utf-8")
    plan = read_domains(file)
    after = {cell.name: json.dumps(cell.origin()) for cell in (Cell(plan, *each) for each in plan.cells)}
    changed = {name.split(".")[1] for name in before if before[name] != after[name]}
    assert changed == {"co-training", "distillation"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('target = "mail"', 'target = "news"', "is the target, so it is not learned from"),
        ('adds = "vote"', 'adds = "votes"', "no addition 'votes'"),
        ('sources = ["graph", "swap"]', 'sources = ["graph"]', "two sources are needed"),
        ('sources = ["graph", "swap"]', 'sources = ["graph", "swop"]', "Did you mean 'swap'"),
        ('"more.conllu.txt:2-3"', '"nowhere.txt:2-3"', "there is no file"),
        ('knows = ["norms", ', 'knows = ["forms", ', "no know 'forms'"),
        ("[learner]", "[learner]\nepoch = 3", "epoch"),
        ("clusters = 4", "clusters = 0", "knowledge.clusters"),
    ],
)
def test_what_does_not_fit(file: Path, old: str, new: str, message: str) -> None:
    assert old in FILE
    file.write_text(FILE.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_domains(file)


def test_the_command(file: Path, plait_command: Callable[..., tuple[int, str, str]]) -> None:
    short = FILE.replace("seeds = [1, 2]", "seeds = [1]")
    file.write_text(short[: short.index("[rows.co-training]")], encoding="utf-8")
    status, text, errors = plait_command("experiment", str(file), "--jobs", "2")
    assert status == 0, errors
    assert "all that is known" in text
    assert (file.parent / "results/report.md").read_text(encoding="utf-8").startswith("# Results")
    status, _, errors = plait_command("experiment", str(file), "--test")
    assert status == 2
    assert "domains are measured on dev sets" in errors
