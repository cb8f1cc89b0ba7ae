"""From deep trees to surface trees: the function words that content words need (Ballesteros et al. 2014, inverted)."""

from plait.components.function_words.component import FunctionWords
from plait.components.function_words.options import FunctionWordsOptions

__all__ = ["FunctionWords", "FunctionWordsOptions"]
