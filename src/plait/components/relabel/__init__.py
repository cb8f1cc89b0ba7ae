"""Labels that a head has once: given anew where a parser gave one twice."""

from plait.components.relabel.component import Relabel
from plait.components.relabel.options import RelabelOptions

__all__ = ["Relabel", "RelabelOptions"]
