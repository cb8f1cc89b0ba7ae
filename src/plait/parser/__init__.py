"""The transition-based parser: greedy and with a beam."""

from plait.parser.estimator import Parse, Parser
from plait.parser.options import ParserOptions
from plait.parser.training import Epoch

__all__ = ["Epoch", "Parse", "Parser", "ParserOptions"]
