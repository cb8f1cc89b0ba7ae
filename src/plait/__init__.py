"""Plait: dependency trees with crossing arcs."""

from plait.errors import FormatError, InputError, NotATreeError, OutputError, PlaitError, Problem
from plait.evaluation import Scores, compare, evaluate
from plait.formats import read, stream, write
from plait.graph import GraphParser
from plait.lemmas import Lemmatizer
from plait.parser import Parser
from plait.pipeline import Document, Pipeline, Recipe, load, train
from plait.sentence import EmptyNode, MultiwordToken, Sentence, Treebank, Word
from plait.tagger import Tagger
from plait.text import Tokenizer
from plait.transitions.derivation import derive
from plait.validation import validate
from plait.voting import vote

__all__ = [
    "Document",
    "EmptyNode",
    "FormatError",
    "GraphParser",
    "InputError",
    "Lemmatizer",
    "MultiwordToken",
    "NotATreeError",
    "OutputError",
    "Parser",
    "Pipeline",
    "PlaitError",
    "Problem",
    "Recipe",
    "Scores",
    "Sentence",
    "Tagger",
    "Tokenizer",
    "Treebank",
    "Word",
    "compare",
    "derive",
    "evaluate",
    "load",
    "read",
    "stream",
    "train",
    "validate",
    "vote",
    "write",
]
