"""The completion model by the names of its paper: which parts of the tree are scored beside the transitions.

Bohnet and Kuhn (2012), section 4: `2a` is arcs, siblings and grandchildren, `2b` a child of the head across it, `3a`
two children of the head, `3b` two children of the dependent, `3c` a chain of three arcs; `+` also looks at the words
beside all these.
"""

from __future__ import annotations

from plait.errors import InputError
from plait.features import parts

# The numbers of kinds of parts in the core.
_KINDS = {"2a": (0, 1, 2, 3), "2b": (4,), "3a": (5,), "3b": (6,), "3c": (7,)}
_LISTS = {"2a": ("first", "sibling", "grandchild"), "2b": ("sibling",)}
_CONTEXT = "+"
FULL = "2a,2b,3a,3b,3c"


def _names(completion: str) -> list[str]:
    names = [name.strip() for name in completion.split(",")] if completion else []
    for name in names:
        if name not in (*_KINDS, _CONTEXT):
            raise InputError(f"completion: no factors {name!r}. Available: {', '.join(_KINDS)}, {_CONTEXT}.")
    return names


def check(completion: str) -> None:
    """InputError unless it names factors, such as `2a,2b,+`."""
    if completion and not any(name in _KINDS for name in _names(completion)):
        raise InputError(f"completion is {completion!r} but names no factors, such as 2a.")


def kinds(completion: str) -> int:
    """A bit for every kind of part that is scored."""
    return sum(1 << kind for name in _names(completion) for kind in _KINDS.get(name, ()))


def templates(completion: str, own: str = "", *, clusters: bool = False) -> parts.PartTemplates:
    """What is looked at, in lists that come with plait or in the user's `own`, also of `clusters` of words; nothing
    without a completion model.
    """
    names = _names(completion)
    lists = {each for name in names if name in _KINDS for each in _LISTS.get(name, ("third",))}
    if own and not completion:
        raise InputError("parts are lists of the completion model, but there is none: completion is empty.")
    return parts.load(lists, own or ("context" if _CONTEXT in names else "plain"), clusters=clusters)
