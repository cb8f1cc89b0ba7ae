"""How weights change: as far as the learner must, in the direction of the right tree, and as its options say."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from plait import GraphParser, Lemmatizer, Sentence, Tagger, TransitionParser, Treebank
from plait.learning.lessons import Lessons
from plait.learning.weights import PackedWeights
from toy import best_trees, quick_parser, toy, written


class Lesson:
    """A learner that is shown one sentence at a time."""

    def __init__(self, sentences: list[Sentence], **options: object) -> None:
        told = {"bits": 14, "precision": "float32", "step": 1000.0, "explore": 0.0}
        self.parser = TransitionParser(**(told | options))
        self.learner = self.parser.prepare(Lessons.of(sentences), None)
        (self.core,) = self.learner.cores

    def learn(self, number: int) -> None:
        self.learner.learn(self.core, np.array([number], np.int64), 1)

    @property
    def weights(self) -> NDArray[np.float32]:
        return self.core.weights()

    def scores(self, sentence: Sentence) -> dict[tuple[str, ...], float]:
        """Of the trees with the right heads, by their labels."""
        self.parser.change(self.learner.build(self.weights), {})
        (parses,) = best_trees(self.parser, [sentence], 64)
        return {tuple(parse.labels): parse.score for parse in parses if parse.heads == sentence.heads}


def pair(labels: str) -> Sentence:
    return Sentence(forms=["a", "b"], upos=["X", "X"], heads=[0, 1], deprels=labels.split())


def test_a_greedy_step_is_as_long_as_a_margin_of_one_needs() -> None:
    one = [Sentence(forms=["a"], heads=[0], deprels=[label]) for label in ("x", "y")]
    lesson = Lesson(one, beam=1)
    for number, right, wrong in (1, "y", "x"), (0, "x", "y"), (1, "y", "x"):
        lesson.learn(number)
        scores = lesson.scores(one[number])
        assert scores[(right,)] - scores[(wrong,)] == pytest.approx(1)


def test_off_the_path_the_arcs_that_are_left_decide(tmp_path: Path) -> None:
    """A parser that has learned the first tree follows its own mistakes in the second. After the first of them no
    oracle knows the way, but what it does is the best it can do from there: there is nothing else to learn.
    """
    first = Sentence(forms=["a", "b", "c"], heads=[2, 0, 2], deprels=["x", "x", "x"])
    second = Sentence(forms=["a", "b", "c"], heads=[0, 0, 2], deprels=["x", "x", "x"])
    (tmp_path / "state.txt").write_text("S1.form S0.form B0.form\n")  # tells all states apart
    options = {
        "oracle": "eager",
        "explore": 1.0,
        "single_root": "no",
        "features": str(tmp_path / "state.txt"),
    }
    lesson = Lesson([first, second], beam=1, **options)
    for _ in range(5):
        lesson.learn(0)
    states, updates, _, _ = lesson.learner.learn(lesson.core, np.array([1], np.int64), 2)
    assert (states, updates) == (6, 1)


def test_a_tree_wins_by_as_much_as_the_other_is_wrong(tmp_path: Path) -> None:
    """(violation + wrong arcs) / norm: afterwards the right derivation leads by the number of wrong arcs."""
    first, second = pair("r x"), pair("q y")
    # No labels are seen, so that every arc costs by itself, and there is one derivation of every tree.
    (tmp_path / "forms.txt").write_text("S1.form S0.form\n")
    lesson = Lesson([first, second], system="standard", beam=8, features=str(tmp_path / "forms.txt"))
    for _ in range(6):
        lesson.learn(0)
    before = lesson.scores(second)
    assert before["r", "x"] > before["q", "x"] > before["q", "y"], (
        "both arcs are wrong, and each costs something"
    )
    lesson.learn(1)
    after = lesson.scores(second)
    assert after["q", "y"] - after["r", "x"] == pytest.approx(2)


@pytest.mark.parametrize(("loss", "lead"), [("arcs", 1.0), ("halves", 0.5)])
def test_a_wrong_label_is_a_whole_loss_or_half_of_one(loss: str, lead: float) -> None:
    sentences = [Sentence(forms=["a"], heads=[0], deprels=[label]) for label in "xy"]
    lesson = Lesson(sentences, beam=8, loss=loss)
    for number, right, wrong in (1, "y", "x"), (0, "x", "y"):
        lesson.learn(number)
        scores = lesson.scores(sentences[number])
        assert scores[(right,)] - scores[(wrong,)] == pytest.approx(lead)


@pytest.mark.parametrize(("loss", "lead"), [("arcs", 1.0), ("halves", 2.0)])
def test_a_word_that_only_one_has_attached_is_a_whole_loss(loss: str, lead: float) -> None:
    """Without weights the first of equals wins, which is the arc to the left: a <- b instead of a -> b. Both prefixes
    have attached one word, and each another one (the sheet's choice for prefixes of trees).
    """
    lesson = Lesson([pair("x x")], beam=8, loss=loss, completion="2a")
    lesson.learn(0)
    norm = np.square(lesson.weights).sum() / np.abs(lesson.weights[lesson.weights != 0]).min() ** 2
    step = np.abs(lesson.weights[lesson.weights != 0]).min()
    assert step * norm == pytest.approx(lead, rel=1e-4)


def test_greedy_weights_are_never_renewed() -> None:
    learned = []
    for renew in 0, 1:
        lesson = Lesson(written(30), beam=1, renew=renew)
        for number in 1, 2:
            lesson.learner.run_epoch(number, lambda *_: None, 1)
        learned.append(lesson.weights)
    np.testing.assert_array_equal(*learned)


def test_weights_are_renewed_and_their_mean_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = Lesson(written(30), beam=4, renew=2)

    def run(number: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        lesson.learner.run_epoch(number, lambda *_: None, 1)
        return lesson.weights, lesson.core.averaged()

    run(1)
    monkeypatch.setattr(lesson.learner, "learn", lambda *_: (0, 0, 0, 0))
    weights, mean = run(2)
    assert weights.any()
    renewed, still = run(3)
    np.testing.assert_allclose(renewed, 0.3 * weights, rtol=1e-6)
    np.testing.assert_allclose(still, mean, atol=1e-5)
    same, _ = run(4)
    np.testing.assert_array_equal(same, renewed)


@pytest.mark.parametrize(("margin", "learned"), [(0.0, 0), (0.5, 1)])
def test_a_wrong_tree_must_lose_by_a_margin(margin: float, learned: int, tmp_path: Path) -> None:
    """The right tree wins by a little. Without a margin that is all that is asked for."""
    sentences = [Sentence(forms=["a"], heads=[0], deprels=[label]) for label in "xy"]
    (tmp_path / "bias.txt").write_text("bias\n")
    lesson = Lesson(sentences, beam=8, margin=margin, features=str(tmp_path / "bias.txt"))
    for number in 0, 1, 0:
        lesson.learn(number)
    lesson.core.restore(lesson.weights * np.float32(0.2), lesson.core.drift(), lesson.core.examples)
    before = lesson.scores(sentences[0])
    assert 0 < before[("x",)] - before[("y",)] < 0.5
    _, updates, _, _ = lesson.learner.learn(lesson.core, np.array([0], np.int64), 1)
    assert updates == learned
    after = lesson.scores(sentences[0])
    assert after[("x",)] - after[("y",)] == pytest.approx(1 if learned else before[("x",)] - before[("y",)])


def test_the_longest_step_is_kept() -> None:
    lesson = Lesson([pair("q x"), pair("r y")], beam=2, step=0.001)
    lesson.learn(1)
    assert 0 < np.abs(lesson.weights).max() == pytest.approx(0.001)


@pytest.mark.parametrize("beam", [1, 4])
def test_what_is_kept_is_the_mean_over_all_examples(beam: int) -> None:
    lesson = Lesson(list(toy(4)), beam=beam)
    seen = [np.zeros_like(lesson.weights)]
    for number in range(4):
        lesson.learn(number)
        seen.append(lesson.weights)
    assert not np.array_equal(seen[1], seen[-1])
    assert lesson.core.averaged() == pytest.approx(np.mean(seen, axis=0), abs=1e-5)


def test_rounded_weights_have_steps_of_a_127th_of_four_fifths_of_the_largest() -> None:
    table = np.array([1.0, 0.8, 0.4, -0.2, 0.003, 0.0, -1.0], np.float32)
    packed = PackedWeights.rounded(table)
    assert packed.unit == pytest.approx(0.8 / 127)
    assert packed.table.tolist() == [127, 127, 64, -32, 0, 0, -127]
    assert packed.pruned(64).table.tolist() == [127, 127, 64, 0, 0, 0, -127]
    assert PackedWeights.rounded(np.zeros(3, np.float32)).table.tolist() == [0, 0, 0]


def noisy(size: int, seed: int) -> Treebank:
    """Words that look alike, so that nobody is ever done."""
    chance = random.Random(seed)
    treebank = toy(size, seed)
    for sentence in treebank:
        sentence.forms = ["w"] * len(sentence)
        sentence.upos = sentence.xpos = chance.choices("XY", k=len(sentence))
    return treebank


def weights_of(parser: TransitionParser | GraphParser) -> NDArray[np.generic]:
    return np.asarray(parser.state.weights.table)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"explore": 0.0}, {"explore": 1.0}),
        ({"oracle": "nd-all"}, {"oracle": "eager"}),
        ({"beam": 4, "update": "early"}, {"beam": 4}),
        ({"beam": 4, "oracle": "nd-all"}, {"beam": 4, "oracle": "eager"}),
        ({"beam": 4, "oracle": "nd-all"}, {"beam": 4, "oracle": "lazy"}),
        ({"beam": 4, "learner": "perceptron"}, {"beam": 4}),
    ],
    ids=str,
)
def test_options_of_learning_are_heard(one: dict[str, object], other: dict[str, object]) -> None:
    train = noisy(60, 1)
    found = [quick_parser(epochs=2, precision="float32", **each).fit(train) for each in (one, other)]
    assert not np.array_equal(*map(weights_of, found))


def test_a_parser_is_made_small_only_as_long_as_it_is_good() -> None:
    train, dev = noisy(60, 1), noisy(60, 2)
    careless = quick_parser(epochs=3).fit(train, dev=dev).compact(dev, most_loss=100)
    assert careless > 0
    careful = quick_parser(epochs=3).fit(train, dev=dev).compact(dev, most_loss=careless / 2)
    assert careful <= careless / 2


@pytest.mark.parametrize("option", [{"cost": 0.0}, {"heads": 2}, {"step": 0.001}], ids=str)
def test_options_of_a_graph_based_parser_are_heard(option: dict[str, float]) -> None:
    train = noisy(30, 1)
    found = [GraphParser(**({"bits": 14, "epochs": 2} | each)).fit(train) for each in ({}, option)]
    assert not np.array_equal(*map(weights_of, found))


def test_a_tagger_learns_without_some_features() -> None:
    train = written(40)
    found = [Tagger(bits=14, epochs=2, dropout=share).fit(train) for share in (0.0, 0.5)]
    assert not np.array_equal(*(np.asarray(each.state.weights.table) for each in found))


def test_a_lemmatizer_learns_from_wrong_tags_too() -> None:
    train = written(40)
    plain, mistagged = (
        Lemmatizer(bits=14, mistagged=share).prepare(Lessons.of(train), None) for share in (0.0, 1.0)
    )
    assert mistagged.size > plain.size
