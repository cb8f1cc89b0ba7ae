"""Template lists over views of deep nodes (`sight`): one feature per line, such as `N.lemma H.lemma N.relation`."""

from __future__ import annotations

from importlib import resources

from plait.components.function_words.sight import ALONE, DECIDED, STATIC, WHO
from plait.features.columns import ColumnTemplates
from plait.features.reading import BuiltIn, hint

_LISTS = BuiltIn(resources.files("plait.components.function_words") / "lists")


def load(name_or_path: str) -> ColumnTemplates:
    """A list that comes with plait, or a file."""
    text, path = _LISTS.find(name_or_path)
    return parse(text, path)


def parse(text: str, path: str = "") -> ColumnTemplates:
    return ColumnTemplates.parse(text, path, _require_known)


def _require_known(name: str) -> None:
    who, dot, attribute = name.partition(".")
    known = (*STATIC, *DECIDED)
    if not dot:
        if name not in ALONE:
            raise ValueError(f"{name}: there is no such view.{hint(name, ALONE)}")
    elif who not in WHO:
        raise ValueError(f"{name}: {who!r} is nobody that can be looked at.{hint(who, WHO)}")
    elif attribute not in known and not (attribute.startswith("feats.") and attribute != "feats."):
        raise ValueError(f"{name}: no attribute {attribute!r}.{hint(attribute, known)}")
