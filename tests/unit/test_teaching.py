"""A model annotates raw text, and a student learns from it: nets and others, in Python and on the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plait
from components.quick import DEV, PLANS, TRAIN
from plait import InputError, Sentence
from plait.layers import HeadShares
from plait.learning.watch import Silence
from plait.learning.workshop import Workshop
from plait.pipeline import Pipeline, Recipe, label, student, teach, train
from toy import written

Command = Callable[..., tuple[int, str, str]]
LINEAR = {
    "model": {"components": "tokenizer,tagger,lemmatizer,parser", "folds": 2},
    "tokenizer": {"bits": 12, "epochs": 2},
    "tagger": {"bits": 12, "epochs": 2},
    "lemmatizer": {"bits": 12, "epochs": 2},
    "parser": {"bits": 12, "epochs": 2, "beam": 1},
}
RAW = written(40, seed=5)


@pytest.fixture(scope="module")
def teacher() -> Pipeline:
    return train(TRAIN, dev=DEV, recipe=Recipe().updated(LINEAR))


@pytest.fixture(scope="module")
def net_teacher() -> Pipeline:
    pytest.importorskip("torch")
    return train(TRAIN, dev=DEV, recipe=net_recipe())


def net_recipe(**more: Any) -> Recipe:
    plan = {"kind": "neural", **PLANS["neural"], **more}
    return Recipe().updated({"model": {"components": "tokenizer,neural"}, "neural": plan})


def texts() -> list[Sentence]:
    return [Sentence(forms=sentence.forms) for sentence in RAW]


def test_what_was_there_before_is_labelled_once(teacher: Pipeline) -> None:
    twice = [*texts(), *texts(), Sentence(forms=["alone"]), Sentence(forms=["w"] * 500)]
    labelled = label(teacher, twice)
    different = {tuple(sentence.forms) for sentence in RAW}
    assert labelled.sentences == len(list(labelled)) == len(list(labelled)) == len(different)
    assert labelled.left_out == len(twice) - len(different)
    assert labelled.words == sum(map(len, different))
    assert all(None not in sentence.heads for sentence in labelled)
    with pytest.raises(InputError, match="no sentence in the raw text"):
        label(teacher, [])


def test_labels_are_kept_and_not_made_again(
    teacher: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["plait.pipeline.teach"], "_PART", 10)

    class Impatient(Silence):
        def on_labelled(self, sentences: int, words: int) -> None:  # noqa: ARG002
            if sentences >= 15:
                raise KeyboardInterrupt

    whole = [sentence.heads for sentence in label(teacher, texts())]
    with pytest.raises(KeyboardInterrupt):
        label(teacher, texts(), watch=Impatient(), workshop=Workshop(tmp_path))
    made = len(list(tmp_path.glob("part-*.jsonl")))
    assert made == 2
    stamps = {path: path.stat().st_mtime_ns for path in tmp_path.glob("part-*.jsonl")}
    again = label(teacher, texts(), workshop=Workshop(tmp_path, resume=True))
    assert [sentence.heads for sentence in again] == whole
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in stamps.items())


def test_a_linear_student_learns_from_treebank_and_text(teacher: Pipeline, tmp_path: Path) -> None:
    recipe = Recipe().updated(LINEAR)
    found, report = teach(
        teacher, texts(), recipe=recipe, gold=TRAIN[:10], dev=DEV, name="big", sources="the moon"
    )
    alone = train(TRAIN[:10], dev=DEV, recipe=recipe)
    assert report.words
    assert report.student["las"] > alone.scores_["gold tokens"]["las"]
    assert 0 < report.agreement["uas"] <= 100
    assert found["tokenizer"] is teacher["tokenizer"]
    found.save(tmp_path / "m")
    card = (tmp_path / "m" / "README.md").read_text()
    assert "Taught by big" in card
    assert f"{report.words:,} words of the moon" in card
    assert plait.load(tmp_path / "m").origin_.labelled == report.words


def test_nets_tell_what_they_are_not_sure_of(net_teacher: Pipeline) -> None:
    labelled = list(label(net_teacher, texts(), shares=True))
    shares = [sentence.find(HeadShares) for sentence in labelled]
    assert any(found and found.heads for found in shares)
    for sentence, found in zip(labelled, shares, strict=True):
        assert found is not None
        for word, heads in found.heads.items():
            assert heads[0].head == sentence.heads[word - 1]
            assert sum(each.share for each in heads) == pytest.approx(1, abs=0.01)


def test_torch_says_the_same_of_a_net_as_the_core(net_teacher: Pipeline) -> None:
    torch = pytest.importorskip("torch")
    from plait.components.neural.batches import Batches
    from plait.components.neural.corpus import Corpus
    from plait.components.neural.importing import net_of
    from plait.components.neural.store import lexicon_of

    model: Any = net_teacher["neural"].state.changed(temperature=1.0)
    found = model.run(texts(), price=0.0)
    corpus = Corpus.of_forms(sentence.forms for sentence in RAW)
    batches = Batches(corpus, torch.device("cpu"))
    likely = []
    nets = [net_of(net, model.classes) for net in model.nets]
    assert len(nets) == 2
    for number in range(len(RAW)):
        batch = batches.make(np.array([number]))
        with torch.inference_mode():
            shares = [
                net(batch.ids, batch.mask, lexicon_of(net, corpus.types, torch.device("cpu"))).arcs.softmax(
                    -1
                )
                for net in nets
                if net is not None
            ]
        likely += torch.stack(shares).mean(0)[0].tolist()
    own = [row[head] for row, head in zip(likely, found.heads, strict=True)]
    assert np.abs(np.array(own) - np.array(found.probabilities)).mean() < 0.01


def test_a_net_learns_from_a_teacher_of_any_kind(teacher: Pipeline, net_teacher: Pipeline) -> None:
    for who in (teacher, net_teacher):
        recipe = net_recipe(nets="nano", sample=20)
        one, _ = teach(who, texts(), recipe=recipe, gold=TRAIN[:10], dev=DEV)
        other, report = teach(who, texts(), recipe=recipe, gold=TRAIN[:10], dev=DEV)
        assert one.content().members["neural"].manifest == other.content().members["neural"].manifest
        assert report.student["upos"] > 0


def test_without_a_treebank(teacher: Pipeline) -> None:
    found, report = teach(teacher, texts(), recipe=Recipe().updated(LINEAR))
    assert not report.student
    assert found.origin_.words == 0
    assert found.parse(DEV)[0].heads


def test_students_by_name() -> None:
    assert student("tiny").plan("neural").options.nets == "tiny"  # type: ignore[attr-defined]
    assert student("fast").plan("parser").options.beam == 1  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="No student 'huge'"):
        student("huge")


def write_texts(teacher: Pipeline, folder: Path) -> Path:
    teacher.save(folder / "teacher")
    (folder / "raw").mkdir()
    for number in range(2):
        part = RAW[20 * number : 20 * number + 20]
        (folder / "raw" / f"{number}.txt").write_text(" ".join(" ".join(s.forms) for s in part))
    plait.write(TRAIN[:10], folder / "x-train.conllu")
    plait.write(DEV, folder / "x-dev.conllu")
    return folder


def test_the_verb(teacher: Pipeline, tmp_path: Path, plait_command: Command) -> None:
    folder = write_texts(teacher, tmp_path)
    given = ["teach", str(folder / "teacher"), "--raw", str(folder / "raw"), "--student", "fast"]
    given += ["--treebank", str(folder), "--epochs", "2", "--set", "bits=12", "-o", str(folder / "out")]
    status, out, err = plait_command(*given)
    assert status == 0, err
    assert "Labelled" in out
    assert "agreement" in out
    assert "teacher: annotated" in err
    assert not (folder / "out.checkpoint").exists()
    assert "0.txt, 1.txt" in (folder / "out" / "README.md").read_text()
    status, _, err = plait_command(*given)
    assert status == 1
    assert "--force" in err


def test_a_teacher_without_trees(teacher: Pipeline, tmp_path: Path, plait_command: Command) -> None:
    Pipeline({"tagger": teacher["tagger"]}).save(tmp_path / "m")
    (tmp_path / "a.txt").write_text("a b c")
    status, _, err = plait_command(
        "teach", str(tmp_path / "m"), "--raw", str(tmp_path / "a.txt"), "-o", str(tmp_path / "o")
    )
    assert status == 2
    assert "gives no trees" in err


def test_self_training(teacher: Pipeline, tmp_path: Path, plait_command: Command) -> None:
    folder = write_texts(teacher, tmp_path)
    recipe = Recipe().updated(LINEAR)
    (folder / "s.toml").write_text(recipe.to_toml())
    given = [
        "--config",
        str(folder / "s.toml"),
        "--raw",
        str(folder / "raw"),
        "--student",
        str(folder / "s.toml"),
    ]
    status, out, err = plait_command("train", str(folder), "-o", str(folder / "out"), *given)
    assert status == 0, err
    assert "Labelled" in out
    assert "Taught by a model trained on the same treebank" in (folder / "out" / "README.md").read_text()
