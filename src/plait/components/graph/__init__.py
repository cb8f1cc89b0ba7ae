"""The graph-based parser: the best tree of all, by the scores of its parts."""

from plait.components.graph.component import GraphParser
from plait.components.graph.options import GraphOptions

__all__ = ["GraphOptions", "GraphParser"]
