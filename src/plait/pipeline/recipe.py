"""A recipe: everything that decides what a pipeline learns, in one TOML file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any, ClassVar

from plait.errors import InputError
from plait.lemmas import LemmatizerOptions
from plait.options import Options, read_toml
from plait.parser import ParserOptions
from plait.tagger import TaggerOptions
from plait.text import TokenizerOptions

TAGS = ("both", "predicted", "gold")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions(Options):
    """What the model card tells, and how the parts are joined.

    The parser learns from the `tags` of the treebank (`gold`), from tags `predicted` by taggers that have not seen the
    sentence, of which there are as many as `folds`, or from every sentence with the one and with the other (`both`).
    """

    table: ClassVar[str] = "model"

    name: str = ""
    language: str = ""
    treebank: str = ""
    licence: str = ""
    attribution: str = ""
    use: str = ""
    limits: str = ""
    tags: str = "both"
    folds: int = 10

    def __post_init__(self) -> None:
        self._choose("tags", TAGS)
        self._range("folds", 2, 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The options of a pipeline and of its parts, one TOML table each."""

    model: ModelOptions = field(default_factory=ModelOptions)
    tokenizer: TokenizerOptions = field(default_factory=TokenizerOptions)
    tagger: TaggerOptions = field(default_factory=TaggerOptions)
    lemmatizer: LemmatizerOptions = field(default_factory=LemmatizerOptions)
    parser: ParserOptions = field(default_factory=ParserOptions)

    def to_toml(self) -> str:
        return "\n".join(getattr(self, each.name).to_toml() for each in fields(self))

    @classmethod
    def from_toml(cls, text: str, place: str = "") -> Recipe:
        """Strict: a table or an option that does not exist is an error that names the nearest one."""
        return cls().updated(read_toml(text, place), place)

    def updated(self, tables: Mapping[str, Mapping[str, Any]], place: str = "") -> Recipe:
        """The recipe with other values for some options, by table."""
        changed: dict[str, Any] = {}
        for table, values in tables.items():
            options = self.options_of(table, place)
            if not isinstance(values, Mapping):
                raise InputError(f"{place}{table} is expected to be a table, [{table}].")
            changed[table] = options.updated(values, place)
        return replace(self, **changed)

    def options_of(self, table: str, place: str = "") -> Options:
        """The options in a table."""
        known = [each.name for each in fields(self)]
        if table not in known:
            near = get_close_matches(table, known, n=1)
            hint = f" Did you mean [{near[0]}]?" if near else f" Available: {', '.join(known)}."
            raise InputError(f"{place}No table [{table}].{hint}")
        options: Options = getattr(self, table)
        return options
