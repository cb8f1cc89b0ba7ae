"""Forward selection of templates: the search, with a scorer that is a formula."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from plait.errors import InputError
from plait.experiments.selection.lines import Line, Lines
from plait.experiments.selection.race import Chosen, Race, Rights, Trial
from plait.experiments.selection.relatives import Relatives
from plait.experiments.selection.report import curve
from plait.experiments.selection.search import Rules, Search

TEXT = """
S0.upos
S1.upos
B0.upos
B1.upos
B2.upos
S0.form
S0.upos S1.upos
S0.form S1.form
S0.left1.deprel
S0.left2.deprel
"""
LINES = Lines.of({"": TEXT})


def numbers(*texts: str) -> frozenset[int]:
    found = [LINES.find(Line(text)) for text in texts]
    assert None not in found
    return frozenset(number for number in found if number is not None)


USUAL, BEGIN = Rules(), numbers("S0.upos")


class Formula:
    """A laboratory whose dev part is one sentence of 100 words; it remembers what was measured."""

    def __init__(
        self, score: dict[int, float], each: float = -0.01, noise: dict[int, float] | None = None
    ) -> None:
        self.treebanks = 1
        self.trials: set[Trial] = set()
        self._score, self._each, self._noise = score, each, noise or {}

    def words(self, treebank: int, shuffle: int) -> np.ndarray:  # noqa: ARG002
        return np.array([100.0])

    def seen(self, treebank: int, chosen: Chosen) -> tuple[int, ...]:  # noqa: ARG002
        return tuple(sorted(chosen))

    def measure(self, trials: Sequence[Trial]) -> list[Rights]:
        self.trials.update(trials)
        return [np.array([self._right(trial)]) for trial in trials]

    def _right(self, trial: Trial) -> float:
        value = sum(self._score.get(number, 0.0) + self._each for number in trial.chosen)
        return 50 + value + self._noise.get(trial.shuffle, 0.0) * len(trial.chosen)

    @property
    def tried(self) -> set[Chosen]:
        return {frozenset(trial.chosen) for trial in self.trials}


def run(
    laboratory: Formula,
    rules: Rules = USUAL,
    default: frozenset[int] = BEGIN,
    *,
    order: Sequence[int] | None = None,
    jobs: int = 1,
    shuffles: int = 1,
    confidence: float = 1.0,
) -> Search:
    race = Race(laboratory, shuffles=shuffles, threshold=rules.threshold, confidence=confidence)
    search = Search(LINES, race, rules, jobs)
    search.run(sorted(default), order or range(len(LINES)))
    return search


USEFUL = numbers("S0.upos", "B0.upos", "S0.form", "S0.left1.deprel")


@pytest.mark.parametrize("order", ["once", "best"])
def test_the_useful_templates_are_found_and_no_others(order: str) -> None:
    laboratory = Formula(dict.fromkeys(USEFUL, 1.0))
    assert run(laboratory, Rules(order=order, prune=False)).chosen == USEFUL


@pytest.mark.parametrize("order", ["once", "best"])
def test_any_gain_will_do_below_all_thresholds_and_none_above(order: str) -> None:
    laboratory = Formula(dict.fromkeys(USEFUL, 1.0))
    everything = run(laboratory, Rules(-np.inf, order, prune=False)).chosen
    assert everything == frozenset(range(len(LINES)))
    assert run(laboratory, Rules(2.0, order, prune=False)).chosen == numbers("S0.upos")


def test_a_larger_threshold_keeps_fewer() -> None:
    laboratory = Formula({number: number / 10 for number in range(len(LINES))})
    sizes = [len(run(laboratory, Rules(points, prune=False)).chosen) for points in (-0.1, 0.2, 0.5, 0.8)]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 4


def test_what_is_begun_with_is_dropped_unless_it_is_worth_something() -> None:
    laboratory = Formula({**dict.fromkeys(USEFUL, 1.0), LINES.numbers["", frozenset({"S1.upos"})]: 0.01})
    begin = numbers("S0.upos", "S1.upos", "B1.upos")
    search = run(laboratory, Rules(prune=False), begin)
    assert search.chosen == USEFUL
    actions = {decision.line: decision.action for decision in search.decisions}
    # One without which the score is the same goes too.
    assert [actions[number] for number in sorted(begin)] == ["stay", "drop", "drop"]


def test_a_template_is_not_tried_once_its_nearer_relative_was_rejected() -> None:
    laboratory = Formula({**dict.fromkeys(USEFUL, 1.0), **dict.fromkeys(numbers("B2.upos"), 5.0)})
    search = run(laboratory)
    (further,) = numbers("B2.upos")
    assert not any(further in chosen for chosen in laboratory.tried)
    skipped = {decision.line: decision.reason for decision in search.decisions if decision.action == "skip"}
    assert skipped[further] == "without B1.upos"
    assert further in run(laboratory, Rules(prune=False)).chosen


def test_relatives() -> None:
    relatives = Relatives(LINES)
    pair, forms, inner = (
        min(numbers(text)) for text in ("S0.upos S1.upos", "S0.form S1.form", "S0.left2.deprel")
    )
    assert relatives.hinder(pair, numbers("S0.upos", "S1.upos"))
    assert not relatives.hinder(pair, numbers("S0.upos"))
    assert relatives.hinder(forms, numbers("S0.form"))  # S1.form is not in the list
    assert relatives.hinder(inner, numbers("S0.left1.deprel"))
    order = relatives.tags_first([forms, pair, *numbers("S0.form", "S0.upos")])
    assert order.index(pair) < order.index(forms)


def test_both_orders_agree_where_gains_add_up() -> None:
    laboratory = Formula({number: 0.3 - number / 20 for number in range(len(LINES))})
    once, best = (run(laboratory, Rules(order=order, prune=False)) for order in ("once", "best"))
    assert once.chosen == best.chosen
    kept = [decision.line for decision in best.decisions if decision.action == "keep"]
    assert kept == sorted(kept)  # the best first


def test_how_many_are_tried_at_a_time_changes_nothing() -> None:
    for seed, prune in product(range(5), (True, False)):
        worth = np.random.default_rng(seed).normal(0, 0.1, len(LINES))
        laboratories = [Formula(dict(enumerate(worth)), noise={2: 0.02, 3: -0.03}) for _ in range(3)]
        searches = [
            run(laboratory, Rules(prune=prune), shuffles=3, confidence=0.8, jobs=jobs)
            for laboratory, jobs in zip(laboratories, (1, 2, 16), strict=True)
        ]
        assert searches[0].decisions == searches[1].decisions == searches[2].decisions


def test_whoever_is_clearly_worse_is_not_trained_again() -> None:
    (bad,) = numbers("B1.upos")
    laboratory = Formula({**dict.fromkeys(USEFUL, 1.0), bad: -5.0})
    run(laboratory, Rules(prune=False), shuffles=3, confidence=0.8)
    shuffles = {trial.shuffle for trial in laboratory.trials if bad in trial.chosen}
    assert shuffles == {1}
    assert {trial.shuffle for trial in laboratory.trials if trial.chosen == tuple(sorted(USEFUL))} == {
        1,
        2,
        3,
    }


def test_caution_wants_more_than_the_noise() -> None:
    # Every template adds 0.1 on average, but -0.4, 0.1 and 0.6 in three shuffles.
    laboratory = Formula({}, each=0.1, noise={1: -0.5, 3: 0.5})
    assert len(run(laboratory, Rules(prune=False), shuffles=3).chosen) == len(LINES)
    assert run(laboratory, Rules(prune=False, cautious=True), shuffles=3).chosen == numbers("S0.upos")


def test_lines_of_lists() -> None:
    lines = Lines.of(
        {"first": "for X in H, D:\n    X.upos  # both\nD.upos H.upos\nH.upos D.upos\n", "third": "H.upos\n"}
    )
    assert [str(line) for line in lines.every] == [
        "first: H.upos",
        "first: D.upos",
        "first: D.upos H.upos",
        "third: H.upos",
    ]
    assert lines.texts(frozenset({1, 3})) == {"first": "D.upos\n", "third": "H.upos\n"}
    with pytest.raises(InputError, match=r"mine: the template 'third: D.form' is not in the list"):
        lines.require(Lines.of({"third": "D.form"}), "mine")


def test_as_few_of_the_ranked_as_are_enough() -> None:
    order = list(range(len(LINES)))[::-1]
    laboratory = Formula({order[0]: 3.0, order[1]: 2.0, order[2]: 0.5, order[3]: 0.02}, each=0.0)
    begin = frozenset(order[:1])
    for loss, size in ((0.01, 4), (0.1, 3), (0.6, 2), (100, 1)):
        search = run(laboratory, Rules(-loss, "rank"), begin, order=order)
        assert search.chosen == frozenset(order[:size])
    assert curve(search.decisions)[-1] == (len(LINES), pytest.approx(55.52))
    # What is begun with stays, and is filled up.
    search = run(laboratory, Rules(order="rank", size=3), numbers("S0.upos"), order=order)
    assert search.chosen == {*numbers("S0.upos"), *order[:2]}
