"""Lemmas, by edit scripts."""

from plait.components.lemmatizer.component import Lemmatizer
from plait.components.lemmatizer.options import LemmatizerOptions

__all__ = ["Lemmatizer", "LemmatizerOptions"]
