"""Scores of parsers against gold trees, and whether the difference between two parsers is real."""

from plait.evaluation.breakdowns import ArcScore, LengthScore
from plait.evaluation.conll18 import Metric
from plait.evaluation.scores import Scores, evaluate
from plait.evaluation.significance import Significance, compare

__all__ = ["ArcScore", "LengthScore", "Metric", "Scores", "Significance", "compare", "evaluate"]
