"""All scores of a text, and whether two texts differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from types import ModuleType

import numpy as np

from plait.errors import InputError
from plait.evaluation.texts.bleu import Counts, bleu_counts, bleu_of
from plait.evaluation.texts.nist import nist_score
from plait.evaluation.texts.order import Pair, edit_score, exact_score, periphery_score

TOKENIZERS = ("13a", "none")
CONFIDENCE = 95.0


@dataclass(frozen=True, slots=True)
class TextScores:
    """BLEU, chrF and what is exact in percent; NIST; TER and edit as shares."""

    sentences: int
    bleu: float
    nist: float
    ter: float
    chrf: float
    edit: float
    exact: float
    first_three: float
    last_three: float

    def as_dict(self) -> dict[str, float]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class TextDifference:
    """Two systems by BLEU, and the paired bootstrap (Koehn 2004): the interval holds the differences of the middle 95 %
    of the resampled test sets; p is two-sided.
    """

    a: float
    b: float
    difference: float
    low: float
    high: float
    p: float
    samples: int
    seed: int


def evaluate_texts(
    references: Sequence[str], systems: Sequence[str], *, tokenize: str = "13a", lowercase: bool = False
) -> TextScores:
    """Scores of sentences against reference sentences. BLEU, TER and chrF are sacreBLEU's; it also cuts the tokens that
    the other scores are about.
    """
    metrics = require_sacrebleu()
    _require_same(references, systems)
    if lowercase:
        references, systems = [each.lower() for each in references], [each.lower() for each in systems]
    pairs = token_pairs(references, systems, tokenize=tokenize)
    bleu = metrics.BLEU(tokenize=tokenize, force=True).corpus_score(systems, [references]).score
    plain = [[" ".join(tokens) for tokens in side] for side in zip(*pairs, strict=True)]
    return TextScores(
        sentences=len(references),
        bleu=bleu,
        nist=nist_score(pairs),
        ter=metrics.TER().corpus_score(plain[1], [plain[0]]).score / 100,
        chrf=metrics.CHRF().corpus_score(systems, [references]).score,
        edit=edit_score(pairs),
        exact=100
        * exact_score([(one.split(), other.split()) for one, other in zip(references, systems, strict=True)]),
        first_three=100 * periphery_score(pairs),
        last_three=100 * periphery_score(pairs, last=True),
    )


def score_nbest(
    references: Sequence[str],
    lists: Sequence[Sequence[str]],
    *,
    tokenize: str = "13a",
    lowercase: bool = False,
) -> float:
    """The n-best score of the shared task (Belz et al. 2012): the mean of the BLEU of all texts of a rank, each weighed
    by 1 over its rank. A sentence with fewer texts keeps its last one.
    """
    if not all(lists):
        raise InputError("Every sentence needs at least one text.")
    depth = max(map(len, lists), default=0)
    total = weights = 0.0
    for rank in range(depth):
        texts = [each[min(rank, len(each) - 1)] for each in lists]
        score = evaluate_texts(references, texts, tokenize=tokenize, lowercase=lowercase).bleu
        total += score / (rank + 1)
        weights += 1 / (rank + 1)
    return total / weights


def compare_texts(
    references: Sequence[str],
    a: Sequence[str],
    b: Sequence[str],
    *,
    tokenize: str = "13a",
    lowercase: bool = False,
    samples: int = 1000,
    seed: int = 0,
) -> TextDifference:
    """Whether system `b` differs from system `a` by more than chance, in BLEU."""
    change: Callable[[str], str] = str.lower if lowercase else str
    sides = []
    for system in (a, b):
        _require_same(references, system)
        pairs = token_pairs([*map(change, references)], [*map(change, system)], tokenize=tokenize)
        sides.append(bleu_counts(pairs))
    return resample(*sides, samples=samples, seed=seed)


def resample(a: Counts, b: Counts, *, samples: int = 1000, seed: int = 0) -> TextDifference:
    """The paired bootstrap over the counts of sentences."""
    whole = [float(bleu_of(each.sum(axis=0, keepdims=True))[0]) for each in (a, b)]
    observed = whole[1] - whole[0]
    generator = np.random.default_rng(seed)
    size = len(a)
    differences = np.empty(samples)
    for sample in range(samples):
        times = np.bincount(generator.integers(size, size=size), minlength=size).astype(np.float64)
        both = [bleu_of((times @ each)[None, :])[0] for each in (a, b)]
        differences[sample] = both[1] - both[0]
    tail = (100 - CONFIDENCE) / 2
    low, high = np.percentile(differences, (tail, 100 - tail))
    extreme = int((np.abs(differences - observed) >= abs(observed) - 1e-9).sum())
    return TextDifference(
        whole[0], whole[1], observed, float(low), float(high), (extreme + 1) / (samples + 1), samples, seed
    )


def token_pairs(references: Sequence[str], systems: Sequence[str], *, tokenize: str = "13a") -> list[Pair]:
    """Both texts cut into tokens: as sacreBLEU's BLEU does it, or at white space (`none`)."""
    if tokenize not in TOKENIZERS:
        raise InputError(f"No tokenizer {tokenize!r}. Available: {', '.join(TOKENIZERS)}.")
    cut: Callable[[str], str] = str
    if tokenize == "13a":
        cut = require_sacrebleu().BLEU(tokenize=tokenize).tokenizer
    return [(cut(one).split(), cut(other).split()) for one, other in zip(references, systems, strict=True)]


def _require_same(references: Sequence[str], systems: Sequence[str]) -> None:
    if len(references) != len(systems):
        raise InputError(
            f"The references have {len(references):,} sentences, the system has {len(systems):,}: "
            "a line is a sentence in both."
        )
    if not references:
        raise InputError("There is no sentence to score.")


def require_sacrebleu() -> ModuleType:
    """What cuts and counts; also to be asked for before hours of work whose result is to be scored."""
    try:
        from sacrebleu import metrics
    except ImportError:
        raise InputError(
            "Scores of texts need sacreBLEU. Install it with: pip install 'plait[text]'"
        ) from None
    module: ModuleType = metrics
    return module
