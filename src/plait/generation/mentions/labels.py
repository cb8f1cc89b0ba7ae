"""Labels of expressions: what a chain chooses among, since texts differ and lists of expressions with them.

`basic` and `refined`: Favre and Bohnet 2009, section 2. `umus`: Favre and Bohnet 2010, section 2.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from plait.formats.grec import EMPTY_TEXT, Expression, Reference

NO_CASE = "no_case"
_MOST_ASSIGNMENTS = 1000  # of expressions to the references inside one
# Pronouns without gender and number.
_KINDS = {
    **dict.fromkeys(("he", "she", "it", "they", "we", "i", "you"), "he"),
    **dict.fromkeys(("him", "her", "them", "us", "me"), "him"),
    **dict.fromkeys(("his", "hers", "its", "their", "theirs", "our", "my"), "his"),
    **{kind: kind for kind in ("who", "whom", "whose", "that", "which")},
}


def basic(expression: Expression, title: str) -> str:  # noqa: ARG001 - all kinds of labels take the same
    """The attributes, joined."""
    given = (expression.attributes.get(name) for name in ("CASE", "HEAD", "EMPHATIC"))
    return "_".join(
        [
            expression.type,
            *("emphatic" if each == "yes" else each for each in given if each not in (None, "no")),
        ]
    )


def refined(expression: Expression, title: str) -> str:
    """With the kind of a pronoun, and how much of the full name is said."""
    label = basic(expression, title)
    words = _plain(expression.text)
    if expression.type == "pronoun":
        return f"{label}_{pronoun_kind(words, genitive=_is_genitive(expression))}"
    if expression.type == "name":
        return f"{label}_{_part_of_name(words, _plain(title))}"
    if expression.type == "common":
        return f"{label}_{'short' if len(words) <= 2 else 'long'}"
    return label


def pronoun_kind(words: list[str], *, genitive: bool) -> str:
    first = words[0] if words else ""
    if first == "her" and genitive:
        return "his"
    return _KINDS.get(first, "other")


def _is_genitive(expression: Expression) -> bool:
    return expression.attributes.get("CASE") == "genitive"


def _plain(text: str) -> list[str]:
    words = text.lower().replace(",", " ").split("(")[0].split()
    return [word.removesuffix("'s").removesuffix("’s").rstrip("'’") for word in words]


def _part_of_name(words: list[str], title: list[str]) -> str:
    """Which part of the title a name is: all of it, its first or last word, or something else."""
    words = [word for word in words if word not in ("itself", "himself", "herself", "themselves")]
    if words == title:
        return "full"
    if len(words) == 1 and len(title) > 1:
        return "first" if words == title[:1] else "family" if words == title[-1:] else "word"
    return "longer" if len(words) > len(title) else "shorter" if len(words) < len(title) else "other"


def umus(expression: Expression, title: str) -> str:  # noqa: ARG001
    """Type, case, the kind of a pronoun, `self`, `short`, `nesting`; with what was chosen for references inside before
    it, and the side on which they stand.
    """
    text = expression.text
    words = _plain("".join(piece for piece in expression.pieces if isinstance(piece, str)))
    parts = [expression.type, expression.attributes.get("CASE", NO_CASE)]
    if "self" in text.lower() and text != EMPTY_TEXT:
        parts.append("self")
    elif expression.type == "pronoun":
        parts.append(pronoun_kind(words, genitive=False))
    elif expression.type in ("name", "common") and len(words) == 1 and not expression.inner:
        parts.append("short")
    inner = [each.chosen for each in expression.inner if each.chosen]
    if expression.inner:
        parts.append("nesting")
        if isinstance(_ends(expression)[0], Reference):
            parts.append("left")
        elif isinstance(_ends(expression)[1], Reference):
            parts.append("right")
    return ":".join([*(umus(each, "") for each in inner), "_".join(parts)])


def _ends(expression: Expression) -> tuple[str | Reference, str | Reference]:
    pieces = [piece for piece in expression.pieces if isinstance(piece, Reference) or piece.strip()]
    return pieces[0], pieces[-1]


Labeller = Callable[[Expression, str], str]
LABELLERS: dict[str, Labeller] = {"basic": basic, "refined": refined, "umus": umus}


def expanded(expression: Expression, by_entity: dict[str, list[Expression]]) -> list[Expression]:
    """An expression with every assignment of plain expressions to the references inside it; itself if there are none.

    References inside those of an assignment are not filled: nobody says *his wife's brother's son* in one slot.
    """
    if not expression.inner:
        return [expression]
    choices = [
        [each for each in by_entity.get(reference.entity, []) if not each.inner]
        for reference in expression.inner
    ]
    found: list[Expression] = []
    for chosen in product(*choices):
        if len(found) == _MOST_ASSIGNMENTS:
            break
        ways = iter(chosen)
        pieces = tuple(
            piece
            if isinstance(piece, str)
            else Reference(piece.entity, piece.attributes, [], next(ways), piece.line)
            for piece in expression.pieces
        )
        found.append(Expression(expression.type, expression.attributes, pieces))
    return found
