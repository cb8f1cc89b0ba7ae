"""Sentences as columns: a `Sentence` keeps one list per column, a `Word` is a view made on demand."""

from plait.sentence.cells import EMPTY, TEXT_COLUMNS, format_pairs, parse_pairs
from plait.sentence.frames import FrameArgument, PredicateFrame
from plait.sentence.places import find_places
from plait.sentence.sentence import Sentence, Text
from plait.sentence.tokens import EmptyNode, MultiwordToken
from plait.sentence.treebank import Treebank, each_sentence, require_sentences
from plait.sentence.words import Span, Word, Words

__all__ = [
    "EMPTY",
    "TEXT_COLUMNS",
    "EmptyNode",
    "FrameArgument",
    "MultiwordToken",
    "PredicateFrame",
    "Sentence",
    "Span",
    "Text",
    "Treebank",
    "Word",
    "Words",
    "each_sentence",
    "find_places",
    "format_pairs",
    "parse_pairs",
    "require_sentences",
]
