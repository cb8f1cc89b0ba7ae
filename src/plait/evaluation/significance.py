"""Is the difference between two systems on the same gold sentences more than chance?

Four paired tests, all two-sided. McNemar's test asks it of words, the others of sentences, whose words are
not independent of each other. `difference` is always the second system minus the first, in percent.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import sqrt
from types import ModuleType

import numpy as np

from plait.errors import InputError
from plait.evaluation.breakdowns import paper_verdicts
from plait.evaluation.conll18 import Comparison, Verdicts, word_verdicts
from plait.evaluation.document import Bools, Document, Given, Ints
from plait.evaluation.resampling import CONFIDENCE, Floats, f1_of, middle, resampled
from plait.evaluation.roles import SemanticPair

METRICS = (
    *("las", "uas", "clas", "mlas", "blex", "las_full", "tlas", "pmlas"),
    *("words", "upos", "xpos", "ufeats", "alltags", "lemmas"),
)
SEMANTIC = ("semantic", "semantic_unlabeled")


@dataclass(frozen=True, slots=True)
class McNemar:
    """Words that only one system has right; under chance each side is as likely (exact binomial test)."""

    only_a: int
    only_b: int
    p: float


@dataclass(frozen=True, slots=True)
class SentenceTest:
    """A test over `sentences` differences of sentence scores; no statistic if it is infinite or undefined."""

    statistic: float | None
    sentences: int
    p: float


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """The interval holds the difference of the middle 95 % of the resampled test sets."""

    low: float
    high: float
    p: float
    samples: int
    seed: int
    confidence: float = CONFIDENCE


@dataclass(frozen=True, slots=True)
class Significance:
    """Two systems' scores by one metric, and what the tests say of their difference."""

    metric: str
    convention: str
    a: float
    b: float
    difference: float
    mcnemar: McNemar
    wilcoxon: SentenceTest
    t_test: SentenceTest
    bootstrap: Bootstrap

    def as_dict(self) -> dict[str, object]:
        result = asdict(self)
        for name in ("a", "b", "difference"):
            result[name] = round(result[name], 2)
        for name in ("low", "high"):
            result["bootstrap"][name] = round(result["bootstrap"][name], 2)
        return result


def compare(
    gold: Given,
    a: Given,
    b: Given,
    *,
    metric: str = "las",
    samples: int = 10_000,
    seed: int = 0,
    punctuation: bool = True,
) -> Significance:
    """Test whether system `b` differs from system `a` by this metric; all three are sentences or paths of
    treebanks. Needs SciPy.
    """
    stats = _scipy_stats()
    if metric not in (*METRICS, *SEMANTIC):
        raise InputError(
            f"No metric {metric!r} to compare by. Available: {', '.join((*METRICS, *SEMANTIC))}."
        )
    if samples < 1:
        raise InputError(f"The bootstrap needs at least 1 sample, not {samples}.")
    reference = Document(gold, "gold")
    first, second = (Comparison(reference, Document(each, role)) for each, role in ((a, "a"), (b, "b")))
    if metric in SEMANTIC:
        return _compare_roles(first, second, metric, samples=samples, seed=seed, stats=stats)
    ours, theirs = (_verdicts(pair, metric, punctuation) for pair in (first, second))
    score_a, score_b = ours.metric().f1, theirs.metric().f1
    differences = sentence_differences(reference, ours.right, theirs.right, ours.gold)
    return Significance(
        metric=metric,
        convention=_convention(metric, punctuation),
        a=score_a,
        b=score_b,
        difference=score_b - score_a,
        mcnemar=mcnemar(ours.right, theirs.right, stats),
        wilcoxon=wilcoxon(differences, stats),
        t_test=paired_t_test(differences, stats),
        bootstrap=bootstrap(
            _sentence_counts(first, ours), _sentence_counts(second, theirs), samples=samples, seed=seed
        ),
    )


def _compare_roles(
    first: Comparison, second: Comparison, metric: str, *, samples: int, seed: int, stats: ModuleType
) -> Significance:
    """Of semantic dependencies (`plait.evaluation.roles`): they are what words are elsewhere."""
    labels = metric == "semantic"
    ours, theirs = SemanticPair(first), SemanticPair(second)
    if not ours.gold:
        raise InputError("The gold file has no predicates, so nothing can be compared by them.")
    score_a, score_b = ours.metric(labels=labels).f1, theirs.metric(labels=labels).f1
    counts_a, counts_b = ours.counts(labels=labels), theirs.counts(labels=labels)
    kept = counts_a[:, 1] > 0
    differences = (counts_b[kept, 0] - counts_a[kept, 0]) / counts_a[kept, 1]
    right_a, right_b = (np.array(each.verdicts(labels=labels)) for each in (ours, theirs))
    return Significance(
        metric=metric,
        convention=f"semantic dependencies of CoNLL 2009, {'with' if labels else 'without'} labels",
        a=score_a,
        b=score_b,
        difference=score_b - score_a,
        mcnemar=mcnemar(right_a, right_b, stats),
        wilcoxon=wilcoxon(differences, stats),
        t_test=paired_t_test(differences, stats),
        bootstrap=bootstrap(counts_a, counts_b, samples=samples, seed=seed),
    )


def sentence_differences(document: Document, a: Bools, b: Bools, counted: Bools) -> Floats:
    """Per gold sentence with words that count, how much more of them `b` has right, as a share."""
    count = len(document.sentences)
    right_a, right_b, size = (
        np.bincount(document.sentence_numbers[which], minlength=count) for which in (a, b, counted)
    )
    kept = size > 0
    # One division of whole numbers, so that equal differences are equal floats and tie in the ranks.
    differences: Floats = (right_b - right_a)[kept] / size[kept]
    return differences


def mcnemar(a: Bools, b: Bools, stats: ModuleType) -> McNemar:
    """McNemar's test in its exact form: the words on which the systems disagree are tosses of a fair coin."""
    only_a, only_b = int((a & ~b).sum()), int((b & ~a).sum())
    disagreements = only_a + only_b
    p = stats.binomtest(only_a, disagreements, 0.5).pvalue if disagreements else 1.0
    return McNemar(only_a, only_b, float(p))


def wilcoxon(differences: Floats, stats: ModuleType) -> SentenceTest:
    """Wilcoxon's signed rank test; sentences without a difference are dropped, as Wilcoxon does."""
    nonzero = differences[differences != 0]
    if not len(nonzero):
        return SentenceTest(None, 0, 1.0)
    # Exact while the number of sign patterns is small; SciPy's normal approximation handles ties beyond.
    method = (
        "exact" if len(nonzero) <= 50 and len(set(np.abs(nonzero).tolist())) == len(nonzero) else "asymptotic"
    )
    result = stats.wilcoxon(nonzero, zero_method="wilcox", method=method)
    return SentenceTest(float(result.statistic), len(nonzero), float(result.pvalue))


def paired_t_test(differences: Floats, stats: ModuleType) -> SentenceTest:
    """Student's t-test that the mean difference is zero."""
    count = len(differences)
    if count < 2 or not differences.any():
        return SentenceTest(None, count, 1.0)
    spread = float(differences.std(ddof=1))
    if spread == 0:
        return SentenceTest(None, count, 0.0)
    statistic = float(differences.mean()) / (spread / sqrt(count))
    return SentenceTest(statistic, count, float(2 * stats.t.sf(abs(statistic), count - 1)))


def bootstrap(a: Ints, b: Ints, *, samples: int, seed: int) -> Bootstrap:
    """Paired bootstrap over sentences (Efron and Tibshirani 1993; in our field Koehn 2004).

    `a` and `b` have a row per gold sentence: right words, gold words, system words. A resampled test set is
    as many sentences drawn with replacement, the same for both systems. The p-value is the share of samples
    that lie as far from the observed difference as that lies from zero (Berg-Kirkpatrick et al. 2012, here
    two-sided), the observed one counted in, so that it is never 0.
    """
    counts = np.hstack((a, b)).astype(np.float64)
    observed = float(_difference(counts.sum(axis=0, keepdims=True))[0])
    if not len(counts):
        return Bootstrap(0.0, 0.0, 1.0, samples, seed)
    differences = np.concatenate([_difference(totals) for totals in resampled(counts, samples, seed)])
    low, high = middle(differences)
    # The tolerance keeps a sample that is exactly as far away from being lost to rounding.
    extreme = int((np.abs(differences - observed) >= abs(observed) - 1e-9).sum())
    return Bootstrap(low, high, (extreme + 1) / (samples + 1), samples, seed)


def _difference(totals: Floats) -> Floats:
    """F1 of `b` minus F1 of `a`, in percent, for rows of totals."""
    result: Floats = f1_of(totals[:, 3:]) - f1_of(totals[:, :3])
    return result


def _sentence_counts(pair: Comparison, verdicts: Verdicts) -> Ints:
    """Per gold sentence its right words, gold words, and the system words that begin in it."""
    count = len(pair.gold.sentences)
    places = (pair.gold.sentence_numbers, pair.gold.sentence_numbers, pair.alignment.home)
    masks = (verdicts.right, verdicts.gold, verdicts.system)
    columns = (np.bincount(place[mask], minlength=count) for place, mask in zip(places, masks, strict=True))
    return np.stack(list(columns), axis=1)


def _verdicts(pair: Comparison, metric: str, punctuation: bool) -> Verdicts:
    return (word_verdicts(pair, punctuation=punctuation) | paper_verdicts(pair, punctuation=punctuation))[
        metric
    ]


def _convention(metric: str, punctuation: bool) -> str:
    labels = "whole labels" if metric in ("las_full", "tlas", "pmlas") else "labels without subtypes"
    return f"{labels}, {'punctuation counted' if punctuation else 'words with gold UPOS PUNCT not counted'}"


def _scipy_stats() -> ModuleType:
    try:
        from scipy import stats
    except ImportError:
        raise InputError(
            "Comparing two systems needs SciPy. Install it with: pip install 'plait[research]'"
        ) from None
    module: ModuleType = stats
    return module
