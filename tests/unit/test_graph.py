"""The graph-based parser as an estimator: it learns, it is the same every time, and it says what it cannot do."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plait
from plait import GraphParser, InputError, Pipeline, Recipe, Sentence, TransitionParser, Treebank
from plait.components.graph import GraphOptions
from plait.components.graph.label_table import LabelTable
from plait.features.clusters import Clusters
from plait.learning.arcs import LabelledTrees
from plait.learning.component import Component
from plait.learning.lessons import Lessons
from plait.learning.store import CHECKED
from plait.trees import tree_of
from signing import sign
from toy import toy, written

TRAIN, DEV = toy(80), toy(30, seed=2)


def quick(**options: object) -> GraphParser:
    return GraphParser(**({"bits": 16, "epochs": 5} | options))


def accuracy(parser: GraphParser, gold: Treebank) -> float:
    return plait.evaluate(gold, parser.apply(gold)).las


def trees_of(sentences: Treebank) -> list[tuple[list[int | None], list[str]]]:
    return [(sentence.heads, sentence.deprels) for sentence in sentences]


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def parser() -> GraphParser:
    return quick().fit(TRAIN, dev=DEV)


@pytest.mark.parametrize(
    "options", [{}, {"heads": 0}, {"heads": 2}, {"features": "plain"}, {"precision": "float32"}], ids=str
)
def test_it_learns_the_toy_language_with_its_crossing_arcs(options: dict[str, object]) -> None:
    found = quick(**options).fit(TRAIN, dev=DEV)
    assert accuracy(found, DEV) == pytest.approx(found.scores_["las"])
    assert found.scores_["las"] > (97 if options == {"features": "plain"} else 99.9)


def test_it_learns_from_templates_of_ones_own_and_keeps_them(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in ("first", "heads"):
        (folder / f"{name}.txt").write_text("H.form D.form\nH.upos D.upos distance\nH.upos D.xpos\n")
    found = quick(features=str(folder)).fit(TRAIN)
    assert len(found.state.setup.templates.lists["first"]) < 4
    assert accuracy(found, DEV) > 90
    found.save(tmp_path / "model")
    expected = trees_of(found.apply(DEV))
    for file in folder.iterdir():
        file.unlink()
    assert trees_of(GraphParser.load(tmp_path / "model").apply(DEV)) == expected


def test_more_templates_than_the_core_can_hold(tmp_path: Path) -> None:
    path = tmp_path / "first.txt"
    ends = [f"{word}.{side}{size}" for word in "HD" for side in ("prefix", "suffix") for size in range(1, 6)]
    path.write_text(
        "".join(f"{one} {two} {tag}\n" for one in ends for two in ends for tag in ("H.upos", "D.upos"))
    )
    with pytest.raises(InputError, match=r"first\.txt, .*too many templates"):
        quick(features=str(path)).fit(TRAIN)
    with pytest.raises(InputError, match="features is empty"):
        quick(features="")


def test_the_one_head_that_a_word_may_have_is_a_likely_one() -> None:
    """The head is the last word but one, however far away: neither tags nor neighbours nor order find it."""
    treebank = Treebank(
        [
            Sentence(
                forms=[*["d"] * size, "h", "e"],
                upos=["X"] * (size + 2),
                heads=[*[size + 1] * size, 0, size + 1],
                deprels=[*["left"] * size, "root", "right"],
            )
            for size in range(1, 12)
        ]
    )
    assert accuracy(quick(heads=1).fit(treebank), treebank) == 100


def test_without_moves_the_trees_are_projective() -> None:
    crossing = quick(threshold=1e9).fit(TRAIN)
    assert 70 < accuracy(crossing, DEV) < 100
    assert all(epoch.counts["moves"] == 0 for epoch in crossing.history_)


def test_epochs_are_reported(parser: GraphParser) -> None:
    assert parser.history_[0].number == 1
    assert parser.history_[0].counts["updates"] > 0
    assert parser.best_epoch_ <= len(parser.history_) <= 5
    assert parser.origin_.sentences == 80
    assert "upos" in parser.columns_
    assert "root" in parser.labels_


def test_what_is_saved_is_what_is_loaded(parser: GraphParser, tmp_path: Path) -> None:
    parser.save(tmp_path / "model", licence="none")
    twin = GraphParser.load(tmp_path / "model")
    assert trees_of(twin.apply(DEV)) == trees_of(parser.apply(DEV))
    assert (twin.options, twin.labels_, twin.scores_) == (parser.options, parser.labels_, parser.scores_)
    assert [epoch.counts for epoch in twin.history_] == [epoch.counts for epoch in parser.history_]
    twin.save(tmp_path / "again")
    assert files_of(tmp_path / "again") == files_of(tmp_path / "model")


def test_the_same_data_and_seed_give_the_same_bytes(parser: GraphParser, tmp_path: Path) -> None:
    parser.save(tmp_path / "one")
    quick().fit(TRAIN, dev=DEV).save(tmp_path / "two")
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_any_number_of_threads_finds_the_same_trees(parser: GraphParser) -> None:
    assert trees_of(parser.apply(DEV, threads=8)) == trees_of(parser.apply(DEV))


def _long(words: int) -> Sentence:
    parts = list(toy(words, seed=3))
    forms = [form for sentence in parts for form in sentence.forms][:words]
    tags = [tag for sentence in parts for tag in sentence.upos][:words]
    return Sentence(forms=forms, upos=tags)


@pytest.mark.parametrize("words", [1, 30, 250, 2500])
def test_sentences_of_any_length_become_trees(parser: GraphParser, words: int) -> None:
    (found,) = parser.apply([_long(words)])
    assert tree_of(found).count(0) == 1


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells the greatest memory")
def test_memory_is_bounded_where_every_word_may_be_any_head_with_any_label(tmp_path: Path) -> None:
    lessons = toy(200)
    for number, sentence in enumerate(lessons):
        sentence.deprels = [f"label{number}"] * len(sentence)
    quick(heads=0, epochs=1).fit(lessons).save(tmp_path / "model")
    # A tag that was never seen goes with any label.
    code = """
from pathlib import Path
from plait import GraphParser, Sentence
from plait.trees import tree_of
parser = GraphParser.load("model")
(found,) = parser.apply([Sentence(forms=["dog"] * 1200, upos=["X"] * 1200)])
tree_of(found)
# Of this process alone: what getrusage tells begins with the memory of the one that started it.
print(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=True)
    assert int(done.stdout) < 1 << 20  # KiB


def test_long_sentences_are_left_out_of_learning() -> None:
    found = quick(longest=6, epochs=1).fit(TRAIN)
    assert found.history_[0].counts["left_out"] == sum(len(sentence) > 6 for sentence in TRAIN)


@pytest.mark.parametrize("upos", ["X", "_", "DET"])
def test_tags_that_were_never_seen_leave_a_tree(parser: GraphParser, upos: str) -> None:
    sentence = Sentence(forms=["the"] * 12, upos=[upos] * 12)
    (found,) = parser.apply([sentence])
    assert tree_of(found).count(0) == 1
    assert sentence.heads == [None] * 12


def test_it_looks_at_clusters_and_keeps_them(tmp_path: Path) -> None:
    clusters = Clusters.learn([sentence.forms for sentence in TRAIN], clusters=4)
    found = quick(epochs=2).fit(Lessons.of(TRAIN, clusters))
    assert "cluster" in found.columns_
    found.save(tmp_path / "model")
    assert trees_of(GraphParser.load(tmp_path / "model").apply(DEV)) == trees_of(found.apply(DEV))


def test_empty_input(parser: GraphParser) -> None:
    assert len(parser.apply([])) == 0


def test_the_filter_knows_what_was_seen() -> None:
    gold = LabelledTrees.of(TRAIN, "")
    labels = gold.inventory("swap")
    found = LabelTable.of(TRAIN, gold, labels)
    seen = {
        (0 if head == 0 else tags[head - 1], tags[word - 1], head < word, label)
        for sentence, heads in zip(TRAIN, gold.heads, strict=True)
        for tags in [sentence.upos]
        for word, (head, label) in enumerate(zip(heads, sentence.deprels, strict=True), 1)
    }
    assert int(found.seen.sum()) == len(seen)
    twin = LabelTable.from_tensors(found.tensors(), len(labels))
    assert np.array_equal(twin.seen, found.seen)
    with pytest.raises(ValueError, match="does not fit"):
        LabelTable.from_tensors(found.tensors(), len(labels) + 1)


def test_what_it_cannot_do_is_said(parser: GraphParser) -> None:
    with pytest.raises(InputError, match="cannot keep given heads"):
        parser.apply(DEV, keep_heads=True)
    with pytest.raises(InputError, match="cannot tell how sure it is"):
        parser.apply(DEV, confidence=True)
    with pytest.raises(InputError, match="threads is 0"):
        parser.apply(DEV, threads=0)
    with pytest.raises(InputError, match="has not learned anything"):
        GraphParser().apply(DEV)
    with pytest.raises(InputError, match="Did you mean 'heads'"):
        GraphParser(head=3)
    with pytest.raises(InputError, match="threshold is -1"):
        GraphParser(threshold=-1.0)


@pytest.fixture
def folder(parser: GraphParser, tmp_path: Path) -> Path:
    parser.save(tmp_path / "model")
    return tmp_path / "model"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("labels", {}), ("features", {"first": "H.nothing"}), ("features", []), ("ranking", 1)],
        *[("unit", "x"), ("ranking_unit", 0), ("ranking_unit", float("nan")), ("history", [{}])],
    ],
)
def test_a_manifest_that_makes_no_sense_is_refused(folder: Path, name: str, value: object) -> None:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    place = manifest if name in manifest else manifest["state"]
    assert name in place
    place[name] = value
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    sign(folder)
    with pytest.raises(InputError, match="model: the model is damaged or incomplete"):
        GraphParser.load(folder)


@pytest.mark.parametrize("name", CHECKED)
def test_damage_under_right_checksums_is_an_input_error_or_harmless(folder: Path, name: str) -> None:
    content = (folder / name).read_bytes()
    chance = random.Random(2)
    for _ in range(40):
        changed = bytearray(content)
        for _ in range(chance.choice([1, 1, 3])):
            # Of a long file the beginning, where more than weights can be hit.
            changed[chance.randrange(min(len(content), 4000))] = chance.randrange(256)
        (folder / name).write_bytes(bytes(changed))
        sign(folder)
        try:
            damaged = GraphParser.load(folder)
        except InputError:
            continue
        for sentence in damaged.apply(DEV[:5]):
            tree_of(sentence)


def test_a_pipeline_may_have_a_graph_parser(tmp_path: Path) -> None:
    recipe = Recipe().updated(
        {
            "model": {"components": "tagger,parser", "tags": "gold"},
            "parser": {"kind": "graph", "bits": 16, "epochs": 3},
            "tagger": {"epochs": 2, "bits": 16},
        }
    )
    text = written(60)
    pipeline = plait.train(text, recipe=recipe)
    assert isinstance(pipeline.parser, GraphParser)
    with pytest.raises(InputError, match="no transition-based parser"):
        pipeline.trace(text[0])
    with pytest.raises(InputError, match="cannot have another beam"):
        pipeline.parse(text, beam=4)
    pipeline.save(tmp_path / "model")
    twin = Pipeline.load(tmp_path / "model")
    assert trees_of(twin.parse(text)) == trees_of(pipeline.parse(text))
    assert twin.recipe.plan("parser").options == GraphOptions(bits=16, epochs=3)
    pipeline.parser.save(tmp_path / "alone")
    assert isinstance(plait.load(tmp_path / "alone").parser, GraphParser)


@pytest.mark.parametrize("kind", [GraphParser, TransitionParser])
def test_chosen_features_and_the_readings_of_a_lexicon(tmp_path: Path, kind: type[Component[Any]]) -> None:
    """Who is the subject only case tells, and the tagger got it wrong: a lexicon knows better."""
    words = {"a": "Nom", "b": "Nom", "c": "Acc", "d": "Acc"}
    sentences = [
        Sentence(
            forms=[one, "v", other],
            upos=["NOUN", "VERB", "NOUN"],
            feats=["Case=Dat|Gender=Fem", "_", "Case=Dat|Gender=Masc"],
            heads=[2, 0, 2],
            deprels=["nsubj" if words[word] == "Nom" else "obj" for word in (one,)]
            + ["root"]
            + ["nsubj" if words[other] == "Nom" else "obj"],
        )
        for one, other in product(words, words)
        if words[one] != words[other]
    ]
    path = tmp_path / "cases.tsv"
    path.write_text("".join(f"{word}\tNOUN\tCase={case}|Gender=Fem\n" for word, case in words.items()))
    features = tmp_path / "mine"
    if kind is GraphParser:
        features.mkdir()
        for name in ("first", "sibling", "grandchild"):
            (features / f"{name}.txt").write_text("H.upos D.upos D.feats.Case\nD.feats.Gender\n")
    else:
        features.write_text(
            "S0.upos S1.upos S0.feats.Case S1.feats.Case B0.upos\nS0.feats.Gender S1.feats.Gender\n"
        )

    def learned(**options: str) -> Component[Any]:
        return kind(features=str(features), bits=12, epochs=8, **options).fit(sentences)

    def score(parser: Component[Any]) -> float:
        found = parser.apply(sentences)
        return sum(a.deprels == b.deprels for a, b in zip(found, sentences, strict=True)) / len(sentences)

    assert score(learned(keep_feats="Case")) < 0.8
    parser = learned(keep_feats="Case", lexicon=str(path))
    assert score(parser) == 1
    assert "feats.Gender" in parser.state.setup.silent
    parser.save(tmp_path / "model")
    path.unlink()
    assert score(kind.load(tmp_path / "model")) == 1
    with pytest.raises(InputError, match=r"cases.tsv: there is no such file"):
        learned(lexicon=str(path))
    with pytest.raises(InputError, match="names of features"):
        kind(keep_feats="Case=Nom")


def long_sentences(count: int, size: int = 30) -> Treebank:
    """Random trees over few words: enough candidates for several threads."""
    draw = random.Random(5)
    found = []
    for _ in range(count):
        words = [draw.choice("abcdef") for _ in range(size)]
        heads = [0, *(draw.randint(max(1, word - 3), word - 1) for word in range(2, size + 1))]
        labels = ["root", *(draw.choice("xyz") for _ in range(size - 1))]
        found.append(
            Sentence(forms=words, upos=[word.upper() for word in words], heads=heads, deprels=labels)
        )
    return Treebank(found)


def test_the_work_on_a_sentence_is_shared_among_threads_with_the_same_result() -> None:
    train = long_sentences(12)
    alone, shared = (quick(epochs=2).fit(train, threads=threads) for threads in (1, 3))
    assert np.array_equal(alone.state.weights.table, shared.state.weights.table)
    for sentence in train[:3]:
        one, three = (alone.apply([sentence], threads=threads) for threads in (1, 3))
        assert trees_of(one) == trees_of(three)


def test_every_step_of_learning_is_timed() -> None:
    train = long_sentences(6)
    learner = quick().prepare(Lessons.of(train), None)
    core = learner.cores[0]
    assert core.times == (0, 0, 0, 0)
    learner.run_epoch(1, lambda *_: None, 1)
    first = core.times
    assert all(seconds > 0 for seconds in first)
    learner.run_epoch(2, lambda *_: None, 1)
    assert all(later > before for later, before in zip(core.times, first, strict=True))


def test_positive_features_only() -> None:
    """What stands in no right tree gets no weight: with one tree, and cells enough, only its own features do."""
    train = long_sentences(6)
    both, positive = (
        quick(epochs=2, bits=20, precision="float32", negative=negative).fit(train).state.weights.table
        for negative in (True, False)
    )
    assert 0 < np.count_nonzero(positive) < 0.8 * np.count_nonzero(both)
    assert accuracy(quick(negative=False).fit(TRAIN), DEV) > 90
