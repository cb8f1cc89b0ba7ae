"""From surface-syntactic to deep-syntactic trees (Ballesteros, Bohnet, Mille and Wanner 2014)."""

from plait.components.deep.component import Deep

__all__ = ["Deep"]
