"""Template lists over views of words in a tree (`sight`): one feature per line, such as `N.lemma H.rel`."""

from __future__ import annotations

from importlib import resources

from plait.components.deep.sight import ATTRIBUTES, PAIRS, WHO
from plait.features.columns import ColumnTemplates
from plait.features.reading import BuiltIn, hint

_LISTS = BuiltIn(resources.files("plait.components.deep") / "lists")


def load(name_or_path: str) -> ColumnTemplates:
    """A list that comes with plait, or a file."""
    text, path = _LISTS.find(name_or_path)
    return parse(text, path)


def parse(text: str, path: str = "") -> ColumnTemplates:
    return ColumnTemplates.parse(text, path, _require_known)


def _require_known(name: str) -> None:
    who, dot, attribute = name.partition(".")
    if not dot:
        if name not in PAIRS:
            raise ValueError(f"{name}: there is no such view.{hint(name, PAIRS)}")
    elif who not in WHO:
        raise ValueError(f"{name}: {who!r} is nobody that can be looked at.{hint(who, WHO)}")
    elif attribute not in ATTRIBUTES:
        raise ValueError(f"{name}: no attribute {attribute!r}.{hint(attribute, ATTRIBUTES)}")
