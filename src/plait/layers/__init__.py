"""Typed layers of a sentence, beside its columns: what does not fit into one cell per word.

A layer is kept by its type: `sentence.put(Frames(...))`, `sentence.find(Frames)`; what one component makes for another
is taken away with `sentence.take(...)` when it has served. Its name is its key in JSON lines.
"""

from __future__ import annotations

from collections.abc import Mapping

from plait.layers.aspects import POLARITIES, AspectCategory, Aspects, AspectTerm
from plait.layers.base import Layer, is_text
from plait.layers.deep import DeepNode, DeepTree
from plait.layers.frames import Argument, Edge, Frame, Frames, Graph
from plait.layers.nets import HeadShare, HeadShares, Vectors
from plait.layers.norms import Norms
from plait.layers.orders import Fluency, LiftedTree, WordOrder, WordOrders
from plait.layers.parses import Alternatives, Candidate, Candidates, GuideTree, Parse, tag_name

LAYERS: Mapping[str, type[Layer]] = {
    layer.name: layer
    for layer in (
        *(Frames, Graph, Candidates, GuideTree, Alternatives, HeadShares, Vectors),
        *(LiftedTree, WordOrders, Fluency, DeepTree, Aspects, Norms),
    )
}

__all__ = [
    "LAYERS",
    "POLARITIES",
    "Alternatives",
    "Argument",
    "AspectCategory",
    "AspectTerm",
    "Aspects",
    "Candidate",
    "Candidates",
    "DeepNode",
    "DeepTree",
    "Edge",
    "Fluency",
    "Frame",
    "Frames",
    "Graph",
    "GuideTree",
    "HeadShare",
    "HeadShares",
    "Layer",
    "LiftedTree",
    "Norms",
    "Parse",
    "Vectors",
    "WordOrder",
    "WordOrders",
    "is_text",
    "tag_name",
]
