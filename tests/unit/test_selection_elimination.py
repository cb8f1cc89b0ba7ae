"""Elimination of templates: what they are worth beside each other, and the rounds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import Result
from plait import TransitionParser
from plait.experiments.selection.bench import Plan
from plait.experiments.selection.journal import Journal
from plait.experiments.selection.laboratory import Workers
from plait.experiments.selection.outcome import Outcome, Settings
from plait.experiments.selection.outcome import select as choose
from plait.experiments.selection.search import Decision, OnDecision, Rules
from plait.experiments.selection.worth import SHARPNESS, STIFFNESS, Worth
from plait.learning.arcs import GoldTrees, LabelledTrees
from toy import toy, write_toy

Command = Callable[..., Result]
EXACT = {"beam": 1, "bits": 14, "epochs": 3, "precision": "float32"}
WHOLE = "S0.upos S1.upos\nS0.upos S1.upos B0.upos\nS0.upos\nB0.upos\nB1.upos\nB2.form\nS3.form\nbias\n"
QUICK = ("--order", "eliminate", "--set", "bits=12", "--shuffles", "2", "--passes", "2", "--jobs", "1")


def loss(rows: np.ndarray, states: np.ndarray, scales: np.ndarray) -> float:
    against = np.exp(-SHARPNESS * (rows @ scales))
    return float(sum(np.log1p(against[states == state].sum()) for state in np.unique(states)))


@pytest.fixture
def shares() -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.default_rng(1)
    states = np.repeat(np.arange(80), 1 + np.arange(80) % 4)
    return chance.normal(0.05, 0.1, (len(states), 6)), states


def test_slope_and_bend_are_those_of_the_loss(shares: tuple[np.ndarray, np.ndarray]) -> None:
    worth = Worth.of_shares(*shares)
    change = np.random.default_rng(2).normal(0, 1e-3, 6)
    ones = np.ones(6)
    moved = [loss(*shares, ones + sign * change) for sign in (1, -1)]
    assert moved[0] - moved[1] == pytest.approx(2 * worth.slope @ change, rel=1e-4)
    bent = moved[0] + moved[1] - 2 * loss(*shares, ones)
    assert bent == pytest.approx(change @ worth.bend @ change, rel=1e-3)


def test_the_worth_of_parts_adds_up(shares: tuple[np.ndarray, np.ndarray]) -> None:
    rows, states = shares
    first = states < 33
    parts = Worth.of_shares(rows[first], states[first]) + Worth.of_shares(rows[~first], states[~first])
    whole = Worth.of_shares(rows, states)
    np.testing.assert_allclose(parts.slope, whole.slope)
    np.testing.assert_allclose(parts.bend, whole.bend, atol=1e-12)
    nothing = Worth.of_shares(rows[:0], states[:0])
    assert not nothing.slope.any()
    assert not nothing.bend.any()


def test_what_says_nothing_goes_first_and_what_says_most_last() -> None:
    chance = np.random.default_rng(3)
    states = np.arange(500)
    rows = chance.normal(0, 0.2, (500, 5)) + np.array([0.5, 0.0, 0.1, 0.25, -0.3])
    rows[:, 1] = 0
    order = Worth.of_shares(rows, states).least_useful(5)
    assert order[0] == 4  # it speaks for what is wrong
    assert order[1:] == [1, 2, 3, 0]


def test_of_two_that_say_the_same_one_goes_soon_and_the_other_stays() -> None:
    chance = np.random.default_rng(4)
    strong = chance.normal(0.4, 0.3, 800)
    rows = np.stack([strong / 2, strong / 2, *chance.normal(0.08, 0.15, (6, 800))], axis=1)
    order = Worth.of_shares(rows, np.arange(800)).least_useful(8)
    assert order[-1] in (0, 1)
    assert not {0, 1} <= set(order[-3:])


def test_lines_that_see_the_same_share_its_worth(shares: tuple[np.ndarray, np.ndarray]) -> None:
    worth = Worth.of_shares(*shares)
    spread = worth.spread([0, 1, 1, -1, 5])
    assert spread.slope.tolist() == pytest.approx(
        [worth.slope[0], worth.slope[1] / 2, worth.slope[1] / 2, 0, worth.slope[5]]
    )
    assert spread.bend[0, 2] == pytest.approx(worth.bend[0, 1] / 2)
    assert spread.bend[1, 2] == pytest.approx(worth.bend[1, 1] / 4)
    assert not spread.bend[3].any()


@given(st.integers(2, 6), st.integers(0, 2**20))
@settings(max_examples=40, deadline=None)
def test_the_next_to_go_is_the_one_whose_absence_costs_least(size: int, seed: int) -> None:
    """Against the definition: the least loss with all that went at 0, and the others where they are best."""
    worth = Worth.of_shares(np.random.default_rng(seed).normal(0.05, 0.4, (60, size)), np.arange(60))
    bowl = worth.bend + STIFFNESS * np.diag(worth.bend).mean() * np.eye(size)

    def best(gone: list[int]) -> tuple[float, np.ndarray]:
        there = [number for number in range(size) if number not in gone]
        change = np.full(size, -1.0)
        if there:
            slope = worth.slope[there] - bowl[np.ix_(there, gone)].sum(axis=1)
            change[there] = -np.linalg.solve(bowl[np.ix_(there, there)], slope)
        return float(worth.slope @ change + change @ bowl @ change / 2), 1 + change

    order = worth.least_useful(size)
    for step in range(size):
        before, scales = best(order[:step])
        costs = {
            number: np.copysign(best([*order[:step], number])[0] - before, scales[number])
            for number in range(size)
            if number not in order[:step]
        }
        assert costs[order[step]] <= min(costs.values()) + 1e-6


@given(st.integers(1, 8), st.integers(0, 10), st.integers(0, 2**20))
@settings(max_examples=40, deadline=None)
def test_any_number_goes_each_once(size: int, count: int, seed: int) -> None:
    rows = np.random.default_rng(seed).normal(0, 1, (30, size))
    gone = Worth.of_shares(rows, np.arange(30)).least_useful(count)
    assert len(gone) == len(set(gone)) == min(count, size)
    assert Worth.none(size).least_useful(count) == list(range(min(count, size)))


@pytest.mark.parametrize("system", ["swap", "eager", "spine", "spine-swap"])
def test_shares_add_up_to_the_lead(system: str, tmp_path: Path) -> None:
    """With one template more, what it adds is its share; and where no lead is too great, every choice is there."""
    treebank = toy(30, crossing=system.endswith("swap"))
    path = tmp_path / "list.txt"
    path.write_text(WHOLE)
    parser = TransitionParser(**EXACT, system=system, features=str(path)).fit(treebank)
    rows, states = _shares(parser, treebank, margin=1000)
    assert rows.shape[1] == len(WHOLE.split("\n")) - 1
    assert len(rows) == len(states)
    assert (np.diff(states) >= 0).all()
    assert np.bincount(states).max() <= 4
    leads = rows.sum(axis=1)
    best = leads[np.flatnonzero(np.r_[True, states[1:] != states[:-1]])]
    # The best rival comes first.
    assert (leads >= np.repeat(best, np.unique(states, return_counts=True)[1]) - 1e-5).all()
    # Sentences without a mistake are those that the parser gets right.
    found = parser.apply(treebank)
    if all(mine.heads == gold.heads for mine, gold in zip(found, treebank, strict=True)):
        assert (best > 0).all()
    few, of = _shares(parser, treebank, margin=0.5)
    assert set(of) == {state for state, lead in zip(np.unique(states), best, strict=True) if lead < 0.5}
    assert len(few) < len(rows)


def _shares(
    parser: TransitionParser, treebank: list, margin: float, rivals: int = 4
) -> tuple[np.ndarray, np.ndarray]:
    return parser.state.shares(_gold(parser, treebank), rivals, margin)


def _gold(parser: TransitionParser, treebank: list) -> GoldTrees:
    setup = parser.state.setup
    return LabelledTrees.of(treebank, "").encode(setup.encode_words(treebank), setup.labels)


def test_a_label_that_was_never_seen_is_no_mistake() -> None:
    treebank = toy(20)
    parser = TransitionParser(**EXACT).fit(treebank)
    for sentence in treebank:
        sentence.deprels = ["new"] * len(sentence.deprels)
    gold = _gold(parser, treebank)
    assert set(gold.labels.tolist()) == {-1}
    rows, _ = parser.state.shares(gold, 2, 1000)
    assert len(rows)


def test_shares_are_of_what_is_seen_in_states() -> None:
    treebank = toy(10)
    parser = TransitionParser(**EXACT | {"beam": 2, "completion": "2a"}).fit(treebank)
    with pytest.raises(ValueError, match="parts of trees"):
        _shares(parser, treebank, margin=1)


@pytest.mark.parametrize("system", ["swap", "spine"])
def test_the_walk_is_that_of_the_parser(system: str, tmp_path: Path) -> None:
    """Its own mistakes lead it on: the states are those of its trace, with leads by the scores there. In the spine
    system every arc has its own view of them.
    """
    treebank = toy(15, crossing=system == "swap")
    path = tmp_path / "list.txt"
    path.write_text("S0.upos\nB0.upos\n")
    parser = TransitionParser(**EXACT, features=str(path), system=system).fit(treebank)
    rows, states = _shares(parser, treebank, margin=1e6)
    steps = [step for each in treebank for step in parser.trace(each, alternatives=50).steps]
    firsts = np.flatnonzero(np.r_[True, states[1:] != states[:-1]])
    leads = rows[firsts].sum(axis=1)
    assert (leads < 0).any()
    assert len(leads) > 0.8 * sum(len(step.alternatives) > 1 for step in steps)
    for state, lead in zip(states[firsts], leads, strict=True):
        scores = np.array([each.score for each in steps[state].alternatives])
        assert np.abs(scores[0] - scores - abs(lead)).min() < 1e-4


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    write_toy(tmp_path, "toy-train.conllu", 80, 1)
    (tmp_path / "whole.txt").write_text(WHOLE)
    return tmp_path


def select(command: Command, *more: str, output: str = "out.txt") -> Result:
    return command(
        *("features", "select", "toy-train.conllu", "-o", output, "--from", "whole.txt"), *QUICK, *more
    )


def chosen(path: Path) -> list[str]:
    lines = (line.partition("#")[0].strip() for line in path.read_text().split("\n"))
    return [line for line in lines if line]


def results(folder: Path, name: str = "out") -> list[bytes]:
    return [(folder / f"{name}{ending}").read_bytes() for ending in (".txt", ".csv")]


def test_files_that_no_selection_made_stay(lists: Path, plait_command: Command) -> None:
    (lists / "out.csv").write_text("mine")
    done = select(plait_command)
    assert done.status == 1
    assert "plait: out.csv: this is there already" in done.err
    assert (lists / "out.csv").read_text() == "mine"
    assert not (lists / "out.trials.jsonl").exists()
    assert select(plait_command, "--force").status == 0
    assert select(plait_command).status == 0  # they are its own now


def test_the_least_useful_go_as_long_as_nothing_is_lost(lists: Path, plait_command: Command) -> None:
    done = select(plait_command)
    assert done.status == 0, done.err
    found = chosen(lists / "out.txt")
    assert 0 < len(found) < 8
    assert {"S0.upos S1.upos", "S0.upos S1.upos B0.upos"} & set(found)
    assert "plait: 8 templates to begin with: " in done.err
    assert "plait: 6 templates: " in done.err
    assert "; at most about " in done.err
    first, second = done.out.split("LAS ")[1].split(", with all ")
    assert float(first) >= float(second.split()[0])


@pytest.mark.parametrize("system", ["spine-swap", "spine"])
def test_lists_of_the_spine_systems(lists: Path, plait_command: Command, system: str) -> None:
    """Crossing arcs are lifted where the system cannot build them."""
    (lists / "whole.txt").write_text(f"{WHOLE}GP.upos S1.upos S0.upos\ndepth\n")
    lifted = ("--set", "projectivize=head") if system == "spine" else ()
    done = select(plait_command, "--set", f"system={system}", *lifted, "--size", "3")
    assert done.status == 0, done.err
    found = chosen(lists / "out.txt")
    assert len(found) == 3
    assert {"S0.upos S1.upos", "S0.upos S1.upos B0.upos"} & set(found)


def test_of_a_wanted_size(lists: Path, plait_command: Command) -> None:
    for size in (5, 2):
        assert select(plait_command, "--size", str(size), "--force").status == 0
        found = chosen(lists / "out.txt")
        assert len(found) == size
    text = (lists / "out.txt").read_text()
    ranks = [int(line.split("rank ")[1].split(",")[0]) for line in text.splitlines() if "rank " in line]
    assert sorted(ranks) == list(range(1, 9))
    assert all(f"{each}" in text for each in found)


def test_it_goes_on_where_it_was_with_the_same_bytes(lists: Path, plait_command: Command) -> None:
    assert select(plait_command, "--size", "3").status == 0
    whole = results(lists)
    journal = lists / "out.trials.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    assert len(lines) > 8
    for kept, rest in ((6, lines[6][:40]), (4, b'{"weighed": [0, [0, 1], 1], "worth": "eJwDAAAAAAE="}\n')):
        journal.write_bytes(b"".join(lines[:kept]) + rest)
        assert select(plait_command, "--size", "3").status == 0
        assert results(lists) == whole
        assert sorted(journal.read_bytes().splitlines()) == sorted(b"".join(lines).splitlines())
    assert select(plait_command, "--size", "3", "--jobs", "2", output="two.txt").status == 0
    assert results(lists, "two") == whole


def test_an_interrupt_keeps_what_was_chosen_so_far(lists: Path) -> None:
    plan = Plan((str(lists / "toy-train.conllu"),), "parser", {"": WHOLE}, {"beam": 1, "bits": 12}, 2, "las")
    how = Settings(Rules(order="eliminate", size=3), shuffles=1)

    def interrupt(decision: Decision, left: int) -> None:  # noqa: ARG001
        if decision.action == "measure" and decision.size == 5:
            raise KeyboardInterrupt

    def run(on_decision: OnDecision) -> Outcome:
        with Workers(plan, Journal(lists / "journal.jsonl", plan), 1) as workers:
            return choose(plan, [], how, workers, jobs=1, on_decision=on_decision)

    early = run(interrupt)
    assert early.interrupted
    assert len(early.chosen) == 5
    assert sorted(early.order) == list(range(8))
    late = run(lambda decision, left: None)  # noqa: ARG005
    assert not late.interrupted
    assert len(late.chosen) == 3
    assert late.chosen < early.chosen
    assert set(late.order[:3]) == late.chosen


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--default", "basic"], "--order eliminate begins with the whole list"),
        (["--ranking", "file"], "--order eliminate begins with the whole list"),
        (["--of", "tagger"], "--order eliminate is for parsers, not for tagger lists."),
        (["--set", "beam=4"], "--order eliminate is for greedy parsers"),
        (["--set", "guided=true"], "--order eliminate is for greedy parsers"),
        (["--order", "once", "--size", "4"], "--size goes with --order rank or eliminate."),
    ],
)
def test_what_is_wrong_is_told(
    lists: Path, plait_command: Command, arguments: list[str], message: str
) -> None:
    assert lists
    refused = select(plait_command, *arguments)
    assert refused.status == 2
    assert message in refused.err


def test_one_list_for_two_treebanks(lists: Path, plait_command: Command) -> None:
    """Lemmas say something in one of them only."""
    write_toy(lists, "other-train.conllu", 80, 2)
    text = (lists / "other-train.conllu").read_text()
    (lists / "other-train.conllu").write_text(
        "\n".join(
            "\t".join([*cells[:2], cells[1], *cells[3:]]) if len(cells := line.split("\t")) > 3 else line
            for line in text.split("\n")
        )
    )
    (lists / "whole.txt").write_text(f"{WHOLE}S0.lemma S1.upos\nS1.upos\nS0.lemma\n")
    done = plait_command(
        *("features", "select", "toy-train.conllu", "other-train.conllu", "-o", "out.txt"),
        *("--from", "whole.txt", *QUICK, "--size", "4"),
    )
    assert done.status == 0, done.err
    assert len(chosen(lists / "out.txt")) == 4
