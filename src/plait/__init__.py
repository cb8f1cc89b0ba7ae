"""Plait: dependency trees with crossing arcs."""

from plait.errors import FormatError, InputError, NotATreeError, OutputError, PlaitError, Problem
from plait.formats import read, stream, write
from plait.sentence import EmptyNode, MultiwordToken, Sentence, Treebank, Word
from plait.validation import validate

__all__ = [
    "EmptyNode",
    "FormatError",
    "InputError",
    "MultiwordToken",
    "NotATreeError",
    "OutputError",
    "PlaitError",
    "Problem",
    "Sentence",
    "Treebank",
    "Word",
    "read",
    "stream",
    "validate",
    "write",
]
