"""Rows of an experiment against each other: on the dev sets against any row, on the test sets the best static oracle
against the best non-deterministic one (2015, Tables 3 and 5).

Which oracles are the best is decided on the dev set. With several seeds, a sentence's score is its mean over them:
more seeds make the scores surer, but they do not make more sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from statistics import fmean
from types import ModuleType

import numpy as np

from plait import formats
from plait.components.transition import TransitionParser
from plait.errors import InputError
from plait.evaluation.significance import Bootstrap, SentenceTest, bootstrap, wilcoxon
from plait.experiments.measures import Counts, by_sentence, measure
from plait.experiments.runner import Outcome
from plait.experiments.spec import NON_DETERMINISTIC, Cell, Experiment

_SAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the second of two rows has more than the first, in percent, and whether that is more than chance."""

    difference: float
    wilcoxon: SentenceTest
    bootstrap: Bootstrap

    @property
    def mark(self) -> str:
        """As the paper prints it: by Wilcoxon's test."""
        return "‡" if self.wilcoxon.p < 0.01 else "†" if self.wilcoxon.p < 0.05 else ""

    def __str__(self) -> str:
        return f"{self.difference:+.2f}{self.mark}"


@dataclass(frozen=True, slots=True, eq=False)
class TestScore:
    """One parser on a test set: all columns, and its counts by the metric of the experiment."""

    __test__ = False  # not a test of pytest's

    cell: Cell
    scores: dict[str, float]
    counts: Counts


@dataclass(frozen=True, slots=True)
class TestResult:
    """Two oracles on one test set; scores in percent, the mean over the seeds."""

    __test__ = False

    treebank: str
    system: str
    beam: int
    static: str
    non_deterministic: str
    static_score: float
    non_deterministic_score: float
    verdict: Verdict

    def as_dict(self) -> dict[str, object]:
        return asdict(self) | {"mark": self.verdict.mark}


@dataclass(frozen=True, slots=True)
class Test:
    """All that was measured on test sets."""

    __test__ = False

    scores: list[TestScore]
    results: list[TestResult]


def check_comparisons(experiment: Experiment, *, test: bool) -> None:
    """Before anything is trained: what the comparisons will need."""
    if test or experiment.against:
        _scipy_stats("--test" if test else "against")
    for treebank in experiment.treebanks if test else ():
        if treebank.test is None:
            raise InputError(f"treebanks.{treebank.name} has no test set, which --test needs.")


def score_on_test(experiment: Experiment, cells: Sequence[Cell], *, threads: int = 1) -> list[TestScore]:
    """Every parser on its test set, tagged as the dev set was."""
    seen, scores = {}, []
    for cell in cells:
        treebank, tagging = cell.treebank, cell.tagging
        assert treebank.test is not None
        if treebank.name not in seen:
            gold = formats.read(treebank.test)
            seen[treebank.name] = gold, tagging.tag(experiment.output, gold) if tagging else gold
        gold, shown = seen[treebank.name]
        parser = TransitionParser.load(experiment.output / "models" / cell.name)
        parsed = parser.apply(shown, threads=threads)
        scores.append(TestScore(cell, measure(gold, parsed), by_sentence(gold, parsed, experiment.metric)))
    return scores


def compare_on_test(
    experiment: Experiment, outcomes: Sequence[Outcome], scores: Sequence[TestScore]
) -> list[TestResult]:
    """One result per treebank, system and beam that has oracles of both kinds. Needs SciPy."""
    results = []
    scored = {score.cell.name: score for score in scores}
    for treebank, system, beam in product(experiment.treebanks, experiment.systems, experiment.beams):
        group = by_oracle(outcomes, treebank.name, system, beam)
        if len({oracle in NON_DETERMINISTIC for oracle in group}) < 2:
            continue
        best = []
        for kind in (False, True):
            rivals = [group[oracle] for oracle in group if (oracle in NON_DETERMINISTIC) == kind]
            best.append(max(rivals, key=lambda each: mean_score(each, experiment.metric)))
        static, free = ([scored[each.cell.name] for each in outcomes] for outcomes in best)
        results.append(
            TestResult(
                treebank=treebank.name,
                system=system,
                beam=beam,
                static=static[0].cell.options.oracle,
                non_deterministic=free[0].cell.options.oracle,
                static_score=mean_score(static, experiment.metric),
                non_deterministic_score=mean_score(free, experiment.metric),
                verdict=compare(static, free),
            )
        )
    return results


def by_oracle(outcomes: Sequence[Outcome], treebank: str, system: str, beam: int) -> dict[str, list[Outcome]]:
    """The outcomes of one treebank, system and beam, the seeds of an oracle together."""
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        cell = outcome.cell
        if (cell.treebank.name, cell.system, cell.options.beam) == (treebank, system, beam):
            found.setdefault(cell.options.oracle, []).append(outcome)
    return found


def mean_score(outcomes: Sequence[Outcome | TestScore], column: str) -> float:
    return fmean(outcome.scores[column] for outcome in outcomes)


def compare(a: Sequence[Outcome | TestScore], b: Sequence[Outcome | TestScore]) -> Verdict:
    """The seeds of two rows, on the same sentences. Needs SciPy."""
    ours, theirs = (np.sum([each.counts for each in row], axis=0) for row in (a, b))
    # Rows may have different numbers of seeds: what counts is the mean.
    ours, theirs = ours * len(b), theirs * len(a)
    (right_a, size), (right_b, _) = ours.T, theirs.T
    kept = size > 0
    differences = (right_b - right_a)[kept] / size[kept]
    rows = (np.stack((each[:, 0], each[:, 1], each[:, 1]), axis=1) for each in (ours, theirs))
    return Verdict(
        100 * float((right_b.sum() - right_a.sum()) / max(1, size.sum())),
        wilcoxon(differences, _scipy_stats("a comparison")),
        bootstrap(*rows, samples=_SAMPLES, seed=0),
    )


def _scipy_stats(who: str) -> ModuleType:
    try:
        from scipy import stats
    except ImportError:
        raise InputError(f"{who} needs SciPy. Install it with: pip install 'plait[research]'") from None
    module: ModuleType = stats
    return module
