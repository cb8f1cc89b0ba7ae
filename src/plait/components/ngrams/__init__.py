"""How likely words are in their order."""

from plait.components.ngrams.component import Ngrams
from plait.components.ngrams.options import NgramOptions

__all__ = ["NgramOptions", "Ngrams"]
