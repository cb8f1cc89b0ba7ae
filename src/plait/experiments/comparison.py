"""The best static oracle against the best non-deterministic one on the test set (2015, Tables 3 and 5).

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
from numpy.typing import NDArray

from plait import formats
from plait.components.transition import TransitionParser
from plait.errors import InputError
from plait.evaluation.significance import Bootstrap, SentenceTest, bootstrap, wilcoxon
from plait.experiments.document import TreebankFiles
from plait.experiments.runner import Outcome
from plait.experiments.spec import NON_DETERMINISTIC, Experiment
from plait.sentence import Sentence
from plait.trees import tree_of

_SAMPLES = 10_000
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TestResult:
    """Two oracles on one test set; scores in percent, the mean over the seeds."""

    __test__ = False  # not a test of pytest's

    treebank: str
    system: str
    beam: int
    static: str
    non_deterministic: str
    static_score: float
    non_deterministic_score: float
    wilcoxon: SentenceTest
    bootstrap: Bootstrap

    @property
    def difference(self) -> float:
        return self.non_deterministic_score - self.static_score

    @property
    def mark(self) -> str:
        """As the paper prints it: by Wilcoxon's test."""
        return "‡" if self.wilcoxon.p < 0.01 else "†" if self.wilcoxon.p < 0.05 else ""

    def as_dict(self) -> dict[str, object]:
        return asdict(self) | {"difference": self.difference, "mark": self.mark}


def check_test_sets(experiment: Experiment) -> None:
    """Before anything is trained: what the comparison will need."""
    _scipy_stats()
    for treebank in experiment.treebanks:
        if treebank.test is None:
            raise InputError(f"treebanks.{treebank.name} has no test set, which --test needs.")


def compare_on_test(
    experiment: Experiment, outcomes: Sequence[Outcome], *, threads: int = 1
) -> list[TestResult]:
    """One result per treebank, system and beam that has oracles of both kinds. Needs SciPy."""
    stats = _scipy_stats()
    results = []
    for treebank, system, beam in product(experiment.treebanks, experiment.systems, experiment.beams):
        group = by_oracle(outcomes, treebank.name, system, beam)
        if len({oracle in NON_DETERMINISTIC for oracle in group}) == 2:
            results.append(_compare(experiment, treebank, group, stats, threads))
    return results


def by_oracle(outcomes: Sequence[Outcome], treebank: str, system: str, beam: int) -> dict[str, list[Outcome]]:
    """The outcomes of one treebank, system and beam, the seeds of an oracle together."""
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        options = outcome.cell.options
        if (outcome.cell.treebank.name, options.system, options.beam) == (treebank, system, beam):
            found.setdefault(options.oracle, []).append(outcome)
    return found


def mean_score(outcomes: Sequence[Outcome], metric: str) -> float:
    return fmean(outcome.score(metric) for outcome in outcomes)


def _compare(
    experiment: Experiment,
    treebank: TreebankFiles,
    group: dict[str, list[Outcome]],
    stats: ModuleType,
    threads: int,
) -> TestResult:
    best: list[list[Outcome]] = []
    for kind in (False, True):
        rivals = [group[oracle] for oracle in group if (oracle in NON_DETERMINISTIC) == kind]
        best.append(max(rivals, key=lambda each: mean_score(each, experiment.metric)))
    assert treebank.test is not None
    gold = formats.read(treebank.test)
    whole = experiment.metric == "las_full"
    right = []
    for outcomes in best:
        parsers = (
            TransitionParser.load(experiment.output / "models" / outcome.cell.name) for outcome in outcomes
        )
        right.append(
            np.sum(
                [right_words(gold, parser.apply(gold, threads=threads), whole) for parser in parsers], axis=0
            )
        )
    seeds = len(best[0])
    words = seeds * np.array([len(sentence) for sentence in gold])
    a, b = (np.stack((each, words, words), axis=1) for each in right)
    options = best[0][0].cell.options
    return TestResult(
        treebank=treebank.name,
        system=options.system,
        beam=options.beam,
        static=best[0][0].cell.options.oracle,
        non_deterministic=best[1][0].cell.options.oracle,
        static_score=100 * float(right[0].sum() / words.sum()),
        non_deterministic_score=100 * float(right[1].sum() / words.sum()),
        wilcoxon=wilcoxon((right[1] - right[0]) / words, stats),
        bootstrap=bootstrap(a, b, samples=_SAMPLES, seed=0),
    )


def right_words(gold: Sequence[Sentence], system: Sequence[Sentence], whole_labels: bool) -> Counts:
    """Per sentence, the words with the right head and label; the parser keeps the words as they are."""
    return np.array(
        [
            sum(
                ours == theirs and (label == wanted or (not whole_labels and _base(label) == _base(wanted)))
                for ours, theirs, label, wanted in zip(
                    tree_of(parsed), tree_of(given), parsed.deprels, given.deprels, strict=True
                )
            )
            for given, parsed in zip(gold, system, strict=True)
        ],
        np.int64,
    )


def _base(label: str) -> str:
    return label.split(":")[0]


def _scipy_stats() -> ModuleType:
    try:
        from scipy import stats
    except ImportError:
        raise InputError("--test needs SciPy. Install it with: pip install 'plait[research]'") from None
    module: ModuleType = stats
    return module
