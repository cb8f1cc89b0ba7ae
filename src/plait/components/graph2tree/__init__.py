"""From semantic graphs to syntactic trees (Bohnet, Wanner, Mille and Burga 2010, section 4.1)."""

from plait.components.graph2tree.component import GraphToTree
from plait.components.graph2tree.options import GraphToTreeOptions

__all__ = ["GraphToTree", "GraphToTreeOptions"]
