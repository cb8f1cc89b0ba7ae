"""The normalizer: words as they would stand in edited text, beside their forms."""

from plait.components.normalizer.component import Normalizer, NormalizerOptions

__all__ = ["Normalizer", "NormalizerOptions"]
