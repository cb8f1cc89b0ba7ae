"""The parser as an estimator: it learns, it is the same every time, and it respects what it is given."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import plait
from plait import InputError, Sentence, TransitionParser, Treebank
from plait.components.transition.confidence import Calibration
from plait.learning.arcs import LabelledTrees
from plait.learning.attachment import attach
from plait.learning.lessons import Lessons
from plait.learning.request import Request
from plait.learning.watch import SILENT, Silence
from plait.learning.workshop import Workshop
from plait.trees import tree_of
from toy import accuracy, best_trees, quick_parser, toy

TRAIN, DEV = toy(80), toy(30, seed=2)


@pytest.fixture(scope="module")
def greedy() -> TransitionParser:
    return quick_parser().fit(TRAIN, dev=DEV)


@pytest.fixture(scope="module")
def beam() -> TransitionParser:
    return quick_parser(beam=4).fit(TRAIN, dev=DEV)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class Impatient(Silence):
    """Presses Ctrl-C at the end of an epoch, before it is judged."""

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch

    def on_progress(self, epoch: int, done: int, total: int) -> None:
        if epoch == self.epoch and done == total:
            raise KeyboardInterrupt


# Learning


@pytest.mark.parametrize(
    "options",
    [
        {"oracle": "nd-all"},
        {"oracle": "nd-swap"},
        {"oracle": "lazy", "explore": 0.0},
        {"oracle": "eager"},
        {"oracle": "minimal"},
        {"learner": "perceptron"},
        {"precision": "float32"},
        {"beam": 4},
        {"beam": 4, "oracle": "nd-all"},
        {"beam": 4, "update": "early", "learner": "perceptron"},
        {"beam": 4, "oracle": "minimal"},
    ],
    ids=str,
)
def test_it_learns_the_toy_language_without_a_mistake(options: dict[str, object]) -> None:
    parser = quick_parser(epochs=20, patience=20, **options).fit(TRAIN, dev=TRAIN)
    assert accuracy(parser, TRAIN) == 1
    assert accuracy(parser, DEV) > 0.95
    assert parser.scores_ == {"las": 100, "uas": 100, "las_full": 100}


def test_learning_stops_when_nothing_gets_better(greedy: TransitionParser) -> None:
    parser = quick_parser(epochs=50, patience=2).fit(TRAIN, dev=DEV)
    assert len(parser.history_) == parser.best_epoch_ + 2
    assert [epoch.number for epoch in parser.history_] == [*range(1, len(parser.history_) + 1)]
    assert quick_parser(epochs=3).fit(TRAIN).best_epoch_ == 3
    assert greedy.history_[0].counts["updates"] > 0


@pytest.mark.parametrize(
    ("options", "crossing"),
    [
        ({"system": "standard", "projectivize": "head+path"}, True),
        ({"system": "standard", "projectivize": "head", "beam": 4}, True),
        ({"system": "eager", "projectivize": "head", "oracle": "static"}, True),
        ({"system": "standard"}, False),
        ({"system": "eager", "oracle": "dynamic"}, False),
        ({"system": "eager", "beam": 4}, False),
        ({"system": "spine"}, False),
        ({"system": "spine", "oracle": "static", "explore": 0.0, "learner": "perceptron"}, False),
        ({"system": "spine", "beam": 4}, False),
        ({"system": "spine", "projectivize": "head"}, True),
        ({"system": "spine-swap"}, True),
        ({"system": "spine-swap", "beam": 4, "oracle": "nd-all"}, True),
    ],
    ids=str,
)
def test_the_baselines_learn_too(options: dict[str, object], crossing: bool) -> None:
    train = toy(80, crossing=crossing)
    parser = quick_parser(epochs=20, patience=20, **options).fit(train, dev=train)
    assert parser.history_[0].counts["left_out"] == 0
    assert accuracy(parser, train) == 1


@pytest.mark.parametrize("system", ["standard", "eager"])
def test_what_a_system_cannot_derive_is_left_out_and_counted(system: str) -> None:
    crossing = sum(len(sentence) > 6 for sentence in TRAIN)
    parser = quick_parser(system=system, epochs=2).fit(TRAIN, dev=DEV)
    assert [epoch.counts["left_out"] for epoch in parser.history_] == [crossing] * 2
    only = [sentence for sentence in TRAIN if len(sentence) > 6]
    with pytest.raises(InputError, match=f"The system '{system}' can derive no tree"):
        quick_parser(system=system).fit(only)


def test_several_roots_are_left_out_where_one_is_asked_for() -> None:
    two = Sentence(forms=["a", "b"], heads=[0, 0], deprels=["root", "root"])
    parser = quick_parser(single_root="yes").fit([*TRAIN, two])
    assert parser.history_[0].counts["left_out"] == 1
    assert quick_parser().fit([*TRAIN, two]).history_[0].counts["left_out"] == 0


def test_bad_treebanks_are_named() -> None:
    with pytest.raises(InputError, match="there is no sentence to learn from"):
        quick_parser().fit([])
    cycle = Sentence(forms=["a", "b"], heads=[2, 1], comments=["# sent_id = s9"], line=7)
    with pytest.raises(InputError, match=r"x.conllu:7 \(sent_id s9\): the heads form a cycle"):
        quick_parser().fit(Treebank([cycle], path="x.conllu"))
    with pytest.raises(InputError, match="word 1 has no head"):
        quick_parser().fit(TRAIN, dev=[Sentence(forms=["a"])])


@pytest.mark.parametrize("system", ["swap", "standard", "eager", "spine", "spine-swap"])
@pytest.mark.parametrize("beam", [1, 3])
def test_the_poorest_treebanks_give_a_parser(system: str, beam: int) -> None:
    one = Sentence(forms=["yes"], heads=[0], deprels=["root"])
    left = Sentence(forms=["a", "b"], heads=[2, 0], deprels=["x", "root"])
    right = Sentence(forms=["a", "b"], heads=[0, 1], deprels=["root", "x"])
    for treebank in ([one], [left], [right], [one, left]):
        parser = quick_parser(system=system, beam=beam, epochs=2).fit(treebank)
        for parsed in parser.apply([*TRAIN[:10], one]):
            assert tree_of(parsed).count(0) == 1


def test_labels_stand_where_they_were_seen() -> None:
    found = LabelledTrees.of(TRAIN, "").inventory("swap")
    by_name = {name: i for i, name in enumerate(found.names)}
    assert found.names[0] == "det"  # the most frequent
    assert {found.names[i] for i in found.left} == {"det", "nsubj"}
    assert {found.names[i] for i in found.right} == {"root", "obj", "advmod:time", "acl"}
    assert (found.of_root, found.root_name, found.word_name) == ([by_name["root"]], "root", "det")
    assert by_name["root"] in LabelledTrees.of(TRAIN, "").inventory("eager").left


# The same every time


@pytest.mark.parametrize("options", [{}, {"beam": 4, "oracle": "nd-all"}, {"system": "eager"}], ids=str)
def test_the_same_seed_gives_the_same_bytes(options: dict[str, object], tmp_path: Path) -> None:
    for name, seed in ("a", 3), ("b", 3), ("c", 4):
        quick_parser(seed=seed, epochs=3, **options).fit(TRAIN, dev=DEV).save(tmp_path / name)
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")
    assert files_of(tmp_path / "a")["weights.safetensors"] != files_of(tmp_path / "c")["weights.safetensors"]


@pytest.mark.parametrize("options", [{}, {"beam": 4}, {"beam": 2, "mix": 2}], ids=str)
@pytest.mark.parametrize("with_dev", [True, False])
def test_an_interrupted_training_goes_on_as_if_nothing_had_happened(
    options: dict[str, object], with_dev: bool, tmp_path: Path
) -> None:
    dev = DEV if with_dev else None
    shop = tmp_path / "shop"
    quick_parser(patience=6, **options).fit(TRAIN, dev=dev).save(tmp_path / "whole")
    parser = quick_parser(patience=6, **options)
    parser.fit(TRAIN, dev=dev, workshop=Workshop(shop), watch=Impatient(3))
    assert parser.interrupted_
    assert len(parser.history_) == 2
    parser.fit(TRAIN, dev=dev, workshop=Workshop(shop, resume=True))
    assert not parser.interrupted_
    parser.save(tmp_path / "resumed")
    assert files_of(tmp_path / "whole") == files_of(tmp_path / "resumed")


def test_mixed_weights_are_a_mean_whatever_the_threads(tmp_path: Path) -> None:
    options = {"beam": 3, "epochs": 2, "bits": 14, "precision": "float32"}
    mixed = []
    for threads in 1, 3:
        parser = TransitionParser(**options, mix=3).fit(TRAIN, threads=threads)
        parser.save(tmp_path / f"{threads}")
        mixed.append(files_of(tmp_path / f"{threads}"))
    assert mixed[0] == mixed[1]
    alone = TransitionParser(**options).fit(TRAIN)
    tables = [each.state.weights.table for each in (parser, alone)]
    assert not np.allclose(tables[0], tables[1])
    learner = parser.prepare(Lessons.of(TRAIN), None)
    for number in 1, 2:
        learner.run_epoch(number, SILENT.on_progress, 2)
    each = np.array([core.averaged() for core in learner.cores])
    assert np.allclose(each.mean(axis=0), tables[0], atol=1e-6)
    assert np.array_equal(each[0], tables[1])


def test_an_interrupt_before_there_is_anything_to_keep_is_one(tmp_path: Path) -> None:
    shop = Workshop(tmp_path / "shop")
    parser = quick_parser()
    with pytest.raises(KeyboardInterrupt):
        parser.fit(TRAIN, watch=Impatient(1), workshop=shop)
    assert shop.checkpoint is not None
    assert not shop.checkpoint.exists()
    assert not parser.ready


def test_only_the_same_training_is_resumed(tmp_path: Path) -> None:
    shop = Workshop(tmp_path / "shop", resume=True)
    quick_parser(epochs=2).fit(TRAIN, dev=DEV, workshop=Workshop(tmp_path / "shop"))
    for message, parser, train, dev in (
        ("had beam 1, not 2", quick_parser(beam=2), TRAIN, DEV),
        ("another treebank, dev set or features", quick_parser(), TRAIN[:50], DEV),
        ("another treebank, dev set or features", quick_parser(), TRAIN, DEV[:9]),
        ("another treebank, dev set or features", quick_parser(), TRAIN, None),
    ):
        with pytest.raises(InputError, match=message):
            parser.fit(train, dev=dev, workshop=shop)
    point = shop.checkpoint
    assert point is not None
    content = point.read_bytes()
    for damaged in (b"", content[:100], content[:-1], b"x" * 100, content[:9] + b"\xff" + content[10:]):
        point.write_bytes(damaged)
        with pytest.raises(InputError, match="the checkpoint is damaged"):
            quick_parser().fit(TRAIN, dev=DEV, workshop=shop)


def test_any_number_of_threads_gives_the_same(greedy: TransitionParser, beam: TransitionParser) -> None:
    many = toy(700, seed=5)
    for parser in greedy, beam:
        expected = parser.apply(many, confidence=True)
        for threads in 2, 3, 5:
            assert parser.apply(many, threads=threads, confidence=True).sentences == expected.sentences


def test_a_fault_of_the_input_comes_after_all_sentences_before_it(greedy: TransitionParser) -> None:
    def broken() -> object:
        yield from toy(50)
        raise InputError("broken")

    for threads in 1, 2:
        seen: list[str] = []
        stream = greedy.annotate(broken(), Request(threads=threads))  # type: ignore[arg-type]
        with pytest.raises(InputError, match="broken"):
            seen.extend(sentence.sent_id for sentence in stream)
        assert seen == [f"toy-{number}" for number in range(1, 51)]


def test_parsing_is_lazy(greedy: TransitionParser) -> None:
    taken = 0

    def endless() -> object:
        nonlocal taken
        while True:
            for sentence in toy(100):
                taken += 1
                yield sentence

    for threads in 1, 2:
        stream = greedy.annotate(endless(), Request(threads=threads))  # type: ignore[arg-type]
        assert next(stream).sent_id == "toy-1"
        stream.close()  # type: ignore[attr-defined]
    assert taken < 20_000


# What a parser finds


def test_words_and_all_else_stay_as_they_are(greedy: TransitionParser) -> None:
    gold = Treebank([sentence.copy() for sentence in DEV])
    gold[0].deps = ["1:x"] * len(gold[0])
    gold[0].empty_nodes = [plait.EmptyNode(1, 1, "ghost")]
    gold[0].multiword_tokens = [plait.MultiwordToken(1, 2, "thedog")]
    gold[0].extra["phead"] = ["0"] * len(gold[0])
    before = [sentence.copy() for sentence in gold]
    parsed = greedy.apply(gold)
    assert gold.sentences == before
    first, twin = gold[0], parsed[0]
    for name in ("forms", "lemmas", "upos", "xpos", "feats", "misc", "comments", "multiword_tokens", "extra"):
        assert getattr(first, name) == getattr(twin, name)
    assert (set(twin.deps), twin.empty_nodes) == ({"_"}, [])


def test_the_best_trees_differ_and_are_in_order(beam: TransitionParser) -> None:
    parsed = [(sentence.heads, sentence.deprels) for sentence in beam.apply(DEV)]
    for best in 2, 3, 5:
        found = best_trees(beam, DEV, best)
        for sentence, parses in zip(DEV, found, strict=True):
            assert 1 <= len(parses) <= best
            scores = [parse.score for parse in parses]
            assert scores == sorted(scores, reverse=True)
            assert len({(*parse.heads, *parse.labels) for parse in parses}) == len(parses)
            for parse in parses:
                copy = sentence.copy()
                attach(copy, parse)
                assert tree_of(copy).count(0) == 1
        if best <= beam.options.beam:
            assert [(parses[0].heads, parses[0].labels) for parses in found] == parsed
    assert max(map(len, found)) > 1
    assert not any(sentence.layers for sentence in beam.apply(DEV, nbest=1))


def test_a_beam_of_one_is_greedy_search(greedy: TransitionParser) -> None:
    assert greedy.apply(DEV, beam=1).sentences == greedy.apply(DEV).sentences


def test_given_heads_and_labels_stay(greedy: TransitionParser, beam: TransitionParser) -> None:
    sentence = DEV[0].copy()
    sentence.heads = [3, None, None, 2, None, *[None] * (len(sentence) - 5)]
    sentence.deprels = ["odd", "_", "_", "_", "ignored", *["_"] * (len(sentence) - 5)]
    for parser in greedy, beam:
        (parsed,) = parser.apply([sentence], keep_heads=True)
        assert (parsed.heads[0], parsed.deprels[0], parsed.heads[3]) == (3, "odd", 2)
        assert tree_of(parsed).count(0) == 1
        whole = DEV[1].copy()
        (parsed,) = parser.apply([whole], keep_heads=True)
        assert (parsed.heads, parsed.deprels) == (whole.heads, whole.deprels)


def test_given_heads_that_cannot_stay_are_named(greedy: TransitionParser) -> None:
    cycle = Sentence(forms=["a", "b", "c"], heads=[2, 1, None], comments=["# sent_id = s3"], line=4)
    with pytest.raises(plait.FormatError, match=r":4 \(sent_id s3\): the given heads: .*cycle"):
        greedy.apply([cycle], keep_heads=True)
    pseudo = quick_parser(system="standard", projectivize="head", epochs=1).fit(TRAIN)
    with pytest.raises(InputError, match="cannot keep given heads: it is pseudo-projective"):
        pseudo.apply(DEV, keep_heads=True)


def test_sentences_of_any_size_parse(greedy: TransitionParser) -> None:
    for size in 0, 1, 2, 3000:
        (parsed,) = greedy.apply([Sentence(forms=["bird"] * size)])
        assert len(parsed.heads) == size
        assert not size or tree_of(parsed).count(0) == 1


# How sure it is


def test_confidence_is_a_measured_share(greedy: TransitionParser, beam: TransitionParser) -> None:
    for parser in greedy, beam:
        for width in 1, 4:
            for sentence in parser.apply(DEV, confidence=True, beam=width):
                cells = [cell.removeprefix("Confidence=") for cell in sentence.misc]
                assert all(0 < float(cell) < 1 for cell in cells)
    marked = DEV[0].copy()
    marked.misc[0] = "SpaceAfter=No"
    assert greedy.apply([marked], confidence=True)[0].misc[0].startswith("SpaceAfter=No|Confidence=0.")
    with pytest.raises(InputError, match="trained without a dev set"):
        quick_parser(epochs=1).fit(TRAIN).apply(DEV, confidence=True)


def test_a_calibration_follows_what_was_measured() -> None:
    margins = [0.1] * 500 + [1.0] * 500 + [2.0] * 500 + [float("inf")] * 100
    right = [True, False] * 250 + [True] * 400 + [False] * 100 + [True] * 490 + [False] * 10
    found = Calibration.fit(margins, right + [True, False, False, False] * 25)
    low, middle, high, endless = found.confidences([0.1, 1.0, 2.0, float("inf")])
    assert low == pytest.approx(0.5, abs=0.02)
    assert middle == pytest.approx(0.8, abs=0.02)
    assert high == pytest.approx(0.98, abs=0.02)
    assert endless == pytest.approx(0.25, abs=0.02)
    assert found.confidences([-5.0, 1.5, 99.0]) == sorted(found.confidences([-5.0, 1.5, 99.0]))


# Models


def test_a_saved_model_parses_as_before(
    greedy: TransitionParser, beam: TransitionParser, tmp_path: Path
) -> None:
    exact = quick_parser(precision="float32").fit(TRAIN, dev=DEV)
    for number, parser in enumerate((greedy, beam, exact)):
        parser.save(tmp_path / str(number), licence="CC0")
        loaded = TransitionParser.load(tmp_path / str(number))
        assert loaded.options == parser.options
        assert loaded.scores_ == parser.scores_
        assert loaded.labels_ == parser.labels_
        assert (loaded.origin_.treebank, loaded.origin_.licence) == ("toy1.conllu", "CC0")
        assert loaded.apply(DEV, confidence=True).sentences == parser.apply(DEV, confidence=True).sentences
        loaded.save(tmp_path / "again", force=True)
        assert files_of(tmp_path / "again") == files_of(tmp_path / str(number))


def test_compact_models_are_smaller_and_their_loss_is_measured(tmp_path: Path) -> None:
    parser = quick_parser(precision="float32").fit(TRAIN, dev=DEV)
    parser.save(tmp_path / "large")
    loss = parser.compact(DEV)
    before = parser.history_[parser.best_epoch_ - 1].scores["las"]
    parser.save(tmp_path / "small")
    assert loss <= 0.1
    assert parser.scores_["las"] == pytest.approx(before - loss)
    sizes = [(tmp_path / name / "weights.safetensors").stat().st_size for name in ("large", "small")]
    assert sizes[1] < sizes[0] / 4
    assert accuracy(TransitionParser.load(tmp_path / "small"), DEV) >= 0.99
    assert quick_parser(precision="float32", epochs=1).fit(TRAIN).compact() == 0
