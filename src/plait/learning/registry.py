"""All kinds of components by name; a new one is a folder under `plait/components` and a line here.

Other packages register theirs with an entry point of the group `plait.components`, whose name is the kind.
"""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from plait.errors import InputError

if TYPE_CHECKING:
    from plait.learning.component import Component

KINDS = {
    "tokenizer": "plait.components.tokenizer:Tokenizer",
    "normalizer": "plait.components.normalizer:Normalizer",
    "tagger": "plait.components.tagger:Tagger",
    "lemmatizer": "plait.components.lemmatizer:Lemmatizer",
    "transition": "plait.components.transition:TransitionParser",
    "graph": "plait.components.graph:GraphParser",
    "neural": "plait.components.neural:Neural",
    "deep": "plait.components.deep:Deep",
    "roles": "plait.components.roles:RoleLabeler",
    "graph2tree": "plait.components.graph2tree:GraphToTree",
    "function_words": "plait.components.function_words:FunctionWords",
    "aspects": "plait.components.aspects:AspectFinder",
    "lifter": "plait.components.lifter:Lifter",
    "order": "plait.components.order:Order",
    "inflector": "plait.components.inflector:Inflector",
    "ngrams": "plait.components.ngrams:Ngrams",
    "relabel": "plait.components.relabel:Relabel",
    "stack": "plait.components.stack:Stack",
    "vote": "plait.components.vote:Vote",
}
_GROUP = "plait.components"


def find(kind: str) -> type[Component[Any]]:
    """The class of a kind, imported when it is asked for; InputError if there is none."""
    if kind in KINDS:
        module, _, name = KINDS[kind].partition(":")
        found: type[Component[Any]] = getattr(import_module(module), name)
        return found
    others = {point.name: point for point in entry_points(group=_GROUP)}
    if kind in others:
        registered: type[Component[Any]] = others[kind].load()
        return registered
    known = [*KINDS, *others]
    near = get_close_matches(kind, known, n=1)
    hint = f"Did you mean {near[0]!r}?" if near else f"Available: {', '.join(known)}."
    raise InputError(f"No kind of component {kind!r}. {hint}")


def who_accepts(wish: str) -> list[str]:
    """The kinds that can do what a request asks for, of all that accept it those that find trees."""
    able = [kind for kind in KINDS if wish in find(kind).accepts]
    return [kind for kind in able if "tree" in find(kind).provides] or able
