"""The transition-based parser: greedy and with a beam, and jointly with tags."""

from plait.parser.candidates import Candidate, Candidates
from plait.parser.estimator import Parser
from plait.parser.model import Parse
from plait.parser.options import ParserOptions
from plait.parser.trace import Alternative, Hypothesis, Trace, TraceStep
from plait.parser.trainer import Epoch

__all__ = [
    "Alternative",
    "Candidate",
    "Candidates",
    "Epoch",
    "Hypothesis",
    "Parse",
    "Parser",
    "ParserOptions",
    "Trace",
    "TraceStep",
]
