"""The graph-based parser: the best tree of all, by the scores of its parts."""

from plait.graph.estimator import GraphParser
from plait.graph.options import GraphOptions
from plait.graph.training import GraphEpoch

__all__ = ["GraphEpoch", "GraphOptions", "GraphParser"]
