"""The lists a converter works by: a file per scheme of trees."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from plait import checks
from plait.checks import Cell, Name
from plait.errors import InputError

_FOLDER = resources.files("plait.semantics") / "rules"


@dataclass(frozen=True, slots=True)
class ConversionRules:
    """See `rules/ud.toml`."""

    function: list[Name]
    kept_roles: list[Name]
    articles: list[Cell]
    relative: list[Name]
    modifiers: list[Name]
    elaborating: list[Name]
    addressing: list[Name]
    clauses: list[Name]
    background: list[Name]
    fronted: list[Name]
    meta: dict[str, Name]
    given: dict[str, Name]
    completion: dict[str, Name]
    tags: dict[str, Name] = field(default_factory=dict)


def load(name_or_path: str = "ud") -> ConversionRules:
    """Rules that come with plait, or of a file; InputError names what is wrong with it."""
    own = _FOLDER / f"{name_or_path}.toml"
    try:
        text = own.read_text(encoding="utf-8") if own.is_file() else Path(name_or_path).read_text("utf-8")
        return checks.record(ConversionRules, checks.parse_toml(text), "the rule file")
    except (OSError, ValueError) as error:
        raise InputError(f"{name_or_path}: cannot be used as a rule file: {error}.") from None
