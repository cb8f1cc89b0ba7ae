"""Scores of texts against reference texts."""

from plait.evaluation.texts.bleu import bleu_counts, bleu_of
from plait.evaluation.texts.nist import nist_score
from plait.evaluation.texts.order import edit_score, exact_score, lcs, periphery_score
from plait.evaluation.texts.scores import (
    TOKENIZERS,
    TextDifference,
    TextScores,
    compare_texts,
    evaluate_texts,
    require_sacrebleu,
    resample,
    score_nbest,
    token_pairs,
)

__all__ = [
    "TOKENIZERS",
    "TextDifference",
    "TextScores",
    "bleu_counts",
    "bleu_of",
    "compare_texts",
    "edit_score",
    "evaluate_texts",
    "exact_score",
    "lcs",
    "nist_score",
    "periphery_score",
    "require_sacrebleu",
    "resample",
    "score_nbest",
    "token_pairs",
]
