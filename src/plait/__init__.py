"""Plait: dependency trees with crossing arcs.

Every name is imported when it is first used, so that a command starts with what it needs and nothing else.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str
    from plait.cancel import Cancel
    from plait.components.graph import GraphParser
    from plait.components.lemmatizer import Lemmatizer
    from plait.components.stack import Stack
    from plait.components.tagger import Tagger
    from plait.components.tokenizer import Tokenizer
    from plait.components.transition import TransitionParser
    from plait.components.vote import Vote
    from plait.document import Document
    from plait.errors import (
        Cancelled,
        FormatError,
        InputError,
        NotATreeError,
        OutputError,
        PlaitError,
        Problem,
    )
    from plait.evaluation import Scores, compare, evaluate
    from plait.formats import read, stream, write
    from plait.generation import Realizer
    from plait.pipeline.pipeline import Pipeline, load
    from plait.pipeline.recipe import Recipe
    from plait.pipeline.train import train
    from plait.sentence import EmptyNode, MultiwordToken, Sentence, Span, Treebank, Word
    from plait.transitions.derivation import derive
    from plait.trees.voting import vote
    from plait.validation import validate

__all__ = [
    "Cancel",
    "Cancelled",
    "Document",
    "EmptyNode",
    "FormatError",
    "GraphParser",
    "InputError",
    "Lemmatizer",
    "MultiwordToken",
    "NotATreeError",
    "OutputError",
    "Pipeline",
    "PlaitError",
    "Problem",
    "Realizer",
    "Recipe",
    "Scores",
    "Sentence",
    "Span",
    "Stack",
    "Tagger",
    "Tokenizer",
    "TransitionParser",
    "Treebank",
    "Vote",
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

_NAMES_OF = {
    "plait.cancel": ("Cancel",),
    "plait.components.graph": ("GraphParser",),
    "plait.components.lemmatizer": ("Lemmatizer",),
    "plait.components.stack": ("Stack",),
    "plait.components.tagger": ("Tagger",),
    "plait.components.tokenizer": ("Tokenizer",),
    "plait.components.transition": ("TransitionParser",),
    "plait.components.vote": ("Vote",),
    "plait.document": ("Document",),
    "plait.errors": (
        "Cancelled",
        "FormatError",
        "InputError",
        "NotATreeError",
        "OutputError",
        "PlaitError",
        "Problem",
    ),
    "plait.evaluation": ("Scores", "compare", "evaluate"),
    "plait.formats": ("read", "stream", "write"),
    "plait.generation": ("Realizer",),
    "plait.pipeline.pipeline": ("Pipeline", "load"),
    "plait.pipeline.recipe": ("Recipe",),
    "plait.pipeline.train": ("train",),
    "plait.sentence": ("EmptyNode", "MultiwordToken", "Sentence", "Span", "Treebank", "Word"),
    "plait.transitions.derivation": ("derive",),
    "plait.trees.voting": ("vote",),
    "plait.validation": ("validate",),
}
_HOME = {name: module for module, names in _NAMES_OF.items() for name in names}
_ROOMS = {
    "cancel",
    "checks",
    "components",
    "document",
    "drawing",
    "errors",
    "evaluation",
    "features",
    "folders",
    "formats",
    "generation",
    "integrations",
    "layers",
    "learning",
    "log",
    "pipeline",
    "rules",
    "sentence",
    "transitions",
    "trees",
    "validation",
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("plait.release").release()
    if name in _ROOMS:
        return import_module(f"plait.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'plait' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOME[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS, "__version__"})
