"""Plait: dependency trees with crossing arcs."""

from plait.errors import FormatError, InputError, NotATreeError, OutputError, PlaitError, Problem
from plait.evaluation import Scores, compare, evaluate
from plait.formats import read, stream, write
from plait.parser import Parser, load
from plait.sentence import EmptyNode, MultiwordToken, Sentence, Treebank, Word
from plait.transitions.derivation import derive
from plait.validation import validate

__all__ = [
    "EmptyNode",
    "FormatError",
    "InputError",
    "MultiwordToken",
    "NotATreeError",
    "OutputError",
    "Parser",
    "PlaitError",
    "Problem",
    "Scores",
    "Sentence",
    "Treebank",
    "Word",
    "compare",
    "derive",
    "evaluate",
    "load",
    "read",
    "stream",
    "validate",
    "write",
]
