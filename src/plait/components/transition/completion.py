"""The completion model by the names of its paper: which parts of the tree are scored beside the transitions.

Bohnet and Kuhn (2012), section 4: `2a` is arcs, siblings and grandchildren, `2b` a child of the head across it, `3a`
two children of the head, `3b` two children of the dependent, `3c` a chain of three arcs. `+` also looks at the words
beside those of parts of two and three words, `3+` at those beside parts of four.

What is more: with `apart`, a word beside one of the part is only looked at if it is not in the part itself, as the
paper has it; with `alone`, an arc that has no sibling is a part too, as in the graph-based parser; with `clusters`,
parts of three and four words look at clusters of words, as arcs do wherever there are some.
"""

from __future__ import annotations

from itertools import groupby

from plait.errors import InputError
from plait.features import parts

# The numbers of kinds of parts in the core; arcs without a sibling have the next one.
_KINDS = {"2a": (0, 1, 2, 3), "2b": (4,), "3a": (5,), "3b": (6,), "3c": (7,)}
_NO_SIBLING = 8
_LISTS = {"2a": ("first", "sibling", "grandchild"), "2b": ("sibling",)}
_THIRD = ("3a", "3b", "3c")
_CONTEXT, _THIRD_CONTEXT, _APART, _ALONE, _CLUSTERS = "+", "3+", "apart", "alone", "clusters"
_MORE = (_CONTEXT, _THIRD_CONTEXT, _APART, _ALONE, _CLUSTERS)
FULL = "2a,2b,3a,3b,3c"


def _names(completion: str) -> list[str]:
    names = [name.strip() for name in completion.split(",")] if completion else []
    for name in names:
        if name not in (*_KINDS, *_MORE):
            raise InputError(f"completion: no factors {name!r}. Available: {', '.join((*_KINDS, *_MORE))}.")
    return names


def check(completion: str, own: str = "") -> None:
    """InputError unless it names factors, such as `2a,2b,+`, and nothing that would do nothing without others; with
    lists of the user's `own`, these may look at neighbours.
    """
    names = set(_names(completion))
    if completion and names.isdisjoint(_KINDS):
        raise InputError(f"completion is {completion!r} but names no factors, such as 2a.")
    if own and not completion:
        raise InputError("parts are lists of the completion model, but there is none: completion is empty.")
    if _THIRD_CONTEXT in names and names.isdisjoint(_THIRD):
        raise InputError("completion: 3+ is about parts of four words, but there is no 3a, 3b or 3c.")
    if _ALONE in names and "2a" not in names:
        raise InputError("completion: alone is about siblings, but there is no 2a.")
    if _APART in names and names.isdisjoint((_CONTEXT, _THIRD_CONTEXT)) and not own:
        raise InputError("completion: apart is about words beside a part, but there is no + and no 3+.")


def kinds(completion: str) -> int:
    """A bit for every kind of part that is scored."""
    names = _names(completion)
    bits = sum(1 << kind for name in names for kind in _KINDS.get(name, ()))
    return bits | (1 << _NO_SIBLING if _ALONE in names else 0)


def templates(completion: str, own: str = "", *, clusters: bool = False) -> parts.PartTemplates:
    """What is looked at, in lists that come with plait or in the user's `own`, also of `clusters` of words; nothing
    without a completion model.
    """
    check(completion, own)
    names = _names(completion)
    if _CLUSTERS in names and not clusters:
        raise InputError("completion: parts are to look at clusters of words, but the parser has none.")
    lists = {each for name in names if name in _KINDS for each in _LISTS.get(name, ("third",))}
    more = ["third-beside"] if _THIRD_CONTEXT in names else []
    if _CLUSTERS in names:
        more += [f"{name}-clusters" for name in parts.LISTS[1:]]
    return parts.load(
        lists, own or ("context" if _CONTEXT in names else "plain"), clusters=clusters, more=more
    )


def arranged(completion: str, found: parts.PartTemplates) -> parts.PartTemplates:
    """These templates as a model with this completion reads them."""
    return found.apart() if _APART in _names(completion) else found


def short_name(completion: str) -> str:
    """As the paper writes it: `2ab3abc+`."""
    names = list(dict.fromkeys(_names(completion)))
    factors = groupby((name for name in names if name in _KINDS), key=lambda name: name[0])
    short = "".join(order + "".join(name[1] for name in group) for order, group in factors)
    short += "".join(name for name in names if name in (_CONTEXT, _THIRD_CONTEXT))
    return "-".join([short, *(name for name in names if name in (_APART, _ALONE, _CLUSTERS))])
