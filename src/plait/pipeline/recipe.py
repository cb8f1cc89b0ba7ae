"""A recipe: everything that decides what a pipeline learns, in one TOML file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any, ClassVar

from plait.errors import InputError
from plait.graph import GraphOptions
from plait.lemmas import LemmatizerOptions
from plait.options import Options, read_toml
from plait.parser import ParserOptions
from plait.pipeline.presets import PRESETS
from plait.tagger import TaggerOptions
from plait.text import TokenizerOptions

TAGS = ("both", "predicted", "gold")
PARSERS = ("transition", "graph")
GUIDES = ("", *PARSERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions(Options):
    """What the model card tells, and how the parts are joined.

    The parser learns from the `tags` of the treebank (`gold`), from tags `predicted` by taggers that have not seen the
    sentence, of which there are as many as `folds`, or from every sentence with the one and with the other (`both`).
    The `parser` is the transition-based one or the graph-based one; each has a table of its own.
    With a `guide`, a parser of that kind comes before it, whose trees it looks at (stacking): the transition-based one
    with the options of the table [guide], the graph-based one with those of [graph]. With `vote`, a graph-based parser
    and one with the options of the table [third] vote with it.
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
    parser: str = "transition"
    guide: str = ""
    vote: bool = False

    def __post_init__(self) -> None:
        self._choose("tags", TAGS)
        self._choose("guide", GUIDES)
        self._range("folds", 2, 1000)
        self._choose("parser", PARSERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideOptions(ParserOptions):
    """A guide is worth the more, the more it differs from the parser that looks at it."""

    table: ClassVar[str] = "guide"

    system: str = "eager"
    beam: int = 1
    projectivize: str = "head"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThirdOptions(ParserOptions):
    """A parser whose vote decides where the others differ: quick, and of another mind than a beam."""

    table: ClassVar[str] = "third"

    beam: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The options of a pipeline and of its parts, one TOML table each.

    The parser is guided where there is a guide.
    """

    model: ModelOptions = field(default_factory=ModelOptions)
    tokenizer: TokenizerOptions = field(default_factory=TokenizerOptions)
    tagger: TaggerOptions = field(default_factory=TaggerOptions)
    lemmatizer: LemmatizerOptions = field(default_factory=LemmatizerOptions)
    guide: GuideOptions = field(default_factory=GuideOptions)
    parser: ParserOptions = field(default_factory=ParserOptions)
    graph: GraphOptions = field(default_factory=GraphOptions)
    third: ThirdOptions = field(default_factory=ThirdOptions)

    @property
    def learns_tags(self) -> bool:
        """Whether the parser chooses among the tags of the tagger."""
        return self.model.parser == "transition" and self.parser.joint

    @property
    def chosen_parser(self) -> ParserOptions | GraphOptions:
        """The options of the parser that the model asks for."""
        return self.graph if self.model.parser == "graph" else self.parser

    def __post_init__(self) -> None:
        kind = self.model.parser
        if self.chosen_parser.guided and not self.model.guide:
            raise InputError("The parser cannot be guided without a guide in the table [model].")
        if self.model.vote and "graph" in (kind, self.model.guide):
            raise InputError(
                "The graph-based parser has a vote of its own; it cannot be parser or guide too."
            )
        if kind == self.model.guide == "graph":
            raise InputError("A graph-based parser cannot guide another one: they would be the same.")
        if self.model.guide and not self.chosen_parser.guided:
            table = "graph" if kind == "graph" else "parser"
            object.__setattr__(self, table, replace(self.chosen_parser, guided=True))

    def to_toml(self) -> str:
        needed = {"guide": bool(self.model.guide), "third": self.model.vote}
        tables = [each.name for each in fields(self) if needed.get(each.name, True)]
        return "\n".join(getattr(self, name).to_toml() for name in tables)

    @classmethod
    def preset(cls, name: str, base: Recipe | None = None) -> Recipe:
        """One of the recipes that are ready to use, by name; `base` is what it changes, by default the defaults."""
        if name not in PRESETS:
            near = get_close_matches(name, PRESETS, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Available: {', '.join(PRESETS)}."
            raise InputError(f"No preset {name!r}. {hint}")
        return (base or cls()).updated(PRESETS[name])

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
